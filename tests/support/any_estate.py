# SPDX-License-Identifier: GPL-3.0-or-later
"""Estates of any kind, as strategies of hypothesis, that declare something right on top of what is there.

What only one object can have (a hostport, a match, on some services a login) is given to one object at the most, and
moves freely otherwise. Whether it is certain which live edge is meant is decided here by the documentation's words.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from declarations import AUTH_MODULES, EDGE_MODULES, FIELDS_OF_EDGE, IN_ANOTHER_SCRIPT, TLS_MODULES, route
from reference_fields import FLAG, some

TLS_EDGES = ["edgtls_one", "edgtls_two"]
SUBSCRIPTIONS = ["esb_one", "esb_two"]
EVENTS = ["ip_policy_created.v0", "tcp_connection_closed.v0", "domain_created.v0"]
SEED: dict[str, Any] = {
    "tls_edges": [{"id": one} for one in TLS_EDGES],
    "event_subscriptions": [{"id": one, "sources": EVENTS[:1]} for one in SUBSCRIPTIONS],
}

# Each hostport as the DNS has it, with ways to write it.
SPELLINGS = {
    "a.example.com:443": ("a.example.com:443", "A.Example.com:443"),
    "b.example.com:8443": ("b.example.com:8443",),
    "c.example.com:443": ("c.example.com:443", "C.EXAMPLE.COM:443"),
    "d.example.com:443": ("d.example.com:443",),
    "xn--bcher-kva.example.com:443": IN_ANOTHER_SCRIPT,
}
CANONICAL = {spelling: hostport for hostport, spellings in SPELLINGS.items() for spelling in spellings}
MATCHES = ["/", "/a", "/b", "/c", "h.example.com/d"]
NAMES = ["the first", "the second", "the third"]
"""Metadata by which edges are found, and which nothing else has."""

LiveObject = Mapping[str, Any]


def served(edge: Mapping[str, Any]) -> set[str]:
    """The hostports of an edge, declared or live, as the DNS has them."""
    return {CANONICAL[hostport] for hostport in edge.get("hostports") or ()}


@dataclass
class DeclaredObject:
    """A declaration. `live` is, for each declared edge, the live one that it is (None: new); None altogether where the
    documentation leaves open which ones are meant.
    """

    options: dict[str, Any]
    live: list[LiveObject | None] | None

    @property
    def purges(self) -> list[str]:
        kinds: list[str] = self.options["purge"]
        return kinds


@st.composite
def estates(draw: st.DrawFn, state: Mapping[str, Any], switches: Mapping[str, Any]) -> DeclaredObject:
    """Estates that are right where `state` is what a service with these switches holds."""
    live = sorted(state["https_edges"], key=lambda edge: sorted(edge["hostports"]) or [edge.get("metadata", "")])
    wanted = draw(st.sets(st.sampled_from(["edges", "routes", "modules", "sources"]))) | {"hostports"}
    parts = draw(st.sets(st.sampled_from(["https_edges", "tls_edges", "event_subscriptions"]), min_size=1))
    parts |= {"https_edges"} if draw(st.integers(0, 3)) else set()
    options: dict[str, Any] = {}
    found: list[LiveObject | None] | None = []
    if "https_edges" in parts:
        edges = draw(_edges(live, "edges" in wanted))
        found = meant(edges, live)
        for number, edge in enumerate(edges if found is not None else ()):
            if draw(st.integers(0, 4)):
                there = found[number] if found is not None else None
                edge["routes"] = draw(_routes(there["routes"] if there else [], "routes" in wanted, switches))
        options["https_edges"] = edges
    if "tls_edges" in parts:
        chosen = draw(st.lists(st.sampled_from(TLS_EDGES), unique=True))
        options["tls_edges"] = [{"edge_id": one, **draw(_tls_edge())} for one in chosen]
    if "event_subscriptions" in parts:
        options["event_subscriptions"] = [
            {"subscription_id": one, "sources": draw(st.lists(st.sampled_from(EVENTS), unique=True))}
            for one in draw(st.lists(st.sampled_from(SUBSCRIPTIONS), unique=True))
        ]
    options |= {
        "purge": [kind for kind in draw(st.permutations(sorted(wanted))) if _has_something_declared(options, kind)],
        "concurrency": draw(st.sampled_from([1, 4])),
        "update_secrets": draw(st.sampled_from(["on_create", "always"])),
        "allow_empty": True,
    }
    return DeclaredObject(options, found)


def meant(edges: Sequence[Mapping[str, Any]], live: Sequence[LiveObject]) -> list[LiveObject | None] | None:
    """The live edge that each declared one is, as far as that is beyond doubt, else None."""
    by_id = {edge["id"]: edge for edge in live}
    claimed = {edge["id"] for edge in edges if "id" in edge}
    found: list[LiveObject | None] = []
    for edge in edges:
        if "id" in edge:
            found.append(by_id[edge["id"]])
            continue
        how = edge.get("find_by", "hostports")
        if how == "metadata":
            candidates = [one for one in live if one.get("metadata") == edge["metadata"]]
            if any(one["id"] in claimed for one in candidates):
                return None
        else:
            candidates = [one for one in live if how == "hostports" and served(one) & served(edge)]
        candidates = [one for one in candidates if one["id"] not in claimed]
        if len(candidates) > 1:
            return None
        found.append(candidates[0] if candidates else None)
    ids = [one["id"] for one in found if one is not None]
    return found if len(ids) == len(set(ids)) else None


@st.composite
def _edges(draw: st.DrawFn, live: Sequence[LiveObject], purge: bool) -> list[dict[str, Any]]:
    declared = [edge for edge in live if draw(st.integers(0, 3))]
    others = [edge for edge in live if edge not in declared]
    slots: list[LiveObject | None] = [*declared, *([None] * draw(st.integers(0 if live else 1, 2)))]
    kept = set() if purge else {hostport for edge in others for hostport in served(edge)}
    owned: list[set[str]] = [set() for _slot in slots]
    for hostport in SPELLINGS:
        if hostport in kept or not slots:
            continue
        present = [number for number, slot in enumerate(slots) if slot and hostport in served(slot)]
        owner = draw(st.sampled_from([*(3 * present), None, *range(len(slots))]))
        if owner is not None:
            owned[owner].add(hostport)
    names = [name for name in NAMES if name not in {edge.get("metadata") for edge in live}]
    edges = []
    for slot, hostports in zip(slots, owned, strict=True):
        edge = draw(_edge_options(hostports))
        found = draw(_identified(slot, hostports, names, live))
        if found is None:
            continue
        edges.append({**edge, **found})
        if "id" in found and hostports == served(slot or {}) and draw(FLAG):
            del edges[-1]["hostports"]
    return edges


@st.composite
def _edge_options(draw: st.DrawFn, hostports: Collection[str]) -> dict[str, Any]:
    spelled = [draw(st.sampled_from(SPELLINGS[one])) for one in sorted(hostports)]
    modules = draw(some(EDGE_MODULES))
    others = [name for name in EDGE_MODULES if name not in modules]
    removal = draw(st.sampled_from([{}, {"absent_modules": others}, {"purge_modules": True}]))
    twice = spelled[:1] if draw(FLAG) else []
    return {**draw(FIELDS_OF_EDGE), **modules, **removal, "hostports": draw(st.permutations([*spelled, *twice]))}


@st.composite
def _identified(
    draw: st.DrawFn, slot: LiveObject | None, hostports: Collection[str], names: list[str], live: Sequence[LiveObject]
) -> dict[str, Any] | None:
    """How a declared edge is found; None for a new one that nothing could be found by."""
    ways = []
    if slot is None:
        ways = [*(["hostports"] * 3 if hostports else []), *(["metadata"] if names else []), "none"]
    else:
        ways = ["id", "id", *(["hostports"] * 2 if served(slot) & set(hostports) else [])]
        name = slot.get("metadata")
        ways += ["metadata"] if name in NAMES and [edge.get("metadata") for edge in live].count(name) == 1 else []
    way = draw(st.sampled_from(ways))
    if way == "id":
        any_way = draw(st.sampled_from([{}, {"find_by": "metadata"}, {"find_by": "none"}, {"find_by": "hostports"}]))
        return {"id": (slot or {})["id"], **any_way}
    if way == "metadata":
        return {"find_by": "metadata", "metadata": (slot or {}).get("metadata") or names.pop(0)}
    return {"find_by": "none"} if way == "none" else draw(st.sampled_from([{}, {"find_by": "hostports"}]))


@st.composite
def _routes(
    draw: st.DrawFn, live: Sequence[LiveObject], purge: bool, switches: Mapping[str, Any]
) -> list[dict[str, Any]]:
    live = sorted(live, key=lambda one: str(one["match"]))
    declared = [one for one in live if draw(st.integers(0, 3))]
    others = [one for one in live if one not in declared]
    stay = [one for one in declared if draw(FLAG)]
    taken = {one["match"] for one in [*stay, *([] if purge else others)]}
    free = draw(st.permutations([match for match in MATCHES if match not in taken]))
    slots: list[LiveObject | None] = [*declared, *([None] * draw(st.integers(0, 2)))]
    routes = []
    for slot in slots:
        match_type = draw(st.sampled_from(["path_prefix", "exact_path"]))
        if slot in stay:
            key = {"match_type": slot["match_type"], "match": slot["match"]} if slot else {}
            by_id = {"id": slot["id"] if slot else ""}
            ways = [key, key, by_id, {**by_id, **key}, {**by_id, **key, "match_type": match_type}]
            found = draw(st.sampled_from(ways))
        elif free:
            found = {"match_type": match_type, "match": free.pop(0), **({"id": slot["id"]} if slot else {})}
        else:
            continue
        routes.append({**draw(route()), **found})
    if switches.get("one_login_per_edge"):
        # What is purged keeps its login, too, until everything else is done.
        kept = any(name in one for one in others for name in AUTH_MODULES)
        with_login = None if kept else draw(st.sampled_from([None, *range(len(routes))]))
        routes = [one if number == with_login else _without_login(one) for number, one in enumerate(routes)]
    return draw(st.permutations(routes))


def _without_login(declared: dict[str, Any]) -> dict[str, Any]:
    others = {name: value for name, value in declared.items() if name not in AUTH_MODULES}
    absent = others.get("absent_modules", [])
    return {**others, "absent_modules": [*absent, *(name for name in AUTH_MODULES if name not in absent)]}


@st.composite
def _tls_edge(draw: st.DrawFn) -> dict[str, Any]:
    modules = draw(some(TLS_MODULES))
    absent = [name for name in TLS_MODULES if name not in modules and draw(FLAG)]
    return {**modules, "absent_modules": absent}


def _has_something_declared(options: Mapping[str, Any], kind: str) -> bool:
    """To purge what nothing of is declared is a fault."""
    edges = options.get("https_edges")
    return {
        "edges": edges is not None,
        "routes": any("routes" in edge for edge in edges or ()),
        "hostports": edges is not None,
        "modules": edges is not None or "tls_edges" in options,
        "sources": bool(options.get("event_subscriptions")),
    }[kind]
