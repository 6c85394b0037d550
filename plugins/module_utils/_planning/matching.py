# SPDX-License-Identifier: GPL-3.0-or-later
"""Which live object each declared one is, if several may be meant. Pure: objects are positions in their lists."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Match:
    """What a declared object was found to be.

    `live` is the live object, None for a new one. `several` are the live objects that it may be if that is not known:
    more than one, or a single one that all of the `rivals` among the declared ones may be. `lost` are the live objects
    that it matches and that are other declared ones, each with that one.
    """

    live: int | None = None
    rivals: tuple[int, ...] = ()
    several: tuple[int, ...] = ()
    lost: tuple[tuple[int, int], ...] = ()


def matched(candidates: Sequence[Sequence[int]], certain: Collection[int] = ()) -> list[Match]:
    """The match of each declared object, of which `candidates` are the live objects that it may be.

    Those that are `certain` name their object themselves and come first. Of the others, one that can be only one live
    object is that one, unless another can be only the same one. What remains can only be what is left over then.
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
    """The matches that follow from those before: from what is `taken`, and from what is `claimed` by several."""
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
