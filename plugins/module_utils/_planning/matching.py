# SPDX-License-Identifier: GPL-3.0-or-later
"""Declared objects against live ones: which are the same, which are ambiguous, and which are not declared. Pure.

Knows no resource: a live object is found by its keys, a declared one has the keys by which it finds a live one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .._errors import Ambiguous
from .._model.objects import Object
from .plan import Name

Key = Hashable


@dataclass(frozen=True)
class LiveObject:
    """A live object, which each of its `keys` may find; `wire` is what the service returns for it."""

    identifier: str
    keys: Sequence[Key]
    wire: Any = None
    likeness: Key = None


@dataclass(frozen=True)
class DeclaredObject:
    """A declared object, which may be any live one that has one of its `keys`.

    `found_by` are the fields that the keys are made of. An `id` is certain: what is found by it comes first. A
    new object can be an undeclared one with the same `likeness`. `names` are those that it will have by its
    declaration, None if it keeps its names.
    """

    keys: Sequence[Key]
    found_by: tuple[str, ...] = ("id",)
    likeness: Key = None
    names: frozenset[Name] | None = None


class Matching:
    """The live object that each declared one is. Declared objects are known by their positions in their list.

    `parent` is part of the messages, such as " of edge edghts_1". Those that are `alike` would be new, in place of the
    live ones, if these were not like them.
    """

    def __init__(
        self, kind: Object, live: Sequence[LiveObject], declared: Sequence[DeclaredObject], parent: str = ""
    ) -> None:
        self._kind, self._live, self._declared, self._parent = kind, live, declared, parent
        # By an index, because there may be thousands of both.
        index = _positions([(key, position) for position, one in enumerate(live) for key in one.keys])
        self._candidates = [
            list(dict.fromkeys([position for key in one.keys for position in index.get(key, ())])) for one in declared
        ]
        certain = [number for number, one in enumerate(declared) if one.found_by == ("id",)]
        self._matches = matched(self._candidates, certain)
        # Declared objects that cannot both exist, each with the live object that they share.
        owners = {match.live: number for number, match in enumerate(self._matches)}
        self._declared_twice = {
            each: live
            for number, match in enumerate(self._matches)
            for live in (() if match.several else self._candidates[number])
            if (other := owners.get(live, number)) != number and not self._is_free(number, other)
            for each in (number, other)
        }
        undeclared = sorted(set(range(len(live))).difference(*self._candidates))
        self.alike = self._alike(undeclared)
        for number, position in self.alike.items():
            self._matches[number] = Match(position)
        taken = {*self.alike.values()}
        self._undeclared = [live[position].wire for position in undeclared if position not in taken]

    def live(self, number: int) -> Any:
        """Return the `wire` of a declared object, None if it is new. Raise Ambiguous if that is not known."""
        match, noun = self._matches[number], self._kind.noun
        ids = [self._live[live].identifier for live in match.several]
        if match.rivals:
            raise Ambiguous(
                f"{len(match.rivals)} declared {noun}s match the same {noun}, {ids[0]}. Set `id` in the one that is "
                f"this {noun}, or declare it only once.",
                ids,
            )
        if match.several:
            found_by = " and ".join(self._declared[number].found_by)
            raise Ambiguous(
                f"{len(ids)} {noun}s{self._parent} match the declared {found_by}: {', '.join(ids)}. Set `id` to choose "
                "one.",
                ids,
            )
        if number in self._declared_twice:
            identifier = self._live[self._declared_twice[number]].identifier
            unique = " and ".join(f"`{f.name}`" for f in self._kind.fields if f.unique)
            raise Ambiguous(
                f"Two declared {noun}s refer to the same {noun}, {identifier}. Declare it only once. To move a value "
                f"of {unique} from one {noun} to another, declare {unique} for both.",
                [identifier],
            )
        return None if match.live is None else self._live[match.live].wire

    def undeclared(self) -> list[Any]:
        """Return the `wire` of each live object that no declared one can be, for each new object the same list."""
        return self._undeclared

    def candidates(self, numbers: Iterable[int]) -> list[Any]:
        """Return the `wire` of each live object that one of these declared ones may be. Other numbers do not count."""
        found = {live for number in numbers for found in self._candidates[number : number + 1] for live in found}
        return [self._live[live].wire for live in sorted(found)]

    def matched_ids(self) -> set[str]:
        return {self._live[match.live].identifier for match in self._matches if match.live is not None}

    def _alike(self, undeclared: Sequence[int]) -> dict[int, int]:
        """Return the new objects that are undeclared ones with the same likeness, of which there is one on each side.

        Otherwise, the undeclared object would be purged and the other created in its place.
        """
        there = _positions([(self._live[position].likeness, position) for position in undeclared])
        declared = [(one.likeness, number) for number, one in enumerate(self._declared) if one.likeness is not None]
        new = _positions([pair for pair in declared if not self._candidates[pair[1]]])
        pairs = [(numbers, there.get(likeness, [])) for likeness, numbers in new.items()]
        return {numbers[0]: lives[0] for numbers, lives in pairs if len(numbers) == len(lives) == 1}

    def _is_free(self, number: int, other: int) -> bool:
        """Return whether the names by which an object is found are free, because the other is declared without them."""
        fields = self._kind.named
        if not any(name in fields and fields[name].unique for name in self._declared[number].found_by):
            return False
        kept, taken = self._declared[other].names, self._declared[number].names
        return kept is not None and taken is not None and kept.isdisjoint(taken)


def _positions(pairs: Iterable[tuple[Key, int]]) -> dict[Key, list[int]]:
    positions: dict[Key, list[int]] = {}
    for key, position in pairs:
        positions.setdefault(key, []).append(position)
    return positions


@dataclass(frozen=True)
class Match:
    """The live object that a declared one is; None for a new one.

    If that is not known, `several` are the live objects that it may be: more than one, or a single one that several
    declared objects, the `rivals`, may be.
    """

    live: int | None = None
    rivals: tuple[int, ...] = ()
    several: tuple[int, ...] = ()


def matched(candidates: Sequence[Sequence[int]], certain: Collection[int] = ()) -> list[Match]:
    """Return the match of each declared object; `candidates` are the live objects that each may be.

    Declared objects that are `certain`, because they name their live object, come first. Of the others, an object with
    a single candidate is that one, unless another object has only the same candidate. The other objects are then
    matched with the live objects that remain.
    """
    matches: dict[int, Match] = {}
    claims: dict[int, list[int]] = defaultdict(list)

    def free(member: int) -> list[int]:
        # What one declared object claims is taken. What several claim, no object gets.
        return [live for live in candidates[member] if len(claims[live]) != 1]

    for group in (certain, range(len(candidates))):
        while decided := {one: own for one in group if one not in matches and not (own := free(one))[1:]}:
            for member, own in decided.items():
                for live in own:
                    claims[live].append(member)
            for member, own in decided.items():
                rivals = tuple(rival for live in own for rival in claims[live])
                is_known = not rivals[1:]
                matches[member] = Match(own[0] if own else None) if is_known else Match(None, rivals, tuple(own))
    return [matches.get(member) or Match(several=tuple(free(member))) for member in range(len(candidates))]
