# SPDX-License-Identifier: GPL-3.0-or-later
"""All rules, the most severe ones first, and exceptions to them: findings that somebody accepts. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from .._values.option_wording import quoted
from .._values.patterns import covers
from . import rules_of_public_access, rules_of_traffic_modules, rules_of_tunnels_and_events
from .finding import SEVERITIES, Finding, Rule

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


def accepted(
    findings: Sequence[Finding], accept: Sequence[Mapping[str, Any]], today: date, parts: Collection[str]
) -> tuple[list[Finding], list[str]]:
    """Return the findings with their exceptions, and warnings about exceptions that have no effect.

    The option has no errors. An exception for objects of which not all were read may have an effect elsewhere; `parts`
    are those that were.
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
