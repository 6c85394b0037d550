# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of lists: newest first, with a link to the next page, and at most 100 objects."""

from __future__ import annotations

from typing import Any

import pytest

from running_service import Running

TYPES = [f"domain_{verb}.v0" for verb in ("created", "updated", "deleted")]


def plant(service: Running, kind: str, count: int) -> list[str]:
    """Add this number of tunnels or edges, and return their IDs, newest first."""
    return [each["id"] for each in service.control("POST", "seed", {kind: [{}] * count})[kind]][::-1]


OVERLAPPING = {"overlapping_pages": True}
# Switches, and the positions of the objects in each page.
PAGES: list[tuple[dict[str, Any], list[list[int]]]] = [
    ({"page_size": 3}, [[]]),
    ({"page_size": 3}, [[0, 1, 2]]),
    ({"page_size": 3}, [[0, 1, 2], [3]]),
    ({"page_size": 3}, [[0, 1, 2], [3, 4, 5]]),
    ({"page_size": 3, **OVERLAPPING}, [[0, 1, 2], [2, 3, 4]]),
    ({"page_size": 2, **OVERLAPPING}, [[0, 1], [1, 2], [2, 3], [3, 4]]),
    # Pages of one object that overlap would never end.
    ({"page_size": 1, **OVERLAPPING}, [[0], [1], [2]]),
]


@pytest.mark.parametrize("members", ["https_edges", "tunnels", "sources"])
@pytest.mark.parametrize("form", ["absolute", "relative"])
@pytest.mark.parametrize(("switches", "expected"), PAGES)
def test_lists_have_pages_of_the_chosen_size(
    service: Running, members: str, form: str, switches: dict[str, Any], expected: list[list[int]]
) -> None:
    count, key, following = max(expected[-1], default=-1) + 1, "id", "next_page_uri"
    path = "/edges/https" if members == "https_edges" else "/tunnels"
    if members == "sources":
        names, key, following = [f"{number}.v0" for number in range(count)], "type", "uri"
        service.switches(unknown_event_types="accepted")
        path = service.new_subscription(*names)
    else:
        names = plant(service, members, count)
    service.switches(**switches, next_page=form, sources_uri="next_page")
    start = f"{service.base_url if form == 'absolute' else ''}{path}?"
    found: list[list[str]] = []
    link: str | None = path
    while link is not None:
        assert len(found) < len(expected)
        page = service.done("GET", link)
        found.append([each[key] for each in page[members]])
        link = page[following]
        assert link is None or link.startswith(start)
    assert found == [[names[position] for position in page] for page in expected]


@pytest.mark.parametrize(("path", "kind"), [("/edges/https", "https_edges"), ("/tunnels", "tunnels")])
def test_the_limit_sets_the_size_of_a_page(service: Running, path: str, kind: str) -> None:
    ids = plant(service, kind, 101)
    assert len(service.done("GET", path)[kind]) == 100
    assert len(service.done("GET", f"{path}?limit=100")[kind]) == 100
    assert [each["id"] for each in service.done("GET", f"{path}?limit=1")[kind]] == ids[:1]
    assert [each["id"] for each in service.done("GET", f"{path}?limit=2&before_id={ids[1]}")[kind]] == ids[2:4]


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


@pytest.mark.parametrize("value", ["own", "null"])
def test_sources_without_pages(service: Running, value: str) -> None:
    sources = service.new_subscription(*TYPES)
    service.switches(sources_uri=value, page_size=2)
    found = service.done("GET", sources)
    assert [each["type"] for each in found["sources"]] == TYPES
    assert found["uri"] == (service.base_url + sources if value == "own" else None)
    service.rejected("GET", f"{sources}?limit=2")
    service.switches(sources_uri="next_page")
    service.rejected("GET", f"{sources}?before_id=api_key_created.v0")
