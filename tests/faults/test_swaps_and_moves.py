# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostports, matches and logins that move from one object to another, with a fault at each request: nothing is lost,
nothing is there twice, and at no moment is anything open that is protected before and after.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from amount import seeds, so_many
from estate_in_trouble import blindly_repeated
from fault_kinds import KINDS, TIMEOUT
from fault_proxy import Fault, FaultProxy
from figures import Figures
from one_run import apply, left_to_do
from opened import OPENED, Ends, subject_of
from places import is_active, lets_everybody_through
from reference_service_process import ReferenceService
from rich_world import AUTH_MODULES, FIRST

FOUND = tuple(f"{one} redistributions {other}" for one, other in ((23, 411), (26, 39), (26, 216), (27, 338)))
"""Drawn redistributions for which once no safe order was found, or one whose changes waited for each other."""


EDGES = [f"edghts_{name}" for name in "abc"]
HOSTPORTS = [f"{name}.example.com:443" for name in "uvwxy"]
MATCHES = ["/", "/a", "/b", "h.example.com/c"]
BACKEND = {"backend_id": "bkd_one"}
MUTUAL_TLS = {"certificate_authority_ids": ["ca_one"]}
LOGINS = ("oidc", "oauth")


@dataclass
class Redistribution:
    """What is there, and what is declared of it. The ends are held by `before` and, once they are known, by `after`."""

    seed: list[dict[str, Any]]
    declared: dict[str, Any]
    switches: dict[str, Any]
    before: Any = None
    after: Any = None


def redistribution(chance: random.Random) -> Redistribution:
    edges, declared = [], []
    old, new = ({host: chance.choice(EDGES) for host in HOSTPORTS} for _end in range(2))
    one_login = chance.random() < 0.5
    for edge_id in EDGES:
        before, after = (_routes(chance, one_login) for _end in range(2))
        edge = {
            "id": edge_id,
            "hostports": [host for host in HOSTPORTS if old[host] == edge_id],
            "routes": [
                {"id": f"edghtsrt_{edge_id[-1]}{number}", **route, "description": f"{number}"}
                for number, route in enumerate(before)
            ],
        }
        edges.append({**edge, **({"mutual_tls": MUTUAL_TLS} if chance.random() < 0.7 else {})})
        routes = []
        for number, route in enumerate(after):
            # The first ones that are there are declared by their IDs; others are new.
            known = edge["routes"][number : number + 1]
            absent = [name for name in AUTH_MODULES if name not in route]
            routes.append({**({"id": known[0]["id"]} if known else {}), **route, "absent_modules": absent})
        protected = {"mutual_tls": MUTUAL_TLS} if chance.random() < 0.7 else {"absent_modules": ["mutual_tls"]}
        hostports = [host for host in HOSTPORTS if new[host] == edge_id]
        declared.append(
            {"id": edge_id, "hostports": hostports, **protected, "routes": chance.sample(routes, len(routes))}
        )
    # What is neither declared nor purged keeps its match and its login.
    is_all_declared = all(
        len(there["routes"]) <= len(one["routes"]) for there, one in zip(edges, declared, strict=True)
    )
    purge = chance.choice([[], ["routes"]]) if is_all_declared else ["routes"]
    options = {"https_edges": chance.sample(declared, len(declared)), "purge": purge, "max_deletions": 100}
    return Redistribution(edges, options, {"one_login_per_edge": one_login, "match_unique": "alone"})


def _routes(chance: random.Random, one_login: bool) -> list[dict[str, Any]]:
    matches = chance.sample(MATCHES, chance.choice([2, 3, 3]))
    routes: list[dict[str, Any]] = [
        {"match_type": "path_prefix", "match": match, "backend": BACKEND} for match in matches
    ]
    # The third one may be purged, and would keep the only login until everything else is done.
    protected = [chance.choice(routes[:2])] if one_login else [route for route in routes if chance.random() < 0.5]
    for route in protected:
        login = chance.choice(LOGINS)
        route[login] = FIRST[login]
    return routes


def ordered(state: Mapping[str, Any]) -> Any:
    """The edges of a service, without what it makes up itself."""
    return {
        edge["id"]: {
            "hostports": sorted(edge["hostports"]),
            "mutual_tls": edge.get("mutual_tls"),
            "routes": sorted(json.dumps(_meaning(route), sort_keys=True) for route in edge["routes"]),
            "ids": sorted(route["id"] for route in edge["routes"] if len(route["id"]) < 14),
        }
        for edge in state["https_edges"]
    }


