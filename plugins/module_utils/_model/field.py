# SPDX-License-Identifier: GPL-3.0-or-later
"""One field of an object: its kind, its names, and the rules that it has in its object. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .kinds import Kind


@dataclass(frozen=True)
class Field:
    """One field of an object.

    `response` is its name in the response where that is another than the option's, `aliases` are names that some
    services use there. `default` is what leaving it out means, where the description states that. `whole` fields mean
    empty when they are left out of an object that is declared; by default that depends on their kind. `needs` are
    fields without which this one may not be given; `void_when` is a field and its value that forbid this one.
    `required` fields are those without which a module can't be put into force. A list that `restricts` names those who
    are admitted by its object; if all such lists are empty, everyone is. What `identifies` an object tells it from the
    others of its kind as soon as it is created. A value of a `unique` field (each member, if it is a list) can belong
    to one object of the kind only, at least on some services. Each additional member of a field with `reach` makes the
    object reachable from more places.
    """

    name: str
    kind: Kind
    response: str | None = None
    aliases: tuple[str, ...] = ()
    default: Any = None
    whole: bool | None = None
    read_only: bool = False
    needs: tuple[str, ...] = ()
    void_when: tuple[str, Any] | None = None
    restricts: bool = False
    identifies: bool = False
    unique: bool = False
    reach: bool = False
    required: bool = False

    @property
    def clears_when_omitted(self) -> bool:
        return self.kind.clears_when_omitted if self.whole is None else self.whole

    def is_void(self, have: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
        """Whether the value of the field that `void_when` names, as given or else as it is, forbids this field."""
        if self.void_when is None:
            return False
        name, value = self.void_when
        return bool((have.get(name) if given.get(name) is None else given[name]) == value)
