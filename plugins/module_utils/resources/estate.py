# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole declared configuration in one task: the sets of all its parts, planned from one reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..apply import foretold
from ..arguments import (
    ALLOW_EMPTY,
    MAX_DELETIONS,
    UPDATE_SECRETS,
    duplicate_faults,
    given_name,
    identifier_faults,
    module_faults,
    range_faults,
)
from ..branches import Branch, carry_out_branches, operations_of
from ..client import Client
from ..deletions import capped
from ..errors import IngressError
from ..option_types import concluded
from ..outcome import Done, Outcome, outcome_of_many
from ..plan import PURGED, Plan, planned, unplanned
from ..schema import (
    EVENT_SOURCE,
    HTTPS_EDGE,
    SUBSCRIPTION_PREFIX,
    TLS_EDGE_MODULES,
    TLS_EDGE_PREFIX,
)
from ..side_by_side import side_by_side
from ..traffic_rules import secrets_in_policies
from ..withholding import without_openings
from ..work import Options, Work
from .estate_edges import edge_branches
from .event_source import ALLOW_UNKNOWN_TYPE
from .event_sources import source_plans, sources_faults
from .https_edge import (
    MEMBER_OPTIONS,
    edge_faults,
)
from .https_edge_routes import ROUTES, routes_faults
from .tls_edge_module import module_plan

_PURGEABLE = ("edges", "routes", "modules", "sources")
_MOST_CONCURRENCY = 32

_DECLARABLE = ("https_edges", "tls_edges", "event_subscriptions")
_UNDECLARED = {
    "edges": "https_edges is not declared",
    "routes": "no edge in https_edges declares routes",
    "modules": "neither https_edges nor tls_edges is declared",
    "sources": "event_subscriptions is not declared",
}
_DECLARED_EMPTY = {
    "edges": "https_edges is empty, so every edge of the account would be removed",
    "routes": "all lists of routes are empty, so every route of these edges would be removed",
    "sources": "all lists of sources are empty, so every source of these subscriptions would be removed",
}


def _faults(options: Options, check_mode: bool) -> Iterator[str]:
    yield from _nothing_declared_faults(options)
    for number, edge in enumerate(_members(options, "https_edges")):
        path = f"https_edges[{number}]"
        yield from edge_faults(edge, check_mode, path)
        yield from routes_faults(edge.get("routes"), check_mode, f"{path}.routes")
    yield from _shared_hostport_faults(_members(options, "https_edges"))
    yield from duplicate_faults([_metadata_key(edge) for edge in _members(options, "https_edges")], "https_edges")
    for number, edge in enumerate(_members(options, "tls_edges")):
        path = f"tls_edges[{number}]"
        yield from identifier_faults(edge, "edge_id", TLS_EDGE_PREFIX, check_mode, path)
        for name, kind in TLS_EDGE_MODULES.items():
            yield from kind.faults(edge.get(name), f"{path}.{name}")
        yield from module_faults(edge, TLS_EDGE_MODULES, path)
    for number, subscription in enumerate(_members(options, "event_subscriptions")):
        path = f"event_subscriptions[{number}]"
        yield from identifier_faults(subscription, "subscription_id", SUBSCRIPTION_PREFIX, check_mode, path)
        yield from sources_faults(
            subscription.get("sources"),
            bool(options.get("allow_unknown_type")),
            f"{path}.{given_name(subscription, 'sources', 'types')}",
        )
    for name, key in (("https_edges", "id"), ("tls_edges", "edge_id"), ("event_subscriptions", "subscription_id")):
        yield from duplicate_faults([(str(member.get(key) or ""),) for member in _members(options, name)], name)
    yield from range_faults(options, "max_deletions", 0)
    yield from range_faults(options, "concurrency", 1, _MOST_CONCURRENCY)


def _nothing_declared_faults(options: Options) -> Iterator[str]:
    """A task that would compare nothing, or remove everything, may be one whose variables were never set."""
    if all(options.get(name) is None for name in _DECLARABLE):
        fault = f"estate: nothing is declared; set {', '.join(_DECLARABLE[:-1])} or {_DECLARABLE[-1]}"
        yield concluded(fault, *_DECLARABLE)
        return
    purge = options.get("purge")
    kinds = purge if isinstance(purge, list) else []
    for kind in _PURGEABLE:
        declared = _is_declared(options, kind) if kind in kinds else True
        if declared is None:
            fault = f"purge: {kind} is listed, but {_UNDECLARED[kind]}; declare it, or remove {kind} from purge"
            yield concluded(fault, *_DECLARABLE)
        elif not declared and not options.get("allow_empty"):
            yield concluded(
                f"purge: {kind} is listed, and {_DECLARED_EMPTY[kind]}; if that is what you want, set "
                "allow_empty: true, else check the variable that the list comes from",
                *_DECLARABLE,
            )


def _is_declared(options: Options, kind: str) -> bool | None:
    """Whether a purge of this kind has something to keep; None where nothing is declared that it could apply to."""
    where = "event_subscriptions" if kind == "sources" else "https_edges"
    parents = options.get(where)
    if kind == "modules":
        return None if parents is None and options.get("tls_edges") is None else True
    if kind == "edges" or parents is None:
        return None if parents is None else bool(parents)
    sets = [parent.get(kind) for parent in _members(options, where)]
    if not sets:
        return True  # what has no declared parent is not purged
    return None if all(one is None for one in sets) else any(sets)


def _members(options: Options, name: str) -> list[Mapping[str, Any]]:
    members = options.get(name)
    return [member for member in members if isinstance(member, dict)] if isinstance(members, list) else []


