# SPDX-License-Identifier: GPL-3.0-or-later
"""What the benchmarks declare: estates of edges with routes, all alike."""

from __future__ import annotations

import json
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


def tunnels(number: int) -> list[dict[str, Any]]:
    return [
        {
            "id": f"tn_{one:06}",
            "public_url": f"tcp://{one % 9}.tcp.example.net:{10000 + one}",
            "proto": "tcp",
            "region": ("ap", "eu", "us")[one % 3],
            "metadata": json.dumps({"name": f"device-{one}", "role": "device", "floors": [1, 2]}),
            "forwards_to": "localhost:22",
        }
        for one in range(number)
    ]
