# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole estate in one task, and the live configuration as the estate that declares it."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amount import so_many
from any_estate import SEED, SUBSCRIPTIONS, TLS_EDGES, estates
from cases import cases
from convergence import ANY_NUMBER, converges, finds_nothing_to_do, is_foretold
from declarations import SWITCHES
from module_task import WRITES, Tasks, methods, received, writes
from scripted_service import Received, Response, as_json
from untouched import complaints_about

TLS_EDGE, SUBSCRIPTION = "edgtls_estate", "esb_estate"
EVENTS = ["ip_policy_created.v0", "tcp_connection_closed.v0"]
ALL = ["edges", "routes", "modules", "sources", "hostports"]


def edge(host: str, *matches: str, **options: Any) -> dict[str, Any]:
    routes = [{"match_type": "path_prefix", "match": match} for match in matches]
    return {"hostports": [f"{host}.example.com:443"], "routes": routes, **options}


def world(**parts: Any) -> dict[str, Any]:
    return {
        "https_edges": [edge("one", "/", "/admin"), edge("two", "/")],
        "tls_edges": [{"edge_id": TLS_EDGE, "ip_restriction": {"ip_policy_ids": ["ipp_one"]}}],
        "event_subscriptions": [{"subscription_id": SUBSCRIPTION, "sources": EVENTS}],
        **parts,
    }


@pytest.fixture
def there(tasks: Tasks) -> Tasks:
    """Tasks on a service with a TLS edge and an event subscription, which no operation creates."""
    tasks.service.seed(tls_edges=[{"id": TLS_EDGE}], event_subscriptions=[{"id": SUBSCRIPTION}])
    return tasks


@settings(ANY_NUMBER, max_examples=so_many(25, 200))
@given(switches=SWITCHES, one_login_per_edge=st.booleans(), data=st.data())
def test_any_estate_converges_as_check_mode_predicts(
    tasks: Tasks, switches: dict[str, Any], one_login_per_edge: bool, data: st.DataObject
) -> None:
    tasks.service.reset()
    tasks.service.seed(**SEED)
    switches = {**switches, "one_login_per_edge": one_login_per_edge}
    tasks.service.switches(**switches)
    for _number in range(3):
        before = tasks.service.state()
        declared = data.draw(estates(before, switches))
        result = converges_as_planned(tasks, declared.options, is_clear=declared.live is not None)
        if result is None:
            assert not purged_edges(before, tasks.service.state())
            return
        if declared.live is not None:
            assert complaints_about(declared, before, tasks.service.state(), result["https_edges"]) == []
        live = tasks.done("estate_info", tls_edges=TLS_EDGES, event_subscriptions=SUBSCRIPTIONS)["estate"]
        as_it_is = tasks.done("estate", **live, purge=ALL, max_deletions=0, allow_empty=True)
        assert not as_it_is["changed"], as_it_is["operations"]


def converges_as_planned(tasks: Tasks, options: dict[str, Any], *, is_clear: bool) -> dict[str, Any] | None:
    """The result of an estate that was foretold and came about; None if it is not clear what it means."""
    dry = tasks.run("estate", check=True, **options, max_deletions=1000)
    if dry.get("failed") and not is_clear:
        _is_left_alone(dry, tasks.failed("estate", **options, max_deletions=1000), options)
        return None
    assert not dry.get("failed"), dry["msg"]
    deletions = sum(operation["method"] == "DELETE" for operation in dry["operations"])
    deletions += sum(len(names) for entry in dry["plan"] for names in entry["gives_up"].values())
    if deletions:
        too_many = tasks.failed("estate", **options, max_deletions=deletions - 1)
        assert len(too_many["planned_deletions"]) == deletions
        assert not writes(too_many)
    real = tasks.done("estate", **options, max_deletions=deletions)
    is_foretold(dry, real, is_in_order=options["concurrency"] == 1)
    # What is created in every run is known by its ID from now on; secrets that are always sent are not any more.
    edges = [
        {**edge, "id": there["id"]} if edge.get("find_by") == "none" else edge
        for edge, there in zip(options.get("https_edges", ()), real["https_edges"], strict=True)
    ]
    known = {**options, "update_secrets": "on_create", **({"https_edges": edges} if edges else {})}
    finds_nothing_to_do(tasks.done("estate", **known, max_deletions=0))
    return real


