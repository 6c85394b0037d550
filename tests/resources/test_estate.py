# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole estate in one task, the live configuration as the estate that declares it, and sets of routes and of event
sources: one reading, writes for what differs, and purges of what is not declared, unless nothing is declared of it: a
variable may never have been set.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timezone
from functools import partial
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from amount import so_many
from any_estate import SEED, SUBSCRIPTIONS, TLS_EDGES, DeclaredObject, LiveObject, estates, served
from cases import cases
from convergence import ANY_NUMBER, converges, finds_nothing_to_do, is_foretold
from declarations import EDGE_MODULES, ROUTE_MODULES, SWITCHES, TLS_MODULES
from module_task import WRITES, Given, Tasks, methods, received, writes
from places import EDGE, HOSTPORT, KEY, ROUTE, SOURCE, SUBSCRIPTION, seed_edge, seed_subscription, seed_tls_edge
from scripted_service import Received, Response, as_json

ALL = ["edges", "routes", "modules", "sources", "hostports"]


def paths(*matches: str) -> list[Given]:
    return [{**KEY, "match": match} for match in matches]


def edge(host: str, *matches: str) -> dict[str, Any]:
    return {"hostports": [f"{host}.example.com:443"], "routes": paths(*matches)}


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
            held, left = ({edge["id"] for edge in one["https_edges"]} for one in (before, tasks.service.state()))
            assert held <= left
            return
        if declared.live is not None:
            assert complaints_about(declared, before, tasks.service.state(), result["https_edges"]) == []
        live = tasks.done("estate_info", tls_edges=TLS_EDGES, event_subscriptions=SUBSCRIPTIONS)["estate"]
        as_it_is = tasks.done("estate", **live, purge=ALL, max_deletions=0, allow_empty=True)
        assert not as_it_is["changed"], as_it_is["operations"]


# What a service has to hold after an estate was applied, judged from what it held before and from the declaration.
def complaints_about(declared: DeclaredObject, before: LiveObject, after: LiveObject, edges: Any) -> list[str]:
    """What is not as declared, or is another without having been declared. `edges` are as the task returned them."""
    found = list(_about_edges(declared, before, after, edges))
    for kind, key, judge in (
        ("tls_edges", "edge_id", partial(_about_traffic_modules, TLS_MODULES)),
        ("event_subscriptions", "subscription_id", _about_sources),
    ):
        options = {one[key]: one for one in declared.options.get(kind, ())}
        old = _by_id(before[kind])
        for one in after[kind]:
            if one["id"] not in options:
                found += [f"{one['id']} was touched"] if one != old[one["id"]] else []
            else:
                found += judge(options[one["id"]], old[one["id"]], one, declared.purges)
    return found


def _by_id(objects: Sequence[LiveObject]) -> dict[str, LiveObject]:
    return {one["id"]: one for one in objects}


def _about_edges(declared: DeclaredObject, before: LiveObject, after: LiveObject, edges: Any) -> Iterator[str]:
    options = declared.options.get("https_edges") or []
    old, new = _by_id(before["https_edges"]), _by_id(after["https_edges"])
    if len(edges) != len(options):
        yield f"{len(options)} edges are declared, and {len(edges)} returned"
    returned = [edge["id"] for edge in edges]
    for edge, one, live in zip(options, returned, declared.live or (), strict=True):
        if one not in new:
            yield f"{one} is not there"
            continue
        if live is not None and live["id"] != one:
            yield f"{one} was taken for {live['id']}"
        if live is None and one in old and not _is_kept_from_purge(edge, old[one], declared.purges):
            yield f"{one} was taken for a new one"
        if "hostports" in edge and served(edge) != served(new[one]):
            yield f"{one} serves {new[one]['hostports']} instead of {edge['hostports']}"
        there: LiveObject = live or old.get(one, {"routes": []})
        yield from _about_text_fields(edge, there, new[one])
        yield from _about_traffic_modules(EDGE_MODULES, edge, there, new[one], declared.purges)
        yield from _about_routes(edge, there, new[one], declared.purges)
    for one in old.keys() - set(returned):
        if ("edges" in declared.purges) != (one not in new):
            yield f"{one} was {'not ' if one in new else ''}purged"
        elif one in new and new[one] != old[one]:
            yield f"{one} was touched"
    yield from (f"{one} came from nowhere" for one in new.keys() - old.keys() - set(returned))


