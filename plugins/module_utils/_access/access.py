# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets through with one request: a product of sets, one for each thing that a visitor shows. Pure.

So nobody new gets in if each set is within its old one, whatever has changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .._model.protection import CHECKS
from .addresses import Addresses
from .locks import NETWORK, OF_PROVIDERS, Dimension


@dataclass(frozen=True)
class Access:
    """Whom the locks admit, as sets of members or as Addresses, and the backend behind them, None for any."""

    admitted: Mapping[Dimension, Any]
    backend_id: str | None = None

    @property
    def classes(self) -> list[str]:
        """What a visitor must have, without the locks that keep out hardly anybody."""
        found = set()
        for name, them in self.admitted.items():
            if isinstance(them, Addresses):
                is_hardly_a_lock = them.is_almost_everybody
            else:
                # Any account of a public identity provider is enough, certainly or possibly.
                is_hardly_a_lock = name in OF_PROVIDERS and any(len(one) == 1 for one in them)
            if not is_hardly_a_lock:
                found.add(name[0])
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
        sets = sorted(self.admitted.items(), key=lambda one: one[0])
        known = [(name, them.canonical if isinstance(them, Addresses) else sorted(them)) for name, them in sets]
        return hashlib.sha256(repr(known).encode("utf-8", "surrogatepass")).hexdigest()[:16]

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
        may_be_divided = len(same) > 1 and NETWORK in mine and all(names == {NETWORK} for names in beyond)
        return may_be_divided and bool(mine[NETWORK].is_within(*(one[NETWORK] for one in same)))


def admits_within(mine: Any, theirs: Any) -> bool:
    """Return whether a lock admits nobody whom the other one does not admit."""
    if isinstance(mine, Addresses):
        return mine.is_within(theirs)
    return all(any(one[:length] in theirs for length in range(len(one) + 1)) for one in mine)
