# SPDX-License-Identifier: GPL-3.0-or-later
"""Executes a graph: what waits for nothing in parallel, and everything else after what it needs.

This is the only place that sends the operations of plans.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import nullcontext
from threading import Lock

from .._errors import IngressError, Missing, OutcomeUnknown
from .._graph.graph import Graph, Node, Schedule, settle
from .._model.free_form import RESPONSE
from .._planning.given_up_names import lost_names
from .._planning.plan import withholding
from .._planning.referenced_fields import no_such_field
from .._planning.unique_names import own_names
from .._transport.client import Client
from .._values.escapes import visible
from .._values.identifiers import is_placeholder
from .execution import Execution, PlanAgain
from .outcome import Applied
from .permission import Permission

_CIRCLE = IngressError("Not changed, because it and other changes wait for each other.")

Submit = Callable[[Callable[[], None]], "Future[None]"]


def walk(client: Client, graph: Graph, concurrency: int, permission: Permission, again: PlanAgain) -> list[Applied]:
    """Execute all plans, with at most `concurrency` requests at a time, and return the result of each.

    A failure withholds what needs the failed plan. Everything else is executed. What may have changed in the meantime
    is planned `again`.
    """
    client.progress.add_planned(len(graph.plans))
    with ThreadPoolExecutor(max_workers=concurrency) as pool:
        submit = _immediately if concurrency == 1 else pool.submit
        return _Walk(client, graph, permission, submit, again).results(concurrency)


def _immediately(function: Callable[[], None]) -> Future[None]:
    """Call a function in this thread, where its exceptions and those of signals end up in the same place."""
    future: Future[None] = Future()
    try:
        function()
        future.set_result(None)
    except Exception as error:
        future.set_exception(error)
    return future


class _Walk:
    """The execution of a graph. Only the functions that it submits run in other threads."""

    def __init__(self, client: Client, graph: Graph, permission: Permission, submit: Submit, again: PlanAgain) -> None:
        self._client, self._graph, self._submit = client, graph, submit
        self._schedule = Schedule(graph)
        clears: dict[str, bool] = {}
        self._executions = [Execution(client, plan, permission, again, clears) for plan in graph.plans]
        # An edge must not change while one of its modules does: what the other request did would look like an effect of
        # the own one.
        locks = {plan.target.parent: Lock() for plan in graph.plans if plan.target.is_part and plan.operations}
        owners = [one.target.parent if one.target.is_part else (one.before or {}).get("id") for one in graph.plans]
        self._alone = {position: locks[owner] for position, owner in enumerate(owners) if owner in locks}
        self._running: dict[Future[None], int] = {}
        self._over: set[int] = set()
        self._causes: dict[int, int] = {}
        self._ended: set[Node] = set()
        self._unknown: set[int] = set()
        self._created: dict[int, dict[str, str]] = {}
        self._declared_ids: set[str] = set()
        self._lacking: dict[str, IngressError] = {}
        client.progress.unfinished = lambda: [one.unfinished for one in self._executions if one.unfinished]

    def results(self, concurrency: int) -> list[Applied]:
        for position, execution in enumerate(self._executions):
            if execution.plan.error is not None:
                self._give_up(position, execution.plan.error, position)
            elif execution.has_ended:
                self._finish(position)
        while self._start_up_to(concurrency):
            done, _others = wait(self._running, return_when=FIRST_COMPLETED)
            for future in done:
                self._go_on(self._running.pop(future), future.exception())
        for position in set(range(len(self._executions))) - self._over:
            # The rules do not let changes wait for each other. If they did, nothing may look as if it were done.
            self._give_up(position, _CIRCLE, position)
        if any(plan.takes for plan in self._graph.plans):
            self._note_lost_names()
        return [execution.applied() for execution in self._executions]

    def _note_lost_names(self) -> None:
        """Add to the error of each object that it was to get names that possibly no object has now."""
        known = [None if position in self._unknown else one.state for position, one in enumerate(self._executions)]
        for position, names in lost_names(self._graph.plans, known).items():
            execution = self._executions[position]
            if (failed := execution.error) is not None:
                lost = f"Possibly no object has {visible(', '.join(names))} now, because it was given up for this one."
                state = f"{failed.interim_state} {lost} Run the task again.".lstrip()
                execution.error = execution.plan.target.failed(failed.error, failed.done, state)

    def _start_up_to(self, concurrency: int) -> bool:
        """Start operations that wait for nothing. Return whether any is running."""
        while len(self._running) < concurrency and (position := self._schedule.pop()) is not None:
            execution = self._executions[position]
            if execution.plan.purge and (execution.plan.before or {}).get("id") in self._declared_ids:
                # A declared object turned out to be this one: the service changed in the meantime.
                self._finish(position)
            else:
                self._running[self._submit(self._step_of(position))] = position
        return bool(self._running)

    def _step_of(self, position: int) -> Callable[[], None]:
        execution, number = self._executions[position], self._executions[position].next_number
        nodes = self._graph.nodes(position)[number : None if number is None else number + 1]
        is_relied_on = not self._graph.relied_on.isdisjoint(nodes)
        parents = [one for one in self._graph.binds.get(position, ()) if one in self._created]
        ids = {planned: identifier for one in parents for planned, identifier in self._created[one].items()}

        def step() -> None:
            if ids:
                execution.bind(ids, read_again=any(self._executions[one].was_replanned for one in parents))
                if execution.next_number != number:
                    return
            for placeholder in execution.todo[0].placeholders if self._lacking else ():
                if placeholder in self._lacking:
                    raise self._lacking[placeholder]
            with self._alone.get(position, nullcontext()):
                if position in self._alone and not execution.plan.target.is_part:
                    execution.look_again()
                execution.step(is_relied_on=is_relied_on)

        return step

    def _go_on(self, position: int, error: BaseException | None) -> None:
        execution = self._executions[position]
        if isinstance(error, IngressError):
            self._fail(position, error)
        elif error is not None:
            raise error
        elif execution.has_ended:
            self._finish(position)
        elif position in self._causes:
            self._fail(position)
        elif (number := execution.next_number) is not None:
            self._mark_ended(position, number)
        else:
            self._schedule.hurry(position)

    def _finish(self, position: int) -> None:
        plan, final = self._graph.plans[position], self._executions[position].final or {}
        if plan.before is None and plan.target.identity:
            chosen = {name: plan.kind.chosen(final, name) for name in plan.target.identity}
            placeholders = {name: one for name, one in plan.target.identity.items() if is_placeholder(one)}
            self._created[position] = {one: chosen[name] for name, one in placeholders.items() if chosen[name]}
            for name, one in placeholders.items() if final.get(RESPONSE) else ():
                self._lacking[one] = no_such_field(name, plan.key[0], final[RESPONSE])  # type: ignore[index]
        if not plan.purge and "id" in final:
            self._declared_ids.add(final["id"])
        self._over.add(position)
        self._schedule.drop(position)
        self._client.progress.object_done(failed=False)
        self._mark_ended(position, len(plan.operations))

    def _mark_ended(self, position: int, number: int) -> None:
        for node in self._graph.nodes(position)[:number]:
            if node not in self._ended:
                self._ended.add(node)
                self._schedule.ended(node)

    def _fail(self, position: int, error: IngressError | None = None) -> None:
        """End a plan that failed, or without an error, that is withheld, and withhold what needs it."""
        root = self._causes[position] if error is None else position
        if error is None:
            has_begun, cause = bool(self._executions[position].done), self._graph.plans[root].subject
            error = withholding(self._graph.plans[position], cause, has_begun=has_begun)
        if isinstance(error, OutcomeUnknown):
            self._unknown.add(position)
        else:
            self._undo(position)
        self._give_up(position, error, root)
        if position not in self._unknown:
            self._take_back(position, root)
        running = {(one, self._executions[one].next_number or 0) for one in self._running.values()}
        others = list(settle(self._graph, [position], self._ended | running))
        if isinstance(error, Missing):
            # The object does not exist any more, and so nothing can belong to it.
            key = self._graph.plans[position].key
            others += [number for number, plan in enumerate(self._graph.plans) if plan.target.parent == key]
        for other in others:
            if other in self._causes or other in self._over:
                continue
            self._causes[other] = root
            if self._graph.is_join(other):
                self._schedule.drop(other)
            elif other not in self._running.values():
                self._fail(other)

    def _give_up(self, position: int, error: IngressError, root: int) -> None:
        self._causes[position] = root
        self._executions[position].fail(error)
        self._schedule.drop(position)
        if position not in self._over:
            self._client.progress.object_done(failed=True)
        self._over.add(position)

    def _undo(self, position: int) -> bool:
        """Revert what a plan has done, if it can be, unless something else relies on it by now.

        A route that was closed stays so if its edge may serve other hosts by now, even if the edge failed.
        """
        if not self._executions[position].done:
            return False  # Thousands of objects may be withheld, of which each would look at all others.
        used = self._unknown | set(self._running.values()) | {node[0] for node in self._ended}
        own = {needed for needed, (other, _number) in self._graph.dependents[position] if other in used}
        plans, parent = self._graph.plans, self._graph.plans[position].target.parent
        moving = [one for one, plan in enumerate(plans) if parent == plan.key and "hostports" in plan.changes]
        is_moved = parent is not None and any(one in self._unknown or self._executions[one].done for one in moving)
        is_undone = not (own & self._ended or is_moved) and self._executions[position].undo()
        self._ended -= set(self._graph.nodes(position)) if is_undone else set()
        return is_undone

    def _take_back(self, taker: int, root: int) -> None:
        """Let the objects take back the names that they have given up for one that certainly did not get them."""
        taken = own_names(self._graph.plans[taker].kind, self._executions[taker].state)
        for giver, _number in self._graph.losses[taker]:
            plan, execution = self._graph.plans[giver], self._executions[giver]
            is_done = giver in self._over and execution.error is None and not taken & own_names(plan.kind, plan.before)
            if is_done and self._is_as_before(giver) and self._undo(giver):
                self._causes[giver] = root
                self._fail(giver)

    def _is_as_before(self, position: int) -> bool:
        """Return whether requests to an object get where they got before, as far as other objects matter.

        Other edges and what belongs to them do not matter. IP policies and backends may.
        """
        own = self._graph.plans[position]
        ids = (own.key, (own.before or {}).get("id"))
        changed = {node[0] for node in self._ended} | set(self._running.values())
        others = [self._graph.plans[other] for other in changed - {position}]
        return all(
            any(f.unique for f in one.kind.fields) if one.target.parent is None else one.target.parent not in ids
            for one in others
        )