def _is_kept_from_purge(edge: LiveObject, live: LiveObject, purges: Sequence[str]) -> bool:
    """Whether a new edge is an undeclared one that has its hostports, and would be purged otherwise."""
    return "edges" in purges and edge.get("find_by") == "metadata" and served(edge) == served(live)


def _about_text_fields(options: LiveObject, before: LiveObject, after: LiveObject) -> Iterator[str]:
    for name in ("description", "metadata"):
        held, wanted = after.get(name) or "", options.get(name, before.get(name)) or ""
        if held != wanted and not (name == "metadata" and _meaning(held) == _meaning(wanted)):
            yield f"{after['id']}: {name} is {held!r} instead of {wanted!r}"


def _meaning(metadata: Any) -> Any:
    """What services keep of metadata: they trim it, and serialize its JSON."""
    try:
        found = metadata if isinstance(metadata, dict) else json.loads(metadata)
    except ValueError:
        found = None
    return found or "" if isinstance(found, dict) else metadata.strip()


def _about_traffic_modules(
    names: Iterable[str], options: LiveObject, before: LiveObject, after: LiveObject, purges: Sequence[str]
) -> Iterator[str]:
    for name in names:
        removed = name in options.get("absent_modules", ()) or options.get("purge_modules") or "modules" in purges
        if name in options:
            if after.get(name) is None:
                yield f"{after['id']}: {name} is not there"
        elif removed:
            if after.get(name) is not None:
                yield f"{after['id']}: {name} is still there"
        elif name == "backend":
            # One that closed the route is opened again, and nothing else of it changes.
            if (after.get(name) or {}).get("backend_id") != (before.get(name) or {}).get("backend_id"):
                yield f"{after['id']}: backend was touched"
        elif after.get(name) != before.get(name):
            yield f"{after['id']}: {name} was touched"


def _about_routes(edge: LiveObject, before: LiveObject, after: LiveObject, purges: Sequence[str]) -> Iterator[str]:
    old, new = _by_id(before["routes"]), _by_id(after["routes"])
    if "routes" not in edge:
        if old != new:
            yield f"{after['id']}: routes were touched"
        return
    by_key = {(one["match_type"], one["match"]): one["id"] for one in after["routes"]}
    meant = set()
    for route in edge["routes"]:
        one = route.get("id") or by_key.get((route["match_type"], route["match"]))
        if one not in new:
            yield f"{after['id']}: there is no route {route}"
            continue
        meant.add(one)
        there: LiveObject = old.get(one, {})
        for name in ("match_type", "match"):
            if new[one][name] != route.get(name, there.get(name)):
                yield f"{one}: {name} is {new[one][name]}"
        yield from _about_text_fields(route, there, new[one])
        yield from _about_traffic_modules(ROUTE_MODULES, route, there, new[one], purges)
    for one in old.keys() - meant:
        if ("routes" in purges) != (one not in new):
            yield f"{one} was {'not ' if one in new else ''}purged"
        elif one in new and new[one] != old[one]:
            yield f"{one} was touched"
    yield from (f"{one} came from nowhere" for one in new.keys() - old.keys() - meant)


def _about_sources(options: LiveObject, before: LiveObject, after: LiveObject, purges: Sequence[str]) -> Iterator[str]:
    kept = set() if "sources" in purges else set(before["sources"])
    if set(after["sources"]) != kept | set(options["sources"]):
        yield f"{after['id']} has {after['sources']}"


def converges_as_planned(tasks: Tasks, options: dict[str, Any], *, is_clear: bool) -> dict[str, Any] | None:
    """The result of an estate that was foretold and came about; None if it is not clear what it means."""
    dry = tasks.run("estate", check=True, **options, max_deletions=1000)
    # Somebody may have to lose protection for a moment: by a route that is not declared, for example.
    assume("No order of the changes keeps" not in dry.get("msg", ""))
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


