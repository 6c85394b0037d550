# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole configuration of an account in one task: all its objects are read once and planned together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from .._applying.check_mode import predicted
from .._applying.outcome import Applied, Outcome, operations_in, outcome_of_many, spared
from .._applying.parallel import run_in_parallel
from .._applying.permission import permission
from .._applying.subtree import Subtree, operations_of
from .._definition import ModuleDefinition, Options
from .._errors import IngressError
from .._model.option_specs import DocumentedElsewhere, NeverNull
from .._model.policy_secrets import secrets_in_policies
from .._model.schema import EVENT_SOURCE, TLS_EDGE_MODULES
from .._planning.changes import PURGED, absent_module
from .._planning.plan import Plan, Target, planned, unplanned
from .._planning.plan_document import plan_document
from .._planning.purge_scope import OPTION as PURGE_SCOPE
from .._planning.purge_scope import PurgeScope
from .._planning.undeclared import NotExamined, Remainder, Undeclared
from .._planning.withholding import without_openings
from .._transport.client import Client
from .common_options import ALLOW_EMPTY, EXPECT_PLAN, MAX_DELETIONS, UPDATE_SECRETS, limits_of
from .estate_edges import edge_subtrees
from .estate_errors import PURGEABLE, estate_errors
from .estate_exposure import WITHOUT_LIST, PlannedEstate
from .estate_objects import EstateWithObjects
from .event_source import ALLOW_UNKNOWN_TYPE
from .event_sources import source_plans
from .https_edge import MEMBER_OPTIONS
from .https_edge_routes import ROUTES
from .named_objects import NAMED_OBJECTS
from .objects import secrets_of_all
from .refusal import OPTIONS as REFUSAL
from .refusal import judged_plan
from .tls_edge_module import module_plan, module_target

_SUBSCRIPTION = replace(EVENT_SOURCE, noun="event subscription", name="event_subscription")
"""Stands for the event sources of a subscription that could not be read."""


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    estate = EstateWithObjects(client, options, _subtrees)
    left = [one for subtree in estate.subtrees for one in subtree.rest] + estate.rest
    document = plan_document(estate.plans, left, client.masks)
    permitted = permission(estate.plans, document, limits_of(options))
    judged = None
    if options["refuse_findings"] is not None:
        planned_estate = PlannedEstate(estate.subtrees, estate.rest, estate.resolved_options)
        judged = judged_plan(planned_estate, options, document, estate.plans)
        if judged.error is not None:
            return judged.outcome(check_mode)
    if check_mode:
        created, deleted = (list(map(predicted, plans)) for plans in (estate.objects.present, estate.objects.absent))
        all_done = [[predicted(plan) for plan in subtree.plans] for subtree in estate.subtrees]
    else:
        created, all_done, deleted = estate.carry_out(permitted)
    subtrees = estate.subtrees
    declared = [subtree.is_parent and not subtree.is_purge for subtree in subtrees]
    edges = [_edge_shown(done) for done, is_one in zip(all_done, declared) if is_one]
    objects = {"https_edges": edges, "objects": estate.objects.results([*created, *deleted])}
    sent = [*operations_in(created), *operations_of(subtrees, all_done), *operations_in(deleted)]
    everything = [*created, *(done for subtree in all_done for done in subtree), *deleted]
    objects |= document.after(_spared(subtrees, all_done)).result()
    done = outcome_of_many(everything, objects, sent)
    return done if judged is None else judged.added_to(done)


def _subtrees(client: Client, options: Options) -> tuple[list[Subtree], list[Remainder]]:
    """Return what can be executed in parallel: an edge with its routes, each TLS edge, each subscription.

    The second value is what they leave out.
    """
    purge = options["purge"]
    edges, rest = edge_subtrees(client, options, purge, PurgeScope.of(options["purge_scope"]))

    def tls_edge(numbered: tuple[int, Options]) -> Subtree:
        number, edge = numbered

        def replan() -> list[Plan]:
            plans = _tls_edge_plans(client, edge, "modules" in purge)
            # Purges wait for what is declared.
            return without_openings(sorted(plans, key=lambda plan: plan.purge))

        own = replan()
        return Subtree(own, replan=replan, rest=_other_modules(edge, own), option=f"tls_edges[{number}]")

    def subscription(numbered: tuple[int, Options]) -> Subtree:
        number, one = numbered
        option = f"event_subscriptions[{number}].sources"

        def plans_and_rest() -> tuple[list[Plan], list[Remainder]]:
            return source_plans(client, one["subscription_id"], one["sources"], "sources" in purge, option)

        try:
            own, left = plans_and_rest()
            return Subtree(own, replan=lambda: plans_and_rest()[0], rest=left, option=option)
        except IngressError as error:
            target = Target(one["subscription_id"], _SUBSCRIPTION, one["subscription_id"])
            return Subtree([unplanned(error, target)], option=option)

    return [
        *(subtree for subtree in edges if not subtree.is_purge),
        *run_in_parallel(tls_edge, list(enumerate(options["tls_edges"] or ())), options["concurrency"]),
        *run_in_parallel(subscription, list(enumerate(options["event_subscriptions"] or ())), options["concurrency"]),
        *(subtree for subtree in edges if subtree.is_purge),  # Deletions cannot be undone, so they come last.
    ], [*rest, *WITHOUT_LIST]


def _other_modules(edge: Options, plans: Sequence[Plan]) -> list[Remainder]:
    """Return the traffic modules of a TLS edge that are not read, because the task does not declare them."""
    planned_paths = {plan.key for plan in plans}
    return [
        NotExamined(module_target(edge["edge_id"], name).subject, f"{name} is not declared")
        for name in TLS_EDGE_MODULES
        if (edge["edge_id"], name) not in planned_paths
    ]


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


def _spared(subtrees: Sequence[Subtree], all_done: Sequence[Sequence[Applied]]) -> list[Undeclared]:
    return [one for subtree, done in zip(subtrees, all_done) for one in spared(done, subtree.option)]


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


DEFINITION = ModuleDefinition(
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
        "allow_empty": ALLOW_EMPTY,
        "max_deletions": MAX_DELETIONS,
        "expect_plan": EXPECT_PLAN,
        **REFUSAL,
        "concurrency": {"type": "int", "default": 4},
        "update_secrets": UPDATE_SECRETS,
    },
    option_errors=estate_errors,
    perform=_perform,
    secrets=lambda options: [*secrets_in_policies(options), *secrets_of_all(options)],
)
