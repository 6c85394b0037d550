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
from .._planning.changes import PURGED, absent_module
from .._planning.named_references import resolved
from .._planning.plan import Ids, Plan, Target, planned
from .._planning.rejected_changes import OBJECT
from .._planning.undeclared import NotExamined, Remainder
from .._transport.client import Client
from .estate_edges import WITHOUT_LIST, EstateEdges, EstatePart
from .estate_objects import REFERRING
from .event_sources import listed_sources, source_plans
from .named_objects import NamedObjects
from .tls_edges import module_plan, module_target

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