def test_a_failure_stops_no_other_object(tasks: Tasks) -> None:
    tls_edge = {"edge_id": seed_tls_edge(tasks), "ip_restriction": {"ip_policy_ids": ["ipp_one"]}}
    tasks.service.seed(https_edges=[{"hostports": [f"{name}.example.com:443"]} for name in "ab"])
    both = {"hostports": ["a.example.com:443", "b.example.com:443"], "routes": []}
    # The service takes this provider with a secret only, and rejects the route.
    bad = edge("bad", "/")
    bad["routes"][0]["webhook_verification"] = {"provider": "stripe"}
    edges = [both, {"id": "edghts_nowhere", "routes": []}, bad, edge("good", "/")]
    unknown = [{"subscription_id": "esb_unknown", "sources": []}]
    declared = {"https_edges": edges, "tls_edges": [tls_edge], "event_subscriptions": unknown}
    result = tasks.failed("estate", **declared, purge=["edges"])
    assert result["summary"] == {"created": 4, "updated": 0, "deleted": 0, "unchanged": 0, "failed": 4, "withheld": 0}
    assert {failure["object"] for failure in result["failures"]} == {
        "https_edge a.example.com:443, b.example.com:443",
        "https_edge (edghts_nowhere)",
        "https_edge_route path_prefix / of bad.example.com:443",
        "event_subscription esb_unknown",
    }
    held = {one["hostports"][0].split(".")[0] for one in tasks.service.state()["https_edges"]}
    assert (held, len(result["diff"])) == ({"a", "b", "bad", "good"}, 4)


def test_edges_by_id_need_no_list(tasks: Tasks) -> None:
    tasks.service.seed(https_edges=[{"id": f"edghts_{host}", **edge(host, "/")} for host in ("one", "two")])
    tasks.service.switches(operations="documented")
    declared = [{"id": f"edghts_{host}", "description": "x", "routes": []} for host in ("one", "two")]
    assert tasks.done("estate", https_edges=declared)["summary"]["updated"] == 2
    assert "HTTPS edges cannot be listed" in tasks.failed("estate", https_edges=[edge("one")])["msg"]


BAD = cases(
    """
    a hostport twice    | {https_edges: [*a, {hostports: ["A.example.com:443"]}]}
                        | "https_edges[1].hostports: a.example.com:443 is already declared in https_edges[0]"
    the same metadata   | {https_edges: [{find_by: metadata, metadata: '{"a": 1, "b": 2}'}, *by_metadata]}
                        | "is already declared in https_edges[0]"
    a route twice       | {https_edges: [*routes]} | "https_edges[0].routes[1]: path_prefix / is already declared in"
    no identity         | {https_edges: [{routes: []}]} | "https_edges[0].hostports: required to find the edge"
    an ID twice         | {https_edges: [{id: edghts_a}, {id: edghts_a}]} | "https_edges[1]: edghts_a is already"
    of a TLS edge       | {tls_edges: [{edge_id: edgtls_a}, {edge_id: edgtls_a}]} | "tls_edges[1]: edgtls_a is already"
    of a subscription   | {event_subscriptions: [*audit, *audit]} | "event_subscriptions[1]: esb_a is already"
    an event type       | {event_subscriptions: [{subscription_id: esb_a, sources: [nothing]}]}
                        | "event_subscriptions[0].sources[0]: unknown event type 'nothing'"
    too much at a time  | {https_edges: [], concurrency: 33}
                        | "concurrency: 33 is out of range; expected a number from 1 to 32"
    nothing             | {}
                        | "estate: nothing is declared; set objects, https_edges, tls_edges, or event_subscriptions"
    nothing to compare  | {purge: [edges]} | "estate: nothing is declared"
    no edges to purge   | {tls_edges: *tls, purge: [edges]}
                        | "purge: edges is listed, but https_edges is not declared; declare it, or remove edges from"
    no routes to purge  | {tls_edges: *tls, purge: [routes]}
                        | "purge: routes is listed, but no edge in https_edges declares routes; declare them, or"
    no hostports        | {tls_edges: *tls, purge: [hostports]}
                        | "hostports is listed, but neither https_edges nor objects is declared; declare one of them"
    no sources to purge | {tls_edges: *tls, purge: [sources]}
                        | "purge: sources is listed, but event_subscriptions is not declared"
    no modules to purge | {event_subscriptions: [*audit], purge: [modules]}
                        | "modules is listed, but neither https_edges nor tls_edges is declared; declare one of them"
    """,
    a=edge("a"),
    by_metadata={"find_by": "metadata", "metadata": {"b": 2, "a": 1}},
    audit={"subscription_id": "esb_a", "sources": []},
    tls=[{"edge_id": "edgtls_a"}],
    routes=edge("a", "/", "/"),
)


@pytest.mark.parametrize(("declared", "option_error"), BAD.values(), ids=BAD)
def test_option_errors_name_their_place(tasks: Tasks, declared: dict[str, Any], option_error: str) -> None:
    result = tasks.failed("estate", **declared)
    assert (option_error in result["msg"], len(result["option_errors"]), result["sent"]) == (True, 1, [])


