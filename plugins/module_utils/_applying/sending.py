# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends one operation, reads the state of its object in the response, and checks what others rely on in this state.

A response without an error does not prove that an operation had an effect.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from .._errors import POSSIBLY_UNSUPPORTED, IdentityChanged, OutcomeUnknown, Request, UnexpectedResponse, UnexpectedType
from .._model.objects import Object
from .._model.protection import IP_RULES, SERVING, admits_by, decides_way, is_enabled, protecting_modules, protections
from .._planning.plan import Ids, Operation, Plan
from .._planning.rejected_changes import OBJECT
from .._transport.addresses import path_of
from .._transport.client import NO_CONTENT, Client
from .._values.identifiers import with_ids
from .._values.option_wording import quoted


def _check_identity(plan: Plan, operation: Operation, response: Any) -> None:
    """Raise OutcomeUnknown if the response lacks the ID of a new object, or contains that of another object."""
    if "id" not in plan.kind.named or operation.method == "DELETE" or (response is None and plan.before):
        return
    identifier = response.get("id") if isinstance(response, dict) else None
    expected = plan.before["id"] if plan.before is not None else identifier
    if not identifier or identifier != expected:
        what = "the ID of the new object" if plan.before is None else f"the ID {expected}"
        problem = f"expected {what} in the response, got {identifier or 'none'}."
        raise OutcomeUnknown(problem, Request(operation.method, operation.path))


def send(client: Client, operation: Operation) -> Any:
    """Send an operation and return the JSON of the response, None for a response without content (204)."""
    path, *others = operation.path, *operation.other_paths
    try:
        status, response = client.call(operation.method, path, operation.body)
    except POSSIBLY_UNSUPPORTED:
        if not others:
            raise
        return send(client, replace(operation, path=others[0], other_paths=tuple(others[1:])))
    if response is None and status != NO_CONTENT and operation.method != "DELETE":
        raise OutcomeUnknown("expected an object, got null.", Request(operation.method, path, status=status))
    return response


def state_after(plan: Plan, operation: Operation, state: Any, response: Any) -> Any:
    """Return the state of an object after an operation. Raise OutcomeUnknown if the response is about another one."""
    _check_identity(plan, operation, response)
    if operation.removed_module is not None:
        return {**state, operation.removed_module: None}
    if operation.method == "DELETE":
        return None
    if response is None:
        return plan.after
    try:
        state_after = plan.kind.read(response, "")
    except UnexpectedType as error:
        raise OutcomeUnknown(str(error), Request(operation.method, operation.path)) from None
    names = _different_identity(plan, operation, state_after) if operation.method == "POST" else []
    if names:
        identifier, them = state_after.get("id"), "it" if len(names) == 1 else "them"
        values = (f"{quoted(plan.kind.named[name].kind.shown(state_after[name]))} for {name}" for name in names)
        advice = f"declare {them} as the service returns {them}"
        advice += f", set `id` to {identifier}, or delete {identifier}" if identifier else ""
        # No further run may be able to find the object.
        raise IdentityChanged(
            f"the response is about {identifier or 'an object'} with {' and '.join(values)}, which was not sent. If "
            f"this is the new {plan.kind.noun}, {advice}. Until then, each run may create another one.",
            Request(operation.method, operation.path),
        )
    return state_after


def _different_identity(plan: Plan, operation: Operation, state: Any) -> list[str]:
    """Return the fields that show that an object is not the one that was sent."""
    finding = (f for f in plan.kind.fields if f.identifies or f.name in plan.target.found_by)
    sent = ((f, f.kind.normal(operation.body[f.name])) for f in finding if f.name in operation.body)
    return [f.name for f, value in sent if f.kind.differs(state[f.name], value, f.name, False)]


def took_effect(plan: Plan, operation: Operation, state: Any) -> bool:
    if operation.method == "DELETE":
        return state is None or (operation.removed_module is not None and state[operation.removed_module] is None)
    # Request bodies have the format of the options, so a body can be compared with a state.
    return state is not None and not plan.kind.differs(state, plan.kind.normal(operation.body), "", False)


def is_found_by_another(plan: Plan, operation: Operation, state: Any) -> bool:
    """Return whether an update leaves another value in what finds the object, so the next run would not find it."""
    is_shown = operation.method == "PATCH" and state is not None
    return is_shown and not set(plan.target.found_by).isdisjoint(_different_identity(plan, operation, state))


def unseen(plan: Plan, operation: Operation, state: Any) -> list[str]:
    """Return the paths of what the object does not have in this state, although the operation was to give it that."""
    named = (f.name for f in plan.kind.fields if f.unique or f.identifies)
    names = {*protecting_modules(plan.kind), plan.kind.closed_by, *plan.target.found_by, *named}
    ignored = plan.kind.differs(state, plan.kind.normal(operation.body), "", False)
    return [path for path in ignored if not path or _counts(plan, path, names)]


def _counts(plan: Plan, path: str, names: Collection[str]) -> bool:
    """Return whether others may rely on a field with this path; `names` are the fields of which they do."""
    kind, protecting = plan.kind, protecting_modules(plan.kind)
    top, _dot, rest = path.replace("[", ".").partition(".")
    if kind.protects:
        return admits_by(kind, path)
    if rest and top in protecting:
        return admits_by(protecting[top], rest)
    return top in names or (kind.name == OBJECT and decides_way(kind, plan.target.collection.strip("/"), [top]))


