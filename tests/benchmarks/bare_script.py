# SPDX-License-Identifier: GPL-3.0-or-later
"""What a script with requests alone takes: read everything, compare what is declared, print the seconds."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import requests

started = time.perf_counter()
session = requests.Session()
session.headers.update({"Authorization": f"Bearer {os.environ['INGRESS_API_KEY']}", "Svc-Version": "2"})
declared = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
base_url = os.environ["INGRESS_BASE_URL"]


def differs(have: object, want: object) -> bool:
    if isinstance(want, dict):
        return not isinstance(have, dict) or any(differs(have.get(name), value) for name, value in want.items())
    return have != want


edges = []
if len(sys.argv) > 2:  # one edge, by its ID
    edges.append(session.get(f"{base_url}/edges/https/{sys.argv[2]}", timeout=60).json())
else:
    address = f"{base_url}/edges/https"
    while address:
        page = session.get(address, timeout=60).json()
        edges += page["https_edges"]
        address = page["next_page_uri"]
there = {(edge["hostports"][0], route["match"]): route for edge in edges for route in edge["routes"]}
wrong = [
    route["match"]
    for edge in declared
    for route in edge["routes"]
    if differs(
        there.get((edge["hostports"][0], route["match"])),
        {
            "match_type": route["match_type"],
            "backend": {"enabled": True, "backend": {"id": route["backend"]["backend_id"]}},
            "compression": route["compression"],
        },
    )
]
print(time.perf_counter() - started)
sys.exit(f"{len(wrong)} differ" if wrong else 0)