def test_the_results_of_reading_say_when_it_began(tasks: Tasks) -> None:
    began = datetime.now(timezone.utc).replace(microsecond=0)
    for module in ("estate_info", "exposure_info"):
        found = datetime.strptime(tasks.done(module)["collected_at"], "%Y-%m-%dT%H:%M:%S%z")
        assert began <= found <= datetime.now(timezone.utc)
    assert "collected_at" not in tasks.done("exposure_info", estate={"https_edges": []})


def test_an_export_has_the_ids_that_nothing_else_can_replace(tasks: Tasks) -> None:
    """Two edges that serve the same, and routes that match the same, as some service may have them."""
    routes = [{"id": f"edghtsrt_{name}", **KEY} for name in ("first", "second")]
    routes += [{"id": "edghtsrt_third", **KEY, "match": "/third"}]
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


FIRST, SECOND, THIRD = "ip_policy_created.v0", "ip_policy_updated.v0", "tcp_connection_closed.v0"


def test_a_set_sends_one_read_and_a_write_for_each_change(tasks: Tasks) -> None:
    edge_id = seed_edge(tasks, routes=paths("/same", "/other", "/gone"))
    declared = [*paths("/same", "/new"), {**paths("/other")[0], "description": "changed"}]
    result = tasks.done("https_edge_routes", edge_id=edge_id, routes=declared, purge=True)
    assert methods(result) == ["GET", "POST", "PATCH", "DELETE"]
    headers = [("+ create", "/new"), ("~ update", "/other"), ("- delete", "/gone")]
    assert [diff["after_header"].split(" (")[0] for diff in result["diff"]] == [
        f"{action} https_edge_route path_prefix {match} of {HOSTPORT}" for action, match in headers
    ]
    assert [one["match"] for one in result["https_edge_routes"]] == ["/same", "/new", "/other"]


def test_one_route_declared_twice_is_an_error(tasks: Tasks) -> None:
    edge_id = seed_edge(tasks, routes=[{"id": ROUTE, **KEY}])
    by_id_and_key = [{"id": ROUTE, "description": "one"}, {**KEY, "description": "two"}]
    result = tasks.failed("https_edge_routes", edge_id=edge_id, routes=by_id_and_key)
    assert (len(result["failures"]), writes(result)) == (2, [])


@pytest.mark.parametrize(
    ("held", "declared", "purge", "expected"),
    [
        ([FIRST], [FIRST], True, []),
        ([FIRST], [SECOND, THIRD], False, ["POST", "POST"]),
        ([FIRST], [SECOND], True, ["POST", "DELETE"]),
        ([FIRST, SECOND], [], True, ["DELETE", "DELETE"]),
    ],
)
@pytest.mark.parametrize("sources_uri", ["own", "null", "next_page"])
def test_a_set_of_event_sources_converges(
    tasks: Tasks, held: list[str], declared: list[str], purge: bool, expected: list[str], sources_uri: str
) -> None:
    seed_subscription(tasks, *held)
    tasks.service.switches(sources_uri=sources_uri, page_size=1)
    options = {"subscription_id": SUBSCRIPTION, "types": declared, "purge": purge, "allow_empty": not declared}
    result = converges(tasks, "event_sources", **options)
    assert [write.split()[0] for write in writes(result)] == expected
    left = tasks.service.state()["event_subscriptions"][0]["sources"]
    assert sorted(left) == sorted(declared if purge else {*held, *declared})


POLICY: Given = {"name": "office", "collection": "ip_policies", "find_by": {"description": "Office"}}
POLICY |= {"body": {"metadata": "x"}}
SAME = {"hostports": [HOSTPORT], "routes": [KEY]}
ROUTE_KEYS = {"id": ROUTE, **KEY}


@pytest.fixture
def live(tasks: Tasks) -> Tasks:
    seed_edge(tasks, description="The shop", routes=[{"id": ROUTE, **KEY, "description": "Everything"}])
    tasks.service.seed(objects={"ip_policies": [{"id": "ipp_office", "description": "Office", "metadata": "x"}]})
    return tasks


