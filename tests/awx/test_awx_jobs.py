# SPDX-License-Identifier: GPL-3.0-or-later
"""The jobs of docs/awx: what they do, what their events show, and what they keep to themselves. AWX shows the beginning
of each event, in which people must be able to read a whole plan.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from amount import first_alone
from awx import APPLY, CHECK, PREVIEW, PROJECT, TEMPLATES, injected, variables
from awx import launch as launched
from awx_job import ControlNode, Job
from playbook_run import IN_WORKER
from reference_service_process import API_KEY, ReferenceService
from secret_canaries import CANARIES, as_written, shown

MADE = "Make the service match the declaration"
SECRET = CANARIES["webhook_canary"]

Launch = Callable[..., Job]


@pytest.fixture
def control_node(service: ReferenceService, collections_path: Path, tmp_path: Path) -> ControlNode:
    """A control node, next to a service that holds nothing."""
    service.reset()
    return ControlNode(tmp_path, PROJECT, collections_path)


@pytest.fixture
def launch(service: ReferenceService, control_node: ControlNode, tmp_path: Path) -> Launch:
    """Launches a job template, with answers to the survey, for an account that declares a secret."""
    host_vars = control_node.project / "host_vars" / "shop.yml"
    account = yaml.safe_load(host_vars.read_text(encoding="utf-8"))
    hook = {"match_type": "exact_path", "match": "/hook"}
    signed = {**hook, "webhook_verification": {"provider": "slack", "secret": SECRET}}
    account["estate_https_edges"][0]["routes"].append(signed)
    host_vars.write_text(yaml.safe_dump(account), encoding="utf-8")
    control_node.synchronize("inventory/accounts.yml")
    credential = {"base_url": service.base_url, "api_key": API_KEY}

    def with_responses(template: str, extra: dict[str, Any] | None = None, **responses: Any) -> Job:
        mode = ["--check"] if TEMPLATES[template]["job_type"] == "check" else []
        arguments = [*mode, "--diff", "--forks", "10", "-vvvv"]
        given = {**variables(template, responses), **(extra or {})}
        return control_node.job("estate.yml", arguments, given, injected(credential, tmp_path))

    return with_responses


def test_drift_fails_the_check_until_it_is_reverted(service: ReferenceService, launch: Launch) -> None:
    scheduled = TEMPLATES[CHECK]["schedule"]["extra_data"]

    drifted = launch(CHECK, **scheduled)
    untouched = service.state()
    repaired = launch(APPLY)
    kept = service.state()
    settled = launch(CHECK, **scheduled)

    codes = drifted.code, repaired.code, settled.code
    assert codes == (2, 0, 0), drifted.output + repaired.output + settled.output
    assert untouched["https_edges"] == []
    assert {route["match"] for route in kept["https_edges"][0]["routes"]} == {"/", "/hook"}
    # What notifications and people see of the drift.
    message = drifted.of("runner_on_failed", "Fail if something differs")["res"]["msg"]
    assert "shop differs from its declaration" in message
    assert "create 3, update 0, and delete 0 objects" in message
    assert [request["method"] for request in drifted.custom_stats()["drift"]["shop"]] == ["POST"] * 3
    assert "drift" not in repaired.custom_stats() | settled.custom_stats()
    # What events show.
    for job, changed in ((drifted, True), (repaired, True), (settled, False)):
        result = job.of("runner_on_ok", MADE)["res"]
        assert result["changed"] is changed
        assert "shop.example.com:443" in json.dumps(result["diff"]) or not changed
        assert job.output.count(f" runs {IN_WORKER}") == 1
        assert shown(job.kept_files()) == []
    assert as_written(SECRET) in json.dumps(kept)


@pytest.mark.parametrize("accounts", first_alone(["shopp", [], "accounts:!shop", "shop,shopp"]), ids=str)
def test_a_job_for_an_unknown_account_fails(service: ReferenceService, launch: Launch, accounts: Any) -> None:
    job = launch(APPLY, extra={"job_accounts": accounts})

    assert job.code != 0
    assert ("shopp" if "shopp" in accounts else "") in job.output
    assert service.journal() == []


@pytest.mark.parametrize("parts", first_alone(["https_edges, tls_edges\nhttps_edges", ["", ""]]), ids=str)
def test_parts_may_be_a_string(service: ReferenceService, launch: Launch, parts: Any) -> None:
    """And edges are deleted only if asked for."""
    service.seed(https_edges=[{"hostports": ["old.example.com:443"]}])
    for purge, number in (("routes,modules", 2), ("edges,routes", 1)):
        job = launch(APPLY, extra={"job_parts": parts, "job_purge": purge})
        assert (job.code, len(service.state()["https_edges"])) == (0, number), job.output
    assert [edge["hostports"] for edge in service.state()["https_edges"]] == [["shop.example.com:443"]]


NOTHING: list[tuple[dict[str, Any], str]] = [
    ({"job_parts": "tls_edges,https_edge"}, "estate_parts must be one or more of: objects, https_edges"),
    ({"job_parts": ["event_subscriptions"], "job_purge": "edges"}, "edges is listed, but https_edges is not"),
    ({"job_purge": ["edge"]}, "estate_purge must be one or more of: edges"),
    ({"job_purge": {"edges": False}}, "job_parts and job_purge must be lists, or strings with one name on each line"),
    ({"job_part": "tls_edges"}, "job_part: unknown variable; expected one of"),
    ({"job_fail_on_drift": "ture"}, 'job_fail_on_drift true or false, not "ture".'),
    ({"job_fail_on_drift": None}, "job_fail_on_drift"),
    ({"estate_purge_scope": "{{ shop_scop }}", "job_purge": ["edges"]}, "shop_scop"),
    ({"estate_purge_scope": None, "job_purge": ["edges"]}, "purge_scope: expected"),
]


@pytest.mark.parametrize(("extra", "said"), first_alone(NOTHING), ids=str)
def test_a_job_that_compares_nothing_fails(service: ReferenceService, launch: Launch, extra: Any, said: str) -> None:
    job = launch(CHECK, extra)

    assert job.code != 0
    assert said in job.output
    assert service.journal() == []


def test_an_account_cannot_change_requirements(service: ReferenceService, launch: Launch, tmp_path: Path) -> None:
    required = [{"paths": ["/admin"], "needs": ["login", "network"], "reason": "Only for our staff."}]
    project = tmp_path / "project"
    (project / "access_requirements.yml").write_text(json.dumps({"estate_requirements": required}), encoding="utf-8")
    host_vars = project / "host_vars" / "shop.yml"
    account = yaml.safe_load(host_vars.read_text(encoding="utf-8"))
    host_vars.write_text(yaml.safe_dump({**account, "estate_requirements": []}), encoding="utf-8")

    rejected = launch(APPLY)

    message = rejected.of("runner_on_failed", MADE)["res"]["msg"]
    assert "https://shop.example.com/admin lets everyone through, but requirements[0] demands" in message
    assert {request["method"] for request in service.journal()} == {"GET"}


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
    responses = {"job_parts": ["https_edges"], "job_purge": ["edges", "modules"], "estate_max_deletions": 10_000}
    return launched(control_node, PREVIEW, variables(PREVIEW, responses), STORED)


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


# What a result contains besides the return values, and how it is displayed, depends on the core.
@pytest.mark.parametrize(("number", "dangerous"), [pytest.param(30, 3, marks=[pytest.mark.every_core]), (1000, 60)])
def test_every_deletion_and_every_opening_is_readable_in_the_events(
    service: ReferenceService, control_node: ControlNode, tmp_path: Path, number: int, dangerous: int
) -> None:
    restriction = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}}
    service.seed(
        https_edges=[
            *(edge(one, restriction) for one in range(dangerous)),
            *({"id": f"edghts_old{one}", "hostports": [f"old{one}.example.com:443"]} for one in range(dangerous - 1)),
            {"id": "edghts_hostile", "hostports": [], "description": HOSTILE},
        ]
    )

    job = preview(control_node, service, [edge(one) for one in range(number)])

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
def test_a_preview_that_awx_does_not_store_is_handed_on(service: ReferenceService, control_node: ControlNode) -> None:
    job = preview(control_node, service, [edge(one) for one in range(1000)])

    assert job.of("runner_on_ok", MADE)["res"] == {}
    assert "20 of 2000 other changes shown" in read_in_events(job)[1]
    passed = job.custom_stats()
    assert len(passed["drift"][ACCOUNT]) == 2000
    assert len(passed["ingress_plans"]) <= 60_000
    failed = job.of("runner_on_failed", "Fail if something differs")["res"]["msg"]
    assert "create 2000, update 0, and delete 0 objects" in failed
    [event] = [one for one in job.events if one["event"] == "runner_on_failed"]
    assert failed.partition('"')[0] in as_awx_shows(event["stdout"])


@pytest.mark.long(cores=0)
def test_what_is_applied_is_not_listed_again(service: ReferenceService, control_node: ControlNode) -> None:
    assert read_in_events(preview(control_node, service, [edge(1)]))
    applied = control_node.job("estate.yml", ["--diff"], {}, STORED)
    settled = preview(control_node, service, [edge(1)])

    assert applied.code == settled.code == 0, applied.output + settled.output
    assert read_in_events(applied) == read_in_events(settled) == []
