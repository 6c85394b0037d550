# SPDX-License-Identifier: GPL-3.0-or-later
"""What has no end, or is larger than anything the service has to say, ends in an error, at bounded memory. And changes
with more possible orders than could be looked at are planned in time, and safely.
"""

from __future__ import annotations

import time
import tracemalloc

import pytest

from amount import EVERYTHING, so_many
from ansible_collections.edgeops.ingress.plugins.module_utils._transport import client
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.exchange import LARGEST_RESPONSE
from estates_to_judge import edges, modules
from fault_proxy import HUGE, KINDS, FaultProxy
from figures import Figures
from module_task import Given, Tasks
from places import EDGE, held_edge, seed_edge
from scripted_service import Received, Response, as_json, forwarding


def test_a_response_of_50_megabytes(tasks: Tasks, proxy: FaultProxy) -> None:
    proxy.begin({0: KINDS["50 MB"]})
    tracemalloc.start()
    result = tasks.run("tunnel_info", base_url=proxy.base_url)
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "larger than 32 MiB" in result["msg"]
    assert HUGE > LARGEST_RESPONSE
    assert peak < 2.5 * LARGEST_RESPONSE


def test_a_list_that_goes_on_for_ever(tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = so_many(50, client._MOST_PAGES)
    monkeypatch.setattr(client, "_MOST_PAGES", pages)

    def one_more(request: Received) -> Response:
        tunnels = [{"id": f"tn_{request.number}"}]  # a list whose pages are empty ends sooner
        return as_json({"tunnels": tunnels, "next_page_uri": f"/tunnels?before_id={request.number}"})

    result = tasks.failed("tunnel_info", instead=one_more)
    assert "does not end" in result["msg"]
    assert len(result["received"]) == pages


@pytest.mark.skipif(not EVERYTHING, reason="five minutes of waiting: make torture does it")
def test_an_estate_of_500_writes_gets_through_a_rate_limit(figures: Figures, tasks: Tasks) -> None:
    tasks.service.switches(rate_limit=120)
    edges = [
        {
            "hostports": [f"host-{edge}.example.com:443"],
            "routes": [{"match_type": "exact_path", "match": f"/{one}"} for one in range(9)],
        }
        for edge in range(50)
    ]
    started = time.monotonic()
    result = tasks.done("estate", https_edges=edges, retries=5)
    assert result["summary"]["created"] == 500
    assert result["seconds_waited"] <= time.monotonic() - started
    assert any("429" in warning and "waited" in warning for warning in result["warnings"])
    tasks.service.switches()
    again = tasks.done("estate", https_edges=edges, check=True)["operations"]
    lost = [f"{operation['method']} {operation['path']} is left to do" for operation in again]
    figures.tried("500 writes at 120 requests a minute", result["retries"], lost)
    assert lost == []


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
