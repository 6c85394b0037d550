# SPDX-License-Identifier: GPL-3.0-or-later
"""Exceptions: findings that somebody has accepted, with a reason and perhaps until a date. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from .._model.option_wording import quoted
from .finding import Finding
from .rules import RULES


@dataclass(frozen=True)
class Acceptance:
    """One exception. `number` is its position in the list, `until` the last day on which it counts."""

    number: int
    rule: str
    pattern: str
    reason: str
    until: date | None

    def shown(self) -> dict[str, Any]:
        return {"reason": self.reason, "until": self.until.isoformat() if self.until else None}


def covers(pattern: str, name: str) -> bool:
    """Return whether a name matches a pattern, in which `*` stands for any number of characters."""
    # Part by part, because a regular expression with many stars can take forever.
    first, *rest = pattern.split("*")
    if not rest:
        return pattern == name
    *middle, last = rest
    end = len(name) - len(last)
    if not name.startswith(first) or not name.endswith(last) or len(first) > end:
        return False
    at = len(first)
    for part in middle:
        found = name.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True


def _names(finding: Finding) -> list[str]:
    """Return the names by which exceptions can refer to the object of a finding.

    The ID in the name can be omitted, because objects have it only once they exist.
    """
    subject = finding.hit.subject
    name = finding.name
    return [name, name.removesuffix(f" ({subject.id})")] if subject and subject.id else [name]


def accepted(
    findings: Sequence[Finding], given: Sequence[Mapping[str, Any]], today: date, parts: Collection[str]
) -> tuple[list[Finding], list[str]]:
    """Return the findings with their exceptions, and warnings about exceptions that have no effect.

    The option has no errors. An exception for objects of which not all were read may have an effect elsewhere; `parts`
    are those that were.
    """
    exceptions = [
        Acceptance(
            number,
            one["rule"],
            one["object"],
            one["reason"],
            date.fromisoformat(one["until"]) if one.get("until") is not None else None,
        )
        for number, one in enumerate(given)
    ]
    by_rule: dict[str, list[Acceptance]] = defaultdict(list)
    for one in exceptions:
        by_rule[one.rule].append(one)
    used: set[int] = set()
    marked = []
    for finding in findings:
        names = _names(finding)
        covering = [one for one in by_rule[finding.rule.name] if any(covers(one.pattern, name) for name in names)]
        used.update(one.number for one in covering)
        valid = [one for one in covering if one.until is None or today <= one.until]
        marked.append(replace(finding, accepted=valid[0].shown()) if valid else finding)
    return marked, list(_warnings(exceptions, used, today, parts))


def _warnings(exceptions: Sequence[Acceptance], used: set[int], today: date, parts: Collection[str]) -> Iterator[str]:
    part_of = {rule.name: rule.part for rule in RULES}
    for one in exceptions:
        if one.number not in used:
            if part_of[one.rule] in parts:
                yield f"accept[{one.number}]: no finding of {one.rule} matches {quoted(one.pattern)}; remove it."
        elif one.until is not None and one.until < today:
            yield f"accept[{one.number}]: expired on {one.until}, so its findings count again."
