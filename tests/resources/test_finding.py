# SPDX-License-Identifier: GPL-3.0-or-later
"""How each resource finds its object, and that nothing is deleted that was not meant."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked, result_of
from ansible_collections.edgeops.ingress.plugins.plugin_utils._object_id import DEFINITION
from cases import cases
from module_task import WRITES, Given, Tasks, methods, received, writes
from places import EDGE, HOSTPORT, KEY, SOURCE, SUBSCRIPTION, TLS_EDGE, seed_edge, seed_subscription, seed_tls_edge
from scripted_service import as_json, in_turn

OTHER, THIRD, NEW = (f"{name}.example.com:443" for name in ("other", "third", "new"))
SHOP, ALIKE = "shop.example.com:443", "shop.example.com.:443"
KNOWN = {"OTHER": OTHER, "THIRD": THIRD, "NEW": NEW, "SHOP": SHOP, "ALIKE": ALIKE, "HOSTPORT": HOSTPORT, "EDGE": EDGE}
LIVE: Given = {"hostports": [HOSTPORT.upper(), OTHER, THIRD], "metadata": '{"app":"shop","env":"live"}'}
# The options of `https_edge`, and what is written to an edge that serves three hostports and has metadata.
FOUND = cases(
    """
    any of its hostports        | {hostports: [*NEW, OTHER.EXAMPLE.COM:443], purge_hostports: true} | PATCH
    its metadata                | {find_by: metadata, metadata: {env: live, app: shop}}             | null
    its metadata, and a change  | {find_by: metadata, metadata: {env: live, app: shop}, description: x} | PATCH
    other metadata              | {find_by: metadata, metadata: shop}                               | POST
    nothing                     | {find_by: none, description: same}                                | POST
    other hostports             | {hostports: [*NEW]}                                               | POST
    a deletion by all of them   | {hostports: [*NEW, *OTHER, *THIRD, *HOSTPORT], state: absent}     | DELETE
    a deletion by its ID        | {id: *EDGE, state: absent}                                        | DELETE
    a deletion by its metadata  | {find_by: metadata, metadata: {env: live, app: shop}, state: absent} | DELETE
    """,
    **KNOWN,
)


@pytest.mark.parametrize("switches", [{}, {"page_size": 1}, {"page_size": 1, "next_page": "relative"}], ids=str)
@pytest.mark.parametrize(("options", "method"), FOUND.values(), ids=FOUND)
def test_an_edge_is_found_or_created(tasks: Tasks, options: Given, method: str | None, switches: Given) -> None:
    seed_edge(tasks, **LIVE)
    tasks.service.seed(https_edges=[{"hostports": [f"{number}.example.com:443"]} for number in range(3)])
    tasks.service.switches(**switches)
    path = "/edges/https" if method == "POST" else f"/edges/https/{EDGE}"
    assert writes(tasks.done("https_edge", **options)) == ([f"{method} {path}"] if method else [])


@pytest.mark.parametrize("state", ["present", "absent"])
@pytest.mark.parametrize("find_by", ["hostports", "metadata"])
def test_two_matches_are_an_error_with_both_ids(tasks: Tasks, find_by: str, state: str) -> None:
    hostports, ids = [HOSTPORT, OTHER], ["edghts_one", "edghts_two"]
    edges = [{"id": one, "hostports": [each], "metadata": "m"} for one, each in zip(ids, hostports, strict=True)]
    tasks.service.seed(https_edges=edges)
    tasks.service.switches(page_size=1)
    result = tasks.failed("https_edge", find_by=find_by, hostports=hostports, metadata="m", state=state)
    assert (sorted(result["ids"]), writes(result)) == (ids, [])
    assert all(edge_id in result["msg"] for edge_id in ids)


@pytest.mark.parametrize("status", [404, 405, 501])
@pytest.mark.parametrize("state", ["present", "absent"])
def test_without_the_list_operation_an_edge_needs_its_id(tasks: Tasks, status: int, state: str) -> None:
    seed_edge(tasks)
    tasks.service.switches(operations="documented", missing_operation=status)
    result = tasks.failed("https_edge", hostports=[HOSTPORT], state=state)
    assert "this service does not support listing them; an edge is then addressed by its ID" in result["msg"]
    assert methods(result) == ["GET"]
    assert tasks.done("https_edge", id=EDGE, state=state)["changed"] == (state == "absent")


def test_find_by_none_needs_no_list_and_finds_nothing_to_delete(tasks: Tasks) -> None:
    tasks.service.switches(operations="documented")
    created = {tasks.done("https_edge", find_by="none", description="same")["https_edge"]["id"] for _again in range(2)}
    result = tasks.failed("https_edge", find_by="none", state="absent")
    assert (len(created), "find_by" in result["msg"], result["sent"]) == (2, True, [])


@pytest.mark.parametrize("find_by", ["hostports", "metadata"])
@pytest.mark.parametrize("empty", [{}, {"hostports": [], "metadata": ""}, {"metadata": " \n"}])
def test_an_edge_cannot_be_found_by_nothing(tasks: Tasks, find_by: str, empty: dict[str, Any]) -> None:
    seed_edge(tasks, hostports=[])
    for state in ("present", "absent"):
        result = tasks.failed("https_edge", find_by=find_by, state=state, **empty)
        assert f"{find_by}: " in result["msg"]
        assert result["sent"] == []


GONE: list[tuple[str, dict[str, Any]]] = [
    ("https_edge", {"id": "edghts_unknown", "hostports": [HOSTPORT]}),
    ("https_edge_route", {"edge_id": EDGE, "id": "edghtsrt_unknown", **KEY}),
    ("https_edge_route", {"edge_id": "edghts_unknown", **KEY}),
]
NOT_THERE: list[tuple[str, dict[str, Any]]] = [
    ("https_edge", {"hostports": [OTHER]}),
    ("https_edge_route", {"edge_id": EDGE, **KEY}),
    ("event_source", {"subscription_id": SUBSCRIPTION, "type": SOURCE}),
]


def test_an_unknown_id_fails_and_what_is_missing_is_absent_already(tasks: Tasks) -> None:
    seed_edge(tasks)
    seed_subscription(tasks)
    for module, options in GONE:
        result = tasks.failed(module, **options)
        assert ("_unknown" in result["msg"], methods(result)) == (True, ["GET"])
    for module, options in [*GONE, *NOT_THERE]:
        result = tasks.done(module, **options, state="absent")
        assert (result["changed"], result[module], methods(result)) == (False, None, ["GET"])


@pytest.mark.parametrize("check", [True, False])
def test_an_edge_that_serves_more_than_is_declared_is_not_deleted(tasks: Tasks, check: bool) -> None:
    seed_edge(tasks, **LIVE)
    for how in ({}, {"find_by": "metadata", "metadata": LIVE["metadata"]}):
        result = tasks.failed("https_edge", check=check, state="absent", hostports=[HOSTPORT], **how)
        assert (OTHER in result["msg"], THIRD in result["msg"], writes(result)) == (True, True, [])


def test_a_route_is_found_by_match_type_and_match_together(tasks: Tasks) -> None:
    keys = {"prefix": ("path_prefix", "/a"), "exact": ("exact_path", "/a"), "longer": ("path_prefix", "/a/")}
    routes = [{"id": f"edghtsrt_{name}", "match_type": how, "match": match} for name, (how, match) in keys.items()]
    seed_edge(tasks, routes=routes)
    options = {"edge_id": EDGE, "match_type": "exact_path", "match": "/a"}
    assert tasks.done("https_edge_route", **options)["https_edge_route"]["id"] == "edghtsrt_exact"
    result = tasks.done("https_edge_route", **options, state="absent")
    assert writes(result) == [f"DELETE /edges/https/{EDGE}/routes/edghtsrt_exact"]
    assert writes(tasks.done("https_edge_route", **options)) == [f"POST /edges/https/{EDGE}/routes"]


@pytest.mark.parametrize("state", ["present", "absent"])
def test_several_routes_that_match_are_named(tasks: Tasks, state: str) -> None:
    """Some service may let two routes of an edge match the same."""
    edge = {"id": "edghts_a", "hostports": [], "routes": [{"id": f"edghtsrt_{one}", **KEY} for one in ("b", "c")]}
    options = {"edge_id": "edghts_a", **KEY, "state": state}
    result = tasks.failed("https_edge_route", instead=in_turn(as_json(edge)), **options)
    assert received(result, *WRITES) == []
    assert "2 routes of edge edghts_a match the declared match_type and match: edghtsrt_b, edghtsrt_c." in result["msg"]
    assert result["ids"] == ["edghtsrt_b", "edghtsrt_c"]


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("state", ["present", "absent"])
def test_a_near_miss_of_an_edge_is_an_error(tasks: Tasks, state: str, check: bool) -> None:
    seed_edge(tasks, metadata="partners")
    for none in (" partners ", "partners-2"):
        tasks.done("https_edge", True, state=state, find_by="metadata", metadata=none)
    result = tasks.failed("https_edge", check, state=state, find_by="metadata", metadata="Partners")
    said = f"{EDGE} has 'partners' for metadata, which may be the declared value in the spelling of the service."
    assert (said in result["msg"], f"set `id` to {EDGE}." in result["msg"], writes(result)) == (True, True, [])


@pytest.mark.parametrize("more", [[], [OTHER]], ids=["alone", "one of several"])
@pytest.mark.parametrize(("declared", "live"), [(ALIKE, SHOP), ("[0:0:0:0:0:0:0:1]:443", "[::1]:443")])
def test_an_edge_is_not_missed_in_another_spelling(tasks: Tasks, declared: str, live: str, more: list[str]) -> None:
    """Otherwise, the estate would create another edge without protection, and delete the protected one."""
    protected = {"mutual_tls": {"enabled": True, "certificate_authority_ids": ["ca_1"]}}
    tasks.service.seed(https_edges=[{"id": EDGE, "hostports": [*more, live], **protected}])
    edge = {"hostports": [declared, NEW]}
    gone = tasks.failed("https_edge", **edge, state="absent")
    assert f"{EDGE} has ['{live}'] for hostports, which may be the declared value" in gone["msg"]
    replaced = tasks.failed("estate", https_edges=[edge], purge=["edges"], reject_openings=True)
    assert " in another spelling, which belongs to https_edge " in replaced["msg"]
    assert writes(gone) == writes(replaced) == []
    assert writes(tasks.done("https_edge", hostports=[live, *more, NEW])) == [f"PATCH /edges/https/{EDGE}"]
    assert not tasks.done("https_edge", hostports=[live, *more, NEW])["changed"]


# A task that takes a hostport which may be the one of the protected edge, as the service writes it.
TAKEN = cases(
    """
    by a hostport  | estate | {https_edges: [{hostports: [*NEW, *ALIKE]}], purge: *ALL}
    by an ID       | estate | {https_edges: [{id: edghts_new, hostports: [*NEW, *ALIKE]}], purge: *ALL}
    by metadata    | estate | {https_edges: [{find_by: metadata, metadata: new, hostports: [*ALIKE]}], purge: *ALL}
    as a new edge  | estate | {https_edges: [{find_by: metadata, metadata: x, hostports: [*ALIKE]}], purge: *ALL}
    beside it      | estate | {https_edges: [{id: *EDGE}, {hostports: [*ALIKE]}]}
    both are new   | estate | {https_edges: [{hostports: ["x.example:443"]}, {hostports: ["x.example.:443"]}]}
    by TLS         | estate
        | {https_edges: [{id: *EDGE}], objects: [{name: x, collection: edges/tls, find_by: {hostports: [*ALIKE]}}]}
    from a TLS edge that goes | estate
        | {https_edges: [{hostports: [*NEW, "tls.example.com.:443"]}], objects: [*GONE]}
    in one task    | https_edge | {hostports: [*NEW, *ALIKE]}
    a TLS edge     | object
        | {collection: edges/tls, find_by: {description: x}, body: {hostports: ["tls.example.com.:443"]}}
    """,
    **KNOWN,
    GONE={"name": "x", "collection": "edges/tls", "id": TLS_EDGE, "state": "absent"},
    ALL=["edges", "hostports"],
)


@pytest.mark.parametrize(("module", "options"), TAKEN.values(), ids=TAKEN)
def test_no_hostport_is_taken_that_may_belong_to_another_edge(tasks: Tasks, module: str, options: Given) -> None:
    """Where the service takes both for one host, it would be served without what protects it now."""
    protected = {"id": EDGE, "hostports": [SHOP], "mutual_tls": {"certificate_authority_ids": ["ca_1"]}}
    tasks.service.seed(https_edges=[{"id": "edghts_new", "metadata": "new", "hostports": [NEW]}, protected])
    seed_tls_edge(tasks, hostports=["tls.example.com:443"])
    result = tasks.failed(module, **options)
    assert " in another spelling, which belongs to " in result["msg"]
    assert writes(result) == []


TWINS = cases(
    """
    unchanged     | estate | {https_edges: [{hostports: [*SHOP]}, {hostports: [*ALIKE]}]} | 0
    moved         | estate
        | {https_edges: [{id: edghts_two, hostports: []}, {id: *EDGE, hostports: [*SHOP, *ALIKE]}]} | 2
    moved to a new one | estate | {objects: [*EMPTIED, *FILLED]} | 2
    a TLS edge    | object | {collection: edges/tls, find_by: {hostports: [*SHOP]}} | 0
    its metadata  | object | {collection: edges/tls, find_by: {hostports: [*SHOP]}, body: {metadata: x}} | 1
    """,
    **KNOWN,
    EMPTIED={"name": "x", "collection": "edges/tls", "id": "edgtls_two", "body": {"hostports": []}},
    FILLED={"name": "z", "collection": "edges/tls", "find_by": {"description": "z"}, "body": {"hostports": [ALIKE]}},
)


@pytest.mark.parametrize(("module", "options", "number"), TWINS.values(), ids=TWINS)
def test_hostports_live_in_both_spellings_are_two(tasks: Tasks, module: str, options: Given, number: int) -> None:
    is_http = "https_edges" in options
    kind, ids = ("https_edges", (EDGE, "edghts_two")) if is_http else ("tls_edges", (TLS_EDGE, "edgtls_two"))
    live = [{"id": one, "hostports": [host]} for one, host in zip(ids, (SHOP, ALIKE), strict=True)]
    tasks.service.seed(**{kind: live})
    purge = {"purge": ["hostports"], "allow_empty": True} if module == "estate" else {}
    assert len(writes(tasks.done(module, **options, **purge))) == number


MODULES = {
    "https_edge_route": KEY,
    "https_edge_routes": {"routes": [KEY]},
    "tls_edge_ip_restriction": {"ip_policy_ids": ["ipp_1"]},
    "tls_edge_tls_termination": {"terminate_at": "edge"},
}
TLS_HOSTPORT = "tls.example.com:443"


@pytest.fixture
def there(tasks: Tasks) -> Tasks:
    seed_edge(tasks, metadata='{"team": "shop"}')
    tasks.service.seed(https_edges=[{"hostports": ["other.example.com:443"], "metadata": "other"}])
    seed_tls_edge(tasks, hostports=[TLS_HOSTPORT], metadata='{"team": "shop"}')
    return tasks


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("way", ["hostport", "hidden in lists", "other spelling", "metadata", "returned"])
def test_the_edge_of_a_task_is_found(there: Tasks, module: str, way: str, check: bool) -> None:
    identifier, hostport = (TLS_EDGE, TLS_HOSTPORT) if module.startswith("tls") else (EDGE, HOSTPORT)
    edge: Any = {
        "hostport": hostport,
        "hidden in lists": hostport,
        "other spelling": hostport.upper(),
        "metadata": {"metadata": {"team": "shop"}},
        "returned": {"id": identifier, "hostports": [hostport], "description": None},
    }[way]
    there.service.switches(list_members="id_and_uri" if way == "hidden in lists" else "whole")
    operations = there.done(module, check, edge=edge, **MODULES[module])["operations"]
    assert {one["path"].split("/")[3] for one in operations} == {identifier}


@pytest.mark.parametrize(("switch", "by_metadata", "reads"), [("empty_lists", False, 0), ("empty_text", True, 2)])
@pytest.mark.parametrize("module", MODULES)
def test_other_edges_are_read_only_if_they_may_be_the_edge_as_well(
    there: Tasks, module: str, switch: str, by_metadata: bool, reads: int
) -> None:
    """A hostport belongs to one edge, but several can have the same metadata."""
    kinds = {"tls_edges": "edgtls", "https_edges": "edghts"}
    there.service.seed(**{kind: [{"id": f"{one}_one"}, {"id": f"{one}_two"}] for kind, one in kinds.items()})
    there.service.switches(**{switch: "missing"})
    hostport = TLS_HOSTPORT if module.startswith("tls") else HOSTPORT
    edge = {"metadata": {"team": "shop"}} if by_metadata else hostport
    sent = there.done(module, True, edge=edge, **MODULES[module])["sent"]
    assert len([one for one in sent if one["path"].endswith(("_one", "_two"))]) == reads


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("module", MODULES)
def test_a_missing_edge_is_an_error_after_one_request_unless_it_goes(there: Tasks, module: str, check: bool) -> None:
    result = there.failed(module, check, edge="gone.example.com:443", **MODULES[module])
    assert "No edge has the hostport 'gone.example.com:443'" in result["msg"]
    assert ("check mode" in result["msg"], methods(result)) == (check, ["GET"])
    if module != "https_edge_routes":
        options = KEY if module == "https_edge_route" else {}
        result = there.done(module, check, edge="gone.example.com:443", state="absent", **options)
        assert (result["changed"], methods(result)) == (False, ["GET"])


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("module", sorted(MODULES.keys() - {"https_edge_routes"}))
@pytest.mark.parametrize("team", ["Shop", "SHOP"])
def test_nothing_is_absent_from_a_near_miss_of_the_edge(there: Tasks, module: str, team: str, check: bool) -> None:
    identifier, options = TLS_EDGE if module.startswith("tls") else EDGE, KEY if module == "https_edge_route" else {}
    result = there.failed(module, check, edge={"metadata": {"team": team}}, state="absent", **options)
    assert f"{identifier} has " in result["msg"]
    assert f"set `edge_id` to {identifier}." in result["msg"]
    assert writes(result) == []


@pytest.mark.parametrize("module", MODULES)
def test_several_edges_are_an_error_that_says_how_to_choose(there: Tasks, module: str) -> None:
    seed_tls_edge(there, id="edgtls_other", metadata='{"team": "shop"}')
    there.service.seed(https_edges=[{"id": "edghts_other", "metadata": '{"team": "shop"}'}])
    msg = there.failed(module, edge={"metadata": {"team": "shop"}}, **MODULES[module])["msg"]
    assert "2 edges have the declared metadata: edg" in msg
    assert msg.endswith("Set `edge_id` to choose one.")


WRONG = cases(
    """
    neither       | {} | 'edge_id: required, or set `edge` to a hostport of the edge'
    both          | {edge_id: *EDGE, edge: 'a:1'} | 'edge: `edge_id` is set as well; remove one of them'
    no port       | {edge: shop.example.com} | 'edge: '
    a number      | {edge: 5} | 'edge: expected a hostport such as shop.example.com:443, got a number'
    nothing in it | {edge: {}} | 'edge: expected `metadata`, or an edge that another task has returned'
    no list       | {edge: {hostports: 'a:1'}} | 'edge.hostports: expected a list of hostports'
    no hostport   | {edge: {hostports: [5]}} | 'edge.hostports: expected a list of hostports'
    an ID         | {edge: *EDGE} | "edge: 'edghts_place' is an ID; set `edge_id` instead"
    no ID         | {edge: {id: bad/id}} | 'edge.id: '
    another type  | {edge: {id: 5}} | 'edge.id: expected a string, got a number'
    blanks        | {edge: {id: " ", metadata: " "}} | 'edge: expected `metadata`, or an edge that another task has'
    no text       | {edge: {metadata: true}} | 'edge.metadata: expected a string, dictionary, or list'
    a bad port    | {edge: {hostports: ['a:1', 'a:x']}} | "edge.hostports[1]: 'x' is not a port"
    a placeholder | {edge: {id: edghts_would-be-created}} | 'edge.id: '
    """,
    **KNOWN,
)


@pytest.mark.parametrize(("options", "message"), WRONG.values(), ids=WRONG)
def test_wrong_options_are_reported_before_any_request(there: Tasks, options: dict[str, Any], message: str) -> None:
    result = there.failed("https_edge_route", **options, **KEY)
    [error] = result["option_errors"]
    assert (error[: len(message)], result["sent"]) == (message, [])


@pytest.mark.parametrize("name", ["id", "metadata"])
def test_blanks_name_no_edge_beside_its_hostports(there: Tasks, name: str) -> None:
    """In an export, an edge may have such metadata, and others have none."""
    there.service.seed(https_edges=[{"id": "edghts_third", "hostports": [THIRD]}])
    result = there.done("https_edge_route", edge={name: " ", "hostports": [THIRD]}, **KEY)
    assert writes(result) == ["POST /edges/https/edghts_third/routes"]


# A collection, and two values of `find_by`. Do they find the same object?
ONE_OBJECT = cases(
    """
    hostports      | edges/tls   | {hostports: [B.example.com:1, *A]}     | {hostports: [*A, b.example.com:1]} | true
    other ports    | edges/tls   | {hostports: [*A, b.example.com:1]}     | {hostports: [*A, b.example.com:2]} | false
    a domain       | reserved_domains | {domain: Bücher.example} | {domain: xn--bcher-kva.example}       | true
    another order  | backends/failover | {backends: [b_1, b_2]}  | {backends: [b_2, b_1]}                | false
    metadata       | ip_policies | {metadata: {a: 1, b: [2]}}    | {metadata: ' {"b": [2], "a": 1.0}  '} | true
    other metadata | ip_policies | {metadata: {a: 1}}            | {metadata: {a: 2}}                    | false
    in other order | ip_policies | {description: x, metadata: y} | {metadata: y, description: x}         | true
    a line end     | ip_policies | {description: x}              | {description: "x\\n"}                  | true
    letter case    | ip_policies | {description: x}              | {description: X}                      | false
    a blank        | ip_policies | {description: x}              | {description: "x "}                   | false
    a whole number | ip_policies | {description: x, n: {m: [1]}} | {description: x, n: {m: [1.0]}}       | true
    a boolean      | ip_policies | {description: x, n: 1}        | {description: x, n: true}             | false
    no host        | reserved_domains | {domain: 1}              | {domain: 2}                           | false
    """,
    A="a.example.com:2",
)


@pytest.mark.parametrize(("collection", "one", "other", "is_same"), ONE_OBJECT.values(), ids=ONE_OBJECT)
def test_one_object_has_one_placeholder(tasks: Tasks, collection: str, one: Given, other: Given, is_same: bool) -> None:
    made = tasks.done("object", True, collection=collection, find_by=one)["object"]["id"]
    options = {"base_url": tasks.service.base_url, "api_key": tasks.service.api_key, "collection": collection}
    ids = []
    for find_by in (one, other):
        arguments = checked(DEFINITION, {**options, "find_by": find_by})
        ids.append(result_of(DEFINITION, arguments.options, (), True, False)["id"])
    assert (ids[0], ids[1] == made) == (made, is_same)
