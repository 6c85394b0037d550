# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings by their rules, as the page and the Markdown of a report list them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...module_utils._exposure.finding import SEVERITIES
from .account_view import Finding
from .since import Found
from .wording import yaml


@dataclass
class Case:
    """Findings of a rule with the same reason and the same fix. `options` are the fix as YAML, if options fix it."""

    why: str
    fix: str
    options: str
    findings: list[Found] = field(default_factory=list)


@dataclass
class RuleFindings:
    """The findings of a rule that are accepted, or those that are not."""

    rule: str
    severity: str
    is_accepted: bool
    cases: list[Case] = field(default_factory=list)

    @property
    def anchor(self) -> str:
        return f"f-{self.rule}{'-accepted' if self.is_accepted else ''}"

    @property
    def findings(self) -> list[Found]:
        return [found for case in self.cases for found in case.findings]


def severity_in(finding: Mapping[str, Any]) -> str:
    """Return the severity of a finding; the lowest one if it has none that is known."""
    severity = finding.get("severity")
    return str(severity) if severity in SEVERITIES else SEVERITIES[-1]


def by_rule(found: Iterable[Found]) -> Sequence[RuleFindings]:
    """Return the findings by their rules, the most severe first, and those that are accepted last."""
    rules: dict[tuple[bool, int, str], RuleFindings] = {}
    cases: dict[tuple[Any, ...], Case] = {}
    for view, one in found:
        severity, rule, is_accepted = severity_in(one), str(one.get("rule")), bool(one.get("accepted"))
        key = (is_accepted, SEVERITIES.index(severity), rule)
        members, case = rules.setdefault(key, RuleFindings(rule, severity, is_accepted)), _case(one)
        place = (*key, case.why, case.fix, case.options)
        if place not in cases:
            cases[place] = case
            members.cases.append(case)
        cases[place].findings.append((view, one))
    return [rules[key] for key in sorted(rules)]


def _case(finding: Finding) -> Case:
    why, fix = finding.get("why"), finding.get("fix")
    options = fix if isinstance(fix, Mapping) else finding.get("fix_options")
    return Case(str(why or ""), fix if isinstance(fix, str) else "", yaml(options))