def _meaning(route: Mapping[str, Any]) -> dict[str, Any]:
    """A route, the same whether it was created or changed to what it is: without what a request can leave out."""
    return {
        name: {"enabled": True, **value} if isinstance(value, dict) else value
        for name, value in route.items()
        if name not in ("id", "created_at") and value
    }


def faults_of_a_moment(moving: Redistribution, then: Mapping[str, Any]) -> Iterator[str]:
    """What is less protected than at both ends, lost, or there twice."""
    if {edge["id"] for edge in then["https_edges"]} != set(EDGES):
        yield "edges are lost or there twice"
    ends = [_protected(state) for state in (moving.before, moving.after)]
    now = _protected(then)
    for what in ends[0].keys() & ends[1].keys() & now.keys():
        if ends[0][what] and ends[1][what] and not now[what]:
            yield f"{what} is open"
    # Routes that are new have no name that identifies them at both ends.
    opened = Ends(frozenset(), moving.before, moving.after).opened(then)
    yield from (one for one in opened if not subject_of(one).startswith(f"{OPENED}: route "))


def twice(state: Mapping[str, Any]) -> list[str]:
    return [
        f"{edge['id']} has routes twice"
        for edge in state["https_edges"]
        if len({route["match"] for route in edge["routes"]}) < len(edge["routes"])
    ]


def _protected(state: Mapping[str, Any]) -> dict[tuple[str, str, str], bool]:
    """Whether it takes something to get through: by each route, by each match, by each hostport."""
    found = {}
    for edge in state["https_edges"]:
        for route in edge["routes"]:
            is_closed = not lets_everybody_through(route, AUTH_MODULES)
            found["route", edge["id"], route["id"]] = found["match", edge["id"], route["match"]] = is_closed
        for hostport in edge["hostports"]:
            found["hostport", "", hostport] = is_active(edge, "mutual_tls")
        found["edge", "", edge["id"]] = is_active(edge, "mutual_tls")
    return found


class Watched:
    """A redistribution that is carried out through the proxy, and looked at after each request."""

    def __init__(self, service: ReferenceService, proxy: FaultProxy, seed: str) -> None:
        self.service, self.proxy = service, proxy
        self.moving = redistribution(random.Random(seed))
        self.seen: list[Any] = []
        result = self.run({})
        assert not result.get("failed"), result["msg"]
        self.requests = len(proxy.requests)
        self.moving.after = service.state()

    def run(self, faults: dict[int, Fault], timeout: float = 20.0) -> dict[str, Any]:
        self.service.reset()
        self.service.switches(**self.moving.switches)
        self.service.seed(https_edges=self.moving.seed)
        self.moving.before = self.service.state()
        self.proxy.begin(faults)
        self.seen = []
        self.proxy.saw = lambda request: self.seen.append(self.service.state())
        return apply(self.moving.declared, self.proxy.base_url, timeout=timeout)

    def complaints(self, result: dict[str, Any]) -> list[str]:
        moving, held = self.moving, self.service.state()
        found = {fault for state in [*self.seen, held] for fault in [*faults_of_a_moment(moving, state), *twice(state)]}
        found |= {f"sent twice without a look: {request}" for request in blindly_repeated(self.proxy.requests)}
        if not result.get("failed") and ordered(held) != ordered(moving.after):
            found.add("it said that it succeeded, and the state is another")
        found |= set(left_to_do(moving.declared, self.service.base_url))
        if ordered(self.service.state()) != ordered(moving.after):
            found.add("after the next run, the state is another")
        return sorted(found)


@pytest.mark.parametrize("seed", dict.fromkeys([*FOUND, *seeds(10, 500, "redistributions")]))
def test_whatever_moves_arrives(service: ReferenceService, proxy: FaultProxy, figures: Figures, seed: str) -> None:
    found = Watched(service, proxy, seed).complaints({})
    figures.tried("swaps and moves", complaints=found)
    assert found == []


@pytest.mark.parametrize("seed", seeds(3, 10, "swaps and moves"))
def test_what_moves_is_never_lost_or_open(
    service: ReferenceService, proxy: FaultProxy, figures: Figures, seed: str
) -> None:
    watched = Watched(service, proxy, seed)
    complaints = {}
    for kind in random.Random(seed).sample(sorted(KINDS), so_many(3, len(KINDS))):
        positions = random.Random(f"{seed} {kind}").sample(range(watched.requests), so_many(2, 3))
        for position in positions:
            result = watched.run({position: KINDS[kind]}, TIMEOUT)
            found = watched.complaints(result)
            figures.tried("swaps and moves, with a fault at each request", 1, found)
            if found:
                complaints[kind, position] = found
    assert complaints == {}
