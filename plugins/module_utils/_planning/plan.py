# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans: an object, its state before and after, and the operations in between. Pure: no I/O, no Ansible.

Check mode, a real run, and the diff use the same plan, so the three agree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from .._errors import Ambiguous, IngressError, Missing, ObjectFailed, Withheld
from .._model.declaration import shown_states
from .._model.objects import Object
from .._values.identifiers import is_placeholder, placeholders_in
from .._values.kinds import Mark

State = dict[str, Any]
Name = tuple[str, ...]
"""What can belong to one object at a time, such as ("hostports", "shop.example.com:443")."""

Ids = Mapping[str, str]
"""The IDs of new objects, by the placeholders that stand for them in plans."""


SIGNS = {"create": "+", "update": "~", "delete": "-"}
"""What stands before each action, so that a deletion never looks like an update."""


@dataclass(frozen=True)
class Operation:
    """One request that writes.

    `removed_module` is the traffic module that it removes. `other_paths` are tried if the service does not know the
    first one. `interim_state` describes the state between this operation and the last one of the plan, in case the plan
    stops there. `gives_up` are names that no other object takes. `undo` reverts the operation if the plan cannot be
    finished. One that `restores` was not planned: it sends again what another one has cleared.
    """

    method: str
    path: str
    reason: str
    body: Any = None
    removed_module: str | None = None
    other_paths: tuple[str, ...] = ()
    interim_state: str = ""
    undo: Operation | None = None
    restores: bool = False
    gives_up: tuple[Name, ...] = ()

    def shown(self) -> dict[str, str]:
        return {"method": self.method, "path": self.path, "reason": self.reason}

    @property
    def placeholders(self) -> list[str]:
        return placeholders_in((self.path.split("/"), self.body))


UNLOCKED, OTHERS, REOPENED, NEW = OPENING_KINDS = ("unlocked", "others", "reopened", "new")
"""How a request is opened: a lock is gone, others pass it, nobody got through, or nothing took the request."""


class Opening(NamedTuple):
    """A request with which somebody gets through who does not get through before: how, and what has changed.

    The `visitors` are a digest of all who get through then.
    """

    kind: str
    request: str
    text: str
    visitors: str = ""

    def shown(self) -> dict[str, str]:
        return {"kind": self.kind, "request": self.request, "text": self.text}


@dataclass(frozen=True)
class Target:
    """The object that a plan is about.

    `name` distinguishes it from other objects of its kind in messages, unless it `is_part` of another object: then, it
    also says which part. `key` distinguishes it from the objects that are planned with it. Requests that create it go
    to `collection`, all others to `path`, which is empty as long as the object does not exist. `identity` is the part
    of its predicted state that the service chooses. It is `repeatable` if reading again would find what a creation left
    behind, and `unique` if the service itself rejects a second creation of the same object. `parent` is the key of the
    object that it belongs to, or the ID of one that is not planned; `option` is the list that declares it and its
    siblings, or the object whose traffic module it is. `found_by` are fields by which the next run finds the object, in
    addition to those that identify all objects of its kind.
    """

    name: str
    kind: Object
    key: Hashable = None
    path: str = ""
    collection: str = ""
    identity: Mapping[str, Any] = field(default_factory=dict)
    repeatable: bool = True
    unique: bool = False
    parent: Hashable = None
    option: str = ""
    is_part: bool = False
    found_by: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        """What messages call the object."""
        return self.name if self.is_part else f"{self.kind.name} {self.name}".rstrip()

    @property
    def object_collection(self) -> str:
        """The collection of an object without a module of its own, such as "ip_policies"; empty for all others."""
        return self.collection.strip("/") if self.kind.name == "object" else ""

    def failed(self, error: IngressError, done: Sequence[dict[str, str]] = (), interim_state: str = "") -> ObjectFailed:
        return ObjectFailed(self.subject, error, done, interim_state, "" if self.is_part else self.kind.noun, self.name)


