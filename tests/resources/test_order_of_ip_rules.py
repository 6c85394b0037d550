# SPDX-License-Identifier: GPL-3.0-or-later
"""IP policies and rules that others rely on: whom they let in waits for what protects otherwise, nobody relies on new
ones that are not whole, and what is used goes last.
"""

from __future__ import annotations

import pytest

from estates_to_judge import Given, estate
from ip_rules import OFFICE, live_rule, rule, seed_rules
from module_task import Tasks, writes
from places import EDGE, KEY, held_edge
from scripted_service import Instead, Received, Response, rejecting

WIDE, NARROW, HOME, PART = "0.0.0.0/0", "192.0.0.0/8", "10.0.0.0/8", "10.2.0.0/16"
EVERYWHERE, DENIED = rule(WIDE), rule(PART, "deny")


def declared(*objects: Given, route: str = "") -> Given:
    """Objects, and one route of the edge in a line of text."""
    routes = estate(route)["https_edges"][0]["routes"] if route else []
    return {"objects": list(objects), "https_edges": [{"id": EDGE, "routes": routes}]}


def absent(one: Given) -> Given:
    return {**one, "state": "absent"}


def rejecting_if(method: str, text: str) -> Instead:
    """Reject such requests if their path or body contains the text."""

    def instead(request: Received) -> Response | None:
        is_it = request.method == method and text in request.path + request.body.decode()
        return Response(403) if is_it else None

    return instead


def verbs(result: Given) -> list[str]:
    return [one.split()[0] for one in writes(result)]


@pytest.mark.parametrize("route", ["/ office staff", "/ networks=ipp_other", "/ office -backend"])
def test_a_rule_that_lets_others_in_waits_for_the_route_that_is_protected_otherwise(tasks: Tasks, route: str) -> None:
    seed_rules(tasks, "/ office", live_rule(HOME))
    options = declared(OFFICE, EVERYWHERE, route=route)
    assert verbs(tasks.done("estate", **options)) == ["PATCH", "POST"]
    assert not tasks.done("estate", **options)["changed"]


def test_a_rule_that_lets_others_in_is_withheld_if_the_login_fails(tasks: Tasks) -> None:
    seed_rules(tasks, "/ office", live_rule(HOME))
    options = declared(OFFICE, EVERYWHERE, route="/ staff")
    options["https_edges"][0]["routes"][0]["id"] = "edghtsrt_nowhere"
    assert writes(tasks.failed("estate", **options)) == []


def test_a_rule_goes_before_a_route_gets_its_policy(tasks: Tasks) -> None:
    seed_rules(tasks, "/ networks=ipp_other", live_rule(HOME), live_rule(NARROW))
    options = declared(OFFICE, absent(rule(NARROW)), route="/ office")
    assert verbs(tasks.done("estate", **options)) == ["DELETE", "PATCH"]


def test_a_rule_replaces_another_one_of_a_policy_that_is_used(tasks: Tasks) -> None:
    """In between, everybody gets in who does so before or after."""
    seed_rules(tasks, "/ office", live_rule(HOME))
    options = {"objects": [OFFICE, absent(rule(HOME)), rule(NARROW)]}
    assert verbs(tasks.done("estate", **options)) == ["POST", "DELETE"]


def test_a_new_route_waits_for_all_rules_of_its_policy_in_a_second_run_too(tasks: Tasks) -> None:
    tasks.service.seed(https_edges=[{"id": EDGE, "hostports": ["shop.example.com:443"]}])
    options = declared(OFFICE, EVERYWHERE, DENIED, route="/ by-name")
    for _run in range(2):
        result = tasks.failed("estate", instead=rejecting_if("POST", PART), **options)
        assert not [one for one in writes(result) if one.endswith("/routes")]
    assert writes(tasks.done("estate", **options))[-1].endswith("/routes")


@pytest.mark.parametrize("by_id", [False, True])
def test_the_rules_of_a_purged_route_stay_if_the_route_stays(tasks: Tasks, by_id: bool) -> None:
    live = [live_rule(WIDE), live_rule(HOME, "deny")]
    seed_rules(tasks, "/ office", *live)
    gone = [rule(HOME, "deny"), EVERYWHERE]
    if by_id:
        gone = [{"name": one["id"], "collection": "ip_policy_rules", "id": one["id"]} for one in live[::-1]]
    options = declared(*map(absent, (*gone, OFFICE)))
    tasks.failed("estate", instead=rejecting("DELETE", "/routes/edghtsrt_root"), **options, purge=["routes"])
    assert [one["cidr"] for one in tasks.service.state()["objects"]["ip_policy_rules"]] == [WIDE, HOME]


