# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists that show less of an object than reading it by its ID: what they leave out is unknown, not empty."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked, result_of
from ansible_collections.edgeops.ingress.plugins.plugin_utils._object_id import object_id
from convergence import converges
from module_task import WRITES, Tasks, methods, received, writes
from places import KEY, SOURCE
from scripted_service import Received, Response, as_json, forwarding, in_turn

SHORT = ["without_routes", "short_routes", "without_parts", "without_texts", "id_and_uri"]
LOGIN = {"client_id": "app", "client_secret": "s", "issuer": "https://id.example.com"}
EDGES: list[dict[str, Any]] = [
    {
        "id": f"edghts_{name}",
        "hostports": [f"{name}.example.com:443"],
        "description": f"Edge {name}",
        "metadata": f"meta {name}",
        "mutual_tls": {"certificate_authority_ids": ["ca_one"]},
        "routes": [
            {"id": f"edghtsrt_{name}1", **KEY, "description": "first", "metadata": "kept", "oidc": LOGIN},
            {"id": f"edghtsrt_{name}2", "match_type": "path_prefix", "match": "/admin", "description": "second"},
        ],
    }
    for name in ("a", "b", "c")
]
DECLARED = [{"hostports": edge["hostports"], "routes": [KEY]} for edge in EDGES]


class Counting:
    """A script that forwards requests, and counts how many it gets at a time."""

    def __init__(self, tasks: Tasks) -> None:
        self._forwarded = forwarding(tasks.service.base_url)
        self._lock = threading.Lock()
        self._running = self.most = 0

    def __call__(self, request: Received) -> Response:
        with self._lock:
            self._running += 1
            self.most = max(self.most, self._running)
        time.sleep(0.05)
        response = self._forwarded(request)
        with self._lock:
            self._running -= 1
        return response


@pytest.fixture(params=SHORT)
def short(tasks: Tasks, request: pytest.FixtureRequest) -> Tasks:
    """Tasks on a service with three edges, whose lists show less of them."""
    tasks.service.seed(https_edges=EDGES, event_subscriptions=[{"id": "esb_one", "sources": [SOURCE]}])
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


@pytest.mark.parametrize("texts", [{}, {"description": "", "metadata": "kept"}], ids=["undeclared", "declared"])
def test_descriptions_and_metadata_are_compared_and_kept(short: Tasks, texts: dict[str, str]) -> None:
    edge = {"hostports": ["a.example.com:443"], **texts}
    converges(short, "estate", https_edges=[{**edge, "routes": [{**KEY, **texts, "backend": {"backend_id": "b"}}]}])
    held = short.service.state()["https_edges"][0]
    kept = [{"description": "Edge a", "metadata": "meta a"}, {"description": "first", "metadata": "kept"}]
    for one, before in zip((held, held["routes"][0]), kept, strict=True):
        assert one.items() >= {**before, **texts}.items()


@pytest.mark.parametrize(
    ("module", "key"), [("estate_info", "estate"), ("exposure_info", "findings"), ("https_edge_info", "https_edges")]
)
def test_reading_shows_what_the_list_leaves_out(short: Tasks, module: str, key: str) -> None:
    shown = short.done(module)
    short.service.switches(secrets="left_out")
    whole = short.done(module)
    assert shown[key] == whole[key] != []
    assert shown.get("exposure") == whole.get("exposure")


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
    for edge in EDGES:
        short.done("https_edge", id=edge["id"], metadata={"team": "web"})
    scope = {"metadata": {"team": "web"}}
    result = short.done("estate", https_edges=DECLARED[:2], purge=["edges"], purge_scope=scope)
    assert writes(result) == ["DELETE /edges/https/edghts_c"]


BACKEND = {
    "collection": "backends/http_response",
    "find_by": {"description": "Shop"},
    "body": {"body": "Hello", "metadata": "m", "headers": {"X-A": "1"}},
}
POLICY = {"collection": "ip_policies", "find_by": {"metadata": "office"}, "body": {"description": "Office"}}


