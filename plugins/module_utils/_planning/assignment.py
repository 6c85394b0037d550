# SPDX-License-Identifier: GPL-3.0-or-later
"""Which live object each declared one is, if several are possible. Pure: objects are positions in their lists."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Match:
    """The live object that a declared one is; None for a new one.

    If that is not known, `several` are the live objects that it may be: more than one, or a single one that several
    declared objects, the `rivals`, may be. `lost` are the live objects that it matches and that are assigned to other
    declared objects, each with that object.
    """

    live: int | None = None
    rivals: tuple[int, ...] = ()
    several: tuple[int, ...] = ()
    lost: tuple[tuple[int, int], ...] = ()


def matched(candidates: Sequence[Sequence[int]], certain: Collection[int] = ()) -> list[Match]:
    """Return the match of each declared object; `candidates` are the live objects that each may be.

    Declared objects that are `certain`, because they name their live object, come first. Of the others, an object with
    a single candidate is that one, unless another object has only the same candidate. The other objects are then
    matched with the live objects that remain.
    """
    matches: dict[int, Match] = {}
    taken: dict[int, int] = {}
    claimed: dict[int, list[int]] = {}
    waiting = set(range(len(candidates)))
    for group in (set(certain), set(waiting)):
        while decided := _decided(candidates, group & waiting, taken, claimed):
            matches.update(decided)
            waiting -= decided.keys()
            taken.update({match.live: member for member, match in decided.items() if match.live is not None})
            claimed.update({match.several[0]: list(match.rivals) for match in decided.values() if match.rivals})
    for member in waiting:
        matches[member] = Match(several=tuple(_free(candidates[member], taken)))
    return [matches[member] for member in range(len(candidates))]


def _decided(
    candidates: Sequence[Sequence[int]],
    members: Collection[int],
    taken: Mapping[int, int],
    claimed: Mapping[int, list[int]],
) -> dict[int, Match]:
    """Return the matches that follow from what is `taken`, and from what is `claimed` by several."""
    decided: dict[int, Match] = {}
    claims: dict[int, list[int]] = {}
    for member in sorted(members):
        free = _free(candidates[member], taken)
        if not free:
            decided[member] = Match(lost=tuple((live, taken[live]) for live in candidates[member]))
        elif len(free) == 1:
            claims.setdefault(free[0], []).append(member)
    for live, members_of_one in claims.items():
        rivals = [*claimed.get(live, ()), *members_of_one]
        if len(rivals) == 1:
            [member] = rivals
            lost = tuple((other, taken[other]) for other in candidates[member] if other != live)
            decided[member] = Match(live=live, lost=lost)
        else:
            decided.update({member: Match(rivals=tuple(rivals), several=(live,)) for member in members_of_one})
    return decided


def _free(candidates: Sequence[int], taken: Mapping[int, int]) -> list[int]:
    return [live for live in candidates if live not in taken]
