# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole configuration of an account in one task: all its objects are read once, and planned together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from .._access.policies import Policies
from .._applying.carry_out import Task, changes_access
from .._applying.outcome import Applied, Outcome
from .._applying.parallel import run_in_parallel
from .._applying.permission import Limits
from .._definition import Client, Options, PluginDefinition
from .._errors import IngressError
from .._model.protection import IP_RULES, RULE_FIELDS
from .._model.schema import EVENT_SOURCE, HTTPS_EDGE, HTTPS_EDGE_ROUTE, TLS_EDGE_MODULES
from .._objects import common_options, rejection
from .._objects.estate_edges import UNREAD_EDGES, WITHOUT_LIST, EstateEdges, EstatePart
from .._objects.estate_exposure import PlannedEstate
from .._objects.estate_objects import REFERRING, errors_between, reference_warnings
from .._objects.estate_options import DECLARED, PURGEABLE, emptied_lists, estate_errors, estate_secrets
from .._objects.event_sources import listed_sources, source_plans
from .._objects.named_objects import NamedObjects
from .._objects.surroundings import rules_around, surroundings
from .._objects.tls_edges import module_plan, module_target
from .._planning.changes import PURGED, absent_module
from .._planning.named_references import resolved
from .._planning.plan import Ids, Plan, Target, planned
from .._planning.purge_scope import OPTION as PURGE_SCOPE
from .._planning.rejected_changes import OBJECT, without_undone, without_used
from .._planning.undeclared import NotExamined, Remainder
from .._values.option_error import InvalidOptions

_SUBSCRIPTION = replace(EVENT_SOURCE, noun="event subscription", name="event_subscription")
"""Stands for the event sources of a subscription that could not be read."""


class DeclaredEstate:
    """All that a task declares: read once, planned together, and planned `again` one by one.

    `parts` are the edges with their routes, the TLS edges, and the subscriptions, `rest` is what none of them contains,
    and `present` are the plans of the named objects that should exist.
    """

    def __init__(self, client: Client, options: Options) -> None:
        self._client, self.objects = client, NamedObjects(client, options)
        resolved_lists = {name: resolved(options[name], self.objects.ids) for name in REFERRING if self.objects.ids}
        self.options = options = {**options, **resolved_lists}
        if wrong := list(errors_between(options, self.objects.ids)):
            raise InvalidOptions(wrong)
        self._edges = EstateEdges(client, options, self.objects)
        self.present, edges, concurrency = self._edges.objects, self._edges.parts, options["concurrency"]
        self.parts = [
            *(part for part in edges if part.option),
            *run_in_parallel(self._tls_edge, range(len(options["tls_edges"] or ())), concurrency),
            *run_in_parallel(self._subscription, range(len(options["event_subscriptions"] or ())), concurrency),
            *(part for part in edges if not part.option),  # Deletions cannot be undone, so they come last.
        ]
        self.rest: list[Remainder] = [*self._edges.rest, *WITHOUT_LIST, *self.objects.rest]

    @property
    def plans(self) -> list[Plan]:
        return [*self.present, *(plan for part in self.parts for plan in part.plans), *self.objects.absent]

    def again(self, plan: Plan, ids: Ids) -> Sequence[Plan]:
        """Read the object of a plan and plan it again. `ids` are those of new objects."""
        if plan.kind.name == OBJECT:
            return self.objects.again(plan, ids)
        if plan.kind.name in (HTTPS_EDGE.name, HTTPS_EDGE_ROUTE.name):
            return self._edges.again(plan, ids)
        parent = plan.target.parent
        if plan.kind.name == EVENT_SOURCE.name:
            subscriptions = [one["subscription_id"] for one in self.options["event_subscriptions"]]
            made = self._sources(subscriptions.index(parent), ids)[0]
        else:
            tls_edges = [one["edge_id"] for one in self.options["tls_edges"]]
            made = list(self._tls_edge_plans(tls_edges.index(parent), ids))
        # What belongs to a new object keeps the key that it had before the object got its ID.
        return [replace(one, target=replace(one.target, key=(parent, *one.key[1:]))) for one in made]  # type: ignore[index]

    def _tls_edge(self, number: int) -> EstatePart:
        edge_id, own = self.options["tls_edges"][number]["edge_id"], list(self._tls_edge_plans(number, {}))
        others = [name for name in TLS_EDGE_MODULES if (edge_id, name) not in [plan.key for plan in own]]
        rest = [NotExamined(module_target(edge_id, name).subject, f"{name} is not declared") for name in others]
        return EstatePart(own, rest=rest, option=f"tls_edges[{number}]")

    def _tls_edge_plans(self, number: int, ids: Ids) -> Iterator[Plan]:
        edge, purge = self.options["tls_edges"][number], self.options["purge"]
        edge_id = ids.get(edge["edge_id"], edge["edge_id"])
        for name in TLS_EDGE_MODULES:
            given = edge[name]
            absent = ""
            if name in edge["absent_modules"]:
                absent = absent_module(name)
            elif given is None and "modules" in purge:
                absent = PURGED
            if given is not None or absent:
                target = module_target(edge_id, name, f"tls_edges[{number}].{name}")
                make = partial(module_plan, self._client, target, name, given, absent)
                yield planned(partial(make, allow_empty=self.options["allow_empty"]), target)

    def _subscription(self, number: int) -> EstatePart:
        try:
            own, left = self._sources(number, {})
        except IngressError as error:
            subscription_id = self.options["event_subscriptions"][number]["subscription_id"]
            own, left = [Plan(Target(subscription_id, _SUBSCRIPTION, subscription_id), error=error)], []
        return EstatePart(own, rest=left, option=f"event_subscriptions[{number}].sources")

    def _sources(self, number: int, ids: Ids) -> tuple[list[Plan], list[Remainder]]:
        one, option = self.options["event_subscriptions"][number], f"event_subscriptions[{number}].sources"
        subscription_id = ids.get(one["subscription_id"], one["subscription_id"])
        listed = listed_sources(self._client, subscription_id)
        return source_plans(subscription_id, one["sources"], "sources" in self.options["purge"], option, listed)


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    warnings = reference_warnings(options)
    estate = DeclaredEstate(client, options)
    options, objects, parts, plans, rest = estate.options, estate.objects, estate.parts, estate.plans, estate.rest
    limits = common_options.limits_of(options, emptied_lists(options))
    limits = replace(limits, keeps_names=not objects.names.is_purging)
    rest = [*rest, *_around(client, plans, rest, limits)]
    left = [*(one for part in parts for one in part.rest), *rest]
    listed, read_rules = objects.listed(IP_RULES, RULE_FIELDS), partial(rules_around, client)
    plans, undeclared = without_used(without_undone(plans), left), options["undeclared"]
    task = Task(client, plans, left, limits, undeclared, listed, read_rules)
    plans, permitted = task.graph.plans, task.permission()
    warnings += common_options.without_effect(task.unmet.without_hosts if task.unmet else ())
    judged = Outcome()
    first = len(estate.present)
    if options["reject_findings"] is not None:
        in_parts = iter(plans[first:])
        policies = Policies.of_plans(plans, task.ip_rules)
        planned_parts = [part.with_plans(in_parts) for part in parts]
        judged = PlannedEstate(planned_parts, rest, options, policies, task.opened, plans).judged(task.document)
        if judged.error is not None:
            diff = list(judged.error.diff) if check_mode else None
            return replace(judged, diff=diff, warnings=[*warnings, *judged.warnings])
    all_done = task.results(check_mode, permitted, options["concurrency"], estate.again)
    shown = {
        "https_edges": _edges_shown(parts, all_done[first:], options["unchanged"]),
        "objects": objects.results(all_done, options["unchanged"]),
    }
    done = task.outcome(all_done, shown)
    return replace(
        done,
        objects={**done.objects, **judged.objects},
        warnings=[*warnings, *done.warnings, *judged.warnings],
    )