def _is_left_alone(dry: dict[str, Any], real: dict[str, Any], options: dict[str, Any]) -> None:
    """An edge that may be several ones, or that is one of several, has a place in the result, and nothing is done."""
    # What the others take may be on one of these.
    assert {one["object"] for one in dry["failures"]} <= {one["object"] for one in real["failures"]}
    assert len(dry["https_edges"]) == len(real["https_edges"]) == len(options["https_edges"])
    unclear = [failure for failure in real["failures"] if failure.get("ids")]
    assert sum(edge["id"] is None for edge in real["https_edges"]) >= len(unclear) >= 1


def purged_edges(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    held, left = ({edge["id"] for edge in state["https_edges"]} for state in (before, after))
    return held - left


PURGED = {"edges": "two", "routes": "/admin", "modules": "compression", "sources": EVENTS[1]}


@pytest.mark.parametrize("purge", [[], *([name] for name in PURGED), list(PURGED)], ids=str)
def test_only_what_may_be_purged_is(there: Tasks, purge: list[str]) -> None:
    before = world()
    before["https_edges"][0]["routes"][0]["compression"] = {"enabled": True}
    one, two = there.done("estate", **before)["https_edges"]
    names = {two["id"]: "two", one["routes"][1]["id"]: "/admin"}
    sources = [{"subscription_id": SUBSCRIPTION, "sources": EVENTS[:1]}]
    after = world(https_edges=[edge("one", "/")], event_subscriptions=sources)
    result = converges(there, "estate", **after, purge=purge, concurrency=1)
    last = {one["path"].rsplit("/", 1)[1] for one in result["operations"] if one["method"] == "DELETE"}
    assert {names.get(name, name) for name in last} - {one["id"] for one in two["routes"]} == {
        PURGED[name] for name in purge
    }


def test_a_failure_stops_no_other_object(there: Tasks) -> None:
    there.service.seed(https_edges=[{"hostports": [f"{name}.example.com:443"]} for name in "ab"])
    both = {"hostports": ["a.example.com:443", "b.example.com:443"], "routes": []}
    # The service takes this provider with a secret only, and rejects the route.
    bad = edge("bad", "/")
    bad["routes"][0]["webhook_verification"] = {"provider": "stripe"}
    edges = [both, {"id": "edghts_nowhere", "routes": []}, bad, edge("good", "/")]
    unknown = [{"subscription_id": "esb_unknown", "sources": []}]
    result = there.failed("estate", **world(https_edges=edges, event_subscriptions=unknown, purge=["edges"]))
    assert result["summary"] == {"created": 4, "updated": 0, "deleted": 0, "unchanged": 0, "failed": 4, "withheld": 0}
    assert {failure["object"] for failure in result["failures"]} == {
        "https_edge a.example.com:443, b.example.com:443",
        "https_edge (edghts_nowhere)",
        "https_edge_route path_prefix / of bad.example.com:443",
        "event_subscription esb_unknown",
    }
    held = {one["hostports"][0].split(".")[0] for one in there.service.state()["https_edges"]}
    assert (held, len(result["diff"])) == ({"a", "b", "bad", "good"}, 4)


def test_edges_by_id_need_no_list(there: Tasks) -> None:
    there.service.seed(https_edges=[{"id": f"edghts_{host}", **edge(host, "/")} for host in ("one", "two")])
    there.service.switches(operations="documented")
    declared = [{"id": f"edghts_{host}", "description": "x", "routes": []} for host in ("one", "two")]
    assert there.done("estate", https_edges=declared)["summary"]["updated"] == 2
    assert "HTTPS edges cannot be listed" in there.failed("estate", https_edges=[edge("one")])["msg"]


BAD = cases(
    """
    a field of an edge  | {https_edges: [{<<: *a, description: *LONG}]} | "https_edges[0].description: 256 bytes"
    a hostport twice    | {https_edges: [*a, {hostports: ["A.example.com:443"]}]}
                        | "https_edges[1].hostports: a.example.com:443 is already declared in https_edges[0]"
    a route twice       | {https_edges: [*routes]} | "https_edges[0].routes[1]: path_prefix / is already declared in"
    no identity         | {https_edges: [{routes: []}]} | "https_edges[0].hostports: required to find the edge"
    an ID twice         | {https_edges: [{id: edghts_a}, {id: edghts_a}]} | "https_edges[1]: edghts_a is already"
    another kind of ID  | {tls_edges: [{edge_id: edghts_a}]} | "tls_edges[0].edge_id: 'edghts_a' is the ID of an HTTPS"
    a module | {tls_edges: [{edge_id: edgtls_a, tls_termination: {terminate_at: upstream, min_version: "1.2"}}]}
                        | "tls_edges[0].tls_termination.min_version: not allowed if `terminate_at` is `upstream"
    an event type       | {event_subscriptions: [{subscription_id: esb_a, sources: [nothing]}]}
                        | "event_subscriptions[0].sources[0]: unknown event type 'nothing'"
    no concurrency      | {concurrency: 0} | "concurrency: 0 is out of range; expected a number from 1 to 32"
    too much of it      | {concurrency: 33} | "concurrency: 33 is out of range"
    negative deletions  | {max_deletions: -1} | "max_deletions: -1 is out of range; expected 0 or more"
    """,
    a=edge("a"),
    routes=edge("a", "/", "/"),
    LONG="x" * 256,
)


@pytest.mark.parametrize(("declared", "option_error"), BAD.values(), ids=BAD)
def test_option_errors_name_their_place(there: Tasks, declared: dict[str, Any], option_error: str) -> None:
    result = there.failed("estate", **declared)
    assert (option_error in result["msg"], result["sent"]) == (True, [])


def test_an_estate_without_edges(there: Tasks) -> None:
    there.service.seed(https_edges=[{"id": "edghts_other", "hostports": ["other.example.com:443"]}])
    there.done("tls_edge_tls_termination", edge_id=TLS_EDGE, terminate_at="upstream")
    there.done("event_source", subscription_id=SUBSCRIPTION, type=EVENTS[0])
    sources = [{"subscription_id": SUBSCRIPTION, "sources": EVENTS[1:]}]
    declared = {**world(event_subscriptions=sources), "purge": ["modules", "sources"]}
    del declared["https_edges"]
    result = converges(there, "estate", **declared, concurrency=1)
    assert [(one["method"], one["path"].rsplit("/", 1)[1]) for one in result["operations"]] == [
        ("PUT", "ip_restriction"),
        ("DELETE", "tls_termination"),
        ("POST", "sources"),
        ("DELETE", EVENTS[0]),
    ]
    # Edges are not even read.
    assert result["https_edges"] == [one for one in result["sent"] if one["path"].startswith("/edges/https")] == []
    assert methods(there.done("estate", **declared)) == ["GET"] * 3


def test_the_results_of_reading_say_when_it_began(tasks: Tasks) -> None:
    began = datetime.now(timezone.utc).replace(microsecond=0)
    for module in ("estate_info", "exposure_info"):
        found = datetime.strptime(tasks.done(module)["collected_at"], "%Y-%m-%dT%H:%M:%S%z")
        assert began <= found <= datetime.now(timezone.utc)
    assert "collected_at" not in tasks.done("exposure_info", estate={"https_edges": []})


def test_an_export_has_the_ids_that_nothing_else_can_replace(tasks: Tasks) -> None:
    """Two edges that serve the same, and routes that match the same, as some service may have them."""
    root = {"match_type": "path_prefix", "match": "/"}
    routes = [*({"id": f"edghtsrt_{name}", **root} for name in ("first", "second")), {"id": "edghtsrt_third", **root}]
    routes[2] |= {"match": "/third"}
    served = {"bare": [], "alone": ["alone"], "second": ["PLACE"], "first": ["place", "first"]}
    edges = [
        {"id": f"edghts_{name}", "hostports": [f"{host}.example.com:443" for host in hosts]}
        for name, hosts in served.items()
    ]
    edges[3] |= {"routes": routes}
    by_path = {f"/edges/https/{edge['id']}": edge for edge in edges}

    def instead(request: Received) -> Response:
        return as_json(by_path.get(request.path, {"https_edges": edges}))

    live = tasks.done("estate_info", instead=instead)["estate"]["https_edges"]
    assert [edge.get("id") for edge in live] == ["edghts_first", "edghts_second", None, "edghts_bare"]
    assert [route.get("id") for route in live[0]["routes"]] == ["edghtsrt_first", "edghtsrt_second", None]
    result = tasks.done("estate", instead=instead, https_edges=live, purge=ALL[:3], max_deletions=0)
    assert (result["changed"], result["summary"]["unchanged"], received(result, *WRITES)) == (False, 7, [])
