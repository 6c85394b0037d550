# SPDX-License-Identifier: GPL-3.0-or-later
"""Exceptions: findings that somebody has accepted, with a reason and perhaps until a date. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from fnmatch import fnmatchcase
from typing import Any

from .._model.option_wording import quoted
from .finding import Finding
from .rules import RULES


def covers(pattern: str, name: str) -> bool:
    """Return whether a name matches a pattern, in which `*` stands for any number of characters."""
    return fnmatchcase(name, re.sub(r"([?[])", r"[\1]", pattern))


def _names(finding: Finding) -> list[str]:
    """Return the names by which exceptions can refer to the object of a finding.

    The ID in the name can be omitted, because objects have it only once they exist.
    """
    subject = finding.hit.subject
    name = finding.name
    return [name, name.removesuffix(f" ({subject.id})")] if subject and subject.id else [name]


def accepted(
    findings: Sequence[Finding], accept: Sequence[Mapping[str, Any]], today: date, parts: Collection[str]
) -> tuple[list[Finding], list[str]]:
    """Return the findings with their exceptions, and warnings about exceptions that have no effect.

    The option has no errors. An exception for objects of which not all were read may have an effect elsewhere; `parts`
    are those that were.
    """
    ends = [date.max if one.get("until") is None else date.fromisoformat(one["until"]) for one in accept]
    used: set[int] = set()
    marked = []
    for finding in findings:
        names = _names(finding)
        covering = [
            number
            for number, one in enumerate(accept)
            if one["rule"] == finding.rule.name and any(covers(one["object"], name) for name in names)
        ]
        used.update(covering)
        valid = next((accept[number] for number in covering if today <= ends[number]), None)
        reason = valid and {"reason": valid["reason"], "until": valid.get("until")}
        marked.append(replace(finding, accepted=reason))
    return marked, list(_warnings(accept, ends, used, today, parts))


def _warnings(
    accept: Sequence[Mapping[str, Any]], ends: Sequence[date], used: set[int], today: date, parts: Collection[str]
) -> Iterator[str]:
    part_of = {rule.name: rule.part for rule in RULES}
    for number, (one, end) in enumerate(zip(accept, ends)):
        if number not in used:
            if part_of[one["rule"]] in parts:
                yield f"accept[{number}]: no finding of {one['rule']} matches {quoted(one['object'])}; remove it."
        elif end < today:
            yield f"accept[{number}]: expired on {end}, so its findings count again."
