# SPDX-License-Identifier: GPL-3.0-or-later
"""A task in one line, and its plan in one line for each object, what is dangerous first. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..module_utils._errors import counted
from ..module_utils._planning.plan import NEW, SIGNS
from ..module_utils._planning.plan_document import RESULTS
from ..module_utils._values.escapes import visible
from ._plan_facts import by_danger, changes_of, more_openings, names_given_up, openings_of, replaces

_MOST = 20


def summary_line(
    summary: Mapping[str, int],
    plan: Sequence[Mapping[str, Any]],
    undeclared: int,
    secrets: int = 0,
    *,
    is_planned: bool,
) -> str:
    """Return one line about a task, such as "3 to create, 54 unchanged, 2 undeclared".

    `plan` has the names that are given up, and `secrets` is the number of those that were not compared.
    """
    verbs = {result: f"to {action}" for action, result in RESULTS.items()} if is_planned else {}
    counts = [(number, verbs.get(state, state)) for state, number in summary.items()]
    names = sum(map(names_given_up, plan))
    given_up = f"host name{'s' * (names != 1)} {'to give up' if is_planned else 'given up'}"
    rest = [(names, given_up), (undeclared, "undeclared")]
    shown = [f"{number} {what}" for number, what in [*counts, *rest] if number]
    if secrets:
        them = "it" if secrets == 1 else "them"
        shown.append(f"{counted(secrets, 'secrets')} not compared (to send {them}, set `update_secrets: always`)")
    return ", ".join(shown) or "nothing is declared"


def plan_lines(
    plan: Sequence[Mapping[str, Any]], most: int = _MOST, failures: Sequence[Mapping[str, Any]] = ()
) -> Iterator[str]:
    """Yield one line for each entry of a plan: what opens, what is deleted, what is replaced, and then the rest.

    After so many lines, one line says how many there are more. Those that failed or were withheld are only counted.
    """
    failed = {failure["object"] for failure in failures}
    entries = by_danger([entry for entry in plan if entry["object"] not in failed])
    yield from (visible(line_of(entry)) for entry in entries[:most])
    if len(entries) > most:
        yield f"and {len(entries) - most} more"
    if missing := len(plan) - len(entries):
        yield f"not done, or only in part, as the error says: {missing} of {len(plan)} changes"


def openings_in_words(entry: Mapping[str, Any]) -> list[str]:
    """Return what an entry of a plan opens, without what nothing took before."""
    shown = [f"{one.request}: {one.text}" for one in openings_of(entry) if one.kind != NEW]
    more = more_openings(entry)
    return [*shown, *([f"and {more} more requests"] if shown and more else [])]


def line_of(entry: Mapping[str, Any]) -> str:
    """Return one line about an entry of a plan, with its text as it is."""
    action = "replace" if replaces(entry) else entry["action"]
    rest = f": may let more requests through: {'; '.join(found)}" if (found := openings_in_words(entry)) else ""
    if entry["action"] == "update" and (entry.get("gives_up") or not rest) and entry.get("changes"):
        rest += f"{';' if rest else ':'} {', '.join(changes_of(entry))}"
    return f"{SIGNS[entry['action']]} {action} {entry['object']}{rest}"
