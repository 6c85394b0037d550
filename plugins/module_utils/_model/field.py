# SPDX-License-Identifier: GPL-3.0-or-later
"""One field of an object: its kind, its names, and its rules. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .._values.kinds import Kind, Text


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
        cleared = self.kind.clears_when_omitted if self.cleared is None else self.cleared
        object.__setattr__(self, "clears_when_omitted", cleared)
        object.__setattr__(self, "names_in_responses", (self.response or self.name, *self.aliases))
        object.__setattr__(self, "missing", self.kind.read(None, self.name))
        object.__setattr__(self, "is_text", type(self.kind).read is Text.read)
        object.__setattr__(self, "is_shown_as_it_is", type(self.kind).shown is Kind.shown)

    def is_forbidden(self, current: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
        name, value = self.forbidden_when or ("", "")
        return bool((current.get(name) if given.get(name) is None else given[name]) == value)

    def is_exempt(self, current: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
        if self.required_unless is None:
            return False
        name, text = self.required_unless
        return text in str(current.get(name) if given.get(name) is None else given[name]).lower()
