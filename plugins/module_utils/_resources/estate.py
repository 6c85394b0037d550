# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole configuration of an account in one task: all its objects are read once and planned together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from .._access.policies import RULE_FIELDS, Policies
from .._applying.carry_out import Task, changes_access
from .._applying.outcome import Applied, Outcome, outcome_of_many, spared
from .._applying.parallel import run_in_parallel
from .._applying.permission import Limits
from .._definition import Options, PluginDefinition
from .._errors import IngressError
from .._model.named_secrets import secrets_in_routes
from .._model.option_wording import DocumentedElsewhere, NeverNull
from .._model.protection import IP_RULES
from .._model.schema import EVENT_SOURCE, HTTPS_EDGE, HTTPS_EDGE_ROUTE, TLS_EDGE_MODULES
from .._planning.changes import PURGED, absent_module, restricted
from .._planning.given_up_names import NameRule
from .._planning.named_references import references_in
from .._planning.plan import Ids, Plan, Target, planned
from .._planning.plan_document import Detail
from .._planning.purge_scope import OPTION as PURGE_SCOPE
from .._planning.rejected_changes import OBJECT, without_used
from .._planning.undeclared import NotExamined, Remainder
from .._transport.client import Client
from .common_options import REJECT_OPENINGS, SET_OPTIONS, UPDATE_SECRETS, limits_of
from .estate_edges import UNREAD_EDGES, EstateEdges
from .estate_errors import PURGEABLE, emptied_lists, estate_errors
from .estate_exposure import WITHOUT_LIST, PlannedEstate
from .estate_objects import REFERRING, reference_warnings, with_references_resolved
from .estate_part import EstatePart
from .event_source import ALLOW_UNKNOWN_TYPE
from .event_sources import source_plans
from .https_edge import MEMBER_OPTIONS, live_states
from .https_edge_routes import ROUTES
from .named_objects import NAMED_OBJECTS, NamedObjects, secrets_of_all
from .rejection import OPTIONS as REJECTION
from .rejection import judged_plan
from .requirement_options import REQUIREMENTS_OPTION, requirements_of, without_effect
from .surroundings import rules_around, surroundings
from .tls_edge_module import module_plan, module_target

_SUBSCRIPTION = replace(EVENT_SOURCE, noun="event subscription", name="event_subscription")
"""Stands for the event sources of a subscription that could not be read."""


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    warnings = reference_warnings(options)
    estate = _Estate(client, options)
    options, objects, parts, plans, rest = estate.options, estate.objects, estate.parts, estate.plans, estate.rest
    limits = replace(
        limits_of(options, emptied_lists(options)),
        keeps_names=not objects.names.is_purging,
        demanded=requirements_of(options),
    )
    rest = [*rest, *_around(client, plans, rest, limits)]
    left = [*(one for part in parts for one in part.rest), *rest]
    detail = Detail.of(options)
    listed, read_rules = objects.listed(IP_RULES, RULE_FIELDS), partial(rules_around, client)
    task = Task.of(client, without_used(plans, left), left, detail, listed, limits.demanded, read_rules)
    plans, document = task.graph.plans, task.document
    permitted = task.permission(limits)
    warnings += without_effect(task.unmet.without_hosts if task.unmet else ())
    judged = None
    first = len(estate.present)
    if options["reject_findings"] is not None:
        in_parts = iter(plans[first:])
        policies = Policies.of_plans(plans, task.ip_rules)
        of_objects = [plan for plan in plans if plan.kind.name == OBJECT]
        planned_parts = [part.with_plans(in_parts) for part in parts]
        planned_estate = PlannedEstate(planned_parts, rest, options, policies, task.opened, of_objects)
        judged = judged_plan(planned_estate, options, document, plans)
        if judged.error is not None:
            return judged.outcome(check_mode)
    all_done = task.results(check_mode, permitted, options["concurrency"], estate.again)
    shown = {
        "https_edges": _edges_shown(parts, all_done[first:], detail),
        "objects": objects.results(all_done, detail),
    }
    done = outcome_of_many(task.graph, all_done, {**shown, **document.after(spared(all_done)).result()})
    done.warnings[:0] = warnings
    return done if judged is None else judged.added_to(done)


def _around(client: Client, plans: Sequence[Plan], rest: Sequence[Remainder], limits: Limits) -> Sequence[Remainder]:
    """Return what the task has not read so far, if it counts for who gets in."""
    are_unread = any(isinstance(one, NotExamined) and one.subject in UNREAD_EDGES for one in rest)
    are_needed = bool(limits.demanded or (limits.rejected_openings and any(map(changes_access, plans))))
    return surroundings(client, plans, live_states if are_unread else None, are_needed=are_needed)


