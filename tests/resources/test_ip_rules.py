# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of IP policies say who gets in: a task that changes them says what that opens, and a plan that restricts a
route is judged by the rules that its policy will have.
"""

from __future__ import annotations

from typing import Any

import pytest

from estates_to_judge import Given, estate
from ip_rules import OFFICE, live_rule, rule, seed_rules
from module_task import Tasks, writes
from places import TLS_EDGE, seed_tls_edge
from scripted_service import Received, Response, forwarding, rejecting

WIDE, NARROW, HOME = "0.0.0.0/0", "192.0.2.0/24", "10.0.0.0/8"
EVERYWHERE: Given = {name: value for name, value in rule(WIDE, policy="ipp_office").items() if name != "name"}
IN_ESTATE: Given = {"objects": [OFFICE, rule(WIDE)]}
REQUIREMENT: Given = {"needs": ["network"], "reason": "Only from our networks."}
RULE = "policy_allows_everyone"
MODULES = [("object", EVERYWHERE), ("estate", IN_ESTATE)]


@pytest.mark.parametrize(("module", "options"), MODULES)
def test_a_new_rule_opens_what_uses_its_policy_and_nothing_else(tasks: Tasks, module: str, options: Given) -> None:
    seed_rules(tasks, "/ office", live_rule(HOME))
    for check in (True, False):
        result = tasks.failed(module, check, **options, reject_openings=True)
        assert "also admits 0.0.0.0/0 (others)" in result["msg"] or "no longer requires" in result["msg"]
        assert writes(result) == []
    tasks.service.reset()
    seed_rules(tasks, "/ networks=ipp_other", live_rule(HOME))
    assert len(writes(tasks.done(module, **options, reject_openings=True))) == 1


def test_a_new_rule_opens_tls_edges_that_use_its_policy(tasks: Tasks) -> None:
    seed_rules(tasks, "/ networks=ipp_other", live_rule(HOME))
    restricted = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}, "backend": {"backend_id": "bkd_one"}}
    seed_tls_edge(tasks, hostports=["vpn.example.com:443"], **restricted)
    result = tasks.failed("object", **EVERYWHERE, reject_openings=True)
    assert "vpn.example.com:443: also admits 0.0.0.0/0 (others)" in result["msg"]


def unreadable(path: str) -> Any:
    return lambda request: Response(403) if request.path.startswith(path) else None


def test_it_is_said_that_the_edges_could_not_be_read(tasks: Tasks) -> None:
    seed_rules(tasks, "/ office", live_rule(HOME))
    result = tasks.done("estate", True, unreadable("/edges/https"), **IN_ESTATE)
    assert "other objects that serve traffic (https_edge)" in [one["object"] for one in result["not_examined"]]


@pytest.mark.parametrize("path", ["/edges/https", "/edges/tcp"])
def test_what_cannot_be_read_does_not_meet_a_requirement(tasks: Tasks, path: str) -> None:
    seed_rules(tasks, "/ office", live_rule(HOME))
    result = tasks.failed("estate", instead=unreadable(path), objects=[OFFICE], requirements=[REQUIREMENT])
    assert ("What was not read does not meet `requirements`" in result["msg"], writes(result)) == (True, [])


@pytest.mark.parametrize("options", [{"objects": [OFFICE]}, {"https_edges": []}])
def test_policies_that_admit_almost_everyone_do_not_meet_a_requirement(tasks: Tasks, options: Given) -> None:
    seed_rules(tasks, "/ office", live_rule("0.0.0.0/1"), live_rule("128.0.0.0/1"))
    result = tasks.failed("estate", **options, requirements=[REQUIREMENT])
    assert ("requirements[0]" in result["msg"], rules_of(result)) == (True, ["requirement_not_met"])
    assert tasks.failed("exposure_info", requirements=[REQUIREMENT], fail_on="high")["findings"]


def test_known_rules_that_admit_some_meet_a_requirement(tasks: Tasks) -> None:
    seed_rules(tasks, "/ office")
    result = tasks.failed("estate", objects=[OFFICE], requirements=[REQUIREMENT])
    assert "not all rules of its IP policies are known" in result["msg"]
    tasks.service.reset()
    seed_rules(tasks, "/ office", live_rule(HOME))
    assert not tasks.done("estate", objects=[OFFICE], requirements=[REQUIREMENT])["changed"]
    assert tasks.done("exposure_info", requirements=[REQUIREMENT])["findings"] == []


def judged(*objects: Given, route: str = "/ by-name", **more: Any) -> Given:
    return {**estate(route), "objects": list(objects), "reject_findings": "high", **more}


def rules_of(result: Given) -> list[str]:
    return [one["rule"] for one in result["findings"]]


def unknown_policies(result: Given) -> list[str]:
    return [one["object"] for one in result["not_judged"] if one["path"] == "objects"]


def test_a_new_policy_that_allows_everyone_is_rejected(tasks: Tasks) -> None:
    seed_tls_edge(tasks)
    tls_edges = [{"edge_id": TLS_EDGE, "ip_restriction": {"ip_policy_ids": ["ref:office"]}}]
    for check in (True, False):
        rejected = tasks.failed("estate", check, **judged(OFFICE, rule(WIDE), tls_edges=tls_edges))
        assert (rules_of(rejected), writes(rejected)) == ([RULE, RULE], [])
    assert "The rules of the IP policy ipp_office_would-be-created let almost everyone through." in rejected["msg"]
    fine = tasks.done("estate", **judged(OFFICE, rule(NARROW)))
    assert (rules_of(fine), unknown_policies(fine)) == ([], [])


BY_CIDR = {"find_by": {"ip_policy_id": "ref:office", "cidr": WIDE}, "body": {"action": "allow"}, "create_only": []}
ELSEWHERE = {**OFFICE, "name": "home", "find_by": {"description": "home"}}
# The live rules, what is declared in addition to the policy, and whether it is found to let everyone through.
PLANS: dict[str, tuple[list[Given], list[Given], bool]] = {
    "declared": ([live_rule(NARROW)], [rule(WIDE)], True),
    "undeclared": ([live_rule(WIDE)], [rule(NARROW)], True),
    "denied by another": ([live_rule(WIDE, "deny")], [rule(WIDE)], False),
    "no longer denied": ([live_rule(WIDE, "deny")], [{**rule(WIDE), **BY_CIDR}], True),
    "gone": ([live_rule(WIDE)], [rule(WIDE, state="absent")], False),
    "changed by its ID": (
        [live_rule(WIDE, "deny")],
        [{**rule(WIDE), "find_by": None, "id": "ipr_deny_0", "body": {"action": "allow"}, "create_only": []}],
        True,
    ),
    "of another policy": ([live_rule(NARROW)], [ELSEWHERE, rule(WIDE, policy="ref:home")], False),
    "not declared": ([live_rule(WIDE)], [], True),
}


@pytest.mark.parametrize(("live", "objects", "is_finding"), PLANS.values(), ids=PLANS)
def test_an_existing_policy(tasks: Tasks, live: list[Given], objects: list[Given], is_finding: bool) -> None:
    seed_rules(tasks, "", *live)
    result = tasks.run("estate", True, **judged(OFFICE, *objects))
    assert (rules_of(result), unknown_policies(result)) == ([RULE] * is_finding, [])


def test_a_finding_that_was_there_is_not_new(tasks: Tasks) -> None:
    open_to_all = judged(OFFICE, rule(WIDE))
    tasks.done("estate", **open_to_all, accept=[{"rule": RULE, "object": "*", "reason": "It is a test."}])
    again = tasks.done("estate", **open_to_all)
    assert [(one["rule"], one["created"]) for one in again["findings"]] == [(RULE, False)]
    assert rules_of(tasks.done("estate", **judged(OFFICE, rule(WIDE, state="absent")))) == []
    assert rules_of(tasks.failed("estate", **open_to_all)) == [RULE]


def test_a_list_that_does_not_show_the_policy_of_a_rule_proves_nothing(tasks: Tasks) -> None:
    seed_rules(tasks, "", live_rule(NARROW))
    to_the_service = forwarding(tasks.service.base_url)

    def without_policies(request: Received) -> Response:
        response = to_the_service(request)
        return Response(response.status, response.body.replace(b'"ip_policy"', b'"policy"'), response.headers)

    result = tasks.run("estate", True, without_policies, **judged(OFFICE, rule("198.51.100.0/24")))
    assert unknown_policies(result) == ["IP policy ipp_office"]


def test_the_rules_of_a_policy_of_an_earlier_task_are_not_known(tasks: Tasks) -> None:
    policy = {name: value for name, value in OFFICE.items() if name != "name"}
    new = tasks.done("object", True, **policy)["object"]["id"]
    result = tasks.done("estate", True, **judged(OFFICE, rule(NARROW), route=f"/ networks={new}"))
    assert unknown_policies(result) == [f"IP policy {new}"]


def test_a_declaration_is_judged_by_its_names(tasks: Tasks) -> None:
    declared = {**estate("/ by-name"), "objects": [OFFICE, rule(WIDE)]}
    assert rules_of(tasks.failed("exposure_info", estate=declared, fail_on="high")) == [RULE]
    assert unknown_policies(tasks.done("exposure_info", estate=estate("/ office"))) == ["IP policy ipp_office"]


def test_a_module_of_a_tls_edge_that_is_ignored_withholds_what_relies_on_it(tasks: Tasks) -> None:
    seed_rules(tasks, "", live_rule(HOME))
    restricted = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}, "backend": {"backend_id": "bkd_one"}}
    seed_tls_edge(tasks, hostports=["x.example.com:443"], **restricted)
    wide = {**rule(WIDE), "find_by": None, "id": "ipr_allow_10", "body": {"cidr": WIDE}}
    narrow = {"edge_id": TLS_EDGE, "ip_restriction": {"ip_policy_ids": ["ipp_other"]}}
    ignoring = rejecting("PUT", response=Response(204))
    result = tasks.failed("estate", instead=ignoring, objects=[OFFICE, wide], tls_edges=[narrow])
    assert not [one for one in writes(result) if one.startswith("PATCH")]
    assert "returned other values for ip_policy_ids" in result["msg"]