def _metadata_key(edge: Mapping[str, Any]) -> tuple[str, ...]:
    """What tells an edge from the others that is found by its metadata; nothing for all others."""
    if edge.get("id") or edge.get("find_by") != "metadata" or isinstance(edge.get("metadata"), bool):
        return ()
    return (HTTPS_EDGE.named["metadata"].kind.normal(edge.get("metadata")),)


def _shared_hostport_faults(edges: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Hostports that two declared edges have, unless their ids tell them apart; a hostport belongs to one edge only."""
    first: dict[str, int] = {}
    for number, edge in enumerate(edges):
        hostports = edge.get("hostports") if not edge.get("id") else None
        for hostport in HTTPS_EDGE.named["hostports"].kind.normal(hostports if isinstance(hostports, list) else None):
            if first.setdefault(hostport, number) != number:
                yield f"https_edges[{number}].hostports: {hostport} belongs to https_edges[{first[hostport]}] already"


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    branches = list(_branches(client, options))
    plans = [plan for branch in branches for plan in branch.plans]
    allowed = capped(plans, options["max_deletions"])
    if check_mode:
        all_done = [[foretold(plan) for plan in branch.plans] for branch in branches]
    else:
        all_done = carry_out_branches(client, branches, options["concurrency"], allowed)
    everything = [done for branch in all_done for done in branch]
    declared = [branch.is_edge and not branch.is_purge for branch in branches]
    edges = [_edge_shown(done) for done, is_one in zip(all_done, declared, strict=True) if is_one]
    objects = {"https_edges": edges, "summary": _summary(everything)}
    return outcome_of_many(everything, objects, operations_of(branches, all_done))


def _branches(client: Client, options: Options) -> Iterator[Branch]:
    """What can be carried out side by side: an edge with its routes, each TLS edge, each subscription."""
    purge = options["purge"]
    edges = edge_branches(client, options, purge)
    yield from (branch for branch in edges if not branch.is_purge)

    def tls_edge(edge: Options) -> Branch:
        def look() -> list[Plan]:
            plans = _tls_edge_plans(client, edge, "modules" in purge)
            # What is purged waits for what is declared.
            return without_openings(sorted(plans, key=lambda plan: plan.purge))

        return Branch(look(), look=look)

    def subscription(one: Options) -> Branch:
        def look() -> list[Plan]:
            return source_plans(client, one["subscription_id"], one["sources"], "sources" in purge)

        try:
            return Branch(look(), look=look)
        except IngressError as error:
            subject = f"event_subscription {one['subscription_id']}"
            return Branch([unplanned(error, subject, EVENT_SOURCE, one["subscription_id"])])

    yield from side_by_side(tls_edge, options["tls_edges"] or (), options["concurrency"])
    yield from side_by_side(subscription, options["event_subscriptions"] or (), options["concurrency"])
    yield from (branch for branch in edges if branch.is_purge)  # what cannot be undone comes last


def _tls_edge_plans(client: Client, edge: Options, purge: bool) -> Iterator[Plan]:
    for name, kind in TLS_EDGE_MODULES.items():
        given = edge[name]
        absent = ""
        if name in edge["absent_modules"]:
            absent = f"{name} is to be absent"
        elif given is None and purge:
            absent = PURGED
        if given is not None or absent:
            subject = f"{name} of TLS edge {edge['edge_id']}"
            yield planned(
                lambda name=name, given=given, absent=absent: module_plan(  # type: ignore[misc]
                    client, edge["edge_id"], name, given, absent
                ),
                subject,
                kind,
                (edge["edge_id"], name),
            )


def _edge_shown(all_done: Sequence[Done]) -> dict[str, Any]:
    edge, *routes = all_done
    final = edge.final or {}
    return {
        "id": final.get("id"),
        "hostports": final.get("hostports", []),
        "routes": [
            {name: done.final[name] for name in ("id", "match_type", "match")}
            for done in routes
            if done.final is not None
        ],
    }


def _summary(all_done: Sequence[Done]) -> dict[str, int]:
    summary = dict.fromkeys(("created", "updated", "deleted", "unchanged", "failed"), 0)
    for done in all_done:
        summary[_what_happened(done)] += 1
    return summary


def _what_happened(done: Done) -> str:
    if done.error is not None:
        return "failed"
    if not done.operations:
        return "unchanged"
    if done.plan.after is None:
        return "deleted"
    return "created" if done.plan.before is None else "updated"


WORK = Work(
    options={
        "https_edges": {"type": "list", "elements": "dict", "options": {**MEMBER_OPTIONS, "routes": ROUTES}},
        "tls_edges": {
            "type": "list",
            "elements": "dict",
            "options": {
                "edge_id": {"type": "str", "required": True},
                **{name: kind.argument() for name, kind in TLS_EDGE_MODULES.items()},
                "absent_modules": {"type": "list", "elements": "str", "choices": list(TLS_EDGE_MODULES), "default": []},
            },
        },
        "event_subscriptions": {
            "type": "list",
            "elements": "dict",
            "options": {
                "subscription_id": {"type": "str", "required": True},
                "sources": {"type": "list", "elements": "str", "required": True, "aliases": ["types"]},
            },
        },
        "allow_unknown_type": ALLOW_UNKNOWN_TYPE,
        "purge": {"type": "list", "elements": "str", "choices": list(_PURGEABLE), "default": []},
        "allow_empty": ALLOW_EMPTY,
        "max_deletions": MAX_DELETIONS,
        "concurrency": {"type": "int", "default": 4},
        "update_secrets": UPDATE_SECRETS,
    },
    faults=_faults,
    perform=_perform,
    secrets=secrets_in_policies,
)
