# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes for which an order is hard to find, and services that do not do what their responses say."""

from __future__ import annotations

import time

from estates_to_judge import edges, modules
from module_task import Given, Tasks, writes
from places import EDGE, held_edge, is_active, seed_edge
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


def test_a_deletion_is_relied_on_only_if_it_is_seen(tasks: Tasks) -> None:
    """The route that has nothing but the certificates of its edge is deleted before them: says the service."""
    seed_edge(tasks, **modules("certificates=ca_one"), routes=[{**PREFIX, "match": "/", **BACKEND}])

    def ignored(request: Received) -> Response | None:
        return Response(204) if request.method == "DELETE" and "/routes/" in request.path else None

    declared = [{"id": EDGE, "absent_modules": ["mutual_tls"], "routes": []}]
    options: Given = {"https_edges": declared, "purge": ["routes"], "allow_empty": True}
    result = tasks.failed("estate", instead=ignored, **options)
    assert is_active(held_edge(tasks), "mutual_tls")
    assert "the service accepted the deletion but still returns" in result["msg"]
    assert writes(tasks.done("estate", **options))[1:] == [f"DELETE /edges/https/{EDGE}/mutual_tls"]


def test_hostports_that_nobody_takes_are_given_back(tasks: Tasks) -> None:
    """Three edges swap their hostports in a circle, and the service ignores the second request."""
    names = {"a": "b", "b": "c", "c": "a"}
    live = [{"id": f"edghts_{name}", "hostports": [f"{name}.example.com:443"]} for name in names]
    tasks.service.seed(https_edges=live)
    before = tasks.service.state()["https_edges"]
    patched = []

    def second_is_ignored(request: Received) -> Response | None:
        patched.extend([request.path] * (request.method == "PATCH"))
        return Response(204) if request.method == "PATCH" and len(patched) == 2 else None

    swapped = [{**edge, "hostports": [f"{names[edge['id'][-1]]}.example.com:443"]} for edge in live]
    result = tasks.failed("estate", instead=second_is_ignored, https_edges=swapped)
    assert "returned other values for hostports" in result["msg"]
    assert tasks.service.state()["https_edges"] == before
