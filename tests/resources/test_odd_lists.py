# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists that lack their members, that move while their pages are read, or whose members have IDs that would lead to
another path: nothing is written because of them, and the other objects are processed.
"""

from __future__ import annotations

from typing import Any

import pytest

from module_task import WRITES, Given, Tasks, received
from places import HOSTPORT, KEY, SOURCE, SUBSCRIPTION, UNSET_EDGE
from scripted_service import Instead, Received, Response, as_json, in_turn

# Responses to a list request without the list: what the service has is unknown.
BROKEN: list[Given] = [
    {"uri": "/somewhere", "next_page_uri": None},
    {"https_edges": [], "ip_policies": None, "sources": [], "tunnels": [], "tls_edges": [], "error_code": "ERR_1"},
]
POLICY = {"collection": "ip_policies", "find_by": {"description": "office"}}
OFFICE = {"objects": [{"name": "office", **POLICY}]}
ESTATE = {"https_edges": [{"hostports": [HOSTPORT], "routes": [KEY]}], "purge": ["edges"]}
TASKS: list[tuple[str, Given]] = [
    ("https_edge", {"hostports": [HOSTPORT]}),
    ("https_edge", {"hostports": [HOSTPORT], "state": "absent"}),
    ("https_edge_info", {}),
    ("estate", ESTATE),
    ("estate", {"event_subscriptions": [{"subscription_id": SUBSCRIPTION, "sources": [SOURCE]}]}),
    ("event_sources", {"subscription_id": SUBSCRIPTION, "types": [SOURCE]}),
    ("estate", OFFICE),
    ("object", POLICY),
    ("object", {**POLICY, "state": "absent"}),
    ("object_info", {"collection": "ip_policies"}),
    ("estate_info", {}),
    ("estate_info", {"https_edges": False, "objects": ["edges/tls"]}),
    ("exposure_info", {"tunnels": False}),
    ("tunnel_info", {}),
]


@pytest.mark.parametrize("page", BROKEN, ids=str)
@pytest.mark.parametrize(("module", "options"), TASKS, ids=str)
def test_a_page_without_its_list_is_not_empty(tasks: Tasks, module: str, options: Given, page: Given) -> None:
    result = tasks.failed(module, instead=in_turn(as_json(page)), **options)
    assert ("expected a list of" in result["msg"], received(result, *WRITES)) == (True, [])


WRONG_ROUTES: list[Any] = [{}, {"a": 1}, "text", 1, True, ["text"], [None], [[]], [{"match": ["/"]}], None, []]


@pytest.mark.parametrize("routes", WRONG_ROUTES, ids=str)
def test_routes_of_a_wrong_shape_are_unknown_but_null_is_none(tasks: Tasks, routes: Any) -> None:
    edge = {**UNSET_EDGE, "id": "edghts_a", "hostports": [HOSTPORT], "routes": routes}

    def odd(request: Received) -> Response:
        return as_json(edge if request.path.endswith("edghts_a") else {"https_edges": [edge]})

    one = {"edge_id": "edghts_a", **KEY}
    if not routes and routes != {}:
        assert tasks.done("https_edge_route", True, odd, **one)["operations"][0]["method"] == "POST"
        return
    for module, options in (
        ("https_edge_route", one),
        ("https_edge_route", {**one, "state": "absent"}),
        ("https_edge_routes", {"edge_id": "edghts_a", "routes": [KEY], "purge": True}),
        ("estate", {"https_edges": [{"hostports": [HOSTPORT], "routes": [KEY]}]}),
        ("https_edge_info", {"id": "edghts_a"}),
        ("estate_info", {}),
    ):
        result = tasks.failed(module, instead=odd, **options)
        assert ("routes" in result["msg"], received(result, *WRITES)) == (True, []), result["msg"]


OTHER_SOURCE = "ip_policy_created.v0"
EDGE = {"id": "edghts_twice", "hostports": ["twice.example.com:443"], "description": "as it was"}
CHANGED = {**EDGE, "description": "as it is"}
OTHER_EDGE = {"id": "edghts_once", "hostports": ["once.example.com:443"]}
TUNNEL = {"id": "tn_twice", "public_url": "tcp://1.tcp.example.net:12345", "proto": "tcp"}


def shifting(path: str, key: str, *pages: list[Given], next_key: str = "next_page_uri") -> Instead:
    """A service with these pages, of which two can show an object; the later is right. It carries deletions out."""
    by_id = {member.get("id"): member for page in pages for member in page}

    def instead(request: Received) -> Response:
        if request.method != "GET":
            return Response(204) if request.method == "DELETE" else as_json({"msg": "not expected"}, 400)
        if request.path.partition("?")[0] != path:  # the list leaves out some of it
            return as_json(by_id[request.path.rpartition("/")[2]])
        number = int(request.path.partition("page=")[2] or 0)
        following = f"{path}?page={number + 1}" if number + 1 < len(pages) else None
        return as_json({key: pages[number], next_key: following})

    return instead


EDGES = shifting("/edges/https", "https_edges", [EDGE, OTHER_EDGE], [CHANGED])
TUNNELS = shifting("/tunnels", "tunnels", [TUNNEL], [{**TUNNEL, "region": "eu"}])
SOURCES_PATH = f"/event_subscriptions/{SUBSCRIPTION}/sources"
TYPES = [{"type": SOURCE}, {"type": OTHER_SOURCE}], [{"type": OTHER_SOURCE, "uri": "/later"}]
SOURCES = shifting(SOURCES_PATH, "sources", *TYPES, next_key="uri")
TWICE, GONE = {"hostports": EDGE["hostports"]}, [f"DELETE /edges/https/{EDGE['id']}"]
PURGE = {"https_edges": [{"hostports": OTHER_EDGE["hostports"]}], "purge": ["edges"], "max_deletions": 1}
OF_SOURCES = {"subscription_id": SUBSCRIPTION, "types": [SOURCE], "purge": True}
# What is declared, and what is written.
ONCE: dict[str, tuple[str, Given, Instead, list[str]]] = {
    "found": ("https_edge", {**TWICE, "description": "as it is"}, EDGES, []),
    "deleted": ("https_edge", {**TWICE, "state": "absent"}, EDGES, GONE),
    "purged and counted": ("estate", PURGE, EDGES, GONE),
    "a source": ("event_sources", OF_SOURCES, SOURCES, [f"DELETE {SOURCES_PATH}/{OTHER_SOURCE}"]),
}


@pytest.mark.parametrize(("module", "options", "instead", "written"), ONCE.values(), ids=ONCE)
def test_what_two_pages_show_is_one_object(
    tasks: Tasks, module: str, options: Given, instead: Instead, written: list[str]
) -> None:
    result = tasks.done(module, instead=instead, **options)
    assert received(result, *WRITES) == written
    if module == "estate":
        assert (result["summary"]["deleted"], result["summary"]["unchanged"]) == (1, 1)


def test_what_two_pages_show_is_what_the_later_page_says(tasks: Tasks) -> None:
    edges = tasks.done("https_edge_info", instead=EDGES)["https_edges"]
    shown = [(edge["id"], edge["description"]) for edge in edges]
    assert shown == [(EDGE["id"], "as it is"), (OTHER_EDGE["id"], "")]
    assert tasks.done("estate_info", instead=EDGES)["estate"]["https_edges"] == [
        {"hostports": OTHER_EDGE["hostports"], "routes": []},
        {"hostports": EDGE["hostports"], "description": "as it is", "routes": []},
    ]
    [tunnel] = tasks.done("tunnel_info", instead=TUNNELS)["tunnels"]
    assert (tunnel["id"], tunnel["region"]) == (TUNNEL["id"], "eu")
    sources = tasks.done("event_source_info", instead=SOURCES, subscription_id=SUBSCRIPTION)["event_sources"]
    assert [(source["type"], source["uri"]) for source in sources] == [(SOURCE, ""), (OTHER_SOURCE, "/later")]


@pytest.mark.parametrize("identity", [None, "", 7])
def test_what_has_no_identity_is_not_taken_for_one_object(tasks: Tasks, identity: Any) -> None:
    nameless = [{"id": identity, "hostports": [f"{name}.example.com:443"]} for name in ("a", "b")]
    result = tasks.run("https_edge_info", instead=shifting("/edges/https", "https_edges", nameless))
    assert result.get("failed") or len(result["https_edges"]) == 2


NO_NAMES: list[Any] = ["", ".", "..", None, 5, ["a"], {"a": 1}, "\ud800"]
EXACT = {"match_type": "exact_path", "match": "/"}
ALL_GONE = {"purge": True, "allow_empty": True}


def deleting(response: Response) -> Instead:
    """The service returns this, and carries out every deletion."""
    return lambda request: Response(204) if request.method == "DELETE" else response


def edge_with(*routes: Given) -> Instead:
    return deleting(as_json({"id": "edghts_a", "hostports": ["a:1"], "routes": list(routes)}))


@pytest.mark.parametrize("no_name", NO_NAMES, ids=repr)
def test_a_route_that_has_no_usable_id_is_left_alone(tasks: Tasks, no_name: Any) -> None:
    other = {"id": "edghtsrt_b", "match_type": "exact_path", "match": "/b"}
    options = {"edge_id": "edghts_a", "routes": [], **ALL_GONE}
    result = tasks.failed("https_edge_routes", instead=edge_with({"id": no_name, **EXACT}, other), **options)
    assert received(result, *WRITES) == ["DELETE /edges/https/edghts_a/routes/edghtsrt_b"]
    [failure] = result["failures"]
    assert "exact_path / of a:1" in failure["object"]
    assert any(text in failure["msg"] for text in ("expected an identifier, got", "expected a string", "id"))
    odd = edge_with({"id": no_name, **EXACT, "compression": {"enabled": True}})
    declared = {"edge_id": "edghts_a", **EXACT, "absent_modules": ["compression"], "description": "new"}
    for state in ("present", "absent"):
        result = tasks.failed("https_edge_route", instead=odd, **declared, state=state)
        assert (received(result, *WRITES), result["operations"]) == ([], [])


EMPTY_SETS = [
    ("event_sources", {"subscription_id": SUBSCRIPTION, "types": [], "purge": True}),
    ("estate", {"event_subscriptions": [{"subscription_id": SUBSCRIPTION, "sources": []}], "purge": ["sources"]}),
]


@pytest.mark.parametrize("no_name", [*(name for name in NO_NAMES if isinstance(name, str)), None], ids=repr)
@pytest.mark.parametrize(("module", "options"), EMPTY_SETS)
def test_an_event_source_that_has_no_usable_type_is_not_purged(
    tasks: Tasks, module: str, options: Given, no_name: Any
) -> None:
    """Without any type, not even the list is believed."""
    listed = as_json({"sources": [{"type": no_name}, {"type": SOURCE}], "uri": None})
    instead = deleting(listed)
    result = tasks.failed(module, instead=instead, **options, allow_empty=True)
    is_type = isinstance(no_name, str) and no_name != ""
    assert received(result, *WRITES) == [f"DELETE {SOURCES_PATH}/{SOURCE}"] * is_type
    assert SUBSCRIPTION in result["msg"]
    if is_type:
        [failure] = result["failures"]
        assert failure["object"].endswith(f"of {SUBSCRIPTION}")
    expected = "expected an identifier, got" if is_type else "sources[0].type: expected the name of an event type, got "
    assert expected in result["msg"]
