# SPDX-License-Identifier: GPL-3.0-or-later
"""A task in one line, and its plan in one line for each object, what is dangerous first. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..module_utils._errors import counted
from ..module_utils._model.visible_text import visible
from ..module_utils._planning.plan import NEW, SIGNS
from ..module_utils._planning.plan_document import RESULTS

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
    names = sum(map(_names_given_up, plan))
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
    yield from map(line_of, entries[:most])
    if len(entries) > most:
        yield f"and {len(entries) - most} more"
    if missing := len(plan) - len(entries):
        yield f"not done, or only in part, as the error says: {missing} of {len(plan)} changes"


def by_danger(plan: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the entries of a plan: what opens, what is deleted, what is replaced, and then the rest."""
    return sorted(plan, key=_danger)


def opens_or_deletes(entry: Mapping[str, Any]) -> bool:
    """Return whether the entry of a plan is one of those that must be seen before it is approved."""
    return bool(openings_of(entry)) or deletes(entry)


def deletes(entry: Mapping[str, Any]) -> bool:
    """Return whether the entry of a plan deletes its object, or gives up names."""
    return entry.get("action") == "delete" or bool(entry.get("gives_up"))


def openings_of(entry: Mapping[str, Any]) -> list[str]:
    """Return what an entry of a plan opens, in words, without what nothing took before: that is what edges are for."""
    listed = [one for one in entry.get("opens") or () if isinstance(one, Mapping)]
    shown = [visible(f"{one.get('request')}: {one.get('text')}") for one in listed if one.get("kind") != NEW]
    more = (entry.get("opens_count") or 0) - len(listed)
    return [*shown, *([f"and {more} more requests"] if shown and more > 0 else [])]


def deletions_of(plan: Sequence[Mapping[str, Any]]) -> int:
    """Return the number of deletions as `max_deletions` counts them, without those of traffic modules."""
    return sum(entry["action"] == "delete" or _names_given_up(entry) for entry in plan)


def _names_given_up(entry: Mapping[str, Any]) -> int:
    return sum(map(len, (entry.get("gives_up") or {}).values()))


def _danger(entry: Mapping[str, Any]) -> int:
    kinds = (bool(openings_of(entry)), deletes(entry), _replaces(entry), entry["action"] == "update")
    return (*kinds, True).index(True)


def _replaces(entry: Mapping[str, Any]) -> bool:
    return entry["action"] == "update" and any(one.get("method") == "POST" for one in entry.get("operations") or ())


def line_of(entry: Mapping[str, Any]) -> str:
    """Return one line about an entry of a plan."""
    action = "replace" if _replaces(entry) else entry["action"]
    rest = f": may let more requests through: {'; '.join(found)}" if (found := openings_of(entry)) else ""
    if entry["action"] == "update" and (entry.get("gives_up") or not rest) and entry["changes"]:
        rest += f"{';' if rest else ':'} {visible(', '.join(changes_of(entry)))}"
    return f"{SIGNS[entry['action']]} {action} {entry['object']}{rest}"


def changes_of(entry: Mapping[str, Any]) -> list[str]:
    """Return what an entry of a plan changes, with each of the names that it gives up."""
    given_up = entry.get("gives_up") or {}
    return [
        change
        for path in entry.get("changes") or ()
        for change in [f"{path}: - {name}" for name in given_up.get(path, ())] or [str(path)]
    ]
