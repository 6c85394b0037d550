# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of IP policies say who gets in: a task that changes them says what that opens, and a plan that restricts a
route is judged by the rules that its policy will have. Whom they let in waits for what protects otherwise, nobody
relies on new ones that are not whole, and what is used goes last.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from estates_to_judge import Given, declared_object, estate, live_rule, modules
from estates_to_judge import route as declared_route
from module_task import Tasks, accepted_writes, received, writes
from places import EDGE, TLS_EDGE, seed_edges, seed_tls_edge
from scripted_service import Received, Response, as_json, forwarding, rejecting

OFFICE: Given = {"name": "office", "collection": "ip_policies", "find_by": {"description": "office"}}


def rule(cidr: str, action: str = "allow", policy: str = "ref:office", **more: Any) -> Given:
    """A rule as it is declared, which its action distinguishes as well."""
    found = {"ip_policy_id": policy, "action": action, "cidr": cidr}
    return {"name": f"{action} {cidr.replace('/', '-')}", "collection": "ip_policy_rules", "find_by": found, **more}


def seed_rules(tasks: Tasks, edges: str, *rules: Given) -> None:
    """Put in two IP policies, the rules of the first one, and HTTPS edges in a line of text."""
    policies = [{"id": f"ipp_{name}", "description": name} for name in ("office", "other")]
    tasks.service.seed(objects={"ip_policies": policies, "ip_policy_rules": list(rules)})
    if edges:
        seed_edges(tasks, edges)


WIDE, NARROW, HOME, PART = "0.0.0.0/0", "192.0.2.0/24", "10.0.0.0/8", "10.2.0.0/16"
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


def unreadable(path: str) -> Any:
    return lambda request: Response(403) if request.path.startswith(path) else None


@pytest.mark.parametrize(
    ("path", "status", "counts"), [("/edges/https", 403, True), ("/edges/https", 405, True), ("/edges/tcp", 405, False)]
)
def test_what_cannot_be_listed_is_not_examined_unless_a_service_may_not_have_it(
    tasks: Tasks, path: str, status: int, counts: bool
) -> None:
    seed_rules(tasks, "/ office", live_rule(HOME))
    seed_tls_edge(tasks)
    tls_edges = [{"edge_id": TLS_EDGE, "ip_restriction": {"ip_policy_ids": ["ipp_other"]}}]
    result = tasks.done("estate", True, rejecting("GET", path, Response(status)), **IN_ESTATE, tls_edges=tls_edges)
    others = f"other objects that serve traffic ({'https_edge' if counts else path[1:]})"
    assert (others in [one["object"] for one in result["not_examined"]]) == counts
    assert f"GET {path}/{TLS_EDGE}" not in received(result)


@pytest.mark.parametrize("path", ["/edges/https", "/edges/tcp"])
def test_what_cannot_be_read_does_not_meet_a_requirement(tasks: Tasks, path: str) -> None:
    seed_rules(tasks, "/ office", live_rule(HOME))
    result = tasks.failed("estate", instead=unreadable(path), objects=[OFFICE], requirements=[REQUIREMENT])
    assert ("What was not read does not meet `requirements`" in result["msg"], writes(result)) == (True, [])


@pytest.mark.parametrize("requirement", [REQUIREMENT, {**REQUIREMENT, "hosts": ["no.example.com"]}], ids=["any", "one"])
def test_what_cannot_be_read_is_a_finding_if_there_are_requirements(tasks: Tasks, requirement: Given) -> None:
    seed_rules(tasks, "/ office", live_rule(HOME))
    asked = {"instead": unreadable("/edges/tcp"), "fail_on": "high"}
    result = tasks.failed("exposure_info", **asked, requirements=[requirement])
    unread = [one for one in result["findings"] if one["object"] == "other objects that serve traffic (edges/tcp)"]
    assert (rules_of({"findings": unread}), result.get("warnings", [])) == (["requirement_not_met"], [])
    traced = tasks.done("exposure_info", **asked, requests=["https://no.example.com/"])
    assert traced["findings"] == []
    assert any("serve traffic (edges/tcp) were not read" in one for one in traced["requests"][0]["unsure"])


