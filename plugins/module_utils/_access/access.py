# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets through with one request: a product of sets, one for each thing that a visitor shows. Pure.

So nobody new gets in if each set is within its old one, whatever has changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .._model.protection import CHECKS
from .addresses import Addresses
from .locks import NETWORK, Dimension, admits_anyone, are_within
from .policies import Policies
from .views import At, View

Admitted = Mapping[Dimension, Any]
"""Whom each lock admits: a set of members, or Addresses."""


@dataclass(frozen=True)
class Access:
    """Whom the locks admit, and the backend behind them; None stands for any of those that a request leads to."""

    admitted: Admitted
    backend_id: str | None = None

    @property
    def classes(self) -> list[str]:
        """What a visitor must have, without the locks that keep out hardly anybody."""
        found = {name[0] for name, them in self.admitted.items() if not _is_hardly_a_lock(name, them)}
        return [name for name in CHECKS if name in found]

    @property
    def certain_classes(self) -> list[str]:
        """These without the networks of IP policies whose rules are not known."""
        network = self.admitted.get(NETWORK)
        is_certain = network is None or not (network.unknown or network.empty)
        return [name for name in self.classes if is_certain or name != NETWORK[0]]

    @property
    def digest(self) -> str:
        """What is the same for the same visitors."""
        known = [(name, them.canonical if isinstance(them, Addresses) else sorted(them)) for name, them in self._sorted]
        return hashlib.sha256(repr(known).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def _sorted(self) -> list[tuple[Dimension, Any]]:
        return sorted(self.admitted.items(), key=lambda one: one[0])

    def is_within(self, *others: Access | None) -> bool:
        """Return whether everyone who gets through now would also get through with one of the other accesses.

        Of several, only the allowed networks may differ.
        """
        mine = self.admitted
        same = [one.admitted for one in others if one is not None and one.backend_id == self.backend_id]
        beyond = [
            {name for name, them in one.items() if name not in mine or not admits_within(mine[name], them)}
            for one in same
        ]
        if not all(beyond):
            return True
        if not same[1:] or NETWORK not in mine or any(names != {NETWORK} for names in beyond):
            return False
        admits: bool = mine[NETWORK].is_within(*(one[NETWORK] for one in same))
        return admits


def admits_within(mine: Any, theirs: Any) -> bool:
    """Return whether a lock admits nobody whom the other one does not admit."""
    return mine.is_within(theirs) if isinstance(mine, Addresses) else are_within(mine, theirs)


def _is_hardly_a_lock(name: Dimension, them: Any) -> bool:
    return them.is_almost_everybody if isinstance(them, Addresses) else admits_anyone(name, them)


def access_through(views: Iterable[View], policies: Policies, at: At, *, is_options: bool = False) -> Access | None:
    """Return who passes the locks of all of these; None if nobody does."""
    admitted: dict[Dimension, Any] = {}
    for view in views:
        for name, members in (view.locks_for_options if is_options else view.locks).items():
            them: Any = members
            if name == NETWORK:
                them = policies.addresses(frozenset(one[-1] for one in members), at)
                if them.is_nobody:
                    return None
            if not (isinstance(them, Addresses) and them.is_everybody):
                admitted[name] = them
    return Access(admitted)
