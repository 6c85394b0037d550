# SPDX-License-Identifier: GPL-3.0-or-later
"""All changes of the smallest accounts in which everything can happen, not a sample, against visitors who try every
request before, after, and at each moment between.

Nothing that opens may be unsaid, nothing may be said wrongly, and at no moment, nor after any single failure, may
somebody get through who gets through neither before nor after. `make test` tries all changes of accounts whose objects
have fewer states, `make torture` those of all states.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from functools import cache, cached_property, lru_cache
from itertools import combinations
from operator import le
from typing import Any

import pytest

from amount import COMPARED, EVERYTHING
from ansible_collections.edgeops.ingress.plugins.module_utils._access.openings import Opened
from ansible_collections.edgeops.ingress.plugins.module_utils._access.probes import probes, shown_request
from ansible_collections.edgeops.ingress.plugins.module_utils._access.routing import ASSUMED, without_probe
from ansible_collections.edgeops.ingress.plugins.module_utils._errors import Withheld
from ansible_collections.edgeops.ingress.plugins.module_utils._graph.graph import Graph, Node, settle
from ansible_collections.edgeops.ingress.plugins.module_utils._graph.protection import Watched
from figures import Figures
from opened import OPENED, kind_of_opening, let_in, unsaid
from planned_change import MOST_TASKS, UNCLEAR, UNREAD, Change, Held, Planner
from smallest_accounts import ACCOUNTS, Account, Smallest, edge, routes
from visitors import Crowd, Request, Seen, Traffic

MOST_SHOWN = 3
ROW = "a change of a smallest account, with each failure in each of its states"

Done = tuple[int, ...]
"""How many operations of each plan have been executed."""

CHANGES, REFUSED, OPENINGS, STATES, FAILURES = "changes", "refused", "openings", "states", "failures"
UNKNOWN = "of which an object is not known"


class Proof:
    """The changes of an account, and what visitors say of them. `compared` counts what was compared."""

    def __init__(self, account: Smallest) -> None:
        self.account, self.planner, self.requests = account, Planner(account), account.requests
        self.crowd = Crowd(list(account.states.values()))
        self.seen = Seen(lists_all=account.knows_rules)
        self.traffic = cache(self._traffic)
        # What an object is declared to be often does not matter if it is not known.
        self.allowed = lru_cache(MOST_TASKS)(_Allowed)
        self.let_in = lru_cache(MOST_TASKS)(self._let_in)
        self.compared: Counter[str] = Counter()
        self.refusals: list[str] = []

    @property
    def summary(self) -> str:
        return ", ".join(f"{number:,} {what}" for what, number in self.compared.items())

    def _traffic(self, held: Held) -> Traffic:
        return Traffic(self.crowd, self.planner.as_service(held), seen=self.seen)

    def _is_like(self, one: Held, other: Held) -> bool:
        """Whether the same becomes of all requests."""
        ends = self.traffic(one), self.traffic(other)
        return ends[0].by_route == ends[1].by_route and all(
            ends[0].way(each) == ends[1].way(each) for each in self.requests
        )

    def complaints(self, before: Account, after: Account) -> list[str]:
        change = self.planner.change(before, after)
        self.compared[CHANGES] += 1
        plans = change.task.graph.plans
        if any(plan.error for plan in plans):
            self.compared[REFUSED] += 1
            errors = [plan.error for plan in plans if plan.error and not isinstance(plan.error, Withheld)]
            self.refusals.append(f"{errors}\n  {self.account.shown(before)}\n  {self.account.shown(after)}")
            return [*self._moments(change)]
        if not self._is_like(change.state([len(plan.operations) for plan in plans]), change.after):
            return ["the plan does not lead to what is declared"]
        return [*self._said(change), *self._moments(change), *self._unread(change, before, after)]

    def _unread(self, change: Change, before: Account, after: Account) -> Iterator[str]:
        """Who gets in if the service does not show an object that changes, or nobody knows which one it is."""
        changed = [place for place, plan in zip(change.places, change.task.graph.plans, strict=True) if plan.operations]
        for place in changed:
            self.compared[UNKNOWN] += 1
            for error in (UNREAD, UNCLEAR):
                yield from self._moments(self.planner.change(before, after, place, error))

    # What opens

    def _said(self, change: Change) -> Iterator[str]:
        """What opens and is not said, or is said and does not open, or opens in another way."""
        ends = self._ends(change)
        said: list[Request] = []
        for one in change.task.opened:
            if one.reading == ASSUMED:
                self.compared[OPENINGS] += 1
                said.append(Request(*one.request[:2], "OPTIONS" if one.request.is_options else "GET"))
                kind = kind_of_opening(said[-1], ends)
                yield from self._causes(change, said[-1], one) if kind else ()
                if kind != one.kind:
                    yield f"said wrongly: {one.opening} is {kind or 'none'}"
        yield from unsaid(self.requests, said, ends, ends)

    def _ends(self, change: Change) -> list[Traffic]:
        return [self.traffic(held) for held in (change.before, change.after)]

    def _causes(self, change: Change, request: Request, said: Opened) -> Iterator[str]:
        """What is wrong with the plans that an opening is attributed to, and with what these say."""
        plans = change.task.graph.plans
        then = self.traffic(change.before).way(request).passers

        def left(positions: Collection[int]) -> Held:
            return change.state([len(plan.operations) if one in positions else 0 for one, plan in enumerate(plans)])

        def opens(positions: Collection[int]) -> bool:
            return bool(self.traffic(left(positions)).way(request).passers & ~then)

        everyone = {one for one, plan in enumerate(plans) if plan.operations}
        needed = {one for one in everyone if not opens(everyone - {one})}
        alone = {one for one in everyone if opens({one})}
        # A service lets no two edges have one hostport, so nobody knows what it would do without what gives one up.
        doubtful = {one for one in everyone if not self._is_possible(left(everyone - {one}))}
        doubtful_alone = {one for one in everyone if not self._is_possible(left({one}))}
        expected = [(needed, doubtful)] if needed - doubtful else [(needed, doubtful), (alone, doubtful_alone)]
        if not needed and not alone:
            # Several have to come together, and other ones would do as well.
            some = [set(one) for size in range(2, len(everyone) + 1) for one in combinations(everyone, size)]
            expected.append(({one for own in some if opens(own) for one in own if not opens(own - {one})}, set()))
        causes = set(said.causes)
        if not causes or not any(causes - doubt == found - doubt for found, doubt in expected):
            yield f"attributed to {[plans[one].subject for one in said.causes]}: {said.opening}"
        for one in said.causes:
            own = [opening for opening in plans[one].opens if _is_said_by(opening, said)]
            if not any(opening.text == said.opening.text for opening in own):
                how = "only with a condition" if own else "not"
                yield f"{how} in the plan of {plans[one].subject}: {said.opening}"

    def _is_possible(self, held: Held) -> bool:
        """Whether no two edges have the same hostport."""
        hostports = [one for edge in self.traffic(held).edges for one in edge["hostports"]]
        return len(hostports) == len(set(hostports))

    # Every moment

    def _moments(self, change: Change) -> Iterator[str]:
        """Who gets in at a moment, or after a failure, who gets in neither before nor after."""
        allowed = self.allowed(change.task.graph)
        for done in allowed.states:
            self.compared[STATES] += 1
            yield from self._at(change, done, "")
        for position, rest, left in allowed.failures:
            self.compared[FAILURES] += 1
            if rest not in allowed.states:
                yield f"not allowed: {_shown(change, rest)}, after {change.task.graph.plans[position].subject} failed"
            for state in left:
                yield from self._at(change, state, ", taken back")

    def _at(self, change: Change, done: Done, how: str) -> Iterator[str]:
        held = change.state(done)
        # An edge takes a hostport of one that is not known only if the service lets it.
        if not change.is_unclear or self._is_possible(held):
            for who in self.let_in(held, change.before, change.after):
                yield f"{who}, after {_shown(change, done)}{how}"

    def _let_in(self, held: Held, *ends: Held) -> list[str]:
        found = let_in(self.traffic(held), [*map(self.traffic, ends)], self.requests)
        return [f"let in: {self.crowd.shown(passers)} to {what}" for what, passers in found]


def _is_said_by(opening: Any, said: Opened) -> bool:
    """Whether an opening in the result is this one, maybe with a condition. What opens below a path is said once."""
    address = shown_request(said.request._replace(is_options=False), said.taker[0])
    own = without_probe(opening.request.removeprefix("OPTIONS ")).rstrip("/")
    return (
        opening.kind == said.kind and opening.text.startswith(said.text) and own == without_probe(address).rstrip("/")
    )


def _shown(change: Change, done: Done) -> str:
    sent = [
        f"{operation.method} {operation.path or plan.target.collection} ({operation.reason})"
        for plan, number in zip(change.task.graph.plans, done, strict=True)
        for operation in plan.operations[:number]
    ]
    return "; ".join(sent) or "nothing"


class _Allowed:
    """The states that a graph allows: each plan has executed so many operations, and all that these need were."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._last = tuple(len(plan.operations) for plan in graph.plans)
        self.states: dict[Done, None] = {}
        waiting = [tuple(0 for _one in self._last)]
        while waiting:
            done = waiting.pop()
            if done not in self.states:
                self.states[done] = None
                waiting += [self._more(done, one) for one in range(len(done)) if self._may_come(done, one)]

    def _more(self, done: Done, position: int) -> Done:
        return (*done[:position], done[position] + 1, *done[position + 1 :])

    def _may_come(self, done: Done, position: int) -> bool:
        if self._graph.plans[position].error or done[position] == self._last[position]:
            return False
        return all(self._is_met(done, needed) for needed in self._graph.needs((position, done[position])))

    def _is_met(self, done: Done, node: Node) -> bool:
        if self._graph.is_join(node[0]):
            return all(self._is_met(done, needed) for needed in self._graph.needs(node))
        return done[node[0]] > node[1]

    @cached_property
    def failures(self) -> list[tuple[int, Done, list[Done]]]:
        """Each plan whose next operation can fail, with what has been executed in the end, and with what is left
        meanwhile of what has, without the plans that are taken back."""
        return [
            self._failure(done, one) for done in self.states for one in range(len(done)) if self._may_come(done, one)
        ]

    def _failure(self, done: Done, failed: int) -> tuple[int, Done, list[Done]]:
        joins = {(one, 0) for one in range(self._graph.size) if self._graph.is_join(one)}
        ended = {(position, number) for position, last in enumerate(done) for number in range(last)}
        ended |= {join for join in joins if self._is_met(done, join)}
        undone: set[int] = set()
        ends, waiting = {failed}, [failed]
        while waiting:
            one = waiting.pop(0)
            if one < len(done) and self._is_undone(done, one):
                undone.add(one)
                ended -= {node for node in ended if node[0] == one}
            others = [other for other in settle(self._graph, [one], ended) if other not in ends]
            ends.update(others)
            waiting += others
        rest = tuple(done[one] if one in ends else last for one, last in enumerate(self._last))
        meanwhile = [one for one in self.states if all(map(le, done, one)) and all(map(le, one, rest))]
        left = [tuple(0 if one in undone else number for one, number in enumerate(state)) for state in meanwhile]
        return failed, rest, left if undone else []

    def _is_undone(self, done: Done, position: int) -> bool:
        """Whether its operations are taken back, because nothing else was done, and nothing relies on them."""
        executed = self._graph.plans[position].operations[: done[position]]
        users = {node[0] for needed, node in self._graph.dependents[position] if needed[1] < done[position]}
        is_used = any(self._is_used(done, one) for one in users)
        return bool(executed) and all(one.undo for one in executed) and not is_used

    def _is_used(self, done: Done, position: int) -> bool:
        if self._graph.is_join(position):
            return self._is_met(done, (position, 0))
        return done[position] > 0