def unprotected(plan: Plan, operation: Operation, state: Any, before: Any) -> list[str]:
    """Return what is to protect an object after an operation, and does not do so in this state.

    An operation enables it, or an update leaves it as it was `before`. Some services replace an object instead.
    """
    kind, body, after = plan.kind, operation.body, plan.after or {}
    if body is None:
        return []
    if kind.protects:
        is_expected = _has_content(body) and is_enabled(body)
        is_there = is_enabled(state) and not _lost(kind, after, state)
        return [plan.target.name] if is_expected and not is_there else []
    if state is None:
        return []
    collection = plan.target.collection.strip("/") if kind.name == OBJECT else ""
    sent, given = [*body], after
    if collection == IP_RULES:
        return ["action"] if body.get("action") == "deny" and plan.kind.shown(state).get("action") != "deny" else []
    if collection in SERVING:
        # Ansible compiles whatever is imported, for each playbook.
        from .._access.served_objects import SERVED_OBJECT, served_state  # noqa: PLC0415

        sent = ["policy" if name == "traffic_policy" else name for name in body]
        before, after = (served_state(plan.kind.judged(one)) if one else {} for one in (before, after))
        kind, body, state = SERVED_OBJECT, served_state(body), served_state(plan.kind.shown(state))
        given = body  # What is always sent is at first what it was before, and not what it is to be.
    wanted = [name for name in protections(kind, body) if _has_content(body[name])]
    there, modules = protections(kind, state), protecting_modules(kind)
    missing = [name for name in wanted if name not in there or _lost(modules[name], given.get(name), state[name])]
    kept = [name for name in protections(kind, before) if operation.method == "PATCH" and name not in sent]
    # Some services remove one login themselves when another one is set. Others may have changed whom it admits.
    kept = [name for name in kept if _has_content(before[name]) and is_enabled(after.get(name))]
    return missing + [name for name in kept if name not in there or not _has_content(state[name])]


def _has_content(module: Mapping[str, Any]) -> bool:
    """Return whether a traffic module can keep anybody out. One without content may not exist for the service."""
    return any(value not in (None, "", [], {}) for name, value in module.items() if name != "enabled")


def _lost(module: Object, wanted: Any, found: Any) -> bool:
    """Return whether a traffic module that was to restrict who gets in does not list anybody of these, but others."""
    are_known = isinstance(wanted, Mapping) and isinstance(found, Mapping)
    pairs = [(wanted[f.name], found[f.name], f) for f in module.fields] if are_known else []
    lists = [(set(first), set(second)) for first, second, f in pairs if f.restricts]
    named = set().union(*(first for first, _second in lists))
    seen = set().union(*(second for _first, second in lists))
    inner = any(isinstance(f.kind, Object) and _lost(f.kind, first, second) for first, second, f in pairs)
    return inner or bool(named and (not seen or seen - named))


def check_seen(plan: Plan, operation: Operation, state: Any, before: Any) -> None:
    """Raise UnexpectedResponse if an operation did not have the effect that others rely on, or another one as well.

    `before` is the state before the operation.
    """
    if operation.body is None:
        if not took_effect(plan, operation, state):
            what = f"still returns {operation.removed_module or 'the object'}, so nothing was changed that relies on it"
            request = Request(operation.method, operation.path)
            raise UnexpectedResponse(f"the service accepted the deletion but {what}.", request)
        return
    missing = unprotected(plan, operation, state, before)
    paths = unseen(plan, operation, state)
    others = [] if state is None or (paths and plan.kind.protects) else missing
    paths += [name for name in others if not any(one.startswith(name) for one in paths)]
    if paths:
        what = f"returned other values for {', '.join(paths)}" if all(paths) else "does not return the object"
        is_closed = bool(plan.kind.closed_by) and not is_enabled((state or {}).get(plan.kind.closed_by))
        # A service that ignores a traffic module as a whole does not write it in another way.
        advice = " If the service writes them in another way, declare them so." if "." in "".join(paths) else ""
        open_to = f" Whoever {' or '.join(missing)} was to keep out gets in." if missing and not is_closed else ""
        raise UnexpectedResponse(
            f"the service accepted the change but {what}, so nothing was changed that relies on this.{advice}{open_to}",
            Request(operation.method, operation.path),
        )


def bound(plan: Plan, ids: Ids) -> Plan:
    """Return the plan with IDs in place of placeholders. Raises UnusableIdentifier for one that no path can contain."""
    kind = plan.target.kind.with_values(lambda value: with_ids(value, ids))
    path, collection = (_path_with(one, ids) for one in (plan.target.path, plan.target.collection))
    return replace(
        plan,
        target=replace(plan.target, kind=kind, path=path, collection=collection),
        desired=with_ids(plan.desired, ids),
        after=with_ids(plan.after, ids),
        operations=tuple(with_other_ids(one, ids) for one in plan.operations),
    )


def with_other_ids(operation: Operation, ids: Ids) -> Operation:
    return replace(operation, path=_path_with(operation.path, ids), body=with_ids(operation.body, ids))


def _path_with(path: str, ids: Ids) -> str:
    segments = {path_of(one): path_of(other) for one, other in ids.items()}
    return "".join(segments.get(f"/{one}", f"/{one}") for one in path.split("/")[1:])