@pytest.mark.parametrize("check", [True, False])
def test_an_unchanged_edge_is_its_id_and_its_hostports(live: Tasks, check: bool) -> None:
    name = {"id": EDGE, "hostports": [HOSTPORT]}
    whole = {**name, "routes": [ROUTE_KEYS]}
    assert live.done("estate", check, https_edges=[SAME])["https_edges"] == [name]
    assert live.done("estate", check, https_edges=[SAME], unchanged="states")["https_edges"] == [whole]
    other = {**SAME, "routes": [KEY, {**KEY, "match": "/new"}]}
    [changed] = live.done("estate", check, https_edges=[other])["https_edges"]
    assert [route["match"] for route in changed["routes"]] == ["/", "/new"]


def test_another_object_is_what_identifies_it_unless_it_changes(live: Tasks) -> None:
    def shown(policy: Given, route: Given, **more: Any) -> list[Given]:
        office = live.done("estate", objects=[policy], **more)["objects"]["office"]
        return [office, *live.done("https_edge_routes", edge_id=EDGE, routes=[route], **more)["https_edge_routes"]]

    names = [{"id": "ipp_office", "description": "Office"}, ROUTE_KEYS]
    assert shown(POLICY, KEY) == names
    for name, whole in zip(names, shown(POLICY, KEY, unchanged="states"), strict=True):
        assert name.items() < whole.items()
        assert {"created_at", "metadata", "uri"} & whole.keys()
    office, route = shown({**POLICY, "body": {"metadata": "y"}}, {**KEY, "description": "New"})
    assert office["metadata"] == "y"
    assert {"description": "New", "compression": None, **ROUTE_KEYS}.items() <= route.items()


BARE = {"hostports": [HOSTPORT]}


def test_each_kind_that_could_not_be_purged_is_named(tasks: Tasks) -> None:
    result = tasks.failed("estate", tls_edges=[], purge=["edges", "routes", "modules", "sources"])
    assert [option_error.split()[1] for option_error in result["option_errors"]] == ["edges", "routes", "sources"]


# The module, what it declares, and whether nothing is there that it could remove.
HARMLESS: list[tuple[str, Given, bool]] = [
    ("estate", {"https_edges": [], "purge": ["routes", "modules"]}, False),
    ("estate", {"event_subscriptions": [], "purge": ["sources"]}, False),
    ("estate", {"https_edges": [{**BARE, "find_by": "hostports"}], "purge": ["edges"]}, False),
    ("event_sources", {"subscription_id": SUBSCRIPTION, "types": []}, False),
    ("estate", {"https_edges": [{**BARE, "routes": []}], "purge": ["edges", "routes", "modules"]}, True),
    ("estate", {"event_subscriptions": [{"subscription_id": SUBSCRIPTION, "sources": []}], "purge": ["sources"]}, True),
    ("https_edge_routes", {"edge_id": EDGE, "routes": [], "purge": True}, True),
    ("event_sources", {"subscription_id": SUBSCRIPTION, "types": [], "purge": True}, True),
]


@pytest.mark.parametrize(("module", "declared", "is_bare"), HARMLESS, ids=str)
@pytest.mark.parametrize("check", [True, False])
def test_removing_nothing_is_allowed(tasks: Tasks, module: str, declared: Given, is_bare: bool, check: bool) -> None:
    assert not tasks.done("estate", check, https_edges=[], purge=["edges"])["changed"]
    seed_edge(tasks, routes=[] if is_bare else [KEY])
    seed_subscription(tasks, *([] if is_bare else [SOURCE]))
    assert not tasks.done(module, check, **declared)["changed"]


def test_the_export_of_an_account_without_routes_can_be_applied_with_purge(tasks: Tasks) -> None:
    seed_edge(tasks, tls_termination={})
    seed_subscription(tasks)
    exported = tasks.done("estate_info", event_subscriptions=[SUBSCRIPTION])["estate"]
    purge = ["edges", "routes", "modules", "sources"]
    assert not tasks.done("estate", **exported, purge=purge)["changed"]
    tasks.service.seed(https_edges=[{"id": "edghts_new", "hostports": ["new.example.com:443"], "routes": [KEY]}])
    assert writes(tasks.done("estate", **exported, purge=purge)) == ["DELETE /edges/https/edghts_new"]


def test_one_empty_list_among_others_is_a_declaration(live: Tasks) -> None:
    other = {"hostports": ["other.example.com:443"], "routes": [KEY]}
    live.done("estate", https_edges=[other])
    result = live.done("estate", https_edges=[{**BARE, "routes": []}, other], purge=["routes"])
    assert [write.split()[0] for write in writes(result)] == ["DELETE"]
