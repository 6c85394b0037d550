# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes for which an order is hard to find."""

from __future__ import annotations

import time

from estates_to_judge import edges, modules
from module_task import Given, Tasks
from places import EDGE, held_edge, seed_edge
from scripted_service import Received, Response, forwarding

BACKEND = modules("backend")
PREFIX = {"match_type": "path_prefix"}


def test_changes_that_close_many_routes_are_planned_in_time(tasks: Tasks) -> None:
    """Each of them is closed while its own restriction and the certificates of its edge are replaced."""

    def edges_with(which: str) -> list[Given]:
        routes = ", ".join(f"/r{number} networks=ipp_{which}" for number in range(10))
        texts = (f"[id=edghts_{one} host=e{one}.example.com certificates=ca_{which}] {routes}" for one in range(40))
        return [edge for text in texts for edge in edges(text)["https_edges"]]

    tasks.service.seed(https_edges=edges_with("one"))
    declared = edges_with("two")
    started = time.process_time()
    result = tasks.done("estate", check=True, https_edges=declared)
    assert time.process_time() - started < 12
    assert sum(one["reason"].startswith("closes the route") for one in result["operations"]) == 400


def test_many_nested_routes_open_nothing_next_to_a_failed_one(tasks: Tasks) -> None:
    """Two routes swap their matches, below more routes that change than all of their states could be looked at."""
    paths = ["".join(f"/{level}" for level in range(depth)) for depth in range(1, 16)]
    swapped = [paths.pop(), "/other"]
    exact = [{"id": f"edghtsrt_{match[-1]}x", "match_type": "exact_path", "match": match} for match in swapped]
    parents = [{**PREFIX, "match": match, **BACKEND} for match in paths]
    seed_edge(tasks, routes=[*parents, *({**one, **BACKEND, **modules("networks=ipp_one")} for one in exact)])
    tightened = [{**PREFIX, "match": match, **modules("networks=ipp_one")} for match in paths[:-1]]
    swap = [{**one, "match": match} for one, match in zip(exact, swapped[::-1], strict=True)]
    seen = []

    def script(request: Received) -> Response:
        response = forwarding(tasks.service.base_url)(request)
        seen.append({route["match"] for route in held_edge(tasks)["routes"]})
        return response

    routes = [*tightened, *swap, {"id": "edghtsrt_unknown", "description": "x"}]
    result = tasks.failed("https_edge_routes", instead=script, edge_id=EDGE, routes=routes)
    assert "Edge edghts_place has no route edghtsrt_unknown" in result["msg"]
    assert all(swapped[0] in matches for matches in seen)
