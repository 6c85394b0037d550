# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks of the tables themselves, made when they are built: a table that contradicts itself is never used. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any


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


def check_object(kind: Any, modules: Mapping[str, str]) -> None:
    """Raise ContradictoryTable if facts of an object contradict its fields. `modules` says what each one protects."""
    check_unique("fields", [name for f in kind.fields for name in (f.name, *f.aliases)])
    check_unique("responses", [f.response or f.name for f in kind.fields])
    for f in kind.declarable:
        check_known(f"{f.name}.needs", f.needs, kind.named)
        for fact in ("forbidden_when", "required_unless"):
            check_known(f"{f.name}.{fact}", (getattr(f, fact) or ())[:1], kind.named)
    check_unique("exclusive", kind.exclusive)
    check_known("exclusive", kind.exclusive, [name for name, protects in modules.items() if protects])
    unprotecting = [name for name, protects in modules.items() if not protects]
    check_known("closed_by", [kind.closed_by] if kind.closed_by else (), unprotecting)
    settings = [f.name for f in kind.declarable if f.name not in modules]
    for fact in ("always_sent", "cleared_by_some"):
        check_known(fact, getattr(kind, fact), settings)
    check_apart("the object", resource=kind.resource, module=kind.module)
