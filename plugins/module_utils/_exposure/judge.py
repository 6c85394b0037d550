# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets in, and what is wrong with that: everything about one estate, with the exceptions that accept it. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from .._access.openings import Opened
from .._model.protection import CHECKS, CLOSED, PUBLIC
from .._values.option_wording import quoted
from .._values.patterns import covers
from . import rules_of_public_access, rules_of_traffic_modules, rules_of_tunnels_and_events
from .declared import Given, declared_estate
from .doubts import doubts
from .finding import SEVERITIES, Finding, Hit, Rule
from .judged import Estate, NotJudged, Subject
from .shown_access import exposed

_FILES = (rules_of_public_access, rules_of_traffic_modules, rules_of_tunnels_and_events)

RULES: tuple[Rule, ...] = tuple(
    sorted(
        (one for file in _FILES for one in vars(file).values() if isinstance(one, Rule)),
        key=lambda one: SEVERITIES.index(one.severity),
    )
)
"""In order of severity, and in the order of the files. Results and docs/exposure.md have the same order."""

ACCEPTABLE = tuple(rule.name for rule in RULES if rule is not rules_of_public_access.requirement_not_met)
"""The names of the rules that exceptions can be about."""


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
    findings, warnings = _accepted(found, accept, today, estate.parts)
    return Judgement(estate, findings, [*doubts(estate), *unknown], warnings)


def _accepted(
    findings: Sequence[Finding], accept: Sequence[Mapping[str, Any]], today: date, parts: Collection[str]
) -> tuple[list[Finding], list[str]]:
    """Return the findings with their exceptions, and warnings about exceptions that have no effect.

    An exception for objects of which not all were read may have an effect elsewhere; `parts` are those that were.
    """
    part_of = {rule.name: rule.part for rule in RULES}
    reasons: dict[int, Mapping[str, Any]] = {}
    warnings = []
    for number, one in enumerate(accept):
        pattern, until = one["object"], one.get("until")
        own = [(place, finding) for place, finding in enumerate(findings) if finding.rule.name == one["rule"]]
        covered = [place for place, finding in own if any(covers(pattern, name) for name in finding.names)]
        if covered and until is not None and date.fromisoformat(until) < today:
            warnings.append(f"accept[{number}]: expired on {until}, so its findings count again.")
        elif covered:
            reasons = {**{place: {"reason": one["reason"], "until": until} for place in covered}, **reasons}
        elif part_of[one["rule"]] in parts:
            warnings.append(f"accept[{number}]: no finding of {one['rule']} matches {quoted(pattern)}; remove it.")
    return [replace(one, accepted=reasons.get(place)) for place, one in enumerate(findings)], warnings


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