@pytest.mark.parametrize("more", [{}, {"hosts": ["t.example.com"]}], ids=["any host", "one"])
@pytest.mark.parametrize("hostports", ["t.example.com:22", [None]], ids=str)
def test_edges_whose_hostports_have_an_unexpected_form_do_not_meet_a_requirement(
    tasks: Tasks, hostports: Any, more: Given
) -> None:
    ids = ["edgtcp_one", "edgtcp_two"]
    edges = [{"id": one, "hostports": hostports, "backend": {"backend_id": "bkd_one"}} for one in ids]

    def instead(request: Received) -> Response | None:
        found = [one for one in edges if request.path.endswith(one["id"])]
        shown = found[0] if found else {"tcp_edges": edges, "next_page_uri": None}
        return as_json(shown) if request.path.startswith("/edges/tcp") else None

    names = [f"object edges/tcp {one}" for one in ids]
    asked = {"instead": instead, "requirements": [{**REQUIREMENT, **more}]}
    asking = ("exposure_info", {"fail_on": "high"}, bool(more))
    for module, options, is_warned in (asking, ("estate", {"objects": [OFFICE]}, False)):
        result = tasks.failed(module, **asked, **options)
        assert [one["object"] for one in result["findings"]] == names
        assert all(f"{one} lets everyone through, but" in result["msg"] for one in names)
        assert bool(result.get("warnings")) is is_warned
    body = {"backend": {"backend_id": "bkd_two"}, "ip_restriction": {"enabled": False}}
    objects = [{"name": one, "collection": "edges/tcp", "id": one, "body": body} for one in ids]
    for each in edges:
        each["ip_restriction"] = {"enabled": True, "ip_policies": [{"id": "ipp_office"}]}
    result = tasks.failed("estate", instead=instead, objects=objects, reject_openings=True)
    assert all(f"{one} ({one}): no longer requires an allowed network" in result["msg"] for one in ids)


def test_an_edge_that_is_known_by_its_modules_serves_no_host_that_is_named(tasks: Tasks) -> None:
    """Whatever else is served, and however the service describes it."""
    office = {"ip_restriction": {"enabled": True, "ip_policies": [{"id": "ipp_office"}]}}
    edge = {"id": "edgtcp_one", "hostports": ["t.example.com:22", None], **office}
    seed_rules(tasks, "", live_rule(HOME))
    seed_tls_edge(tasks, ip_restriction={"ip_policy_ids": ["ipp_office"]})

    def instead(request: Received) -> Response | None:
        shown = {"tcp_edges": [edge], "next_page_uri": None} if request.path.endswith("/edges/tcp") else edge
        is_hidden = re.search(r"/edges/tls(/edgtls_\w+)?(\?|$)", request.path) and request.method == "GET"
        return as_json(shown) if request.path.startswith("/edges/tcp") else Response(404) if is_hidden else None

    options = {"tls_edges": [{"edge_id": TLS_EDGE, "absent_modules": ["ip_restriction"]}]}
    for host, is_met in (("t.example.com", True), ("*", False)):
        requirements = [{**REQUIREMENT, "hosts": [host]}]
        result = tasks.run("estate", True, instead, **options, requirements=requirements)
        assert bool(result.get("failed")) is not is_met
        assert "warnings" not in tasks.done("exposure_info", instead=instead, requirements=requirements)


def test_an_edge_with_an_unexpected_id_does_not_stop_a_plan(tasks: Tasks) -> None:
    edge = {"id": ["x"], "description": "x", "hostports": ["t.example.com:443"]}
    other = {"collection": "edges/tls", "find_by": {"description": "y"}, "body": {"hostports": ["u.example.com:443"]}}
    listed = rejecting("GET", "/edges/tls", as_json({"tls_edges": [edge], "next_page_uri": None}))
    assert tasks.done("estate", True, listed, objects=[{"name": "new", **other}])["changed"]