def test_objects_are_compared_with_what_the_list_leaves_out(short: Tasks) -> None:
    for one in (BACKEND, POLICY):
        converges(short, "object", **one)
    objects = [{"name": "shop", **BACKEND}, {"name": "office", **POLICY}]
    assert writes(short.done("estate", objects=objects)) == []
    for one in (BACKEND, POLICY):
        found = short.done("object_info", collection=one["collection"], find_by=one["find_by"])["objects"]
        assert len(found) == 1
        assert len(short.done("object_info", collection=one["collection"])["objects"]) == 1
        assert writes(short.done("object", **{**one, "state": "absent"}))[0].startswith("DELETE")


def test_lookup_finds_what_the_list_leaves_out(short: Tasks) -> None:
    made = short.done("object", **POLICY)["object"]["id"]
    work = object_id()
    options = {"base_url": short.service.base_url, "api_key": short.service.api_key, "retries": 0}
    arguments = checked(work, {**options, "collection": "ip_policies", "find_by": POLICY["find_by"]})
    assert result_of(work, arguments.options, (), False, False)["id"] == made


@pytest.mark.parametrize("kind", ["objects", "https_edges"])
def test_objects_are_read_in_parallel(tasks: Tasks, kind: str) -> None:
    page = {"body": "x", "status_code": 503}
    pages = [{"description": f"page_{number}"} for number in range(6)]
    edges = [{"hostports": [f"h{number}.example.com:443"]} for number in range(6)]
    tasks.service.seed(https_edges=edges, objects={BACKEND["collection"]: [{**one, **page} for one in pages]})
    tasks.service.switches(list_members="without_parts" if kind == "objects" else "id_and_uri")
    more = {"collection": BACKEND["collection"], "body": {**page, "headers": {}}}
    objects = [{"name": one["description"], "find_by": one, **more} for one in pages]
    declared = {kind: objects if kind == "objects" else edges, "concurrency": 3}
    result = tasks.done("estate", instead=(counting := Counting(tasks)), **declared)
    assert (result["changed"], counting.most) == (False, 3)


def test_bare_objects_are_exported_as_a_whole(tasks: Tasks) -> None:
    for one in (BACKEND, POLICY):
        tasks.done("object", **one)
    collections = [BACKEND["collection"], POLICY["collection"]]
    whole = tasks.done("estate_info", objects=collections)["estate"]
    tasks.service.switches(list_members="id_and_uri")
    assert tasks.done("estate_info", objects=collections)["estate"] == whole


def test_lists_that_are_whole_cost_nothing_more(tasks: Tasks) -> None:
    tasks.service.seed(https_edges=EDGES)
    tasks.done("object", **BACKEND)
    for module, options in (
        ("estate", {"https_edges": DECLARED, "purge": []}),
        ("estate_info", {}),
        ("https_edge", {"hostports": ["a.example.com:443"]}),
        ("https_edge_info", {}),
        ("exposure_info", {"tunnels": False}),
        ("object", BACKEND),
        ("object_info", {"collection": BACKEND["collection"]}),
    ):
        assert methods(tasks.done(module, **options)) == ["GET"], module


def test_only_what_lacks_something_is_read(tasks: Tasks) -> None:
    """A single edge whose entry is short, as if the service omitted what is large."""
    tasks.service.seed(https_edges=EDGES)
    to_the_service = forwarding(tasks.service.base_url)

    def shorten(request: Received) -> Response | None:
        if request.path.split("?")[0] != "/edges/https":
            return None
        response = to_the_service(request)
        body = response.body.replace(b'"routes":[{"id":"edghtsrt_b1"', b'"large":[{"id":"edghtsrt_b1"')
        return Response(response.status, body, response.headers)

    result = tasks.done("estate", instead=shorten, https_edges=DECLARED)
    assert [one["path"] for one in result["sent"]] == ["/edges/https", "/edges/https/edghts_b"]


def test_only_a_matched_edge_is_read_for_fields_that_do_not_identify_edges(tasks: Tasks) -> None:
    tasks.service.seed(https_edges=EDGES)
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
        assert ("edghts_a" in result["msg"], received(result, *WRITES)) == (True, [])


def test_a_member_without_id_is_not_taken_for_nothing(tasks: Tasks) -> None:
    for module, options, key in (
        ("https_edge", {"hostports": ["a.example.com:443"]}, "https_edges"),
        ("object", POLICY, "ip_policies"),
    ):
        result = tasks.failed(module, instead=in_turn(as_json({key: [{"uri": "/x"}]})), **options)
        assert ("expected the ID" in result["msg"], received(result, *WRITES)) == (True, [])
