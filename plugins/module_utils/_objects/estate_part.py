# SPDX-License-Identifier: GPL-3.0-or-later
"""A part of an estate: an edge with its routes, a TLS edge, or an event subscription."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from .._planning.plan import Plan
from .._planning.undeclared import Remainder


@dataclass(frozen=True)
class EstatePart:
    """The plans of an object that the estate declares, or purges.

    `own` are those of an edge itself, of the traffic modules of a TLS edge, or of the sources of a subscription;
    `routes` are those of an edge. `rest` is what they leave undeclared, `option` the place in the declaration.
    """

    own: Sequence[Plan]
    routes: Sequence[Plan] = ()
    rest: Sequence[Remainder] = ()
    option: str = ""

    @property
    def plans(self) -> list[Plan]:
        return [*self.own, *self.routes]

    @property
    def is_edge(self) -> bool:
        """Whether it is an HTTPS edge that the estate declares."""
        return self.option.startswith("https_edges[")

    @property
    def is_purge(self) -> bool:
        return not self.option

    def with_plans(self, plans: Iterator[Plan]) -> EstatePart:
        """Return the same part with the next of these plans."""
        own = [next(plans) for _plan in self.own]
        return replace(self, own=own, routes=[next(plans) for _plan in self.routes])