@pytest.mark.parametrize(("module", "options"), MODULES)
@pytest.mark.parametrize("path", ["/edges/https", "/edges/tls"])
def test_what_cannot_be_read_may_open(tasks: Tasks, module: str, options: Given, path: str) -> None:
    seed_rules(tasks, "/ networks=ipp_other", live_rule(HOME))
    result = tasks.failed(module, instead=unreadable(path), **options, reject_openings=True)
    assert "so `reject_openings` rejects it. Nothing was changed. Not read:\n- other objects that" in result["msg"]
    assert writes(result) == []
    tasks.done(module, **options)
    assert not tasks.done(module, instead=unreadable(path), **options, reject_openings=True)["changed"]


@pytest.mark.parametrize("odd", [b"", b'"id":null,'], ids=["no ID", "null"])
def test_a_rule_without_an_id_counts_beside_new_ones(tasks: Tasks, odd: bytes) -> None:
    seed_rules(tasks, "/ staff", live_rule(HOME))
    forward = forwarding(tasks.service.base_url)

    def instead(request: Received) -> Response | None:
        body = forward(request).body if request.method == "GET" else b""
        return Response(200, body.replace(b'"id":"ipr_allow_10",', odd)) if body else None

    route = {**declared_route("/ office"), "absent_modules": ["oauth"]}
    declared = {"objects": [OFFICE, rule(PART, "deny")], "https_edges": [{"id": EDGE, "routes": [route]}]}
    result = tasks.failed("estate", instead=instead, **declared, reject_openings=True)
    assert ("no longer requires a login" in result["msg"], writes(result)) == (True, [])


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
BY_ID = {**declared_object("ipr_deny_0", action="allow"), "create_only": []}
ELSEWHERE = {**OFFICE, "name": "home", "find_by": {"description": "home"}}
# The live rules, what is declared in addition to the policy, and whether it is found to let everyone through.
PLANS: dict[str, tuple[list[Given], list[Given], bool]] = {
    "declared": ([live_rule(NARROW)], [rule(WIDE)], True),
    "undeclared": ([live_rule(WIDE)], [rule(NARROW)], True),
    "denied by another": ([live_rule(WIDE, "deny")], [rule(WIDE)], False),
    "no longer denied": ([live_rule(WIDE, "deny")], [{**rule(WIDE), **BY_CIDR}], True),
    "gone": ([live_rule(WIDE)], [rule(WIDE, state="absent")], False),
    "changed by its ID": ([live_rule(WIDE, "deny")], [BY_ID], True),
    "of another policy": ([live_rule(NARROW)], [ELSEWHERE, rule(WIDE, policy="ref:home")], False),
    "not declared": ([live_rule(WIDE)], [], True),
}


@pytest.mark.parametrize(("live", "objects", "is_finding"), PLANS.values(), ids=PLANS)
def test_an_existing_policy(tasks: Tasks, live: list[Given], objects: list[Given], is_finding: bool) -> None:
    seed_rules(tasks, "", *live)
    result = tasks.run("estate", True, **judged(OFFICE, *objects))
    assert (rules_of(result), unknown_policies(result)) == ([RULE] * is_finding, [])


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


def absent(one: Given) -> Given:
    return {**one, "state": "absent"}


@pytest.mark.parametrize("rejected", ["cidr", PART], ids=["all", "one"])
def test_a_new_route_waits_for_all_rules_of_its_policy_in_a_second_run_too(tasks: Tasks, rejected: str) -> None:
    tasks.service.seed(https_edges=[{"id": EDGE, "hostports": ["shop.example.com:443"]}])
    edge = {"id": EDGE, "routes": [declared_route("/ by-name")]}
    options = {"objects": [OFFICE, rule(WIDE), rule(PART, "deny")], "https_edges": [edge]}
    for _run in range(2):
        result = tasks.failed(
            "estate", instead=lambda one: Response(403) if rejected.encode() in one.body else None, **options
        )
        assert not [one for one in writes(result) if one.endswith("/routes")]
    assert writes(tasks.done("estate", **options))[-1].endswith("/routes")


SERVED: Given = {"hostports": ["a.example.com:44"], **modules("backend")}


