# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets in, and what is wrong with that: everything about one estate. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from .._access.openings import Opened
from .._model.protection import CHECKS, CLOSED, PUBLIC
from .declared import Given, declared_estate
from .doubts import doubts
from .finding import SEVERITIES, Finding, Hit
from .judged import Estate, NotJudged, Subject
from .rules import RULES, accepted
from .shown_access import exposed


@dataclass(frozen=True)
class Judgement:
    """What was found about an estate. `warnings` are about exceptions that have no effect."""

    estate: Estate
    findings: Sequence[Finding]
    not_judged: Sequence[NotJudged]
    warnings: Sequence[str]

    def counting(self, severity: str) -> list[Finding]:
        """Return the findings of this severity or a higher one that nobody has accepted."""
        counted = SEVERITIES[: SEVERITIES.index(severity) + 1]
        return [one for one in self.findings if one.rule.severity in counted and one.accepted is None]

    def result(self) -> dict[str, Any]:
        exposure = [exposed(subject) for subject in self.estate.exposed()]
        severities = Counter(one.rule.severity for one in self.findings if one.accepted is None)
        classes = Counter(name for one in exposure for name in one["access"])
        return {
            "exposure": exposure,
            "findings": [one.shown() for one in self.findings],
            "not_judged": [one.shown() for one in self.not_judged],
            "summary": {
                "routes": len(self.estate.routes),
                "access": {name: classes[name] for name in (CLOSED, PUBLIC, *CHECKS)},
                "findings": {severity: severities[severity] for severity in SEVERITIES},
                "accepted": sum(1 for one in self.findings if one.accepted is not None),
                "requirements": [one.reason for one in self.estate.requirements],
            },
        }


def judge(estate: Given, tunnels: Sequence[Given] | None = None) -> Judgement:
    """Judge an estate as `estate_info` returns and `estate` accepts it: omitted options mean what a new object gets.

    `tunnels` are as `tunnel_info` returns them, None if they were not read. Nothing is accepted.
    """
    return judgement_of(declared_estate(estate, tunnels), (), date.max)


def judgement_of(estate: Estate, accept: Sequence[Mapping[str, Any]], today: date) -> Judgement:
    """Return what the rules find in an estate, in their order, which is that of severity.

    `accept` has no option errors.
    """
    results = [(rule, one) for rule in RULES for one in rule.find(estate)]
    found = [Finding(rule, one) for rule, one in results if isinstance(one, Hit)]
    unknown = [one for _rule, one in results if isinstance(one, NotJudged)]
    findings, warnings = accepted(found, accept, today, estate.parts)
    return Judgement(estate, findings, [*doubts(estate), *unknown], warnings)


Key = tuple[str, str]
"""The rule and the path of a finding."""


def created(now: Sequence[Finding], then: Sequence[Finding], opened: Iterable[Opened]) -> set[Key]:
    """Return the findings that are new, concern more, or are about objects that more visitors reach."""
    earlier = {one.key: one for one in then}
    parts = (part for one in opened for part in (*one.taker[0].parts, one.taker[1]))
    reached = {part.existing[-1].state.get("id") for part in parts if part.existing}
    return {one.key for one in now if one.key not in earlier or _is_worse(one, earlier[one.key], reached)}


def _is_worse(now: Finding, then: Finding, reached: Collection[Any]) -> bool:
    concerns_more = not set(now.hit.also) <= set(then.hit.also)
    if concerns_more or now.hit.degree > then.hit.degree or now.hit.cause != then.hit.cause:
        return True
    subjects = _concerned(now)
    backends = _backends(subjects) - _backends(_concerned(then))
    return bool(backends) or any(one.state.get("id") in reached for one in subjects)


def _concerned(finding: Finding) -> list[Subject]:
    """Return the object of a finding, and the routes of an edge if it is about them."""
    subject = finding.hit.subject
    return [] if subject is None else [*(subject.routes if finding.hit.also else ()), subject]


def _backends(subjects: Sequence[Subject]) -> set[str | None]:
    return {one.backend_id for one in subjects if one.parent and not one.is_closed}
