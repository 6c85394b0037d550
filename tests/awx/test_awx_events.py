# SPDX-License-Identifier: GPL-3.0-or-later
"""What people read of a preview: AWX shows the beginning of each event, and a whole plan must be readable in it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from awx import PREVIEW, PROJECT, launch, variables
from awx_job import ControlNode, Job
from reference_service_process import API_KEY, ReferenceService

# What a result contains besides the return values, and how it is displayed, depends on the core.
BOTH_ENDS = (pytest.mark.every_core,)

LISTED = "List the changes"
SHOWN = 1024
"""EVENT_STDOUT_MAX_BYTES_DISPLAY of AWX: so many characters of an event, whose last one is then an ellipsis."""

STORED = {"MAX_EVENT_RES": "700000"}
"""AWX sets this for each job."""

ACCOUNT = "account-with-a-long-name-" * 4
HOSTILE = "ä{{ lookup('ansible.builtin.pipe', 'touch evaluated') }}\n- delete everything \"\\\u202e" * 2
COLORS = re.compile(r"\x1b\[[0-9;]*m")


def as_awx_shows(stdout: str) -> str:
    return stdout if len(stdout) <= SHOWN else stdout[: SHOWN - 1] + "…"


def edge(number: int, protection: dict[str, Any] | None = None) -> dict[str, Any]:
    backend = {"backend_id": "bkdhr_shop"}
    route = {"match_type": "path_prefix", "match": "/", "backend": backend, **(protection or {})}
    return {"hostports": [f"shop{number}.example.com:443"], "routes": [route]}


def preview(control_node: ControlNode, service: ReferenceService, edges: list[dict[str, Any]]) -> Job:
    account = {"ingress_base_url": service.base_url, "ingress_api_key": API_KEY, "estate_https_edges": edges}
    control_node.set_accounts({ACCOUNT: account})
    responses = {
        "job_parts": ["https_edges"],
        "job_purge": ["edges", "modules"],
        "estate_max_deletions": 10_000,
    }
    return launch(control_node, PREVIEW, variables(PREVIEW, responses), STORED)


def read_in_events(job: Job) -> list[str]:
    """The lines of the list, in the events as AWX shows them. Lines that are continued are put together."""
    lines: list[str] = []
    for event in job.events:
        if event["event"] == "runner_item_on_ok" and event["event_data"]["task"] == LISTED:
            assert len(event["stdout"].encode()) <= SHOWN
            shown = COLORS.sub("", as_awx_shows(event["stdout"]))
            for line in re.findall(r'^ {8}"(.*?)",?\r?$', shown, re.MULTILINE):
                if line.startswith("  … "):
                    lines[-1] += line.removeprefix("  … ")
                else:
                    lines.append(line.replace('\\"', '"').replace("\\\\", "\\"))
    return lines


@pytest.mark.parametrize(("number", "dangerous"), [pytest.param(30, 3, marks=BOTH_ENDS), (1000, 60)])
def test_every_deletion_and_every_opening_is_readable_in_the_events(
    service: ReferenceService, collections_path: Path, tmp_path: Path, number: int, dangerous: int
) -> None:
    service.reset()
    restriction = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}}
    service.seed(
        https_edges=[
            *(edge(one, restriction) for one in range(dangerous)),
            *({"id": f"edghts_old{one}", "hostports": [f"old{one}.example.com:443"]} for one in range(dangerous - 1)),
            {"id": "edghts_hostile", "hostports": [], "description": HOSTILE},
        ]
    )

    job = preview(ControlNode(tmp_path, PROJECT, collections_path), service, [edge(one) for one in range(number)])

    lines = read_in_events(job)
    created = 2 * (number - dangerous)
    assert f"{created} to create, {dangerous} to update, {dangerous} to delete" in lines[0]
    assert job.custom_stats()["job_expect_plan"][ACCOUNT] in lines[0]
    assert f"{dangerous} of {dangerous} openings shown, {dangerous} of {dangerous} deletions shown" in lines[1]
    opened, deleted = lines[2 : 2 + dangerous], lines[2 + dangerous : 2 + 2 * dangerous]
    for one in range(dangerous):
        assert [line for line in opened if f"of shop{one}.example.com:443 (" in line]
    assert all(line.startswith("~ update") and ": no longer requires an allowed network" in line for line in opened)
    names = {f"- delete https_edge old{one}.example.com:443 (edghts_old{one})" for one in range(dangerous - 1)}
    assert {line for line in deleted if "old" in line} == names
    [hostile] = set(deleted) - names
    assert "edghts_hostile" in hostile
    assert lines[2 + 2 * dangerous].startswith("+ create")
    assert lines[-1] == f"{created - 20} other changes are not shown here. End of the list."
    assert not list(tmp_path.rglob("evaluated"))


@pytest.mark.every_core
def test_a_preview_that_awx_does_not_store_is_handed_on_as_a_whole(
    service: ReferenceService, collections_path: Path, tmp_path: Path
) -> None:
    service.reset()

    job = preview(ControlNode(tmp_path, PROJECT, collections_path), service, [edge(one) for one in range(1000)])

    assert job.of("runner_on_ok", "Make the service match the declaration")["res"] == {}
    assert "20 of 2000 other changes shown" in read_in_events(job)[1]
    passed = job.custom_stats()
    assert len(passed["drift"][ACCOUNT]) == 2000
    assert len(passed["ingress_plans"]) <= 60_000
    failed = job.of("runner_on_failed", "Fail if something differs")["res"]["msg"]
    assert "create 2000, update 0, and delete 0 objects" in failed
    [event] = [one for one in job.events if one["event"] == "runner_on_failed"]
    assert failed.partition('"')[0] in as_awx_shows(event["stdout"])


@pytest.mark.long(cores=0)
def test_what_is_applied_is_not_listed_again(service: ReferenceService, collections_path: Path, tmp_path: Path) -> None:
    service.reset()
    control_node = ControlNode(tmp_path, PROJECT, collections_path)

    assert read_in_events(preview(control_node, service, [edge(1)]))
    applied = control_node.job("estate.yml", ["--diff"], {}, STORED)
    settled = preview(control_node, service, [edge(1)])

    assert applied.code == settled.code == 0, applied.output + settled.output
    assert read_in_events(applied) == read_in_events(settled) == []
