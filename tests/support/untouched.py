# SPDX-License-Identifier: GPL-3.0-or-later
"""What a service has to hold after an estate was applied, judged from what it held before and from the declaration."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from any_estate import DeclaredObject, LiveObject, served
from declarations import EDGE_MODULES, ROUTE_MODULES

TLS_MODULES = ("ip_restriction", "tls_termination")


def complaints_about(
    declared: DeclaredObject, before: Mapping[str, Any], after: Mapping[str, Any], edges: Any
) -> list[str]:
    """What is not as declared, or is another without having been declared. `edges` are as the task returned them."""
    found = list(_about_edges(declared, before, after, edges))
    for kind, key, judge in (
        ("tls_edges", "edge_id", _about_modules),
        ("event_subscriptions", "subscription_id", _about_sources),
    ):
        options = {one[key]: one for one in declared.options.get(kind, ())}
        old = _by_id(before[kind])
        for one in after[kind]:
            if one["id"] not in options:
                found += [f"{one['id']} was touched"] if one != old[one["id"]] else []
            else:
                found += judge(options[one["id"]], old[one["id"]], one, declared.purges)
    return found


def _by_id(objects: Sequence[LiveObject]) -> dict[str, LiveObject]:
    return {one["id"]: one for one in objects}


def _about_edges(declared: DeclaredObject, before: LiveObject, after: LiveObject, edges: Any) -> Iterator[str]:
    options = declared.options.get("https_edges") or []
    old, new = _by_id(before["https_edges"]), _by_id(after["https_edges"])
    if len(edges) != len(options):
        yield f"{len(options)} edges are declared, and {len(edges)} returned"
    returned = [edge["id"] for edge in edges]
    for edge, one, live in zip(options, returned, declared.live or (), strict=True):
        if one not in new:
            yield f"{one} is not there"
            continue
        if live is not None and live["id"] != one:
            yield f"{one} was taken for {live['id']}"
        if live is None and one in old and not _is_kept_from_purge(edge, old[one], declared.purges):
            yield f"{one} was taken for a new one"
        if "hostports" in edge and served(edge) != served(new[one]):
            yield f"{one} serves {new[one]['hostports']} instead of {edge['hostports']}"
        there: LiveObject = live or old.get(one, {"routes": []})
        yield from _about_text_fields(edge, there, new[one])
        yield from _about_traffic_modules(EDGE_MODULES, edge, there, new[one], declared.purges)
        yield from _about_routes(edge, there, new[one], declared.purges)
    for one in old.keys() - set(returned):
        if ("edges" in declared.purges) != (one not in new):
            yield f"{one} was {'not ' if one in new else ''}purged"
        elif one in new and new[one] != old[one]:
            yield f"{one} was touched"
    yield from (f"{one} came from nowhere" for one in new.keys() - old.keys() - set(returned))


def _is_kept_from_purge(edge: LiveObject, live: LiveObject, purges: Sequence[str]) -> bool:
    """Whether a new edge is an undeclared one that has its hostports, and would be purged otherwise."""
    return "edges" in purges and edge.get("find_by") == "metadata" and served(edge) == served(live)


def _about_text_fields(options: LiveObject, before: LiveObject, after: LiveObject) -> Iterator[str]:
    for name in ("description", "metadata"):
        held, wanted = after.get(name) or "", options.get(name, before.get(name)) or ""
        if held != wanted and not (name == "metadata" and _meaning(held) == _meaning(wanted)):
            yield f"{after['id']}: {name} is {held!r} instead of {wanted!r}"


def _meaning(metadata: Any) -> Any:
    """What services keep of metadata: they trim it, and serialize its JSON."""
    try:
        found = metadata if isinstance(metadata, dict) else json.loads(metadata)
    except ValueError:
        found = None
    return found or "" if isinstance(found, dict) else metadata.strip()


def _about_traffic_modules(
    names: Mapping[str, Any] | Sequence[str],
    options: LiveObject,
    before: LiveObject,
    after: LiveObject,
    purges: Sequence[str],
) -> Iterator[str]:
    for name in names:
        removed = name in options.get("absent_modules", ()) or options.get("purge_modules") or "modules" in purges
        if name in options:
            if after.get(name) is None:
                yield f"{after['id']}: {name} is not there"
        elif removed:
            if after.get(name) is not None:
                yield f"{after['id']}: {name} is still there"
        elif name == "backend":
            # One that closed the route is opened again, and nothing else of it changes.
            if (after.get(name) or {}).get("backend_id") != (before.get(name) or {}).get("backend_id"):
                yield f"{after['id']}: backend was touched"
        elif after.get(name) != before.get(name):
            yield f"{after['id']}: {name} was touched"


def _about_routes(edge: LiveObject, before: LiveObject, after: LiveObject, purges: Sequence[str]) -> Iterator[str]:
    old, new = _by_id(before["routes"]), _by_id(after["routes"])
    if "routes" not in edge:
        if old != new:
            yield f"{after['id']}: routes were touched"
        return
    by_key = {(one["match_type"], one["match"]): one["id"] for one in after["routes"]}
    meant = set()
    for route in edge["routes"]:
        one = route.get("id") or by_key.get((route["match_type"], route["match"]))
        if one not in new:
            yield f"{after['id']}: there is no route {route}"
            continue
        meant.add(one)
        there: LiveObject = old.get(one, {})
        for name in ("match_type", "match"):
            if new[one][name] != route.get(name, there.get(name)):
                yield f"{one}: {name} is {new[one][name]}"
        yield from _about_text_fields(route, there, new[one])
        yield from _about_traffic_modules(ROUTE_MODULES, route, there, new[one], purges)
    for one in old.keys() - meant:
        if ("routes" in purges) != (one not in new):
            yield f"{one} was {'not ' if one in new else ''}purged"
        elif one in new and new[one] != old[one]:
            yield f"{one} was touched"
    yield from (f"{one} came from nowhere" for one in new.keys() - old.keys() - meant)


def _about_modules(options: LiveObject, before: LiveObject, after: LiveObject, purges: Sequence[str]) -> Iterator[str]:
    return _about_traffic_modules(TLS_MODULES, options, before, after, purges)


def _about_sources(options: LiveObject, before: LiveObject, after: LiveObject, purges: Sequence[str]) -> Iterator[str]:
    kept = set() if "sources" in purges else set(before["sources"])
    if set(after["sources"]) != kept | set(options["sources"]):
        yield f"{after['id']} has {after['sources']}"