class _Estate:
    """All that a task declares: read once, planned together, and planned `again` one by one.

    `parts` are the edges with their routes, the TLS edges, and the subscriptions, `rest` is what none of them contains,
    and `present` are the plans of the named objects that should exist.
    """

    def __init__(self, client: Client, options: Options) -> None:
        self._client, self.objects = client, _named_objects(client, options)
        self.options = options = with_references_resolved(options, self.objects.ids)
        self._edges = EstateEdges(client, options, self.objects)
        self.present, edges, concurrency = self._edges.objects, self._edges.parts, options["concurrency"]
        self.parts = [
            *(part for part in edges if not part.is_purge),
            *run_in_parallel(self._tls_edge, range(len(options["tls_edges"] or ())), concurrency),
            *run_in_parallel(self._subscription, range(len(options["event_subscriptions"] or ())), concurrency),
            *(part for part in edges if part.is_purge),  # Deletions cannot be undone, so they come last.
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
        if plan.kind.name == EVENT_SOURCE.name:
            subscriptions = [one["subscription_id"] for one in self.options["event_subscriptions"]]
            return self._sources(subscriptions.index(plan.target.parent), ids)[0]
        tls_edges = [one["edge_id"] for one in self.options["tls_edges"]]
        return list(self._tls_edge_plans(tls_edges.index(plan.target.parent)))

    def _tls_edge(self, number: int) -> EstatePart:
        own = list(self._tls_edge_plans(number))
        return EstatePart(
            own, rest=_other_modules(self.options["tls_edges"][number], own), option=f"tls_edges[{number}]"
        )

    def _tls_edge_plans(self, number: int) -> Iterator[Plan]:
        edge, purge, allow_empty = self.options["tls_edges"][number], self.options["purge"], self.options["allow_empty"]

        def plan_of(name: str, given: Options | None, absent: str, own: str) -> Plan:
            plan = module_plan(self._client, edge["edge_id"], name, given, absent, option=own)
            return restricted(plan, {} if given is None else given, allow_empty=allow_empty)

        for name in TLS_EDGE_MODULES:
            given = edge[name]
            absent = ""
            if name in edge["absent_modules"]:
                absent = absent_module(name)
            elif given is None and "modules" in purge:
                absent = PURGED
            if given is not None or absent:
                own = f"tls_edges[{number}].{name}"
                yield planned(partial(plan_of, name, given, absent, own), module_target(edge["edge_id"], name, own))

    def _subscription(self, number: int) -> EstatePart:
        option = f"event_subscriptions[{number}].sources"
        try:
            own, left = self._sources(number, {})
        except IngressError as error:
            subscription_id = self.options["event_subscriptions"][number]["subscription_id"]
            return EstatePart(
                [Plan(Target(subscription_id, _SUBSCRIPTION, subscription_id), error=error)], option=option
            )
        return EstatePart(own, rest=left, option=option)

    def _sources(self, number: int, ids: Ids) -> tuple[list[Plan], list[Remainder]]:
        one, option = self.options["event_subscriptions"][number], f"event_subscriptions[{number}].sources"
        subscription_id = ids.get(one["subscription_id"], one["subscription_id"])
        return source_plans(self._client, subscription_id, one["sources"], "sources" in self.options["purge"], option)


def _named_objects(client: Client, options: Options) -> NamedObjects:
    references = {reference for _path, reference in references_in({name: options[name] for name in REFERRING})}
    return NamedObjects(
        client,
        options["objects"] or (),
        options["concurrency"],
        resend_secrets=options["update_secrets"] == "always",
        names=NameRule("hostports" in options["purge"], "add `hostports` to `purge`", options["allow_empty"]),
        references=references,
        https_edges=options["https_edges"] or (),
    )


def _other_modules(edge: Options, plans: Sequence[Plan]) -> list[Remainder]:
    """Return the traffic modules of a TLS edge that are not read, because the task does not declare them."""
    planned_paths = {plan.key for plan in plans}
    return [
        NotExamined(module_target(edge["edge_id"], name).subject, f"{name} is not declared")
        for name in TLS_EDGE_MODULES
        if (edge["edge_id"], name) not in planned_paths
    ]


def _edges_shown(parts: Sequence[EstatePart], all_done: Sequence[Applied], detail: Detail) -> list[dict[str, Any]]:
    remaining = iter(all_done)
    by_part = [(part, list(islice(remaining, len(part.plans)))) for part in parts]
    return [_edge_shown(done, detail) for part, done in by_part if part.is_edge]


def _edge_shown(all_done: Sequence[Applied], detail: Detail) -> dict[str, Any]:
    edge, *routes = all_done
    final = edge.final or {}
    shown = {"id": final.get("id"), "hostports": final.get("hostports", [])}
    if detail.unchanged == "names" and all(done.is_unchanged for done in all_done):
        return shown
    kept = [done.final for done in routes if done.final is not None]
    return {**shown, "routes": [{name: route[name] for name in ("id", "match_type", "match")} for route in kept]}


DEFINITION = PluginDefinition(
    options={
        "objects": DocumentedElsewhere(NeverNull(NAMED_OBJECTS)),
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
        "purge": {"type": "list", "elements": "str", "choices": list(PURGEABLE), "default": []},
        "purge_scope": PURGE_SCOPE,
        **SET_OPTIONS,
        **REJECT_OPENINGS,
        **REQUIREMENTS_OPTION,
        **REJECTION,
        "update_secrets": UPDATE_SECRETS,
    },
    option_errors=estate_errors,
    perform=_perform,
    secrets=lambda options: [*secrets_in_routes(options), *secrets_of_all(options)],
)
