# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole configuration of an account in one task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from .._access.policies import RULE_FIELDS, Policies
from .._applying.carry_out import Task, changes_access
from .._applying.outcome import Applied, Outcome, outcome_of_many, spared
from .._applying.permission import Limits
from .._definition import Options, PluginDefinition
from .._model.protection import IP_RULES
from .._objects import common_options
from .._objects.declared_estate import DeclaredEstate
from .._objects.estate_edges import UNREAD_EDGES, EstatePart
from .._objects.estate_exposure import PlannedEstate
from .._objects.estate_objects import reference_warnings
from .._objects.estate_options import DECLARED, PURGEABLE, emptied_lists, estate_errors, estate_secrets
from .._objects.rejection import OPTIONS as REJECTION
from .._objects.rejection import judged_plan
from .._objects.surroundings import rules_around, surroundings
from .._planning.plan import Plan
from .._planning.plan_document import Detail
from .._planning.purge_scope import OPTION as PURGE_SCOPE
from .._planning.rejected_changes import OBJECT, without_used
from .._planning.undeclared import NotExamined, Remainder
from .._transport.client import Client


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    warnings = reference_warnings(options)
    estate = DeclaredEstate(client, options)
    options, objects, parts, plans, rest = estate.options, estate.objects, estate.parts, estate.plans, estate.rest
    limits = replace(
        common_options.limits_of(options, emptied_lists(options)),
        keeps_names=not objects.names.is_purging,
        demanded=common_options.requirements_of(options),
    )
    rest = [*rest, *_around(client, plans, rest, limits)]
    left = [*(one for part in parts for one in part.rest), *rest]
    detail = Detail.of(options)
    listed, read_rules = objects.listed(IP_RULES, RULE_FIELDS), partial(rules_around, client)
    task = Task.of(client, without_used(plans, left), left, detail, listed, limits.demanded, read_rules)
    plans, document = task.graph.plans, task.document
    permitted = task.permission(limits)
    warnings += common_options.without_effect(task.unmet.without_hosts if task.unmet else ())
    judged = Outcome()
    first = len(estate.present)
    if options["reject_findings"] is not None:
        in_parts = iter(plans[first:])
        policies = Policies.of_plans(plans, task.ip_rules)
        of_objects = [plan for plan in plans if plan.kind.name == OBJECT]
        planned_parts = [part.with_plans(in_parts) for part in parts]
        judging = PlannedEstate(planned_parts, rest, options, policies, task.opened, of_objects)
        judged = judged_plan(judging.before(), judging.after(), task.opened, options, document, plans)
        if judged.error is not None:
            diff = list(judged.error.diff) if check_mode else None
            return replace(judged, diff=diff, warnings=[*warnings, *judged.warnings])
    all_done = task.results(check_mode, permitted, options["concurrency"], estate.again)
    shown = {
        "https_edges": _edges_shown(parts, all_done[first:], detail),
        "objects": objects.results(all_done, detail),
    }
    done = outcome_of_many(task.graph, all_done, {**shown, **document.after(spared(all_done)).result()})
    return replace(
        done,
        objects={**done.objects, **judged.objects},
        warnings=[*warnings, *done.warnings, *judged.warnings],
    )


def _around(client: Client, plans: Sequence[Plan], rest: Sequence[Remainder], limits: Limits) -> Sequence[Remainder]:
    """Return what the task has not read so far, if it counts for who gets in."""
    are_unread = any(isinstance(one, NotExamined) and one.subject in UNREAD_EDGES for one in rest)
    are_needed = bool(limits.demanded or (limits.rejected_openings and any(map(changes_access, plans))))
    return surroundings(client, plans, with_https_edges=are_unread, are_needed=are_needed)


def _edges_shown(parts: Sequence[EstatePart], all_done: Sequence[Applied], detail: Detail) -> list[dict[str, Any]]:
    remaining, shown = iter(all_done), []
    for part in parts:
        of_part = list(islice(remaining, len(part.plans)))
        if part.declared_in != "https_edges":
            continue
        edge, *routes = of_part
        final = edge.final or {}
        shown.append({"id": final.get("id"), "hostports": final.get("hostports", [])})
        if detail.unchanged != "names" or not all(done.is_unchanged for done in of_part):
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
        **REJECTION,
        "update_secrets": common_options.UPDATE_SECRETS,
    },
    option_errors=estate_errors,
    perform=_perform,
    secrets=estate_secrets,
)