@pytest.mark.parametrize("is_new", [True, False])
@pytest.mark.parametrize("collection", ["edges/tls", "edges/tcp"])
def test_an_edge_that_is_an_object_waits_for_the_rules_of_its_new_policy(
    tasks: Tasks, collection: str, is_new: bool
) -> None:
    edge = {"name": "edge", "collection": collection, "find_by": {"description": "edge"}, "body": SERVED}
    objects = [{**edge, "body": {**SERVED, **modules("by-name")}}, OFFICE, rule(NARROW)]
    if not is_new:
        tasks.done("estate", objects=[edge])
    for rejected, written in (("rules", ["ip_policies"]), ("rules", []), ("nothing", ["ip_policy_rules", "edges"])):
        result = tasks.run("estate", instead=rejecting("POST", rejected), objects=objects)
        assert [one.split("/")[1] for one in accepted_writes(result)] == written
    assert not tasks.done("estate", objects=objects)["changed"]


CARD = {"name": "card", "collection": "edges/tls", "find_by": {"description": "card"}}


def test_an_edge_does_not_wait_for_a_rule_that_waits_for_it(tasks: Tasks) -> None:
    waiting = {**rule(NARROW), "body": {"edge_id": "ref:card"}}
    objects = [waiting, OFFICE, {**CARD, "body": modules("hostport=a.example.com:44 by-name")}]
    planned = tasks.done("estate", True, objects=objects)["operations"]
    assert [one["path"] for one in planned] == ["/ip_policies", "/edges/tls", "/ip_policy_rules"]


def test_an_edge_does_not_wait_for_a_rule_that_admits_more(tasks: Tasks) -> None:
    """The certificate comes first. The reference service has no PUT, so this is only planned."""
    restricted = {**SERVED, **modules("by-name")}
    tasks.done("estate", objects=[{**CARD, "body": restricted}, OFFICE, rule(NARROW)])
    certified = {**CARD, "update_method": "PUT", "body": {**restricted, **modules("clients")}}
    wider = {**rule(WIDE), "find_by": {"ip_policy_id": "ref:office"}, "body": {"cidr": WIDE}}
    objects = [certified, {**OFFICE, "body": {"metadata": "x"}}, wider]
    planned = tasks.done("estate", True, objects=objects)["operations"]
    assert [one["path"].split("/")[1] for one in planned] == ["ip_policies", "edges", "ip_policy_rules"]


@pytest.mark.parametrize("of_route", [True, False])
@pytest.mark.parametrize("by_id", [False, True])
def test_rules_stay_as_long_as_their_policy_is_used(tasks: Tasks, by_id: bool, of_route: bool) -> None:
    live = [live_rule(WIDE), live_rule(HOME, "deny")]
    seed_rules(tasks, "/ office" if of_route else "/", *live)
    seed_tls_edge(tasks, **({} if of_route else modules("office")))
    gone = [rule(HOME, "deny"), rule(WIDE)]
    if by_id:
        gone = [declared_object(one["id"]) for one in live[::-1]]
    options = {"objects": [*map(absent, (*gone, OFFICE))], "max_deletions": 10}
    if of_route:
        options |= {"https_edges": [{"id": EDGE, "routes": []}], "purge": ["routes"], "allow_empty": True}
    else:
        options["tls_edges"] = [{"edge_id": TLS_EDGE, "absent_modules": ["ip_restriction"]}]
    user = "edghtsrt_root" if of_route else "ip_restriction"
    assert accepted_writes(tasks.failed("estate", instead=rejecting("DELETE", user), **options)) == []
    done = [one.split("/")[1] for one in accepted_writes(tasks.done("estate", **options))]
    assert done[1:] == ["ip_policy_rules", "ip_policy_rules", "ip_policies"]


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
    gone = [absent(one[name]) for name in names]
    [held] = tasks.service.state()["event_subscriptions"]
    assert writes(tasks.failed("estate", instead=rejecting("DELETE", held["id"]), objects=gone)) == []
    result = tasks.done("estate", objects=gone)
    assert [operation["path"].split("/")[1] for operation in result["operations"]] == [*find.values()]
