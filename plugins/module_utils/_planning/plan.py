# SPDX-License-Identifier: GPL-3.0-or-later
"""From what is there and what is declared to the operations that make them the same. Pure: no I/O, no Ansible.

A plan is what check mode shows, what a real run carries out and where the diff comes from, so the three agree.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from .._errors import IngressError, Protected, counted
from .._model.kinds import Mark
from .._model.objects import Object
from .._model.schema import AUTH_MODULES, OTHER_MODULE_NAMES

State = dict[str, Any]

PURGED = "is not declared, and is purged"


@dataclass(frozen=True)
class Operation:
    """One request that writes.

    `takes_off` is the module that it removes. `other_paths` are tried where the service does not know the first.
    `meanwhile` says what is so from this operation on until the plan's last one, should it stop in between.
    An `early` operation gives up what other objects take, before any of these is changed; `undo` reverts it if the plan
    cannot be finished.
    """

    method: str
    path: str
    reason: str
    body: Any = None
    removed_module: str | None = None
    other_paths: tuple[str, ...] = ()
    meanwhile: str = ""
    early: bool = False
    undo: Operation | None = None

    def shown(self) -> dict[str, str]:
        return {"method": self.method, "path": self.path, "reason": self.reason}


@dataclass(frozen=True)
class Plan:
    """What is to be done to one object; `subject` names it to people, `want` has Mark.KEEP for what is not declared.

    `doubt` says what the plan takes for granted and what may not be so; the service's answer to a write would tell.
    `key` tells it from the others that were planned with it. `repeatable` tells whether another look would find what an
    operation of it has created, `unique` whether the service itself refuses a second creation of the same object. With
    `error`, it could not be planned, and nothing is to be done. A `purge` is carried out only if nothing that is
    declared with it failed. `follows` are the positions, in its list of plans, of those that come before all but its
    early operations; `requires` are those that have to succeed for that. `takes` names what they give up for it.
    """

    subject: str
    kind: Object
    before: State | None
    want: State | None
    after: State | None
    operations: tuple[Operation, ...] = ()
    changes: tuple[str, ...] = ()
    repeatable: bool = True
    unique: bool = False
    key: Any = None
    error: IngressError | None = None
    purge: bool = False
    follows: tuple[int, ...] = ()
    requires: tuple[int, ...] = ()
    takes: str = ""
    doubt: str = ""


@dataclass(frozen=True)
class Place:
    """Where an object lives: `collection` takes the POST, `path` (None before it exists) PATCH, PUT and DELETE."""

    collection: str
    path: str


def absent(subject: str, kind: Object, path: str, have: State | None, reason: str = "is to be absent") -> Plan:
    """The plan for an object that is not to be there, which takes along what belongs to it."""
    if have is None:
        return Plan(subject, kind, None, None, None)
    along = "".join(f", with its {counted(len(states), name)}" for name, _part, states in kind.parts(have) if states)
    delete = Operation("DELETE", path, f"{reason}{along}")
    return Plan(subject, kind, have, None, None, (delete,), purge=reason == PURGED)


def planned(make: Callable[[], Plan], subject: str, kind: Object, key: Any) -> Plan:
    """The plan that `make` makes, or one that carries the error which it raises, so that others can go on."""
    try:
        return replace(make(), key=key)
    except IngressError as error:
        return unplanned(error, subject, kind, key)


def planned_purge(make: Callable[[], Plan], subject: str, kind: Object, key: Any) -> Plan:
    """The same for a purge, whose own error spares nothing else."""
    return replace(planned(make, subject, kind, key), purge=True)


def not_purged() -> Protected:
    """Why a purge is left undone: what is not declared may be what a failed declaration is to replace."""
    return Protected(
        "Not purged, because other objects failed, and this might be one of them or what they replace. Fix these "
        "failures, then run the task again."
    )


def not_opened() -> Protected:
    """Why a change that may let more people in is left undone."""
    return Protected(
        "Not changed, because other objects failed, and this change may let more requests through. Fix these failures, "
        "then run the task again."
    )


def spared(subject: str, kind: Object, key: Any) -> Plan:
    """What stands for a purge that is left undone, because declared objects could not be planned."""
    return replace(unplanned(not_purged(), subject, kind, key), purge=True)


def unplanned(error: IngressError, subject: str, kind: Object, key: Any) -> Plan:
    """What stands for the plan of an object that can't be planned."""
    return Plan(subject, kind, None, None, None, key=key, error=error)


def present(  # noqa: PLR0913 - the declaration's parts
    subject: str,
    kind: Object,
    place: Place,
    have: State | None,
    given: Mapping[str, Any],
    *,
    absent_modules: Collection[str] = (),
    purge_modules: bool = False,
    resend_secrets: bool = False,
    always_sent: Sequence[str] = (),
    identity: Mapping[str, Any] = MappingProxyType({}),
) -> Plan:
    """The plan for a resource that is to be there as `given`; modules are taken off by operations of their own.

    `always_sent` are fields that every PATCH has to carry; `identity` is what an object is shown with before it exists.
    """
    want = _want(kind, given, absent_modules, purge_modules)
    after = kind.predict(have, want)
    if have is None:
        after = {**after, **identity}
        body = _body(kind, given, {}, [name for name, value in want.items() if value not in (None, Mark.KEEP)])
        create = Operation("POST", place.collection, "does not exist yet", body)
        return Plan(subject, kind, None, want, after, (create,))
    changes = kind.differs(have, want, "", resend_secrets)
    removed = [name for name in _names(changes) if want[name] is None]
    sent = [name for name in _names(changes) if name not in removed]
    operations = list(_module_removals(place.path, removed, _removal_reasons(absent_modules)))
    if sent:
        always = {name: have[name] if given.get(name) is None else given[name] for name in always_sent}
        body = _body(kind, {**given, **always}, have, [*always_sent, *(n for n in sent if n not in always_sent)])
        reason = f"differs: {', '.join(path for path in changes if path.split('.')[0] in sent)}"
        patch = Operation("PATCH", place.path, reason, body)
        operations = _in_safe_order(patch, operations, have, {name: have[name] for name in always_sent})
    return Plan(subject, kind, have, want, after, tuple(operations), tuple(changes))


