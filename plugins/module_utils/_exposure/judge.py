# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets in, and what is wrong with that: everything about one estate. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from .._model.protection import CHECKS, CLOSED, PUBLIC
from .acceptance import accepted
from .declared import Given, declared_estate
from .doubts import doubts
from .finding import SEVERITIES, Finding, Hit
from .judged_estate import Estate, NotJudged
from .rules import RULES
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
        """Return the return values."""
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
