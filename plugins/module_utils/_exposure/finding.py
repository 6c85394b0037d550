# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules, and what they find. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Union

from .judged import Estate, NotJudged, Subject

SEVERITIES = ("high", "medium", "low")
SHOWN_PATHS = 10
"""The most paths of other objects in one finding."""


@dataclass(frozen=True)
class Hit:
    """What a rule has found about an object, which is the estate if there is no `subject`.

    `option` is the path of the option that causes it, relative to the object. `fix_options` are the options that fix
    it, to be merged into the declaration of the object. `also` are the paths of other objects that are part of it, of
    which a result contains only some. Two findings about the same option are compared by their `degree`, of which a
    higher one is worse, and their `cause`, of which another one is another finding. Neither is ever displayed.
    `requirement` is the reason of the requirement that is not met.
    """

    subject: Subject | None
    option: str
    message: str
    fix_options: Mapping[str, Any] = field(default_factory=dict)
    also: Sequence[str] = ()
    degree: tuple[int, ...] = ()
    cause: str = ""
    requirement: str | None = None

    @property
    def path(self) -> str:
        return self.subject.at(self.option) if self.subject else self.option


Hits = Iterable[Union[Hit, NotJudged]]  # noqa: UP007 - modules can also run on Python 3.9


@dataclass(frozen=True)
class Rule:
    """One rule. `part` is the list of the estate whose members it is about, `find` yields what it finds.

    `meaning`, `why`, and `fix` are sentences of the documentation; findings contain the last two as well.
    """

    name: str
    severity: str
    part: str
    find: Callable[[Estate], Hits]
    meaning: str
    why: str
    fix: str


def rule(severity: str, *, part: str = "https_edges", why: str, fix: str) -> Callable[[Callable[[Estate], Hits]], Rule]:
    """Make a rule of the function that finds something. Its name is that of the rule, its docstring the meaning."""
    return lambda find: Rule(find.__name__, severity, part, find, " ".join((find.__doc__ or "").split()), why, fix)


@dataclass(frozen=True)
class Finding:
    """What a rule has found, with the exception that accepts it, if there is one."""

    rule: Rule
    hit: Hit
    accepted: Mapping[str, Any] | None = None

    @property
    def name(self) -> str:
        return self.hit.subject.name if self.hit.subject else self.hit.option.replace("_", " ")

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which exceptions can refer to the object, of which one omits its ID."""
        identifier = self.hit.subject.id if self.hit.subject else None
        return self.name, self.name.removesuffix(f" ({identifier})")

    @property
    def key(self) -> tuple[str, str]:
        """What makes it the same finding before and after a change."""
        return self.rule.name, self.hit.path

    def shown(self) -> dict[str, Any]:
        return {
            "rule": self.rule.name,
            "severity": self.rule.severity,
            "object": self.name,
            "path": self.hit.path,
            "message": self.hit.message,
            "why": self.rule.why,
            "fix": self.rule.fix,
            "fix_options": dict(self.hit.fix_options),
            "also": list(self.hit.also[:SHOWN_PATHS]),
            "requirement": self.hit.requirement,
            "accepted": None if self.accepted is None else dict(self.accepted),
        }
