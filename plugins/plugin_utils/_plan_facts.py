# SPDX-License-Identifier: GPL-3.0-or-later
"""What the entries of a plan say, and a plan in one line for each. Every page about a plan is drawn from this. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..module_utils._errors import counted
from ..module_utils._planning.plan import NEW, OPENING_KINDS, SIGNS
from ..module_utils._planning.plan_document import RESULTS
from ..module_utils._values.escapes import visible
from ..module_utils._values.option_error import members_of

Entry = Mapping[str, Any]

_MOST_LINES = 20


class Opening(NamedTuple):
    """A request with which somebody gets through who does not get through before."""

    kind: str
    request: str
    text: str


def openings_of(entry: Entry) -> list[Opening]:
    """Return what would not open without this change, as far as the plan lists it. What nothing took comes last."""
    members = members_of(entry.get("opens"))
    return sorted((Opening(*(str(one.get(name) or "") for name in Opening._fields)) for one in members), key=kind_order)


def kind_order(opening: Opening) -> int:
    """Return the position of an opening among others. One of an unknown kind is not taken for a harmless one."""
    return OPENING_KINDS.index(opening.kind) if opening.kind in OPENING_KINDS else 0


def more_openings(entry: Entry) -> int:
    """Return how many openings the plan only counts."""
    number = entry.get("opens_count")
    return max(number - len(openings_of(entry)), 0) if isinstance(number, int) else 0


def lets_others_in(entry: Entry) -> bool:
    """Return whether an entry opens more than what nothing took before: that is what edges and routes are for."""
    return any(one.kind != NEW for one in openings_of(entry))


def deletes(entry: Entry) -> bool:
    """Return whether an entry deletes its object, or gives up names."""
    return entry.get("action") == "delete" or bool(entry.get("gives_up"))


def replaces(entry: Entry) -> bool:
    return entry["action"] == "update" and any(one.get("method") == "POST" for one in entry.get("operations") or ())


def must_be_seen(entry: Entry) -> bool:
    return lets_others_in(entry) or deletes(entry)


def by_danger(plan: Sequence[Entry]) -> list[Entry]:
    """Return the entries of a plan: what opens, what is deleted, what is replaced, and then the rest."""
    return sorted(plan, key=_danger)


def _danger(entry: Entry) -> int:
    return (lets_others_in(entry), deletes(entry), replaces(entry), entry["action"] == "update", True).index(True)


def names_given_up(entry: Entry) -> int:
    return sum(map(len, (entry.get("gives_up") or {}).values()))


def deletions_of(plan: Sequence[Entry]) -> int:
    """Return the number of deletions as `max_deletions` counts them, without those of traffic modules."""
    return sum(entry["action"] == "delete" or names_given_up(entry) for entry in plan)


def changes_of(entry: Entry) -> list[str]:
    """Return what an entry changes, with each of the names that it gives up."""
    given_up = entry.get("gives_up") or {}
    return [
        change
        for path in entry.get("changes") or ()
        for change in [f"{path}: - {name}" for name in given_up.get(path, ())] or [str(path)]
    ]


def summary_line(
    summary: Mapping[str, int],
    plan: Sequence[Entry],
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


def plan_lines(plan: Sequence[Entry], most: int = _MOST_LINES, failures: Sequence[Entry] = ()) -> Iterator[str]:
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


def openings_in_words(entry: Entry) -> list[str]:
    """Return what an entry of a plan opens, without what nothing took before."""
    shown = [f"{one.request}: {one.text}" for one in openings_of(entry) if one.kind != NEW]
    more = more_openings(entry)
    return [*shown, *([f"and {more} more requests"] if shown and more else [])]


def line_of(entry: Entry) -> str:
    """Return one line about an entry of a plan, with its text as it is."""
    action = "replace" if replaces(entry) else entry["action"]
    rest = f": may let more requests through: {'; '.join(found)}" if (found := openings_in_words(entry)) else ""
    if entry["action"] == "update" and (entry.get("gives_up") or not rest) and entry.get("changes"):
        rest += f"{';' if rest else ':'} {', '.join(changes_of(entry))}"
    return f"{SIGNS[entry['action']]} {action} {entry['object']}{rest}"
