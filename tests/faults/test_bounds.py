# SPDX-License-Identifier: GPL-3.0-or-later
"""What has no end, or is larger than anything the service has to say, ends in an error, at bounded memory."""

from __future__ import annotations

import time
import tracemalloc

import pytest

from amount import EVERYTHING, so_many
from ansible_collections.edgeops.ingress.plugins.module_utils._transport import client
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.exchange import LARGEST_RESPONSE
from fault_proxy import HUGE, KINDS, FaultProxy
from figures import Figures
from module_task import Tasks
from scripted_service import Received, Response, as_json


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
        return as_json({"tunnels": [], "next_page_uri": f"/tunnels?before_id={request.number}"})

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
