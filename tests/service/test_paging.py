# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of lists: newest first, with a link to the next page, and at most 100 objects."""

from __future__ import annotations

from typing import Any

import pytest

from running_service import Running

TYPES = [f"domain_{verb}.v0" for verb in ("created", "updated", "deleted")]


def pages(service: Running, path: str, items: str, following: str) -> list[list[dict[str, Any]]]:
    found: list[list[dict[str, Any]]] = []
    link: str | None = path
    while link is not None:
        assert len(found) < 20
        page = service.done("GET", link)
        found.append(page[items])
        link = page[following]
    return found


def plant(service: Running, kind: str, count: int) -> list[str]:
    """Add this number of tunnels or edges, and return their IDs, newest first."""
    return [each["id"] for each in service.control("POST", "seed", {kind: [{}] * count})[kind]][::-1]


@pytest.mark.parametrize(("path", "kind"), [("/edges/https", "https_edges"), ("/tunnels", "tunnels")])
@pytest.mark.parametrize("form", ["absolute", "relative"])
@pytest.mark.parametrize(("count", "sizes"), [(0, [0]), (3, [3]), (4, [3, 1]), (6, [3, 3]), (7, [3, 3, 1])])
def test_lists_have_pages_of_the_chosen_size(
    service: Running, path: str, kind: str, form: str, count: int, sizes: list[int]
) -> None:
    ids = plant(service, kind, count)
    service.switches(page_size=3, next_page=form)
    found = pages(service, path, kind, "next_page_uri")
    assert [len(page) for page in found] == sizes
    assert [each["id"] for page in found for each in page] == ids
    following = service.done("GET", path)["next_page_uri"]
    start = service.base_url if form == "absolute" else ""
    assert following is None or following.startswith(f"{start}{path}?")


@pytest.mark.parametrize(("path", "kind"), [("/edges/https", "https_edges"), ("/tunnels", "tunnels")])
def test_the_limit_sets_the_size_of_a_page(service: Running, path: str, kind: str) -> None:
    ids = plant(service, kind, 101)
    assert len(service.done("GET", path)[kind]) == 100
    assert len(service.done("GET", f"{path}?limit=100")[kind]) == 100
    assert [each["id"] for each in service.done("GET", f"{path}?limit=1")[kind]] == ids[:1]
    assert [each["id"] for each in service.done("GET", f"{path}?limit=2&before_id={ids[1]}")[kind]] == ids[2:4]


@pytest.mark.parametrize(
    "wrong",
    [
        *(f"limit={number}" for number in ("0", "101", "-1", "9" * 25, "9" * 5000, "", "x", "%00", "1.5", "1&limit=2")),
        *(f"before_id={text}" for text in ("", "%00", "%ff", "%ED%A0%80", "x" * 5000, "tn_none", "edghts_none")),
    ],
    ids=lambda text: f"{len(text)} {text[:30]}",
)
@pytest.mark.parametrize("path", ["/tunnels", "/edges/https"])
def test_an_invalid_limit_or_start_of_a_page_is_rejected(service: Running, path: str, wrong: str) -> None:
    assert wrong.partition("=")[0] in service.rejected("GET", f"{path}?{wrong}")["msg"]


@pytest.mark.parametrize("overlapping", [False, True])
def test_a_page_continues_after_a_deleted_edge(service: Running, overlapping: bool) -> None:
    ids = plant(service, "https_edges", 4)
    service.switches(overlapping_pages=overlapping)
    link = service.done("GET", "/edges/https?limit=2")["next_page_uri"]
    service.done("DELETE", f"/edges/https/{ids[1]}", status=204)
    assert [each["id"] for each in service.done("GET", link)["https_edges"]] == ids[2:]


def test_a_page_of_edges_has_their_routes(service: Running) -> None:
    routes = {edge: [{"match_type": "exact_path", "match": f"/{edge}{route}"} for route in range(3)] for edge in "ab"}
    service.control("POST", "seed", {"https_edges": [{"routes": each} for each in routes.values()]})
    listed = service.done("GET", "/edges/https")["https_edges"]
    found = [[route["match"] for route in edge["routes"]] for edge in listed]
    assert found == [["/b0", "/b1", "/b2"], ["/a0", "/a1", "/a2"]]
    assert listed[0] == service.done("GET", f"/edges/https/{listed[0]['id']}")


@pytest.mark.parametrize("form", ["absolute", "relative"])
def test_sources_in_pages(service: Running, form: str) -> None:
    sources = service.new_subscription(*TYPES)
    service.switches(sources_uri="next_page", page_size=2, next_page=form)
    found = pages(service, sources, "sources", "uri")
    assert [[each["type"] for each in page] for page in found] == [TYPES[:2], TYPES[2:]]
    service.rejected("GET", f"{sources}?before_id=api_key_created.v0")


@pytest.mark.parametrize("value", ["own", "null"])
def test_sources_without_pages(service: Running, value: str) -> None:
    sources = service.new_subscription(*TYPES)
    service.switches(sources_uri=value, page_size=2)
    found = service.done("GET", sources)
    assert [each["type"] for each in found["sources"]] == TYPES
    assert found["uri"] == (service.base_url + sources if value == "own" else None)
    service.rejected("GET", f"{sources}?limit=2")


def names(found: list[list[dict[str, Any]]], key: str) -> list[list[str]]:
    return [[each[key] for each in page] for page in found]


@pytest.mark.parametrize(("path", "kind"), [("/edges/https", "https_edges"), ("/tunnels", "tunnels")])
def test_overlapping_pages_repeat_an_object(service: Running, path: str, kind: str) -> None:
    newest, second, third, fourth, oldest = plant(service, kind, 5)
    service.switches(overlapping_pages=True, page_size=3)
    found = names(pages(service, path, kind, "next_page_uri"), "id")
    assert found == [[newest, second, third], [third, fourth, oldest]]
    service.switches(overlapping_pages=True, page_size=2)
    found = names(pages(service, path, kind, "next_page_uri"), "id")
    assert found == [[newest, second], [second, third], [third, fourth], [fourth, oldest]]


def test_overlapping_pages_repeat_an_event_source(service: Running) -> None:
    sources = service.new_subscription(*TYPES)
    service.switches(overlapping_pages=True, sources_uri="next_page", page_size=2)
    found = names(pages(service, sources, "sources", "uri"), "type")
    assert found == [TYPES[:2], TYPES[1:]]


def test_pages_of_one_never_overlap(service: Running) -> None:
    """Pages of one object that overlap would never end."""
    ids = plant(service, "https_edges", 3)
    sources = service.new_subscription(*TYPES)
    service.switches(overlapping_pages=True, sources_uri="next_page", page_size=1)
    found = names(pages(service, "/edges/https", "https_edges", "next_page_uri"), "id")
    assert found == [[each] for each in ids]
    assert names(pages(service, sources, "sources", "uri"), "type") == [[each] for each in TYPES]
