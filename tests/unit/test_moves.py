# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that move between objects: whatever moves where, none is taken while another object has it."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.edgeops.ingress.plugins.module_utils._errors import IngressError, Withheld
from ansible_collections.edgeops.ingress.plugins.module_utils._graph.arrangement import arranged
from ansible_collections.edgeops.ingress.plugins.module_utils._graph.graph import Graph, in_order
from ansible_collections.edgeops.ingress.plugins.module_utils._model.field import Field
from ansible_collections.edgeops.ingress.plugins.module_utils._model.kinds import Boolean, StringSet
from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.changes import PURGED, plan_absent, plan_present
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.plan import Operation, Plan, Target

pytestmark = pytest.mark.every_core

NAMES = "abcdef"
HANDED_OVER, DISABLED = "f", "-"
"""The name that stands for a login: an exclusive module, without which an object stays closed. A disabled one."""

KIND = Object(
    fields=(
        Field("names", StringSet(), unique=True),
        Field("serves", Object(fields=(Field("enabled", Boolean(), default=True),), module=True)),
        Field("f", Object(fields=(Field("enabled", Boolean(), default=True),), module=True, protects="login")),
    ),
    exclusive=("f",),
    closed_by="serves",
)


def state(names: set[str] | None) -> dict[str, Any] | None:
    if names is None:
        return None
    login = {"enabled": HANDED_OVER in names} if names & {HANDED_OVER, DISABLED} else None
    return {"names": sorted(names - {HANDED_OVER, DISABLED}), "serves": {"enabled": True}, "f": login}


def names_in(state: Any, *, disabled_count: bool = True) -> set[str]:
    has_login = state["f"] and (disabled_count or state["f"].get("enabled", True))
    return {*state["names"], *([HANDED_OVER] if has_login else [])}


def change(number: int, before: set[str] | None, after: set[str] | None) -> Plan:
    """The plan of an object that has some names and is to have others; None if it does not exist."""
    target = Target(f"object {number}", KIND, path=f"/{number}")
    if after is None:
        return plan_absent(target, state(before), PURGED)
    given = {**(state(after) or {}), "serves": {}}
    return plan_present(target, state(before), given, absent_modules=() if given["f"] else ["f"])


class OneOwner:
    """A service on which each name belongs to one object; a disabled login may count as one."""

    def __init__(self, plans: list[Plan], *, disabled_count: bool = True) -> None:
        self.disabled_count = disabled_count
        self.states = {n: dict(plan.before) for n, plan in enumerate(plans) if plan.before is not None}
        self.deleted = {n for n, plan in enumerate(plans) if plan.after is None}

    @property
    def names(self) -> dict[int, set[str]]:
        return {n: names_in(state, disabled_count=self.disabled_count) for n, state in self.states.items()}

    def write(self, number: int, operation: Operation) -> None:
        if operation.removed_module:
            self.states[number][operation.removed_module] = None
        elif operation.method == "DELETE":
            del self.states[number]
        else:
            self.states[number] = {"f": None, **self.states.get(number, {}), **operation.body}
        # An object that is deleted keeps its login until then.
        owned = [
            name for n, names in self.names.items() for name in names if name != HANDED_OVER or n not in self.deleted
        ]
        assert len(owned) == len(set(owned)), f"{operation} is rejected: {self.names}"


def carry_out(graph: Graph, *, disabled_count: bool = True) -> OneOwner:
    """Execute a graph in its order."""
    service = OneOwner(graph.plans, disabled_count=disabled_count)
    for position, step in in_order(graph):
        service.write(position, graph.plans[position].operations[step])
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
    graph = arranged(plans)
    assert [plan.subject for plan in graph.plans] == [plan.subject for plan in plans]
    service = carry_out(graph)
    assert service.names == {n: names_in(plan.after) for n, plan in enumerate(plans) if plan.after is not None}
    assert all(state["serves"] == {"enabled": True} for state in service.states.values())


LOGINS = [pair for pair in product(["", DISABLED, HANDED_OVER], repeat=2) if pair != (HANDED_OVER, HANDED_OVER)]
"""The logins of two objects, of which one at most is enabled."""


@pytest.mark.parametrize("names", ["ab", "ba"])
@pytest.mark.parametrize("after", LOGINS)
@pytest.mark.parametrize("before", LOGINS)
def test_one_login_at_a_time_is_enabled(before: tuple[str, str], after: tuple[str, str], names: str) -> None:
    plans = [change(one, {"ab"[one], *before[one]}, {names[one], *after[one]}) for one in (0, 1)]
    service = carry_out(arranged(plans), disabled_count=False)
    assert [service.states[number]["f"] for number in (0, 1)] == [plan.after and plan.after["f"] for plan in plans]


def steps(*plans: Plan) -> list[Any]:
    return [[bool(operation.interim_state) for operation in plan.operations] for plan in arranged(plans).plans]


def test_only_what_waits_for_itself_gives_up_first() -> None:
    assert steps(change(0, {"a"}, {"b"}), change(1, {"b"}, {"a"})) == [[True, False], [False]]
    assert steps(change(0, {"a"}, {"b"}), change(1, {"b"}, {"c"})) == [[False], [False]]
    assert steps(change(0, {"a"}, {"b"}), change(1, {"b"}, None)) == [[False], [True, False]]
    assert steps(change(0, {"a"}, {"a"}), change(1, {"b"}, {"c"})) == [[], [False]]


def test_a_long_chain_is_not_a_cycle() -> None:
    graph = arranged([change(number, {str(number)}, {str(number + 1)}) for number in range(1500)])
    assert in_order(graph) == [(number, 0) for number in reversed(range(1500))]


def test_no_name_is_given_up_for_an_object_that_failed() -> None:
    failed = replace(Plan(Target("failed", KIND), error=IngressError("no")), claims=frozenset({("names", "a")}))
    graph = arranged([change(0, {"a"}, {"b"}), failed, change(2, {"b"}, {"c"})])
    assert [type(plan.error) for plan in graph.plans] == [Withheld, IngressError, Withheld]
    assert in_order(graph) == []
