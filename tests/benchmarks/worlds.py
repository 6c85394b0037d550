# SPDX-License-Identifier: GPL-3.0-or-later
"""What the benchmarks declare: estates of edges with routes, all alike."""

from __future__ import annotations

from typing import Any


def routes(number: int) -> list[dict[str, Any]]:
    return [
        {
            "match_type": "path_prefix",
            "match": f"/{one}",
            "backend": {"backend_id": "bkdhr_one"},
            "compression": {"enabled": True},
        }
        for one in range(number)
    ]


def edges(number: int, routes_each: int) -> list[dict[str, Any]]:
    return [{"hostports": [f"host-{one}.example.com:443"], "routes": routes(routes_each)} for one in range(number)]
