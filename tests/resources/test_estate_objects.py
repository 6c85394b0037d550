# SPDX-License-Identifier: GPL-3.0-or-later
"""An estate that declares the objects to which its edges and subscriptions refer: everything from nothing."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from convergence import converges
from estate_from_nothing import ESTATE, OBJECTS
from module_task import Tasks, methods, writes
from places import EDGE, KEY, ROUTE, held_route, seed_edge
from scripted_service import BREAK_OFF, Received, Response, forwarding, scripted_service


def test_everything_is_built_from_nothing(tasks: Tasks) -> None:
    dry = tasks.done("estate", check=True, **ESTATE, concurrency=1)
    real = converges(tasks, "estate", **ESTATE, concurrency=1)
    assert len(writes(real)) == len(OBJECTS) + 1 + 2 + 1 + 1
    assert real["plan_digest"] == dry["plan_digest"]
    [edge] = tasks.service.state()["https_edges"]
    assert edge["description"] == "ref:nobody"
    assert edge["routes"][0]["backend"]["backend_id"] == real["objects"]["shop"]["id"]
    again = tasks.done("estate", **ESTATE)
    lists = {f"/{one['collection']}" for one in OBJECTS}
    read = Counter(one["path"] for one in again["sent"])
    assert set(methods(again)) == {"GET"}
    assert set(read.values()) == {1}
    assert read.keys() == {
        *lists,
        "/edges/https",
        *(path for path in read if path.endswith(("/ip_restriction", "/sources"))),
    }


def test_nothing_is_read_twice_to_plan_with_the_new_ids(tasks: Tasks) -> None:
    tasks.service.seed(https_edges=[{"hostports": [f"edge{number}.example.com:443"]} for number in range(3)])
    tasks.service.switches(page_size=1)
    result = tasks.done("estate", **ESTATE)
    assert Counter(one["path"] for one in result["sent"] if one["method"] == "GET")["/edges/https"] == 3


def test_an_approved_plan_is_executed_from_nothing(tasks: Tasks) -> None:
    digest = tasks.done("estate", check=True, **ESTATE)["plan_digest"]
    assert len(writes(tasks.done("estate", **ESTATE, expect_plan=digest))) == len(OBJECTS) + 5


def test_everything_is_taken_down(tasks: Tasks) -> None:
    tasks.done("estate", **ESTATE)
    gone = [{**one, "state": "absent"} for one in OBJECTS]
    nothing = {"https_edges": [], "purge": ["edges"], "allow_empty": True, "objects": gone}
    result = converges(tasks, "estate", **nothing, concurrency=1)
    assert [write.split()[0] for write in writes(result)] == ["DELETE"] * (1 + len(OBJECTS))
    assert writes(result)[0].startswith("DELETE /edges/https/")
    assert not any(bool(objects) for objects in tasks.service.state().values())


def test_what_refers_to_a_failed_object_is_skipped(tasks: Tasks) -> None:
    wrong = [{**one, "body": {"colour": "red"}} if one["name"] == "office" else one for one in OBJECTS]
    result = tasks.failed("estate", **{**ESTATE, "objects": wrong})
    messages = {one["object"]: one["msg"] for one in result["failures"]}
    skipped = [name for name, message in messages.items() if " failed. Fix that failure, " in message]
    assert [name.split()[0] for name in skipped] == ["object", "https_edge_route", "https_edge_route", "ip_restriction"]
    state = tasks.service.state()
    assert (len(state["https_edges"]), state["https_edges"][0]["routes"]) == (1, [])


@pytest.mark.parametrize("check", [True, False])
def test_what_refers_to_an_ambiguous_object_is_skipped(tasks: Tasks, check: bool) -> None:
    tasks.service.seed(objects={"certificate_authorities": [{"description": "Staff", "ca_pem": each} for each in "ab"]})
    result = tasks.failed("estate", check, **ESTATE)
    subjects = [one["object"].split()[0] for one in result["failures"]]
    assert subjects == ["object", "https_edge", "https_edge_route", "https_edge_route"]
    assert tasks.service.state()["https_edges"] == []


def test_what_a_failed_edge_may_refer_to_is_not_deleted(tasks: Tasks) -> None:
    """Not every service rejects requests to delete what is in use."""
    tasks.service.seed(objects={"backends/static": [{"address": "shop.internal:443"}]})
    gone = [{**one, "state": "absent"} for one in OBJECTS if one["name"] == "shop"]
    for check in (True, False):
        result = tasks.failed("estate", check, https_edges=[{"id": "edghts_unknown", "routes": []}], objects=gone)
        assert (writes(result), result["operations"]) == ([], [])
        assert "Not deleted, because https_edge (edghts_unknown) failed." in result["msg"]


WRONG = {
    "an unknown name": (
        {"edge_id": "ref:tills"},
        "tls_edges[0].edge_id: no object has the name 'tills'; did you mean `ref:",
    ),
    "another kind": ({"edge_id": "ref:office"}, "tls_edges[0].edge_id: 'ipp_office' is the ID of an IP policy"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_references_are_option_errors(tasks: Tasks, name: str) -> None:
    tls_edge, message = WRONG[name]
    result = tasks.failed("estate", objects=OBJECTS, tls_edges=[tls_edge])
    assert message in result["msg"]
    assert (result["sent"], len(result["option_errors"])) == ([], 1), result["option_errors"]
    gone = [{**one, "state": "absent"} for one in OBJECTS]
    result = tasks.failed("estate", objects=gone, tls_edges=[{"edge_id": "ref:till"}])
    assert "tls_edges[0].edge_id: the object till has `state: absent`" in result["msg"]


@pytest.mark.parametrize("purge", [[], ["modules"]])
def test_what_two_parts_of_the_task_would_undo_for_each_other(tasks: Tasks, purge: list[str]) -> None:
    module = {} if purge else {"ip_restriction": {"ip_policy_ids": ["ipp_1"]}}
    bodies = {"till": {"ip_restriction": {"ip_policy_ids": ["ipp_2"]}}, "audit": {"sources": []}}
    objects = [{**one, "body": {**one.get("body", {}), **bodies.get(one["name"], {})}} for one in OBJECTS]
    members = {"tls_edges": [{"edge_id": "ref:till", **module}], "event_subscriptions": ESTATE["event_subscriptions"]}
    result = tasks.failed("estate", objects=objects, purge=purge, **members)
    assert "objects[4].body.ip_restriction: tls_edges[0] manages it as well; declare it in one" in result["msg"]
    assert "objects[6].body.sources: event_subscriptions[0] manages it as well" in result["msg"]
    assert (result["sent"], len(result["option_errors"])) == ([], 2)


COLLECTIONS = [
    *("ip_policies", "ip_policy_rules", "certificate_authorities", "backends/static", "backends/http_response"),
    *("backends/failover", "edges/tls", "event_destinations", "event_subscriptions"),
]
MORE_OBJECTS: list[dict[str, Any]] = [
    {"name": "page", "collection": "backends/http_response", "find_by": {"body": "closed"}},
    {
        "name": "both",
        "collection": "backends/failover",
        "find_by": {"description": "Both of them!"},
        "body": {"backends": ["ref:shop", "ref:page"]},
    },
    {
        "name": "other",
        "collection": "ip_policy_rules",
        "find_by": {"ip_policy_id": "ref:office", "cidr": "198.51.100.0/24"},
        "body": {"action": "deny"},
    },
    {
        "name": "kinesis",
        "collection": "event_destinations",
        "find_by": {"description": "Stream"},
        "body": {"target": {"kinesis": {"stream_arn": "arn:one", "auth": {"role": {"role_arn": "arn:two"}}}}},
    },
]


def exported(tasks: Tasks) -> dict[str, Any]:
    state = tasks.service.state()
    ids = {name: [one["id"] for one in state[name]] for name in ("tls_edges", "event_subscriptions")}
    live: dict[str, Any] = tasks.done("estate_info", objects=COLLECTIONS, **ids)["estate"]
    return live


@pytest.mark.parametrize(
    "switches", [{}, {"references": "ids"}, {"defaults": "omitted"}, {"empty_lists": "null", "empty_text": "missing"}]
)
def test_an_export_with_objects_builds_the_same_elsewhere(tasks: Tasks, switches: dict[str, Any]) -> None:
    tasks.service.switches(**switches)
    estate = {**ESTATE, "objects": [*OBJECTS, *MORE_OBJECTS]}
    tasks.done("estate", **estate, concurrency=1)
    live = exported(tasks)
    assert set(methods(tasks.done("estate", **live))) == {"GET"}
    assert live["https_edges"][0]["routes"][0]["backend"]["backend_id"] == "ref:backends_static"
    assert live["tls_edges"][0]["edge_id"] == "ref:tills"
    tasks.service.reset()
    tasks.service.switches(**switches)
    converges(tasks, "estate", **live, concurrency=1)
    again = exported(tasks)
    assert {**again, "objects": by_name(again)} == {**live, "objects": by_name(live)}


def by_name(live: dict[str, Any]) -> dict[str, Any]:
    """The objects, regardless of their order, which is that of their creation."""
    return {one["name"]: one for one in live["objects"]}


def test_indistinguishable_objects_are_exported_with_ids(tasks: Tasks) -> None:
    twins = [{"id": f"ipp_{name}", "description": "Twin"} for name in ("one", "two")]
    tasks.service.seed(objects={"ip_policies": [*twins, {"description": "Twin", "metadata": "another one"}]})
    live = tasks.done("estate_info", https_edges=False, objects=["ip_policies"])["estate"]
    *same, other = live["objects"]
    assert [(one["name"], one["id"]) for one in same] == [("twin", "ipp_one"), ("twin_2", "ipp_two")]
    assert other["find_by"] == {"description": "Twin", "metadata": "another one"}
    assert not tasks.done("estate", **live)["changed"]


def test_objects_with_metadata_of_the_same_meaning_are_exported_with_ids(tasks: Tasks) -> None:
    spellings = ('{"a": 1, "b": 2}', '{"b":2,"a":1}')
    twins = [{"id": f"ipp_{number}", "description": "Twin", "metadata": one} for number, one in enumerate(spellings)]
    tasks.service.seed(objects={"ip_policies": twins})
    live = tasks.done("estate_info", https_edges=False, objects=["ip_policies"])["estate"]
    assert {one.get("id") for one in live["objects"]} == {"ipp_0", "ipp_1"}
    assert not tasks.done("estate", **live)["changed"]


def test_wrong_collections_are_option_errors(tasks: Tasks) -> None:
    result = tasks.failed("estate_info", objects=["edges/https", "/ip_policies"])
    assert "objects[0]: objects in 'edges/https' have a module of their own" in result["msg"]
    assert "objects[1]: '/ip_policies' is not the path of a collection" in result["msg"]


def test_a_declaration_with_objects_can_be_judged(tasks: Tasks) -> None:
    result = tasks.done("exposure_info", estate=ESTATE)
    assert result["sent"] == []
    [edge] = {one["edge"]["hostports"][0] for one in result["exposure"] if one["kind"] == "https_edge_route"}
    assert edge == "shop.example.com:443"
    wrong = {**ESTATE, "tls_edges": [{"edge_id": "ref:tills"}]}
    assert (
        "estate.tls_edges[0].edge_id: no object has the name 'tills'"
        in tasks.failed("exposure_info", estate=wrong)["msg"]
    )
    assert tasks.done("estate", check=True, **ESTATE, reject_findings="high")["changed"]


def test_what_refers_to_an_object_gets_its_id_even_if_the_response_is_lost(tasks: Tasks) -> None:
    """The object is found by a read then, and everything after it is planned again."""
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY, "backend": {"backend_id": "bkd_one"}}])
    options = {
        "objects": [{"name": "new", "collection": "ip_policies", "find_by": {"description": "new"}}],
        "https_edges": [{"id": EDGE, "routes": [{**KEY, "ip_restriction": {"ip_policy_ids": ["ref:new"]}}]}],
    }
    to_the_service = forwarding(tasks.service.base_url)

    def script(request: Received) -> Response:
        response = to_the_service(request)
        return BREAK_OFF if (request.method, request.path) == ("POST", "/ip_policies") else response

    with scripted_service(script) as between:
        done = tasks.done("estate", base_url=between.base_url, **options, retries=2)
    identifier = done["objects"]["new"]["id"]
    assert held_route(tasks)["ip_restriction"]["ip_policy_ids"] == [identifier]
    assert not tasks.done("estate", **options)["changed"]