@pytest.mark.parametrize("name", ACCOUNTS)
def test_every_change_says_what_it_opens_and_opens_nothing_in_between(
    name: str, figures: Figures, record_property: Callable[[str, object], None]
) -> None:
    account = ACCOUNTS[name] if EVERYTHING else ACCOUNTS[name].smaller()
    proof, wrong = Proof(account), defaultdict[str, list[str]](list)
    for before, after in account.changes():
        complaints = proof.complaints(before, after)
        figures.tried(ROW, complaints=[f"{OPENED}: {one}" for one in complaints], is_watched=True)
        for one in complaints[:1]:
            wrong[one.partition(":")[0]].append(f"{one}\n  {account.shown(before)}\n  {account.shown(after)}")
    figures.rows[ROW]["faults"] += proof.compared[FAILURES]
    record_property(COMPARED, f"{name}: {proof.summary}")
    shown = "\n".join(one for each in wrong.values() for one in sorted(each, key=len)[:MOST_SHOWN])
    assert not wrong, f"{ ({kind: len(each) for kind, each in wrong.items()}) }\n{shown}"
    assert len(proof.refusals) == account.refused, proof.refusals[:MOST_SHOWN]


DEPTH = 30


def test_the_states_of_a_request_are_as_many_as_prefixes_around_it() -> None:
    """Of new routes for prefixes inside of each other, every second one is public."""
    matches = {f"r{depth}": "".join(f"/{one}" for one in range(depth)) for depth in range(1, DEPTH + 1)}
    texts = {name: f"none | {match}{' office' * (number % 2)}" for number, (name, match) in enumerate(matches.items())}
    account = Smallest({**edge("one", "host=a.example.com"), **routes(**texts)}, ())
    graph = Planner(account).change((0,) * (DEPTH + 1), (0, *[1] * DEPTH)).task.graph
    assert graph.account
    found = [Watched(probe, Graph(graph.plans)).unsafe for probe in probes(graph.account)]
    assert found
    assert all(states is not None and len(states) <= DEPTH for states in found)
