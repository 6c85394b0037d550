# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that move between objects: whatever moves where, none is taken while another object has it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.moves import Exclusive, arranged
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.plan import Operation, Plan

pytestmark = pytest.mark.every_python

NAMES = "abcdef"


def change(number: int, before: set[str] | None, after: set[str] | None) -> Plan:
    """The plan of an object that has some names, and is to have others; None for one that is not there."""
    method = "POST" if before is None else "DELETE" if after is None else "PATCH"
    states = [None if names is None else {"names": sorted(names)} for names in (before, after)]
    operations = () if before == after else (Operation(method, f"/{number}", "", after),)
    return Plan(f"object {number}", Object(), states[0], None, states[1], operations, purge=after is None)


def without(plan: Plan, names: frozenset[tuple[str, ...]], takers: str) -> Plan:
    assert plan.before is not None
    assert takers
    kept = {name for name in plan.before["names"] if (name,) not in names}
    early = Operation("PATCH", plan.operations[0].path, f"for {takers}", kept, early=True)
    return replace(plan, operations=(early, *plan.operations))


HANDED_OVER = "f"
EXCLUSIVE = Exclusive(
    held=lambda state: frozenset((name,) for name in state["names"]),
    freed=without,
    handed_over=frozenset({(HANDED_OVER,)}),
)


class OneOwner:
    """A service on which each name belongs to one object."""

    def __init__(self, plans: list[Plan]) -> None:
        self.names = {n: set(plan.before["names"]) for n, plan in enumerate(plans) if plan.before is not None}
        self.finished: list[int] = []

    def write(self, number: int, operation: Operation) -> None:
        if not operation.early:
            self.finished.append(number)
        if operation.method == "DELETE":
            del self.names[number]
            return
        others = [names for other, names in self.names.items() if other != number]
        assert not any(names & operation.body for names in others), f"{operation} is refused: {self.names}"
        self.names[number] = set(operation.body)


def carry_out(plans: list[Plan]) -> OneOwner:
    service, done = OneOwner(plans), set()

    def finish(number: int) -> None:
        if number in done:
            return
        for other in plans[number].follows:
            finish(other)
        for operation in plans[number].operations:
            if not operation.early:
                service.write(number, operation)
        done.add(number)

    for number, plan in enumerate(plans):
        for operation in plan.operations:
            if operation.early:
                service.write(number, operation)
    for number in sorted(range(len(plans)), key=lambda number: plans[number].purge):
        finish(number)
    return service


@st.composite
def changes(draw: st.DrawFn) -> list[Plan]:
    """Each name has at most one owner before and at most one after."""
    number = draw(st.integers(1, 5))
    before, after = (draw(st.lists(st.integers(0, number), min_size=6, max_size=6)) for _ in range(2))
    new, gone = draw(st.sets(st.integers(0, 4), max_size=2)), draw(st.sets(st.integers(0, 4), max_size=2))
    return [
        change(
            one,
            None if one in new else {name for name, owner in zip(NAMES, before, strict=True) if owner == one},
            None if one in gone else {name for name, owner in zip(NAMES, after, strict=True) if owner == one},
        )
        for one in range(number)
        if one not in new & gone
    ]


@given(changes())
def test_no_name_is_taken_while_another_object_has_it(plans: list[Plan]) -> None:
    planned = arranged(plans, EXCLUSIVE)
    assert [plan.subject for plan in planned] == [plan.subject for plan in plans]
    service = carry_out(planned)
    wanted = {n: set(plan.after["names"]) for n, plan in enumerate(plans) if plan.after is not None}
    assert service.names == wanted
    changed = [n for n, plan in enumerate(plans) if plan.before is not None and plan.after is not None]
    handed = [n for n in changed if has(plans[n].before) and not has(plans[n].after)]
    taken = [n for n in changed if not has(plans[n].before) and has(plans[n].after)]
    for giver, taker in zip(handed, taken, strict=False):
        assert service.finished.index(taker) < service.finished.index(giver)


def has(state: Any) -> bool:
    return HANDED_OVER in state["names"]


def steps(*plans: Plan) -> list[Any]:
    return [[operation.early for operation in plan.operations] for plan in arranged(plans, EXCLUSIVE)]


def test_only_what_waits_for_itself_gives_up_first() -> None:
    assert steps(change(0, {"a"}, {"b"}), change(1, {"b"}, {"a"})) == [[True, False], [False]]
    assert steps(change(0, {"a"}, {"b"}), change(1, {"b"}, {"c"})) == [[False], [False]]
    assert steps(change(0, {"a"}, {"b"}), change(1, {"b"}, None)) == [[False], [True, False]]
    assert steps(change(0, {"a"}, {"a"}), change(1, {"b"}, {"c"})) == [[], [False]]


def test_what_is_handed_over_can_make_a_circle_with_what_is_not() -> None:
    """The first waits until the second has taken `f`, the second until the first has given up `a`."""
    planned = arranged([change(0, {"a", "f"}, {"c"}), change(1, {"b"}, {"a", "f"})], EXCLUSIVE)
    assert [plan.follows for plan in planned] == [(1,), ()]
    assert planned[0].operations[0].body == set()
    assert planned[0].requires == (1,)


def test_a_long_chain_is_no_circle() -> None:
    plans = [change(number, {str(number)}, {str(number + 1)}) for number in range(3000)]
    planned = arranged(plans, EXCLUSIVE)
    assert [plan.follows for plan in planned] == [*((number + 1,) for number in range(2999)), ()]