@dataclass(frozen=True)
class Plan:
    """The operations on one object. `desired` contains Mark.KEEP for what is not declared.

    With an `error`, the object could not be planned, and nothing is done; `desired` may be what is declared. `doubt` is
    an assumption of the plan that only the response to a write confirms. A `purge` deletes what is not declared.
    `claims` are the names that the object is declared to have, None if it keeps its own, and `takes` says which of them
    others give up for it. `opens` says what would not open without it.
    """

    target: Target
    before: State | None = None
    desired: State | None = None
    after: State | None = None
    operations: tuple[Operation, ...] = ()
    changes: tuple[str, ...] = ()
    error: IngressError | None = None
    purge: bool = False
    claims: frozenset[Name] | None = None
    takes: str = ""
    doubt: str = ""
    opens: tuple[Opening, ...] = ()
    kind: Object = field(init=False, compare=False, repr=False)
    key: Hashable = field(init=False, compare=False, repr=False)
    subject: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("kind", "key", "subject"):
            object.__setattr__(self, name, getattr(self.target, name))

    @cached_property
    def shown(self) -> tuple[State | None, State | None]:
        """The states before and after as options, without secrets; before a deletion, with all that it deletes."""
        return shown_states(self.kind, self.before, self.after, self.changes)

    @property
    def diff(self) -> dict[str, Any]:
        """The diff in Ansible's format, with the action and the object as header; None is displayed as empty."""
        before, after = self.shown
        header = f"{SIGNS[self.action]} {self.action} {self.subject}"
        return {"before_header": header, "after_header": header, "before": before, "after": after}

    @property
    def secrets_not_compared(self) -> int:
        """How many declared secrets are not sent, and cannot be compared, because the service does not return them."""
        if self.error or self.before is None or self.desired is None:
            return 0
        sent = {name for operation in self.operations for name in operation.body or ()}
        differing = set(self.kind.differs(self.before, self.desired, "", resend_secrets=True))
        hidden = (path.replace("[", ".").split(".")[0] for path in differing.difference(self.changes))
        return sum(name not in sent for name in hidden)

    @property
    def action(self) -> str:
        """What the operations do with the object: create, update, or delete it."""
        if self.after is None:
            return "delete"
        return "create" if self.before is None else "update"

    @property
    def family(self) -> tuple[str, Hashable]:
        """What distinguishes objects that can have the same names from others."""
        # Edges of different kinds cannot have the same hostport, either.
        return "" if self.target.parent is None else self.kind.name, self.target.parent


def patch(target: Target, state: State, reason: str, fields: Mapping[str, Any] | None = None) -> Operation:
    current = ((name, state[name]) for name in target.kind.always_sent)
    always = {name: value for name, value in current if value is not None and _is_known(value)}
    return Operation("PATCH", target.path, reason, {**always, **(fields or {})})


def _is_known(value: Any) -> bool:
    """Return whether a value contains no secret that services do not return, so that a request can contain it."""
    members = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return not isinstance(value, Mark) and all(map(_is_known, members))


def with_fields(operation: Operation, fields: Mapping[str, Any]) -> Operation:
    """Return an operation that sends these fields as well, or instead of what it sends of them."""
    return replace(operation, body={**operation.body, **fields})


def separate_modules(plans: Sequence[Plan]) -> Mapping[Hashable, set[str]]:
    """Return the traffic modules of TLS edges that have plans of their own, by the IDs of the edges."""
    found: dict[Hashable, set[str]] = defaultdict(set)
    for plan in plans:
        if plan.target.is_part and not is_unclear(plan):
            found[plan.target.parent].add(plan.target.path.rpartition("/")[2])
    return found


def planned(make: Callable[[], Plan], target: Target, *, purge: bool = False) -> Plan:
    """Return the plan that `make` returns, or one with the error that it raises, so that the other objects go on."""
    try:
        return make()
    except IngressError as error:
        return Plan(target, error=error, purge=purge)


def unchanged(plan: Plan, error: IngressError) -> Plan:
    """Return a plan that leaves its object as it is, because of an error."""
    return replace(plan, after=plan.before, operations=(), changes=(), doubt="", error=error)


def withholding(plan: Plan, cause: str, *, has_begun: bool = False) -> Withheld:
    """Return why a plan is not executed, or not to its end: an object with the name `cause` failed."""
    done = "purged" if plan.purge else {"create": "created", "delete": "deleted"}.get(plan.action, "changed")
    return Withheld("finished" if has_begun else done, cause)


def is_unclear(plan: Plan) -> bool:
    """Return whether nobody knows what the object of a plan is: it was not found or read, and is not certainly new."""
    return plan.error is not None and plan.before is None


def known_id(plan: Plan) -> str:
    """Return the ID of the object of a plan, an empty one if it may be any."""
    identifier: str = (plan.before or plan.after or plan.target.identity)["id"]
    is_any = is_placeholder(identifier) or isinstance(plan.error, (Ambiguous, Missing))
    return "" if is_any and is_unclear(plan) else identifier


def states_of(plan: Plan) -> list[State | None]:
    """Return the state before the first operation, and that after each of them; None if the object does not exist.

    What could not be planned stays as it is.
    """
    states = [plan.before]
    for operation in () if plan.error else plan.operations:
        states.append(_after(plan, states[-1], operation))
    return states


def _after(plan: Plan, state: State | None, operation: Operation) -> State | None:
    if operation.method == "DELETE":
        removed = operation.removed_module
        return None if removed is None or state is None else {**state, removed: None}
    if state is None:
        return plan.after
    if operation.method == "PUT":
        return {**state, **(plan.after or {})}
    fields = plan.kind.named
    changed = {}
    for name, value in operation.body.items():
        kind, final = fields[name].kind, (plan.after or {}).get(name)
        wanted = kind.normal(value)
        # The final state also contains what the service has chosen.
        is_final = plan.after is not None and not kind.differs(final, wanted, name, False)
        changed[name] = final if is_final else kind.predict(state[name], wanted)
    sent: State = plan.kind.sent({**state, **changed}, [*changed])
    return sent
