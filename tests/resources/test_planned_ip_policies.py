# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan that restricts a route by an IP policy is judged by the rules that the policy will have."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks, writes
from places import HOSTPORT, TLS_EDGE, seed_tls_edge
from scripted_service import Received, Response, forwarding, scripted_service

Given = dict[str, Any]

RULE = "policy_allows_everyone"
OFFICE: Given = {"name": "office", "collection": "ip_policies", "find_by": {"description": "Office"}}
LIVE = {"ip_policies": [{"id": "ipp_office", "description": "Office"}]}


def rule(cidr: str, name: str = "rule", policy: str = "ref:office", **more: Any) -> Given:
    found = {"ip_policy_id": policy, "cidr": cidr}
    body = {"action": "allow"}
    return {"name": name, "collection": "ip_policy_rules", "find_by": found, "body": body, **more}


def estate(*objects: Given, policy: str = "ref:office") -> Given:
    route = {"match_type": "path_prefix", "match": "/", "backend": {"backend_id": "bk_app"}}
    restriction = {"ip_restriction": {"ip_policy_ids": [policy]}}
    edge = {"hostports": [HOSTPORT], "routes": [{**route, **restriction}]}
    return {"objects": list(objects), "https_edges": [edge], "reject_findings": "high"}


def live_rule(cidr: str, action: str = "allow", **more: Any) -> Given:
    return {"id": f"ipr_{action}", "ip_policy_id": "ipp_office", "cidr": cidr, "action": action, **more}


def rules_of(result: Given) -> list[str]:
    return [one["rule"] for one in result["findings"]]


def unknown_policies(result: Given) -> list[str]:
    return [one["object"] for one in result["not_judged"] if one["path"] == "objects"]


def test_a_new_policy_that_allows_everyone_is_rejected(tasks: Tasks) -> None:
    seed_tls_edge(tasks)
    options = estate(OFFICE, rule("0.0.0.0/0"))
    options["tls_edges"] = [{"edge_id": TLS_EDGE, "ip_restriction": {"ip_policy_ids": ["ref:office"]}}]
    for check in (True, False):
        rejected = tasks.failed("estate", check, **options)
        assert rules_of(rejected) == [RULE, RULE]
        assert not writes(rejected)
    assert "The rules of the IP policy ipp_office_would-be-created let almost everyone through." in rejected["msg"]
    fine = tasks.done("estate", **estate(OFFICE, rule("192.0.2.0/24")))
    assert (rules_of(fine), unknown_policies(fine)) == ([], [])


# The live rules, what is declared in addition to the policy, and whether it is found to let everyone through.
PLANS: dict[str, tuple[list[Given], list[Given], bool]] = {
    "declared": ([live_rule("192.0.2.0/24")], [rule("0.0.0.0/0")], True),
    "undeclared": ([live_rule("0.0.0.0/0")], [rule("192.0.2.0/24")], True),
    "denied by another": (
        [live_rule("0.0.0.0/0", "deny")],
        [rule("0.0.0.0/0", find_by={"ip_policy_id": "ref:office", "cidr": "0.0.0.0/0", "action": "allow"})],
        False,
    ),
    "no longer denied": ([live_rule("0.0.0.0/0", "deny")], [rule("0.0.0.0/0", create_only=[])], True),
    "gone": ([live_rule("0.0.0.0/0")], [rule("0.0.0.0/0", state="absent")], False),
    "changed by its ID": (
        [live_rule("0.0.0.0/0", "deny")],
        [rule("0.0.0.0/0", find_by=None, id="ipr_deny", create_only=[])],
        True,
    ),
    "of another policy": (
        [live_rule("192.0.2.0/24")],
        [{**OFFICE, "name": "home", "find_by": {"description": "Home"}}, rule("0.0.0.0/0", policy="ref:home")],
        False,
    ),
    "not declared": ([live_rule("0.0.0.0/0")], [], True),
}


@pytest.mark.parametrize(("live", "objects", "is_finding"), PLANS.values(), ids=PLANS)
def test_an_existing_policy(tasks: Tasks, live: list[Given], objects: list[Given], is_finding: bool) -> None:
    tasks.service.seed(objects={**LIVE, "ip_policy_rules": live})
    result = tasks.run("estate", True, **estate(OFFICE, *objects))
    assert (rules_of(result), unknown_policies(result)) == ([RULE] if is_finding else [], [])


def test_a_finding_that_was_there_is_not_new(tasks: Tasks) -> None:
    open_to_all = [OFFICE, rule("0.0.0.0/0")]
    accept = [{"rule": RULE, "object": "*", "reason": "It is a test."}]
    tasks.done("estate", **estate(*open_to_all), accept=accept)
    again = tasks.done("estate", **estate(*open_to_all))
    assert [(one["rule"], one["created"]) for one in again["findings"]] == [(RULE, False)]
    repaired = tasks.done("estate", **estate(OFFICE, rule("0.0.0.0/0", state="absent")))
    assert rules_of(repaired) == []
    assert rules_of(tasks.failed("estate", **estate(*open_to_all))) == [RULE]


def test_a_list_that_does_not_show_the_policy_of_a_rule_proves_nothing(tasks: Tasks) -> None:
    tasks.service.seed(objects={**LIVE, "ip_policy_rules": [live_rule("192.0.2.0/24")]})
    to_the_service = forwarding(tasks.service.base_url)

    def without_policies(request: Received) -> Response:
        response = to_the_service(request)
        return Response(response.status, response.body.replace(b'"ip_policy"', b'"policy"'), response.headers)

    with scripted_service(without_policies) as between:
        options = estate(OFFICE, rule("198.51.100.0/24"))
        result = tasks.run("estate", True, base_url=between.base_url, **options)
    assert unknown_policies(result) == ["IP policy ipp_office"]


def test_the_rules_of_a_policy_of_an_earlier_task_are_not_known(tasks: Tasks) -> None:
    policy = {name: value for name, value in OFFICE.items() if name != "name"}
    new = tasks.done("object", True, **policy)["object"]["id"]
    result = tasks.done("estate", True, **estate(OFFICE, rule("192.0.2.0/24"), policy=new))
    assert unknown_policies(result) == [f"IP policy {new}"]


def test_a_declaration_is_judged_by_its_names(tasks: Tasks) -> None:
    declared = {name: value for name, value in estate(OFFICE, rule("0.0.0.0/0")).items() if name != "reject_findings"}
    result = tasks.failed("exposure_info", estate=declared, fail_on="high")
    assert rules_of(result) == [RULE]
    live = tasks.done("exposure_info", estate={"https_edges": estate(policy="ipp_office")["https_edges"]})
    assert unknown_policies(live) == ["IP policy ipp_office"]
