# SPDX-License-Identifier: GPL-3.0-or-later
"""Responses that the reference service never returns, or that belong to something else or to another moment: what they
mean to a task, and that nothing else is changed or deleted for them.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

import places
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.retries import ALREADY_THERE
from module_task import WRITES, Given, Tasks, received, writes
from places import EDGE, HOSTPORT, KEY, ROUTE, SOURCE, SUBSCRIPTION, TLS_EDGE, seed_edge, seed_route
from scripted_service import Received, Response, as_json, changing, dropping, in_turn, losing, once, rejecting

POLICY = {"collection": "ip_policies", "id": "ipp_1"}
RESTRICTION = {"edge_id": TLS_EDGE, "ip_policy_ids": ["ipp_one"]}
OF_SOURCE = {"subscription_id": SUBSCRIPTION, "type": SOURCE}
CREATIONS: dict[str, tuple[str, Given]] = {
    "an edge": ("https_edge", {"hostports": ["new.example.com:443"]}),
    "a route": ("https_edge_route", {"edge_id": EDGE, **KEY}),
    "an event source": ("event_source", OF_SOURCE),
}


@pytest.mark.parametrize("status", [400, 403, 404, 409, 422, 429])
@pytest.mark.parametrize("name", CREATIONS)
@pytest.mark.parametrize("exists", [True, False], ids=["there by now", "not there"])
def test_a_rejected_creation_of_an_object_of_another_job(tasks: Tasks, name: str, status: int, exists: bool) -> None:
    seed_edge(tasks)
    places.seed_subscription(tasks)
    module, options = CREATIONS[name]
    rejection = as_json({"msg": "no"}, status)
    instead = losing(tasks.service.base_url, "POST", rejection) if exists else rejecting("POST", response=rejection)
    result = tasks.run(module, instead=instead, **options)
    assert len(received(result, *WRITES)) == 1
    looked_again = [request.method for request in result["received"]][2:] == ["GET"]
    assert looked_again == (status in (400, 409, 422))
    assert result.get("failed", False) == (not exists or not looked_again)
    assert (result["changed"], result["operations"]) == (False, [])
    assert set(ALREADY_THERE) == {400, 409, 422}


# The method of the write, the task, and what it returns of the object.
DONE: dict[str, tuple[str, Given, str, Given]] = {
    "PATCH": ("https_edge", {"id": EDGE, "description": "new"}, "https_edge", {"description": "new"}),
    "PUT": ("tls_edge_ip_restriction", RESTRICTION, "ip_restriction", {"ip_policy_ids": ["ipp_one"], "enabled": True}),
    "POST": ("event_source", OF_SOURCE, "event_source", {"type": SOURCE}),  # it has no ID that would be needed
}


@pytest.mark.parametrize("method", DONE)
def test_a_write_that_returns_no_content_is_done(tasks: Tasks, method: str) -> None:
    """With 204, the live object is as declared."""
    module, options, key, expected = DONE[method]
    seed_edge(tasks)
    places.seed_tls_edge(tasks)
    places.seed_subscription(tasks)
    result = tasks.done(module, instead=losing(tasks.service.base_url, method, Response(204)), **options)
    assert [request.method for request in result["received"]] == ["GET", method]
    assert (result["changed"], "warnings" in result) == (True, False)
    assert {name: result[key][name] for name in expected} == expected
    assert not tasks.done(module, **options)["changed"]


ABSENT = {"state": "absent"}
BY_ID: list[tuple[str, Given]] = [
    ("https_edge", {"id": EDGE, **ABSENT}),
    ("https_edge_info", {"id": EDGE}),
    ("https_edge_route", {"edge_id": EDGE, **KEY, **ABSENT}),
    ("tls_edge_ip_restriction", {"edge_id": TLS_EDGE, **ABSENT}),
    ("tls_edge_info", {"id": TLS_EDGE}),
    ("event_source", {**OF_SOURCE, **ABSENT}),
    ("object", {**POLICY, **ABSENT}),
    ("object_info", POLICY),
    ("estate", {"objects": [{"name": "a", **POLICY, **ABSENT}]}),
]


@pytest.mark.parametrize("wire", [{"type": "domain_deleted.v0"}, {"sources": []}, {"status_code": 500, "msg": "x"}])
@pytest.mark.parametrize("state", ["present", "absent"])
def test_what_is_not_the_source_that_was_asked_for_does_not_count_as_it(tasks: Tasks, wire: Given, state: str) -> None:
    result = tasks.failed("event_source", instead=in_turn(as_json(wire)), **OF_SOURCE, state=state)
    unexpected = "GET /event_subscriptions/esb_place/sources/domain_created.v0: unexpected response"
    assert f"{unexpected} (type: expected 'domain_created.v0'" in result["msg"]
    assert received(result, *WRITES) == []
    assert wire.get("type", "") in result["msg"]


@pytest.mark.parametrize("wire", [{"uri": f"https://x/sources/{SOURCE}"}, {"type": SOURCE.upper()}], ids=str)
def test_a_source_may_lack_its_type_or_have_it_in_another_letter_case(tasks: Tasks, wire: Given) -> None:
    places.seed_subscription(tasks, SOURCE)
    read = rejecting("GET", response=as_json(wire))
    assert not tasks.done("event_source", instead=read, **OF_SOURCE)["changed"]
    gone = tasks.done("event_source", instead=read, **OF_SOURCE, state="absent")
    assert [one.split()[0] for one in writes(gone)] == ["DELETE"]
    other = {"type": "Own.Type"}
    listed = rejecting("GET", response=as_json({"sources": [wire, other], "uri": None}))
    options = {"subscription_id": SUBSCRIPTION, "types": [SOURCE], "allow_unknown_type": True}
    assert not tasks.done("event_sources", instead=listed, **options)["changed"]
    purged = tasks.done("event_sources", check=True, instead=listed, **options, purge=True)
    assert [one["object"] for one in purged["plan"]] == [f"event_source Own.Type of {SUBSCRIPTION}"]
    both = {**options, "types": [SOURCE, "own.type"], "purge": True}
    assert not tasks.done("event_sources", instead=listed, **both)["changed"]
    found = tasks.done("event_source_info", instead=listed, subscription_id=SUBSCRIPTION)["event_sources"]
    assert [one["type"] for one in found] == [SOURCE, "Own.Type"]


@pytest.mark.parametrize("module", ["object", "estate"])
def test_a_rule_that_denies_is_not_one_that_allows(tasks: Tasks, module: str) -> None:
    tasks.service.seed(objects={"ip_policies": [{"id": "ipp_1"}]})
    rule = {"collection": "ip_policy_rules", "find_by": {"ip_policy_id": "ipp_1", "cidr": "10.0.0.0/8"}}
    options: Given = {**rule, "body": {"action": "deny"}}
    options = {"objects": [{"name": "rule", **options}]} if module == "estate" else options
    result = tasks.failed(module, instead=dropping(tasks.service.base_url, "action", "allow"), **options)
    assert ("action" in result["msg"], "Already done: POST" in result["msg"]) == (True, True)


@pytest.mark.parametrize("content", [{}, {"id": "edghts_other"}, None, []], ids=str)
def test_a_deletion_may_return_anything(tasks: Tasks, content: Any) -> None:
    seed_edge(tasks)
    told = losing(tasks.service.base_url, "DELETE", as_json(content))
    assert tasks.done("https_edge", instead=told, id=EDGE, state="absent")["changed"]
    assert tasks.service.state()["https_edges"] == []


def test_a_write_without_content_is_not_read_again_for_one_that_does_not_rely_on_it(tasks: Tasks) -> None:
    which = seed_route(tasks, compression={"enabled": True})
    quiet = losing(tasks.service.base_url, "PATCH", Response(204))
    options = {**which, "description": "new", "absent_modules": ["compression"]}
    result = tasks.done("https_edge_route", instead=quiet, **options)
    assert [request.method for request in result["received"]] == ["GET", "PATCH", "DELETE"]


@pytest.mark.parametrize(("module", "options"), BY_ID, ids=str)
def test_a_page_that_was_not_found_does_not_mean_an_absent_object(tasks: Tasks, module: str, options: Given) -> None:
    """It comes from a server that is not the service, if `base_url` is wrong, or from one in between."""
    page = Response(404, b"<html>Not found</html>", {"Content-Type": "text/html"})
    assert "404 with an HTML page. Check `base_url`" in tasks.failed(module, instead=in_turn(page), **options)["msg"]


@pytest.mark.parametrize(("module", "options"), BY_ID[6:], ids=str)
def test_a_collection_that_the_service_does_not_have_is_not_empty(tasks: Tasks, module: str, options: Given) -> None:
    where = {"collection": "reserved_domain", "id": "rd_1"}
    wrong = {"objects": [{**options["objects"][0], **where}]} if module == "estate" else {**options, **where}
    result = tasks.failed(module, **wrong)
    assert "rd_1 does not exist, or the service does not have the collection reserved_domain: GET" in result["msg"]
    assert [request["path"] for request in result["sent"]] == ["/reserved_domain/rd_1", "/reserved_domain"]
    assert [request["path"] for request in tasks.done(module, **options)["sent"]] == ["/ip_policies/ipp_1"]
    terse = in_turn(Response(404), as_json({"ip_policies": []}))
    assert not tasks.done(module, instead=terse, **options)["changed"]


ONE_EDGE: list[tuple[str, Given]] = [
    ("https_edge", {"id": EDGE, **ABSENT}),
    ("https_edge", {"id": EDGE, "description": "new"}),
    ("https_edge_routes", {"edge_id": EDGE, "routes": [KEY], "purge": True}),
    ("https_edge_route", {"edge_id": EDGE, **KEY}),
    ("https_edge_info", {"id": EDGE}),
    ("estate", {"https_edges": [{"id": EDGE, "routes": [KEY]}]}),
]
READS = [*ONE_EDGE, ("tls_edge_ip_restriction", RESTRICTION), ("event_source", OF_SOURCE)]


@pytest.mark.parametrize("status", [405, 501])
@pytest.mark.parametrize(("module", "options"), READS, ids=str)
def test_nothing_is_written_if_reading_is_not_supported(tasks: Tasks, module: str, options: Given, status: int) -> None:
    """An object that cannot be read may still exist."""
    seed_edge(tasks)
    result = tasks.failed(module, instead=rejecting("GET", response=Response(status)), **options, retries=3)
    assert ([request.method for request in result["received"]], str(status) in result["msg"]) == (["GET"], True)


NEW_ROUTE = {"match_type": "exact_path", "match": "/k"}
KEPT_ROUTE = {**KEY, "match": "/place"}
BOTH: Given = {"routes": [KEPT_ROUTE, NEW_ROUTE]}
# The task, and what an old reading shows in place of what is there.
STALE: dict[str, tuple[str, Given, str]] = {
    "an edge": ("estate", {"https_edges": [{"hostports": [HOSTPORT], **BOTH}], "purge": ["edges"]}, "place.ex"),
    "a route": ("estate", {"https_edges": [{"id": EDGE, **BOTH}], "purge": ["routes"]}, "/place"),
    "a route of a set": ("https_edge_routes", {"edge_id": EDGE, **BOTH, "purge": True}, "/place"),
}


@pytest.mark.parametrize(("module", "options", "hidden"), STALE.values(), ids=STALE)
def test_a_stale_reading_purges_nothing_declared(tasks: Tasks, module: str, options: Given, hidden: str) -> None:
    """The first reading shows something else, as if it was read before another job changed it."""
    seed_edge(tasks, routes=[{"id": ROUTE, **KEPT_ROUTE}])

    def stale(_request: Received, found: Any) -> Any:
        return json.loads(json.dumps(found).replace(hidden, f"{hidden[:-1]}_"))

    first = once("GET", changing(tasks.service.base_url, stale))
    result = tasks.done(module, instead=first, retries=2, **options)
    assert not [write for write in writes(result) if write.startswith("DELETE")]
    [edge] = tasks.service.state()["https_edges"]
    assert (edge["id"], sorted(route["match"] for route in edge["routes"])) == (EDGE, ["/k", "/place"])
    assert tasks.done(module, **options)["changed"] is False


OTHER = {"id": "edghts_other", "hostports": ["other.example.com:443"], "routes": []}


@pytest.mark.parametrize("identifier", ["edghts_other", None, ""])
@pytest.mark.parametrize(("module", "options"), ONE_EDGE)
def test_another_edge_is_not_the_one_asked_for(tasks: Tasks, module: str, options: Given, identifier: Any) -> None:
    result = tasks.failed(module, instead=in_turn(as_json({**OTHER, "id": identifier})), **options)
    assert (EDGE in result["msg"], received(result, *WRITES)) == (True, [])


@pytest.mark.parametrize("identifier", ["edghts_other", "edghts_new"])
def test_another_edge_is_not_the_one_that_was_created(tasks: Tasks, identifier: str) -> None:
    tasks.service.seed(https_edges=[{"id": "edghts_other", "hostports": ["other.example.com:443"]}])
    instead = once("POST", losing(tasks.service.base_url, "POST", as_json({**OTHER, "id": identifier}, 201)))
    tasks.done("estate", instead=instead, retries=2, https_edges=[{"hostports": [HOSTPORT], "routes": [KEY]}])
    held = {edge["hostports"][0]: len(edge["routes"]) for edge in tasks.service.state()["https_edges"]}
    assert held == {"other.example.com:443": 0, HOSTPORT: 1}


@pytest.mark.parametrize(("method", "expected"), [("POST", "the ID of the new object"), ("PATCH", f"the ID {EDGE}")])
def test_a_response_without_an_id_is_an_error_that_says_which_one_is_expected(
    tasks: Tasks, method: str, expected: str
) -> None:
    seed_edge(tasks)
    options = CREATIONS["an edge"][1] if method == "POST" else {"id": EDGE, "description": "new"}
    result = tasks.failed("https_edge", instead=rejecting(method, response=as_json({"id": ""})), retries=0, **options)
    assert f"expected {expected} in the response, got none." in result["msg"]


@pytest.mark.parametrize("response", [{**OTHER, **KEY}, {}, {"id": None}], ids=str)
@pytest.mark.parametrize("module", ["https_edge", "https_edge_route"])
def test_an_object_is_read_if_a_change_returns_another_one(tasks: Tasks, module: str, response: Any) -> None:
    place = seed_route(tasks)
    options = place if module == "https_edge_route" else {"id": EDGE}
    instead = once("PATCH", losing(tasks.service.base_url, "PATCH", as_json(response)))
    result = tasks.done(module, instead=instead, retries=2, **options, description="new")
    assert result[module]["description"] == "new"
    assert [request["method"] for request in result["sent"]] == ["GET", "PATCH", "GET"]


@pytest.mark.parametrize("response", [{}, {"status_code": 500, "msg": "no"}, {"type": "domain_updated.v0"}], ids=str)
def test_a_source_that_was_not_created_purges_nothing(tasks: Tasks, response: Any) -> None:
    places.seed_subscription(tasks, "domain_created.v0")
    options = {"subscription_id": SUBSCRIPTION, "types": ["ip_policy_created.v0"], "purge": True}
    result = tasks.failed("event_sources", instead=rejecting("POST", response=as_json(response)), **options)
    assert not [write for write in writes(result) if write.startswith("DELETE")]
    assert tasks.service.state()["event_subscriptions"][0]["sources"] == ["domain_created.v0"]
