# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole configuration of an account in one task: all its objects are read once and planned together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .._applying.apply import predicted
from .._applying.deletions import limit_deletions
from .._applying.outcome import Applied, Outcome, outcome_of_many
from .._applying.parallel import run_in_parallel
from .._applying.subtree import Subtree, carry_out_subtrees, operations_of
from .._definition import ModuleDefinition, Options
from .._errors import IngressError
from .._model.option_types import Conclusion, alternatives
from .._model.policy_secrets import secrets_in_policies
from .._model.schema import (
    EVENT_SOURCE,
    HTTPS_EDGE,
    SUBSCRIPTION_PREFIX,
    TLS_EDGE_MODULES,
    TLS_EDGE_PREFIX,
)
from .._planning.changes import PURGED, absent_module
from .._planning.plan import Plan, Target, planned, unplanned
from .._planning.withholding import without_openings
from .._transport.client import Client
from .common_options import (
    ALLOW_EMPTY,
    MAX_DELETIONS,
    UPDATE_SECRETS,
    duplicate_errors,
    given_name,
    identifier_errors,
    module_errors,
    range_errors,
)
from .estate_edges import edge_subtrees
from .event_source import ALLOW_UNKNOWN_TYPE
from .event_sources import source_plans, sources_errors
from .https_edge import (
    MEMBER_OPTIONS,
    edge_errors,
)
from .https_edge_routes import ROUTES, routes_errors
from .tls_edge_module import module_plan, module_target

_PURGEABLE = ("edges", "routes", "modules", "sources")
_MOST_CONCURRENCY = 32

_DECLARABLE = ("https_edges", "tls_edges", "event_subscriptions")
_UNDECLARED = {
    "edges": "https_edges is not declared; declare it",
    "routes": "no edge in https_edges declares routes; declare them",
    "modules": "neither https_edges nor tls_edges is declared; declare one of them",
    "sources": "event_subscriptions is not declared; declare it",
}
_DECLARED_EMPTY = {
    "edges": "https_edges is empty, so every edge of the account would be deleted",
    "routes": "all lists of routes are empty, so every route of these edges would be deleted",
    "sources": "all lists of sources are empty, so every source of these subscriptions would be deleted",
}


def _option_errors(options: Options, check_mode: bool) -> Iterator[str]:
    yield from _nothing_declared_errors(options)
    for number, edge in enumerate(_members(options, "https_edges")):
        path = f"https_edges[{number}]"
        yield from edge_errors(edge, check_mode, path)
        yield from routes_errors(edge.get("routes"), check_mode, f"{path}.routes")
    yield from _shared_hostport_errors(_members(options, "https_edges"))
    yield from duplicate_errors([_metadata_key(edge) for edge in _members(options, "https_edges")], "https_edges")
    for number, edge in enumerate(_members(options, "tls_edges")):
        path = f"tls_edges[{number}]"
        yield from identifier_errors(edge, "edge_id", TLS_EDGE_PREFIX, check_mode, path)
        for name, kind in TLS_EDGE_MODULES.items():
            yield from kind.option_errors(edge.get(name), f"{path}.{name}")
        yield from module_errors(edge, TLS_EDGE_MODULES, path)
    for number, subscription in enumerate(_members(options, "event_subscriptions")):
        path = f"event_subscriptions[{number}]"
        yield from identifier_errors(subscription, "subscription_id", SUBSCRIPTION_PREFIX, check_mode, path)
        yield from sources_errors(
            subscription.get("sources"),
            bool(options.get("allow_unknown_type")),
            f"{path}.{given_name(subscription, 'sources', 'types')}",
        )
    for name, key in (("https_edges", "id"), ("tls_edges", "edge_id"), ("event_subscriptions", "subscription_id")):
        yield from duplicate_errors([(str(member.get(key) or ""),) for member in _members(options, name)], name)
    yield from range_errors(options, "max_deletions", 0)
    yield from range_errors(options, "concurrency", 1, _MOST_CONCURRENCY)


def _nothing_declared_errors(options: Options) -> Iterator[str]:
    """Yield errors for a task that compares nothing or deletes everything: its variables may not be set."""
    if all(options.get(name) is None for name in _DECLARABLE):
        option_error = f"estate: nothing is declared; set {alternatives(_DECLARABLE)}"
        yield Conclusion(option_error, *_DECLARABLE)
        return
    purge = options.get("purge")
    kinds = purge if isinstance(purge, list) else []
    for kind in _PURGEABLE:
        declared = _is_declared(options, kind) if kind in kinds else True
        if declared is None:
            option_error = f"purge: {kind} is listed, but {_UNDECLARED[kind]}, or remove {kind} from purge"
            yield Conclusion(option_error, *_DECLARABLE)
        elif not declared and not options.get("allow_empty"):
            yield Conclusion(
                f"purge: {kind} is listed, and {_DECLARED_EMPTY[kind]}; if you want that, set `allow_empty: true`; "
                "otherwise, check the variable that the list comes from",
                *_DECLARABLE,
            )


