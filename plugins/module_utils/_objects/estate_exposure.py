# SPDX-License-Identifier: GPL-3.0-or-later
"""An estate before and after its plan, to be judged: what is declared, and everything else that was read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from .._access.openings import Opened
from .._access.policies import Policies
from .._access.served_objects import served_state
from .._applying.failures import planning_failures
from .._applying.permission import NothingExecuted
from .._definition import Options, Outcome
from .._errors import as_sentence
from .._exposure.doubts import NOT_LISTED
from .._exposure.finding import Finding
from .._exposure.judge import created, judgement_of
from .._exposure.judged import Estate, NotJudged, Subject, add_route, https_edge, served_object, tls_edge
from .._model.protection import SERVING, SERVING_NOTHING
from .._model.schema import HTTPS_EDGE, HTTPS_EDGE_ROUTE, TLS_EDGE_MODULES
from .._planning.plan import UNLOCKED, Plan
from .._planning.rejected_changes import OBJECT
from .._planning.undeclared import NotExamined, Remainder, Undeclared
from .._values.kinds import Mark
from . import rejection
from .estate_edges import WITHOUT_LIST, EstatePart

StateOf = Callable[[Plan], Any]
"""Returns the state of an object before its plan or after it; None if the object does not exist then."""


@dataclass(frozen=True)
class PlannedEstate:
    """The estate that the plans begin with, the one that they leave, and what they have `opened`.

    `rest` belongs to no declared object. Each object has the same path in both estates: its place in the declaration,
    or in the return value `undeclared`.
    """

    parts: Sequence[EstatePart]
    rest: Sequence[Remainder]
    options: Options
    policies: Policies
    opened: Sequence[Opened]
    plans: Sequence[Plan]

    @cached_property
    def _paths(self) -> dict[int, str]:
        remainders = [*(one for part in self.parts for one in part.rest), *self.rest]
        undeclared = [one for one in remainders if isinstance(one, Undeclared)]
        return {id(one): f"undeclared[{number}]" for number, one in enumerate(undeclared)}

    @property
    def _objects(self) -> list[Plan]:
        return [plan for plan in self.plans if plan.kind.name == OBJECT]

    def _of(self, *lists: str) -> list[EstatePart]:
        return [part for part in self.parts if part.declared_in in lists]

    def judged(self, document: Mapping[str, Any]) -> Outcome:
        """Return the findings in what the plans leave, and the error of those that prevent the plans, if any."""
        severity, is_new, now = self.options["reject_findings"], not self.options["reject_existing"], rejection.today()
        judgement = judgement_of(self.after(), self.options["accept"], now)
        new = created(judgement.findings, judgement_of(self.before(), (), now).findings, self.opened)
        counting = [one for one in judgement.counting(severity) if not is_new or one.key in new]
        message = _rejection(counting, severity, self.plans, is_new=is_new)
        error = NothingExecuted(message, document, self.plans) if message else None
        findings = [{**one.shown(), "created": one.key in new} for one in judgement.findings]
        shown = {"findings": findings, "not_judged": [one.shown() for one in judgement.not_judged]}
        return Outcome(objects=shown, warnings=list(judgement.warnings), error=error)

    def before(self) -> Estate:
        return self._estate(lambda plan: plan.before, self.policies)

    def after(self) -> Estate:
        """Return the estate after the plans, with the protected routes whose requests a public one takes then."""
        after, before = self._estate(lambda plan: plan.after, self.policies.at_the_end()), self.before()
        then, now = ({route.state.get("id"): route for route in one.routes} for one in (before, after))
        found: dict[tuple[Subject, Subject], None] = {}
        for one in self.opened:
            is_unlocked = not one.now.admitted and one.kind == UNLOCKED
            if is_unlocked and one.was is not None and one.was[1] is not one.taker[1]:
                gone, taker = (part.existing[-1].state.get("id") for part in (one.was[1], one.taker[1]))
                if gone in then and taker in now:
                    found[then[gone], now[taker]] = None
        return replace(after, opened=list(found))

    def _estate(self, state_of: StateOf, policies: Policies) -> Estate:
        edges, subscriptions = self._of("https_edges", ""), self._of("event_subscriptions")
        left = [*(one for edge in edges for one in edge.rest), *self.rest]
        unread = [one for one in left if isinstance(one, NotExamined) and one not in WITHOUT_LIST]
        declared = (self._edge(f"https_edges[{number}]", one, state_of) for number, one in enumerate(edges))
        # The lists of which everything was read, as far as that is possible.
        are_read = {"https_edges": not unread, "event_subscriptions": bool(subscriptions)}
        return Estate(
            edges=[
                *(edge for edge in declared if edge is not None),
                *(
                    https_edge(self._paths[id(one)], one.state, one.state["routes"])
                    for one in _undeclared(self.rest, HTTPS_EDGE.name)
                ),
            ],
            tls_edges=[self._tls_edge(number, part.own, state_of) for number, part in enumerate(self._of("tls_edges"))],
            served=list(self._served(state_of)),
            subscriptions={
                self.options["event_subscriptions"][number]["subscription_id"]: list(_types(part, state_of))
                for number, part in enumerate(subscriptions)
            },
            parts=frozenset(name for name, is_read in are_read.items() if is_read),
            ip_policies=policies,
            not_judged=[
                *NOT_LISTED,
                *(NotJudged(one.subject, "", as_sentence(f"Not read: {one.why}")) for one in unread),
                *(
                    NotJudged(plan.subject, "", "It is not known whether such objects serve traffic.")
                    for plan in self._objects
                    if plan.target.object_collection not in (*SERVING_NOTHING, *SERVING)
                ),
            ],
        )

    def _edge(self, path: str, part: EstatePart, state_of: StateOf) -> Subject | None:
        state = state_of(part.own[0])
        if state is None:
            return None
        is_unknown = any(isinstance(one, NotExamined) for one in part.rest)
        edge = https_edge(path, state, map(state_of, part.routes), knows_routes=not is_unknown)
        for one in _undeclared(part.rest, HTTPS_EDGE_ROUTE.name):
            add_route(edge, self._paths[id(one)], one.state)
        return edge

    def _served(self, state_of: StateOf) -> Iterator[Subject]:
        numbers = {one["name"]: number for number, one in enumerate(self.options["objects"] or ())}
        for plan in self._objects:
            state = state_of(plan)
            if state is not None and plan.target.object_collection in SERVING:
                path = f"objects[{numbers[plan.key[0]]}]"  # type: ignore[index]
                yield served_object(path, served_state(plan.kind.judged(state)), plan.target.name, str(state["id"]))

    def _tls_edge(self, number: int, plans: Sequence[Plan], state_of: StateOf) -> Subject:
        read = {plan.target.path.rpartition("/")[2]: state_of(plan) for plan in plans if not plan.error}
        is_known = any(read.values()) or not any(plan.doubt for plan in plans)
        state = {**dict.fromkeys(TLS_EDGE_MODULES, Mark.KEEP), **read}
        edge_id = self.options["tls_edges"][number]["edge_id"]
        return tls_edge(f"tls_edges[{number}]", state, edge_id, is_known=is_known)


def _undeclared(remainders: Sequence[Remainder], kind: str) -> list[Undeclared]:
    return [one for one in remainders if isinstance(one, Undeclared) and one.kind == kind]


def _types(part: EstatePart, state_of: StateOf) -> Iterator[str]:
    yield from (state["type"] for plan in part.own if (state := state_of(plan)) is not None)
    yield from (one.state["type"] for one in part.rest if isinstance(one, Undeclared))


def _rejection(counting: Sequence[Finding], severity: str, plans: Sequence[Plan], *, is_new: bool) -> str:
    if failures := planning_failures(plans):
        head = "The plan is incomplete, so `reject_findings` cannot judge what it leads to. Nothing was changed."
        return f"{head} {failures}"
    if not counting:
        return ""
    verb = "would create or make worse" if is_new else "would leave"
    return (
        f"The plan {verb} {rejection.counted_findings(counting, severity)}. Nothing was changed. "
        f"Change the declaration, or list exceptions in `accept`:{rejection.lines_of(counting)}"
    )