NEW = {**OFFICE, "name": "new", "find_by": {"description": "new"}}
ANOTHER_POLICY = {
    "objects": [NEW, rule("10.1.0.0/16", "deny", "ref:new"), absent(OFFICE), absent(rule(HOME, "deny"))],
    "https_edges": [{"id": EDGE, "routes": [{**KEY, "ip_restriction": {"ip_policy_ids": ["ref:new"]}}]}],
}
ANOTHER_RULE = {"objects": [OFFICE, absent(rule(HOME, "deny")), rule("10.0.0.0/9", "deny")]}
ROOT_PATH = f"/edges/https/{EDGE}/routes/edghtsrt_root"
FAILING: dict[str, tuple[Given, Instead, str]] = {
    # What is declared, what fails, and the cause in the message.
    "a rule": (ANOTHER_RULE, rejecting("POST", "/ip_policy_rules"), "object ip_policy_rules deny 10.0.0.0-9"),
    "a rule of a policy": (
        ANOTHER_POLICY,
        rejecting("POST", "/ip_policy_rules"),
        "object ip_policy_rules deny 10.1.0.0-16",
    ),
    "the user": (ANOTHER_POLICY, rejecting("PATCH", ROOT_PATH), "(edghtsrt_root)"),
    "the user without a word": (ANOTHER_POLICY, rejecting("PATCH", ROOT_PATH, Response(204)), "(edghtsrt_root)"),
}


@pytest.mark.parametrize("concurrency", [1, 4])
@pytest.mark.parametrize(("options", "instead", "cause"), FAILING.values(), ids=FAILING)
def test_a_failure_keeps_what_is_used(
    tasks: Tasks, options: Given, instead: Instead, cause: str, concurrency: int
) -> None:
    old = live_rule(HOME, "deny")
    seed_rules(tasks, "/ office", old)
    result = tasks.failed("estate", instead=instead, **options, concurrency=concurrency)
    assert cause in result["msg"]
    assert not [one for one in result["operations"] if one["method"] == "DELETE"]
    assert held_edge(tasks)["routes"][0]["ip_restriction"]["ip_policy_ids"] == ["ipp_office"]
    assert old["id"] in {one["id"] for one in tasks.service.state()["objects"]["ip_policy_rules"]}
    tasks.done("estate", **options)
    assert not tasks.done("estate", **options)["changed"]


@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_rule_goes_when_the_one_in_its_place_is_there(tasks: Tasks, concurrency: int) -> None:
    seed_rules(tasks, "/ office", live_rule(HOME, "deny"))
    tasks.service.switches(slow_creations_ms=100)
    assert verbs(tasks.done("estate", **ANOTHER_RULE, concurrency=concurrency)) == ["POST", "DELETE"]


@pytest.mark.parametrize("members", ["whole", "without_parts"])
def test_what_is_deleted_together_goes_in_the_order_of_live_references(tasks: Tasks, members: str) -> None:
    """Neither the declarations of the deleted objects nor every list says what refers to what."""
    tasks.service.switches(list_members=members)
    page = {"name": "page", "collection": "backends/http_response", "find_by": {"description": "page"}}
    till = {"name": "till", "collection": "edges/tls", "find_by": {"description": "till"}}
    body = {"backend": {"backend_id": "ref:page"}, "hostports": ["till.example.com:443"]}
    tasks.done("estate", objects=[{**till, "body": body}, {**page, "body": {}}])
    result = tasks.done("estate", objects=[absent(till), absent(page)])
    assert [one["path"].rpartition("/")[0] for one in result["operations"]] == ["/edges/tls", "/backends/http_response"]


@pytest.mark.parametrize("names", [("audit", "stream"), ("stream", "audit")])
def test_an_object_is_deleted_after_those_that_refer_to_its_kind(tasks: Tasks, names: tuple[str, str]) -> None:
    """A service that shows only the first reference hides what else an object refers to."""
    tasks.service.switches(references="single")
    tasks.service.seed(objects={"event_destinations": [{"id": "ed_kept", "description": "kept"}]})
    find = {"audit": "event_subscriptions", "stream": "event_destinations"}
    one = {name: {"name": name, "collection": of, "find_by": {"description": name}} for name, of in find.items()}
    audit = {**one["audit"], "body": {"destination_ids": ["ed_kept", "ref:stream"]}}
    tasks.done("estate", objects=[audit, one["stream"]])
    result = tasks.done("estate", objects=[absent(one[name]) for name in names])
    assert [operation["path"].split("/")[1] for operation in result["operations"]] == [*find.values()]