def _is_declared(options: Options, kind: str) -> bool | None:
    """Return whether a purge of this kind keeps anything; None if nothing is declared that it could apply to."""
    where = "event_subscriptions" if kind == "sources" else "https_edges"
    parents = options.get(where)
    if kind == "modules":
        return None if parents is None and options.get("tls_edges") is None else True
    if kind == "edges" or parents is None:
        return None if parents is None else bool(parents)
    sets = [parent.get(kind) for parent in _members(options, where)]
    if not sets:
        return True  # Objects without a declared parent are not purged.
    return None if all(one is None for one in sets) else any(sets)


def _members(options: Options, name: str) -> list[Mapping[str, Any]]:
    members = options.get(name)
    return [member for member in members if isinstance(member, dict)] if isinstance(members, list) else []


def _metadata_key(edge: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the key of an edge that is found by its metadata; empty for all others."""
    if edge.get("id") or edge.get("find_by") != "metadata" or isinstance(edge.get("metadata"), bool):
        return ()
    return (HTTPS_EDGE.named["metadata"].kind.normal(edge.get("metadata")),)


def _shared_hostport_errors(edges: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield an error for each hostport of two declared edges, unless their IDs distinguish them."""
    first: dict[str, int] = {}
    for number, edge in enumerate(edges):
        hostports = edge.get("hostports") if not edge.get("id") else None
        for hostport in HTTPS_EDGE.named["hostports"].kind.normal(hostports if isinstance(hostports, list) else None):
            if first.setdefault(hostport, number) != number:
                yield (
                    f"https_edges[{number}].hostports: {hostport} is already declared in "
                    f"https_edges[{first[hostport]}]; a hostport can belong to one edge only"
                )


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    subtrees = list(_subtrees(client, options))
    plans = [plan for subtree in subtrees for plan in subtree.plans]
    allowed = limit_deletions(plans, options["max_deletions"])
    if check_mode:
        all_done = [[predicted(plan) for plan in subtree.plans] for subtree in subtrees]
    else:
        all_done = carry_out_subtrees(client, subtrees, options["concurrency"], allowed)
    everything = [done for subtree in all_done for done in subtree]
    declared = [subtree.is_edge and not subtree.is_purge for subtree in subtrees]
    edges = [_edge_shown(done) for done, is_one in zip(all_done, declared, strict=True) if is_one]
    objects = {"https_edges": edges, "summary": _summary(everything)}
    return outcome_of_many(everything, objects, operations_of(subtrees, all_done))


def _subtrees(client: Client, options: Options) -> Iterator[Subtree]:
    """Yield what can be executed in parallel: an edge with its routes, each TLS edge, each subscription."""
    purge = options["purge"]
    edges = edge_subtrees(client, options, purge)
    yield from (subtree for subtree in edges if not subtree.is_purge)

    def tls_edge(edge: Options) -> Subtree:
        def replan() -> list[Plan]:
            plans = _tls_edge_plans(client, edge, "modules" in purge)
            # Purges wait for what is declared.
            return without_openings(sorted(plans, key=lambda plan: plan.purge))

        return Subtree(replan(), replan=replan)

    def subscription(one: Options) -> Subtree:
        def replan() -> list[Plan]:
            return source_plans(client, one["subscription_id"], one["sources"], "sources" in purge)

        try:
            return Subtree(replan(), replan=replan)
        except IngressError as error:
            subject = f"event_subscription {one['subscription_id']}"
            return Subtree([unplanned(error, Target(subject, EVENT_SOURCE, one["subscription_id"]))])

    yield from run_in_parallel(tls_edge, options["tls_edges"] or (), options["concurrency"])
    yield from run_in_parallel(subscription, options["event_subscriptions"] or (), options["concurrency"])
    yield from (subtree for subtree in edges if subtree.is_purge)  # Deletions cannot be undone, so they come last.


def _tls_edge_plans(client: Client, edge: Options, purge: bool) -> Iterator[Plan]:
    for name in TLS_EDGE_MODULES:
        given = edge[name]
        absent = ""
        if name in edge["absent_modules"]:
            absent = absent_module(name)
        elif given is None and purge:
            absent = PURGED
        if given is not None or absent:
            yield planned(
                lambda name=name, given=given, absent=absent: module_plan(  # type: ignore[misc]
                    client, edge["edge_id"], name, given, absent
                ),
                module_target(edge["edge_id"], name),
            )


def _edge_shown(all_done: Sequence[Applied]) -> dict[str, Any]:
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


def _summary(all_done: Sequence[Applied]) -> dict[str, int]:
    summary = dict.fromkeys(("created", "updated", "deleted", "unchanged", "failed"), 0)
    for done in all_done:
        summary[_summary_key(done)] += 1
    return summary


def _summary_key(done: Applied) -> str:
    if done.error is not None:
        return "failed"
    if not done.operations:
        return "unchanged"
    if done.plan.after is None:
        return "deleted"
    return "created" if done.plan.before is None else "updated"


DEFINITION = ModuleDefinition(
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
    option_errors=_option_errors,
    perform=_perform,
    secrets=secrets_in_policies,
)