def _around(client: Client, plans: Sequence[Plan], rest: Sequence[Remainder], limits: Limits) -> Sequence[Remainder]:
    """Return what the task has not read so far, if it counts for who gets in."""
    are_unread = any(isinstance(one, NotExamined) and one.subject in UNREAD_EDGES for one in rest)
    is_needed = bool(limits.demanded or (limits.rejected_openings and any(map(changes_access, plans))))
    return surroundings(client, plans, with_https_edges=are_unread, is_needed=is_needed)


def _edges_shown(parts: Sequence[EstatePart], all_done: Sequence[Applied], unchanged: str) -> list[dict[str, Any]]:
    remaining, shown = iter(all_done), []
    for part in parts:
        of_part = list(islice(remaining, len(part.plans)))
        if part.declared_in != "https_edges":
            continue
        edge, *routes = of_part
        final = edge.final or {}
        shown.append({"id": final.get("id"), "hostports": final.get("hostports", [])})
        if unchanged != "names" or not all(done.is_unchanged for done in of_part):
            kept = [done.final for done in routes if done.final is not None]
            shown[-1]["routes"] = [{name: route[name] for name in ("id", "match_type", "match")} for route in kept]
    return shown


DEFINITION = PluginDefinition(
    options={
        **DECLARED,
        "purge": {"type": "list", "elements": "str", "choices": list(PURGEABLE), "default": []},
        "purge_scope": PURGE_SCOPE,
        **common_options.SET_OPTIONS,
        **common_options.REJECT_OPENINGS,
        **common_options.REQUIREMENTS_OPTION,
        **rejection.OPTIONS,
        "update_secrets": common_options.UPDATE_SECRETS,
    },
    option_errors=estate_errors,
    perform=_perform,
    secrets=estate_secrets,
)
