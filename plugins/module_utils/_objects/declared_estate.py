# SPDX-License-Identifier: GPL-3.0-or-later
"""All objects of an estate, which are read once and planned together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from .._applying.parallel import run_in_parallel
from .._definition import Options
from .._errors import IngressError
from .._model.schema import EVENT_SOURCE, HTTPS_EDGE, HTTPS_EDGE_ROUTE, TLS_EDGE_MODULES
from .._planning.changes import PURGED, absent_module, restricted
from .._planning.plan import Ids, Plan, Target, planned
from .._planning.rejected_changes import OBJECT
from .._planning.undeclared import NotExamined, Remainder
from .._transport.client import Client
from .estate_edges import EstateEdges, EstatePart
from .estate_exposure import WITHOUT_LIST
from .estate_objects import with_references_resolved
from .event_sources import listed_sources, source_plans
from .named_objects import NamedObjects
from .tls_edges import module_plan, module_target, read_module

_SUBSCRIPTION = replace(EVENT_SOURCE, noun="event subscription", name="event_subscription")
"""Stands for the event sources of a subscription that could not be read."""


class DeclaredEstate:
    """All that a task declares: read once, planned together, and planned `again` one by one.

    `parts` are the edges with their routes, the TLS edges, and the subscriptions, `rest` is what none of them contains,
    and `present` are the plans of the named objects that should exist.
    """

    def __init__(self, client: Client, options: Options) -> None:
        self._client, self.objects = client, NamedObjects(client, options)
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
        own = list(self._tls_edge_plans(number, {}))
        return EstatePart(
            own, rest=_other_modules(self.options["tls_edges"][number], own), option=f"tls_edges[{number}]"
        )

    def _tls_edge_plans(self, number: int, ids: Ids) -> Iterator[Plan]:
        edge, purge, allow_empty = self.options["tls_edges"][number], self.options["purge"], self.options["allow_empty"]
        edge_id = ids.get(edge["edge_id"], edge["edge_id"])

        def plan_of(name: str, given: Options | None, absent: str, own: str) -> Plan:
            found = read_module(self._client, edge_id, name, prove_edge=given is not None and not absent)
            plan = module_plan(edge_id, found, name, given, absent, own)
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
                yield planned(partial(plan_of, name, given, absent, own), module_target(edge_id, name, own))

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
        listed = listed_sources(self._client, subscription_id)
        return source_plans(subscription_id, one["sources"], "sources" in self.options["purge"], option, listed)


def _other_modules(edge: Options, plans: Sequence[Plan]) -> list[Remainder]:
    """Return the traffic modules of a TLS edge that are not read, because the task does not declare them."""
    planned_paths = {plan.key for plan in plans}
    return [
        NotExamined(module_target(edge["edge_id"], name).subject, f"{name} is not declared")
        for name in TLS_EDGE_MODULES
        if (edge["edge_id"], name) not in planned_paths
    ]
