# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostports, matches, and logins that move between three edges, drawn from a seed, as services take one of each."""

from __future__ import annotations

import random
from typing import Any

from any_change import Change
from rich_world import AUTH_MODULES, FIRST

EDGES = [f"edghts_{name}" for name in "abc"]
HOSTPORTS = [f"{name}.example.com:443" for name in "uvwxy"]
MATCHES = ["/", "/a", "/b", "h.example.com/c"]
BACKEND = {"backend_id": "bkd_one"}
MUTUAL_TLS = {"mutual_tls": {"certificate_authority_ids": ["ca_one"]}}


def redistribution(seed: str) -> Change:
    chance = random.Random(seed)
    edges, declared = [], []
    old, new = ({host: chance.choice(EDGES) for host in HOSTPORTS} for _end in range(2))
    one_login = chance.random() < 0.5
    for edge_id in EDGES:
        before, after = (_routes(chance, one_login) for _end in range(2))
        live = [
            {"id": f"edghtsrt_{edge_id[-1]}{number}", **route, "description": f"{number}"}
            for number, route in enumerate(before)
        ]
        edge = {"id": edge_id, "hostports": [host for host in HOSTPORTS if old[host] == edge_id], "routes": live}
        edges.append({**edge, **(MUTUAL_TLS if chance.random() < 0.7 else {})})
        # The first ones that are there are declared by their IDs; others are new.
        ids = [{"id": route["id"]} for route in live] + [{}] * len(after)
        absent = [[name for name in AUTH_MODULES if name not in route] for route in after]
        routes = [{**ids[at], **route, "absent_modules": absent[at]} for at, route in enumerate(after)]
        protected = MUTUAL_TLS if chance.random() < 0.7 else {"absent_modules": ["mutual_tls"]}
        hostports = [host for host in HOSTPORTS if new[host] == edge_id]
        routes = chance.sample(routes, len(routes))
        declared.append({"id": edge_id, "hostports": hostports, **protected, "routes": routes})
    # What is neither declared nor purged keeps its match and its login.
    pairs = zip(edges, declared, strict=True)
    is_all_declared = all(len(there["routes"]) <= len(one["routes"]) for there, one in pairs)
    purge = chance.choice([[], ["routes"]]) if is_all_declared else ["routes"]
    options = {"https_edges": chance.sample(declared, len(declared)), "purge": purge, "max_deletions": 100}
    switches = {"one_login_per_edge": one_login, "match_unique": "alone"}
    return Change({"https_edges": edges, "objects": {}}, "estate", {**options, "concurrency": 1}, switches)


def _routes(chance: random.Random, one_login: bool) -> list[dict[str, Any]]:
    matches = chance.sample(MATCHES, chance.choice([2, 3, 3]))
    routes: list[dict[str, Any]] = [{"match_type": "path_prefix", "match": one, "backend": BACKEND} for one in matches]
    # The third one may be purged, and would keep the only login until everything else is done.
    protected = [chance.choice(routes[:2])] if one_login else [route for route in routes if chance.random() < 0.5]
    for route in protected:
        login = chance.choice(("oidc", "oauth"))
        route[login] = FIRST[login]
    return routes
