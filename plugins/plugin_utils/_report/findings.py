# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings by their rules, as the page and the Markdown of a report list them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ...module_utils._exposure.finding import SEVERITIES
from .account_view import Finding
from .wording import yaml


@dataclass
class Case:
    """Findings of a rule with the same reason and the same fix. `options` are the fix as YAML, if options fix it."""

    why: str
    fix: str
    options: str
    findings: list[Finding] = field(default_factory=list)


@dataclass
class RuleFindings:
    """The findings of a rule that are accepted, or those that are not."""

    rule: str
    severity: str
    is_accepted: bool
    cases: dict[tuple[str, ...], Case] = field(default_factory=dict)

    @property
    def anchor(self) -> str:
        return f"f-{self.rule}{'-accepted' if self.is_accepted else ''}"

    @property
    def findings(self) -> list[Finding]:
        return [found for case in self.cases.values() for found in case.findings]


def by_rule(found: Iterable[Finding]) -> Sequence[RuleFindings]:
    """Return the findings by their rules, the most severe first, and those that are accepted last."""
    rules: dict[tuple[bool, int, str], RuleFindings] = {}
    for one in found:
        is_accepted = bool(one.accepted)
        key = (is_accepted, SEVERITIES.index(one.severity), one.rule)
        fix = one.given.get("fix")
        options = fix if isinstance(fix, Mapping) else one.given.get("fix_options")
        parts = (one.why, fix if isinstance(fix, str) else "", yaml(options))
        cases = rules.setdefault(key, RuleFindings(one.rule, one.severity, is_accepted)).cases
        cases.setdefault(parts, Case(*parts)).findings.append(one)
    return [rules[key] for key in sorted(rules)]
