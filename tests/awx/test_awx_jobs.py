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
from awx import APPLY, CHECK, PREVIEW, PROJECT, TEMPLATES, ControlNode, Event, Job, arguments_of, injected, variables
from awx import launch as launched
from playbook_run import IN_WORKER
from reference_service_process import API_KEY, ReferenceService
from secret_canaries import CANARIES, as_written, shown

MADE = "Make the service match the declaration"
SECRET = CANARIES["webhook_canary"]
OLD = ["old.example.com:443"]

Launch = Callable[..., Job]


@pytest.fixture
def control_node(service: ReferenceService, collections_path: Path, tmp_path: Path) -> ControlNode:
    """A control node, next to a service that holds nothing."""
    service.reset()
    return ControlNode(tmp_path, collections_path)


@pytest.fixture
def launch(service: ReferenceService, control_node: ControlNode, tmp_path: Path) -> Launch:
    """Launches a job template, with more variables than its own, for an account that declares a secret."""
    account = yaml.safe_load((PROJECT / "host_vars" / "shop.yml").read_text(encoding="utf-8"))
    hook = {"match_type": "exact_path", "match": "/hook"}
    signed = {**hook, "webhook_verification": {"provider": "slack", "secret": SECRET}}
    account["estate_https_edges"][0]["routes"].append(signed)
    control_node.set_accounts({"shop": account})
    credential = {"base_url": service.base_url, "api_key": API_KEY}

    def with_variables(template: str, **extra: Any) -> Job:
        given = {**variables(template, {}), **extra}
        environment = injected(credential, tmp_path)
        return control_node.job("estate.yml", given, *arguments_of(template), "-vvvv", **environment)

    return with_variables


def test_drift_fails_the_check_until_it_is_reverted(
    service: ReferenceService, control_node: ControlNode, launch: Launch
) -> None:
    control_node.synchronize()
    service.seed(https_edges=[{"hostports": OLD}])
    scheduled = variables(CHECK, TEMPLATES[CHECK]["schedule"]["extra_data"])

    drifted = launch(CHECK, **scheduled)
    untouched = service.state()
    repaired = launch(APPLY)
    kept = service.state()
    settled = launch(CHECK, **scheduled)

    codes = drifted.code, repaired.code, settled.code
    assert codes == (2, 0, 0), drifted.output + repaired.output + settled.output
    assert [edge["hostports"] for edge in untouched["https_edges"]] == [OLD]
    [_old, shop] = kept["https_edges"]
    assert {route["match"] for route in shop["routes"]} == {"/", "/hook"}
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
        assert bool(listed(job)) is (job is drifted)
        assert job.output.count(f" runs {IN_WORKER}") == 1
        assert shown(job.kept_files()) == []
    assert as_written(SECRET) in json.dumps(kept)


@pytest.mark.parametrize("parts", first_alone(["https_edges, tls_edges\nhttps_edges", ["", ""]]), ids=str)
def test_parts_may_be_a_string(service: ReferenceService, launch: Launch, parts: Any) -> None:
    service.seed(https_edges=[{"hostports": OLD}])
    job = launch(APPLY, job_parts=parts, job_purge="edges,routes")
    assert job.code == 0, job.output
    assert [edge["hostports"] for edge in service.state()["https_edges"]] == [["shop.example.com:443"]]


NOTHING: list[tuple[dict[str, Any], str]] = [
    ({"job_parts": "tls_edges,https_edge"}, "estate_parts must be one or more of: objects, https_edges"),
    ({"job_purge": {"edges": False}}, "job_parts and job_purge must be lists, or strings with one name on each line"),
    ({"job_part": "tls_edges"}, "job_part: unknown variable; expected one of"),
    ({"job_fail_on_drift": "ture"}, 'job_fail_on_drift true or false, not "ture".'),
    ({"job_fail_on_drift": None}, "job_fail_on_drift"),
    ({"estate_purge_scope": "{{ shop_scop }}", "job_purge": ["edges"]}, "shop_scop"),
    *(({"job_accounts": accounts}, "shopp") for accounts in ("shopp", "shop,shopp")),
    ({"job_accounts": "accounts:!shop"}, "accounts:!shop"),
    ({"job_accounts": []}, "none of these accounts exists"),
]


@pytest.mark.parametrize(("extra", "said"), first_alone(NOTHING), ids=str)
def test_a_job_that_compares_nothing_fails(service: ReferenceService, launch: Launch, extra: Any, said: str) -> None:
    job = launch(CHECK, **extra)

    assert job.code != 0
    assert said in job.output
    assert service.journal() == []


def test_an_account_cannot_change_requirements(
    service: ReferenceService, control_node: ControlNode, launch: Launch
) -> None:
    required = [{"paths": ["/admin"], "needs": ["login", "network"], "reason": "Only for our staff."}]
    project = control_node.project
    (project / "access_requirements.yml").write_text(json.dumps({"estate_requirements": required}), encoding="utf-8")
    host_vars = project / "host_vars" / "shop.yml"
    account = json.loads(host_vars.read_text(encoding="utf-8"))
    host_vars.write_text(json.dumps({**account, "estate_requirements": []}), encoding="utf-8")

    rejected = launch(APPLY)

    message = rejected.of("runner_on_failed", MADE)["res"]["msg"]
    assert "https://shop.example.com/admin lets everyone through, but requirements[0] demands" in message
    assert {request["method"] for request in service.journal()} == {"GET"}


SHOWN = 1024
"""EVENT_STDOUT_MAX_BYTES_DISPLAY of AWX: so many characters of an event, whose last one is then an ellipsis."""

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
    return launched(control_node, PREVIEW, variables(PREVIEW, responses), MAX_EVENT_RES="700000")  # as AWX sets it


def listed(job: Job) -> list[Event]:
    of_items = [event for event in job.events if event["event"] == "runner_item_on_ok"]
    return [event for event in of_items if event["event_data"]["task"] == "List the changes"]


def read_in_events(job: Job) -> list[str]:
    """The lines of the list, in the events as AWX shows them. Lines that are continued are put together."""
    lines: list[str] = []
    for event in listed(job):
        assert len(event["stdout"].encode()) <= SHOWN
        shown = COLORS.sub("", as_awx_shows(event["stdout"]))
        for line in re.findall(r'^ {8}"(.*?)",?\r?$', shown, re.MULTILINE):
            if line.startswith("  … "):
                lines[-1] += line.removeprefix("  … ")
            else:
                lines.append(line.replace('\\"', '"').replace("\\\\", "\\"))
    return lines


# What a result contains besides the return values, and how it is displayed, depends on the core.
@pytest.mark.every_core
@pytest.mark.parametrize(("number", "dangerous"), first_alone([(30, 3), (1000, 60)]))
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
    assert f"20 of {created} other changes shown" in lines[1]
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
    # What is handed on, even if AWX does not store the result.
    assert (job.of("runner_on_ok", MADE)["res"] == {}) is (number == 1000)
    passed = job.custom_stats()
    assert len(passed["drift"][ACCOUNT]) == created + 2 * dangerous
    assert len(passed["ingress_plans"]) <= 60_000
    failed = job.of("runner_on_failed", "Fail if something differs")["res"]["msg"]
    assert f"create {created}, update {dangerous}, and delete {dangerous} objects" in failed
    [event] = [one for one in job.events if one["event"] == "runner_on_failed"]
    assert failed.partition('"')[0] in as_awx_shows(event["stdout"])
