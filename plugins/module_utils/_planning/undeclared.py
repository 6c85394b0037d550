# SPDX-License-Identifier: GPL-3.0-or-later
"""Live objects that a task has seen, does not declare, and leaves as they are; and what it has not seen. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Union

from .._model.declaration import exported
from .._model.kinds import Mark
from .._model.objects import Object, join
from .plan import Plan, State, Target

NOT_PURGED = "the task does not purge {}"
SPARED = "not purged, because other objects failed"
NOT_DELETED = "its deletion failed"


@dataclass(frozen=True)
class Undeclared:
    """A live object that is neither declared nor purged.

    `option` is the one that could declare it, or the list that `declaration` could be a member of. `state` is its
    normal form, which contains what the declaration lacks.
    """

    subject: str
    kind: str
    option: str
    why: str
    declaration: Any
    state: State = field(default_factory=dict, compare=False, repr=False)

    def shown(self) -> dict[str, Any]:
        return {
            "object": self.subject,
            "kind": self.kind,
            "option": self.option,
            "why": self.why,
            "declaration": self.declaration,
        }


@dataclass(frozen=True)
class NotExamined:
    """What a task could not read, or had no reason to read."""

    subject: str
    why: str

    def shown(self) -> dict[str, str]:
        return {"object": self.subject, "why": self.why}


Remainder = Union[Undeclared, NotExamined]  # noqa: UP007 - modules can also run on Python 3.9
"""What is not part of the plan of a task."""


def undeclared_object(target: Target, state: State, option: str, why: str) -> Undeclared:
    """Return an object as a member of the list in `option`, with its ID, so that it is certainly found again."""
    declaration, omitted = exported(target.kind, state)
    hint = f"; the declaration lacks {', '.join(omitted)}, which may contain secrets" if omitted else ""
    # A resource with a single field, which is an event source, is declared by the value of that field.
    is_value = target.kind.resource and len(target.kind.declarable) == 1
    value = next(iter(declaration.values())) if is_value else declaration
    return Undeclared(target.subject, target.kind.name, option, why + hint, value, state)


def undeclared_modules(plan: Plan, option: str) -> Iterator[Undeclared]:
    """Yield the traffic modules that an object has and a task does not declare; `option` declares the object."""
    if plan.error or plan.before is None or plan.desired is None:
        return
    for f in plan.kind.declarable:
        if isinstance(f.kind, Object) and plan.desired[f.name] is Mark.KEEP and plan.before[f.name] is not None:
            target = Target(f"{f.name} of {plan.subject}", f.kind, is_part=True)
            why = NOT_PURGED.format("traffic modules")
            yield replace(undeclared_object(target, plan.before[f.name], join(option, f.name), why), kind=f.name)
