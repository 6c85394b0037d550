# SPDX-License-Identifier: GPL-3.0-or-later
"""One field of an object: its kind, its names, and its rules. Pure.

A table that contradicts itself is never used: what it says of fields and objects is checked when it is built.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .kinds import Kind, Text


@dataclass(frozen=True)
class Field:
    """One field of an object.

    Names:
        `response` is the name in responses, if it differs from the option's. `aliases` are names that some services use
        instead, in responses and in the paths of requests.

    If the option is omitted:
        `default` is the value that the API reference states. `cleared` says whether the field is empty if it is omitted
        from a declared object; if it is None, the kind decides.

    With other fields:
        A value requires that the fields in `needs` are set, too. It is not allowed if the field in `forbidden_when` has
        the value given there. A traffic module cannot be enabled without its `required` fields, and not be created
        without those that are `required_unless` the field with that name contains that text, in any letter case. Then,
        one that is omitted is not sent.

    On the service:
        The service writes `read_only` fields. A list that `restricts` names those who are admitted by its object; if
        all such lists are empty, everyone is. What `identifies` an object distinguishes it from the others of its kind
        as soon as it is created. A value of a `unique` field (each member of a list) can belong to one object of the
        kind only, at least on some services.

    Raises ContradictoryTable for facts that exclude each other.
    """

    name: str
    kind: Kind
    response: str | None = None
    aliases: tuple[str, ...] = ()
    default: Any = None
    cleared: bool | None = None
    read_only: bool = False
    needs: tuple[str, ...] = ()
    forbidden_when: tuple[str, Any] | None = None
    restricts: bool = False
    identifies: bool = False
    unique: bool = False
    required: bool = False
    required_unless: tuple[str, str] | None = None
    clears_when_omitted: bool = field(init=False, compare=False, repr=False, default=False)
    names_in_responses: tuple[str, ...] = field(init=False, compare=False, repr=False, default=())
    missing: Any = field(init=False, compare=False, repr=False, default=None)
    is_text: bool = field(init=False, compare=False, repr=False, default=False)
    is_shown_as_it_is: bool = field(init=False, compare=False, repr=False, default=False)

    def __post_init__(self) -> None:
        # Every object is read and displayed by these, so they are derived once.
        derived = {
            "clears_when_omitted": self.kind.clears_when_omitted if self.cleared is None else self.cleared,
            "names_in_responses": (self.response or self.name, *self.aliases),
            "missing": self.kind.read(None, self.name),
            "is_text": type(self.kind).read is Text.read,
            "is_shown_as_it_is": type(self.kind).shown is Kind.shown,
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)
        check_unique(self.name, [self.name, *([self.response] if self.response else []), *self.aliases])
        check_unique(f"{self.name}.needs", [self.name, *self.needs])
        check_apart(self.name, read_only=self.read_only, required=self.required, default=self.default is not None)
        check_apart(self.name, read_only=self.read_only, needs=bool(self.needs))
        check_apart(self.name, read_only=self.read_only, forbidden_when=self.forbidden_when is not None)
        check_apart(self.name, required=self.required, forbidden_when=self.forbidden_when is not None)
        check_apart(self.name, read_only=self.read_only, cleared=self.cleared is not None)

    def is_forbidden(self, current: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
        """Return whether another field, as it is given or else currently is, has the value that forbids this one."""
        if self.forbidden_when is None:
            return False
        name, value = self.forbidden_when
        return bool((current.get(name) if given.get(name) is None else given[name]) == value)

    def is_exempt(self, current: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
        """Return whether another field, as it is given or else currently is, makes this one pointless."""
        if self.required_unless is None:
            return False
        name, text = self.required_unless
        return text in str(current.get(name) if given.get(name) is None else given[name]).lower()

    def lapses(self, current: Mapping[str, Any] | None, desired: Mapping[str, Any]) -> bool:
        """Return whether a change that does not declare this field makes it pointless, so that it is not sent."""
        return self.is_exempt({}, desired) and not self.is_exempt({}, current or {})


class ContradictoryTable(ValueError):
    """A field or an object of the schema that contradicts itself: a mistake in this collection, not in a task."""


def check_known(fact: str, names: Iterable[str], known: Collection[str]) -> None:
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ContradictoryTable(f"{fact}: no field is called {' or '.join(unknown)}")


def check_unique(fact: str, names: Iterable[str]) -> None:
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