def replaced(
    subject: str, kind: Object, path: str, have: State | None, given: Mapping[str, Any], *, resend_secrets: bool = False
) -> Plan:
    """The plan for an object that a PUT replaces as a whole."""
    want = kind.normal(given)
    kind.check_against(have, given, "")
    after = kind.predict(have, want)
    changes = kind.differs(have, want, "", resend_secrets)
    if not changes:
        return Plan(subject, kind, have, want, after)
    reason = "is not set yet" if have is None else f"differs: {', '.join(changes)}"
    put = Operation("PUT", path, reason, kind.body(given, have, ""))
    return Plan(subject, kind, have, want, after, (put,), tuple(changes))


def _want(
    kind: Object, given: Mapping[str, Any], absent_modules: Collection[str], purge_modules: bool
) -> dict[str, Any]:
    want: dict[str, Any] = kind.normal(given)
    for f in kind.declarable:
        if isinstance(f.kind, Object) and (f.name in absent_modules or (purge_modules and want[f.name] is Mark.KEEP)):
            want[f.name] = None
    return want


def _body(kind: Object, given: Mapping[str, Any], have: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: kind.named[name].kind.body(given[name], have.get(name), name) for name in names}


def _names(changes: Iterable[str]) -> list[str]:
    """The fields that the changed paths lie in, once each, in order."""
    return list(dict.fromkeys(path.split(".")[0] for path in changes))


def _removal_reasons(absent_modules: Collection[str]) -> Mapping[str, str]:
    return {name: f"{name} is to be absent" for name in absent_modules}


def _module_removals(path: str, names: Iterable[str], reasons: Mapping[str, str]) -> Iterator[Operation]:
    for name in names:
        yield Operation(
            "DELETE",
            f"{path}/{name}",
            reasons.get(name, f"{name} is not declared, and modules that are not declared are purged"),
            removed_module=name,
            other_paths=tuple(f"{path}/{other}" for other in OTHER_MODULE_NAMES.get(name, ())),
        )


def _in_safe_order(
    patch: Operation, removals: list[Operation], have: State, always: Mapping[str, Any]
) -> list[Operation]:
    """Removals come after the PATCH, so that what protects the object is never less than before or after the run.

    Exchanging one authentication module for another is the exception. Services that take one at a time refuse the new
    one while the old one is set, and without either the route would be open; so it is closed for that time, by its
    backend. Services don't tell which of them they are, and closing is right for both.
    """
    leaving = [op for op in removals if op.removed_module in AUTH_MODULES]
    entering = [name for name in AUTH_MODULES if name in patch.body and have.get(name) is None]
    if not leaving or not entering:
        return [patch, *removals]
    rest = [op for op in removals if op not in leaving]
    exchange = f"{_removed_modules(leaving)} gives way to {' and '.join(entering)}"
    closed = closing(patch.path, leaving, have, always, exchange)
    return [*closed, *reopening(patch, have, patch.path, always, have), *rest]


def closing(
    path: str, leaving: Sequence[Operation], have: State, always: Mapping[str, Any], why: str
) -> list[Operation]:
    """The operations that take authentication modules off a route which is closed, by its backend, before that."""
    closed = _closed_backend(have)
    if closed is None:
        return list(leaving)
    close = Operation(
        "PATCH",
        path,
        f"closes the route, by its backend, while {why}",
        {**always, "backend": closed},
        meanwhile="the route is closed (its backend is disabled), so that nobody passes without authentication; run "
        "the task again with `backend` declared and enabled to finish and to open it",
    )
    return [close, *(replace(op, meanwhile=close.meanwhile) for op in leaving)]


def reopening(
    patch: Operation | None, have: State, path: str, always: Mapping[str, Any], after: State
) -> list[Operation]:
    """The PATCH of a route, if there is one, which also opens it again after `closing`."""
    closed = _closed_backend(have)
    if closed is None:
        return [patch] if patch else []
    opened = {**closed, "enabled": True}
    if patch is None:
        if not after["backend"]:
            return []
        return [Operation("PATCH", path, "opens the route again", {**always, "backend": opened})]
    body = {**patch.body, "backend": patch.body.get("backend", opened)}
    return [Operation("PATCH", path, f"{patch.reason}; opens the route again", body)]


def _closed_backend(have: State) -> dict[str, Any] | None:
    """The backend that closes a route; None if the route leads nowhere as it is."""
    backend = have.get("backend")
    if not (backend and backend["enabled"]):
        return None
    return {"enabled": False, **({"backend_id": backend["backend_id"]} if backend["backend_id"] else {})}


def _removed_modules(leaving: Sequence[Operation]) -> str:
    return " and ".join(str(op.removed_module) for op in leaving)
