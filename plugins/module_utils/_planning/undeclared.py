# SPDX-License-Identifier: GPL-3.0-or-later
"""Live objects that a task has seen, does not declare, and leaves as they are; and what it has not seen. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Union

from .._errors import IngressError, Withheld
from .._model.declaration import exported
from .._model.objects import Object
from .._values.identifiers import is_placeholder
from .._values.kinds import Mark
from .._values.option_error import join
from .plan import Plan, State, Target

NOT_PURGED = "the task does not purge {}"
_SPARED = "not purged, because other objects failed"
_NOT_DELETED = "its deletion failed"


@dataclass(frozen=True)
class Undeclared:
    """A live object that is neither declared nor purged.

    The option of its target is the one that could declare it, or the list that its declaration could be a member of.
    `state` is its normal form.
    """

    target: Target
    why: str
    state: State = field(compare=False, repr=False)
    part: str = ""

    @property
    def kind(self) -> str:
        """The kind of the object; of a part of one, its name."""
        return self.part or self.target.kind.name

    def shown(self, *, with_declaration: bool) -> dict[str, Any]:
        """Return the entry in the result. A declaration has the ID of the object, so that it is certainly found."""
        entry = {"object": self.target.subject, "kind": self.kind, "option": self.target.option, "why": self.why}
        if not with_declaration:
            return entry
        declaration, omitted = exported(self.target.kind, self.state)
        if omitted:
            entry["why"] += f"; the declaration lacks {', '.join(omitted)}, which may contain secrets"
        # A resource with a single field, which is an event source, is declared by the value of that field.
        is_value = self.target.kind.resource and len(self.target.kind.declarable) == 1
        return {**entry, "declaration": next(iter(declaration.values())) if is_value else declaration}


@dataclass(frozen=True)
class NotExamined:
    """What a task could not read, or had no reason to read. It `counts` if somebody may get in because of it."""

    subject: str
    why: str
    counts: bool = False

    def shown(self) -> dict[str, str]:
        return {"object": self.subject, "why": self.why}


@dataclass(frozen=True)
class Surrounding:
    """A live object around those of a task, which counts for who gets through to these, and for nothing else.

    The `kind` is that of the object, or the collection of one without a module of its own.
    """

    kind: str
    state: State


Remainder = Union[Undeclared, NotExamined, Surrounding]  # noqa: UP007 - modules can also run on Python 3.9
"""What is not part of the plan of a task."""


def undeclared_modules(plan: Plan, option: str) -> Iterator[Undeclared]:
    """Yield the traffic modules that an object has and a task does not declare; `option` declares the object."""
    if plan.error or plan.before is None or plan.desired is None:
        return
    for f in plan.kind.declarable:
        if isinstance(f.kind, Object) and plan.desired[f.name] is Mark.KEEP and plan.before[f.name] is not None:
            target = Target(f"{f.name} of {plan.subject}", f.kind, option=join(option, f.name), is_part=True)
            yield Undeclared(target, NOT_PURGED.format("traffic modules"), plan.before[f.name], f.name)


def spared(failed: Iterable[tuple[Plan, IngressError]]) -> Iterator[Undeclared]:
    """Yield the objects whose purge was withheld or failed, of these plans with their errors."""
    for plan, error in failed:
        if plan.purge and plan.before:
            yield Undeclared(plan.target, _SPARED if isinstance(error, Withheld) else _NOT_DELETED, plan.before)


_SHOWN = 3


def unread_holders(plans: Sequence[Plan]) -> Iterator[NotExamined]:
    """Yield what may have the hostports that the plans take, except for those that another plan gives up."""
    before = {one for plan in plans for one in _addresses(plan, plan.before)}
    after = dict.fromkeys(one for plan in plans if plan.operations for one in _addresses(plan, plan.after))
    taken = [one for one in after if one not in before and not is_placeholder(one) and one]
    if taken:
        more = f" and {len(taken) - _SHOWN} more" if len(taken) > _SHOWN else ""
        yield NotExamined(
            f"other objects that may have {', '.join(taken[:_SHOWN])}{more}",
            "the task does not read tunnels, and other edges and endpoints only if their lists are needed; if one of "
            "them has a hostport, the service rejects the change",
        )


def _addresses(plan: Plan, state: State | None) -> Sequence[str]:
    """Return what an object serves. Fields of objects without a module of their own can contain anything."""
    found = (state or {}).get("url" if plan.target.collection == "/endpoints" else "hostports")
    return [one for one in (found if isinstance(found, list) else [found]) if isinstance(one, str)]
