# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists that lack their members, that move while their pages are read, whose members have IDs that would lead to
another path, or that show less of an object than reading it by its ID. Nothing is written because of what they leave
out, and the other objects are processed.
"""

from __future__ import annotations

import threading
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked, result_of
from ansible_collections.edgeops.ingress.plugins.plugin_utils._object_id import DEFINITION
from convergence import converges
from module_task import WRITES, Given, Tasks, methods, received, writes
from places import HOSTPORT, KEY, SOURCE, SUBSCRIPTION, UNSET_EDGE
from scripted_service import Instead, Received, Response, as_json, changing, in_turn
from served_names import edge_id, hostports

# Responses to a list request without the list: what the service has is unknown.
BROKEN: list[Given] = [
    {"uri": "/somewhere", "next_page_uri": None},
    {"https_edges": [], "ip_policies": None, "sources": [], "tunnels": [], "tls_edges": [], "error_code": "ERR_1"},
]
POLICY = {"collection": "ip_policies", "find_by": {"description": "office"}}
TASKS: list[tuple[str, Given]] = [
    ("https_edge", {"hostports": [HOSTPORT]}),
    ("https_edge", {"hostports": [HOSTPORT], "state": "absent"}),
    ("https_edge_info", {}),
    ("estate", {"https_edges": [{"hostports": [HOSTPORT], "routes": [KEY]}], "purge": ["edges"]}),
    ("estate", {"event_subscriptions": [{"subscription_id": SUBSCRIPTION, "sources": [SOURCE]}]}),
    ("event_sources", {"subscription_id": SUBSCRIPTION, "types": [SOURCE]}),
    ("estate", {"objects": [{"name": "office", **POLICY}]}),
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
    assert ("expected a" in result["msg"], received(result, *WRITES)) == (True, [])


def test_a_part_of_a_list_is_not_the_list(tasks: Tasks) -> None:
    part = as_json({"https_edges": [], "next_page_uri": None}, status=206)
    result = tasks.failed("https_edge", instead=in_turn(part), hostports=[HOSTPORT])
    assert ("only a part of the response" in result["msg"], received(result, *WRITES)) == (True, [])
    # What is written is written.
    created = as_json({**UNSET_EDGE, "id": "edghts_a", "hostports": [HOSTPORT]}, status=206)
    nothing = as_json({"https_edges": [], "next_page_uri": None})
    assert tasks.done("https_edge", instead=in_turn(nothing, created), hostports=[HOSTPORT])["changed"]
    odd = tasks.failed("object_info", instead=in_turn(as_json({"ip_policies": [{"id": "ipp_a"}, 5]})), **POLICY)
    assert "ip_policies[1]: expected an object, got a number" in odd["msg"]


def test_another_edge_may_have_no_id(tasks: Tasks) -> None:
    others = as_json({"https_edges": [{**UNSET_EDGE, "hostports": ["other.example.com:443"]}]})
    assert tasks.done("https_edge", True, in_turn(others), hostports=[HOSTPORT])["changed"]


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


def test_what_two_pages_show_is_what_the_later_page_says(tasks: Tasks) -> None:
    first = as_json({"sources": [{"type": SOURCE}, {"type": OTHER_SOURCE}], "uri": "?page=2"})
    pages = in_turn(first, as_json({"sources": [{"type": OTHER_SOURCE, "uri": "/later"}], "uri": None}))
    sources = tasks.done("event_source_info", instead=pages, subscription_id=SUBSCRIPTION)["event_sources"]
    assert [(source["type"], source["uri"]) for source in sources] == [(SOURCE, ""), (OTHER_SOURCE, "/later")]


@pytest.mark.parametrize("identity", [None, "", 7])
def test_what_has_no_identity_is_not_taken_for_one_object(tasks: Tasks, identity: Any) -> None:
    nameless = [{"id": identity, "hostports": [f"{name}.example.com:443"]} for name in ("a", "b")]
    result = tasks.run("https_edge_info", instead=in_turn(as_json({"https_edges": nameless})))
    assert result.get("failed") or len(result["https_edges"]) == 2


NO_NAMES: list[Any] = ["", ".", "..", None, 5, ["a"], {"a": 1}, "\ud800"]


def deleting(response: Response) -> Instead:
    """The service returns this, and carries out every deletion."""
    return lambda request: Response(204) if request.method == "DELETE" else response


@pytest.mark.parametrize("no_name", NO_NAMES, ids=repr)
def test_a_route_that_has_no_usable_id_is_left_alone(tasks: Tasks, no_name: Any) -> None:
    other = {"id": "edghtsrt_b", "match_type": "exact_path", "match": "/b"}
    edge = {"id": "edghts_a", "hostports": ["a:1"], "routes": [{**other, "id": no_name, "match": "/"}, other]}
    options = {"edge_id": "edghts_a", "routes": [], "purge": True, "allow_empty": True}
    result = tasks.failed("https_edge_routes", instead=deleting(as_json(edge)), **options)
    assert received(result, *WRITES) == ["DELETE /edges/https/edghts_a/routes/edghtsrt_b"]
    [failure] = result["failures"]
    assert "exact_path / of a:1" in failure["object"]
    assert any(text in failure["msg"] for text in ("expected an identifier, got", "expected a string", "id"))


@pytest.mark.parametrize("no_name", [*(name for name in NO_NAMES if isinstance(name, str)), None], ids=repr)
def test_an_event_source_that_has_no_usable_type_is_not_purged(tasks: Tasks, no_name: Any) -> None:
    """Without any type, not even the list is believed."""
    listed = as_json({"sources": [{"type": no_name, "uri": "https://x/y"}, {"type": SOURCE}], "uri": None})
    options = {"subscription_id": SUBSCRIPTION, "types": [], "purge": True, "allow_empty": True}
    result = tasks.failed("event_sources", instead=deleting(listed), **options)
    is_type = isinstance(no_name, str) and no_name != ""
    assert received(result, *WRITES) == [f"DELETE /event_subscriptions/{SUBSCRIPTION}/sources/{SOURCE}"] * is_type
    assert SUBSCRIPTION in result["msg"]
    if is_type:
        [failure] = result["failures"]
        assert failure["object"].endswith(f"of {SUBSCRIPTION}")
    expected = "expected an identifier, got" if is_type else "sources[0].type: expected the name of an event type, got "
    assert expected in result["msg"]


LOGIN = {"client_id": "app", "client_secret": "s", "issuer": "https://id.example.com"}
ROUTES = [{**KEY, "description": "first", "metadata": "kept", "oidc": LOGIN}, {**KEY, "match": "/admin"}]
MORE = {"mutual_tls": {"certificate_authority_ids": ["ca_one"]}, "routes": ROUTES}
WHOLE_EDGES: list[Given] = [
    {"id": edge_id(one), "hostports": hostports(one), "description": f"Edge {one}", "metadata": f"meta {one}", **MORE}
    for one in "abc"
]
DECLARED = [{"hostports": edge["hostports"], "routes": [KEY]} for edge in WHOLE_EDGES]


@pytest.fixture(params=["without_routes", "short_routes", "without_parts", "without_texts", "id_and_uri"])
def short(tasks: Tasks, request: pytest.FixtureRequest) -> Tasks:
    """Tasks on a service with three edges, whose lists show less of them."""
    tasks.service.seed(https_edges=WHOLE_EDGES, event_subscriptions=[{"id": "esb_one", "sources": [SOURCE]}])
    tasks.service.switches(list_members=request.param, secrets="left_out")
    return tasks


def matches(tasks: Tasks) -> list[list[str]]:
    return [[route["match"] for route in edge["routes"]] for edge in tasks.service.state()["https_edges"]]


def test_estate_finds_what_the_list_leaves_out(short: Tasks) -> None:
    assert writes(short.done("estate", https_edges=DECLARED)) == []
    converges(short, "estate", https_edges=DECLARED, purge=["routes"])
    assert matches(short) == [["/"], ["/"], ["/"]]
    converges(short, "estate", https_edges=DECLARED, purge=["routes", "modules"])
    state = short.service.state()["https_edges"]
    assert not any("mutual_tls" in edge or "oidc" in edge["routes"][0] for edge in state)
    converges(short, "estate", https_edges=DECLARED[:1], purge=["edges"])
    assert matches(short) == [["/"]]


def test_an_edge_is_found_by_what_the_list_leaves_out(short: Tasks) -> None:
    by_metadata = {"find_by": "metadata", "metadata": "meta b"}
    assert writes(short.done("https_edge", **by_metadata)) == []
    assert writes(short.done("estate", https_edges=[by_metadata])) == []
    assert writes(short.done("https_edge", hostports=["b.example.com:443"], description="Edge b")) == []
    assert short.done("https_edge_info", metadata="meta b")["https_edges"][0]["id"] == "edghts_b"
    gone = short.done("https_edge", hostports=["a.example.com:443"], state="absent")
    assert writes(gone) == ["DELETE /edges/https/edghts_a"]
    assert writes(short.done("https_edge", **by_metadata, state="absent")) == ["DELETE /edges/https/edghts_b"]


def test_purge_scope_knows_what_the_list_leaves_out(short: Tasks) -> None:
    for edge in WHOLE_EDGES:
        short.done("https_edge", id=edge["id"], metadata={"team": "web"})
    scope = {"metadata": {"team": "web"}}
    result = short.done("estate", https_edges=DECLARED[:2], purge=["edges"], purge_scope=scope)
    assert writes(result) == ["DELETE /edges/https/edghts_c"]


BACKEND = {
    "collection": "backends/http_response",
    "find_by": {"description": "Shop"},
    "body": {"body": "Hello", "metadata": "m", "headers": {"X-A": "1"}},
}
BY_METADATA = {"collection": "ip_policies", "find_by": {"metadata": "office"}, "body": {"description": "Office"}}
COLLECTIONS = [BACKEND["collection"], BY_METADATA["collection"], "edges/tls"]
QUESTIONS: list[tuple[str, str, Given]] = [
    ("exposure_info", "exposure", {}),
    ("exposure_info", "findings", {}),
    ("https_edge_info", "https_edges", {}),
    ("estate_info", "estate", {"objects": COLLECTIONS}),
    *(("object_info", "objects", {"collection": one}) for one in COLLECTIONS),
]


def test_reading_shows_what_the_list_leaves_out(short: Tasks) -> None:
    short.service.seed(tls_edges=[{"id": "edgtls_a", "ip_restriction": {"ip_policy_ids": ["ipp_a"]}}])
    for one in (BACKEND, BY_METADATA):
        short.done("object", **one)
    shown = [short.done(module, **options)[key] for module, key, options in QUESTIONS]
    short.service.switches(secrets="left_out")
    for found, (module, key, options) in zip(shown, QUESTIONS, strict=True):
        assert found == short.done(module, **options)[key] != [], (module, key, options)


def test_objects_are_compared_with_what_the_list_leaves_out(short: Tasks) -> None:
    for one in (BACKEND, BY_METADATA):
        converges(short, "object", **one)
    objects = [{"name": "shop", **BACKEND}, {"name": "office", **BY_METADATA}]
    assert writes(short.done("estate", objects=objects)) == []
    for one in (BACKEND, BY_METADATA):
        found = short.done("object_info", collection=one["collection"], find_by=one["find_by"])["objects"]
        assert len(found) == 1
        assert writes(short.done("object", **{**one, "state": "absent"}))[0].startswith("DELETE")


def test_lookup_finds_what_the_list_leaves_out(short: Tasks) -> None:
    made = short.done("object", **BY_METADATA)["object"]["id"]
    options = {"base_url": short.service.base_url, "api_key": short.service.api_key, "retries": 0}
    arguments = checked(DEFINITION, {**options, "collection": "ip_policies", "find_by": BY_METADATA["find_by"]})
    assert result_of(DEFINITION, arguments.options, (), False, False)["id"] == made


@pytest.mark.parametrize("kind", ["objects", "https_edges"])
def test_objects_are_read_in_parallel(tasks: Tasks, kind: str) -> None:
    """Each reading waits until there are two others."""
    page = {"body": "x", "status_code": 503}
    pages = [{"description": f"page_{number}"} for number in range(6)]
    edges = [{"hostports": [f"h{number}.example.com:443"]} for number in range(6)]
    tasks.service.seed(https_edges=edges, objects={BACKEND["collection"]: [{**one, **page} for one in pages]})
    tasks.service.switches(list_members="without_parts" if kind == "objects" else "id_and_uri")
    more = {"collection": BACKEND["collection"], "body": {**page, "headers": {}}}
    objects = [{"name": one["description"], "find_by": one, **more} for one in pages]
    three = threading.Barrier(3)

    def waiting(request: Received) -> None:
        if request.path.count("/") > 2:
            three.wait(20)

    declared = {kind: objects if kind == "objects" else edges, "concurrency": 3}
    assert not tasks.done("estate", instead=waiting, **declared)["changed"]


def test_lists_that_are_whole_cost_nothing_more(tasks: Tasks) -> None:
    tasks.service.seed(https_edges=WHOLE_EDGES)
    tasks.done("object", **BACKEND)
    for module, options in (
        ("estate", {"https_edges": DECLARED, "purge": []}),
        ("estate_info", {}),
        ("https_edge", {"hostports": ["a.example.com:443"]}),
        ("https_edge_info", {}),
        ("exposure_info", {"tunnels": False}),
        ("object", BACKEND),
    ):
        assert methods(tasks.done(module, **options)) == ["GET"], module
    shown = tasks.done("object_info", collection=BACKEND["collection"])
    assert methods(shown) == ["GET", "GET"], "one of the objects shows whether the list is whole"


def test_only_what_lacks_something_is_read(tasks: Tasks) -> None:
    """A single edge whose entry is short, as if the service omitted what is large."""
    tasks.service.seed(https_edges=WHOLE_EDGES)

    def short(request: Received, page: Any) -> Any:
        if request.path == "/edges/https":
            del page["https_edges"][1]["routes"]
        return page

    result = tasks.done("estate", instead=changing(tasks.service.base_url, short), https_edges=DECLARED)
    assert [one["path"] for one in result["sent"]] == ["/edges/https", "/edges/https/edghts_b"]


def test_only_a_matched_edge_is_read_for_fields_that_do_not_identify_edges(tasks: Tasks) -> None:
    tasks.service.seed(https_edges=WHOLE_EDGES)
    tasks.service.switches(list_members="without_routes")
    assert methods(tasks.done("https_edge", hostports=["a.example.com:443"])) == ["GET", "GET"]


@pytest.mark.parametrize(
    "response", [Response(404), as_json({"id": "edghts_x"}), Response(403)], ids=["404", "other", "403"]
)
def test_what_cannot_be_read_does_not_count_as_missing(tasks: Tasks, response: Response) -> None:
    page = {"https_edges": [{"id": "edghts_a", "uri": "/x"}], "uri": "/y", "next_page_uri": None}

    def odd(request: Received) -> Response:
        return as_json(page) if request.path == "/edges/https" else response

    for module, options in (
        ("estate", {"https_edges": DECLARED, "purge": ["edges"]}),
        ("https_edge", {"hostports": ["a.example.com:443"]}),
        ("https_edge", {"hostports": ["a.example.com:443"], "state": "absent"}),
        ("estate_info", {}),
    ):
        result = tasks.failed(module, instead=odd, **options)
        assert ("GET /edges/https/edghts_a" in result["msg"], received(result, *WRITES)) == (True, [])


def test_a_member_without_id_is_not_taken_for_nothing(tasks: Tasks) -> None:
    for module, options, key in (
        ("https_edge", {"hostports": ["a.example.com:443"]}, "https_edges"),
        ("object", BY_METADATA, "ip_policies"),
    ):
        result = tasks.failed(module, instead=in_turn(as_json({key: [{"uri": "/x"}]})), **options)
        assert ("expected the ID" in result["msg"], received(result, *WRITES)) == (True, [])
