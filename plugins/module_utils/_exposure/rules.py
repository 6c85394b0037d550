# SPDX-License-Identifier: GPL-3.0-or-later
"""All rules, the most severe ones first. Each of them is described in its own file."""

from __future__ import annotations

from . import rules_of_public_access, rules_of_traffic_modules, rules_of_tunnels_and_events
from .finding import SEVERITIES, Rule

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
