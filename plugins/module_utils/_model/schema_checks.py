# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks of the tables themselves, made when they are built: a table that contradicts itself is never used. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable


class ContradictoryTable(ValueError):
    """A field or an object of the schema that contradicts itself: a mistake in this collection, not in a task."""


def check_known(fact: str, names: Iterable[str], known: Collection[str]) -> None:
    """Raise ContradictoryTable if a fact names a field that does not exist."""
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ContradictoryTable(f"{fact}: no field is called {' or '.join(unknown)}")


def check_unique(fact: str, names: Iterable[str]) -> None:
    """Raise ContradictoryTable if a name occurs twice."""
    twice = [name for name, number in Counter(names).items() if number > 1]
    if twice:
        raise ContradictoryTable(f"{fact}: {' and '.join(twice)} must occur only once")


def check_apart(name: str, **facts: bool) -> None:
    """Raise ContradictoryTable if more than one of these facts is true of a field."""
    together = [fact for fact, is_true in facts.items() if is_true]
    if len(together) > 1:
        raise ContradictoryTable(f"{name}: cannot be both {' and '.join(together)}")
