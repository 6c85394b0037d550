# SPDX-License-Identifier: GPL-3.0-or-later
"""What can belong to one object of a kind at a time, as the schema says, and what others keep of it. Pure.

Each of these is a `Name`: the name of a field and a value, such as ("hostports", "shop.example.com:443").
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from .._errors import Contradiction, UnexpectedResponse
from .._model.objects import Object
from .._model.protection import is_enabled
from .._values.hostports import host_form, host_keys
from .matching import Matching
from .plan import Name, Plan, State, unchanged, withholding

_SET, _ENABLED = "set", "enabled"


def held(kind: Object, state: State | None) -> frozenset[Name]:
    """Return the names that an object has in a state; none for an object that does not exist.

    If several fields identify an object, it also has the name that they form together. An exclusive module is a name
    as well, for being set and for being enabled: some services accept either on one object of a parent only.
    """
    exclusive = [state[name] for name in kind.exclusive if state is not None]
    counted = {_SET: any(one is not None for one in exclusive), _ENABLED: any(map(is_enabled, exclusive))}
    modules = frozenset(name for name in handed_over(kind) if counted[name[0]])
    return own_names(kind, state) | certain_names(kind, state) | modules


def own_names(kind: Object, state: State | None) -> frozenset[Name]:
    """Return the values that identify an object by themselves; none for an object that does not exist."""
    known = state or {}
    return frozenset((f.name, value) for f in kind.fields if f.unique for value in values_of(known.get(f.name)))


def certain_names(kind: Object, state: State | None) -> frozenset[Name]:
    """Return the names that no service lets two objects have: of several identifying fields, all together."""
    names: list[Name] = []
    for f in kind.fields:
        if state is not None and f.unique:
            # What is in a list belongs to one object, whatever else identifies it.
            is_list = isinstance(state[f.name], list)
            others = [] if is_list else [one.name for one in kind.fields if one.identifies and one is not f]
            names += [(f.name, value, *map(state.__getitem__, others)) for value in values_of(state[f.name])]
    return frozenset(names)


def declared_names(kind: Object, given: Mapping[str, Any]) -> frozenset[Name] | None:
    """Return the names that an object is declared to have; None if the declaration leaves its names unchanged."""
    declared = [f for f in kind.fields if f.unique and given.get(f.name) is not None]
    if not declared:
        return None
    return frozenset({(f.name, value) for f in declared for value in values_of(f.kind.normal(given[f.name]))})


def handed_over(kind: Object) -> frozenset[Name]:
    """Return the names that an object has by its exclusive modules."""
    name = what_is_handed_over(kind)
    return frozenset({(_SET, name), (_ENABLED, name)} if name else ())


def what_is_handed_over(kind: Object) -> str:
    """Return the name of the protection by the exclusive modules of a kind, such as "the login"; "" if it has none."""
    modules = (kind.named[name].kind for name in kind.exclusive)
    protections = sorted({module.protects for module in modules if isinstance(module, Object)})
    return f"the {' or '.join(protections)}" if protections else ""


def values_of(value: Any) -> set[str]:
    """Return the values of a unique field, in their normal form: those of a list are hostports."""
    return {value} if isinstance(value, str) else host_keys(value)


EDGES = ("edges/tcp", "edges/tls")
HOSTPORTS = "hostports"
UNIQUE = {**dict.fromkeys(("edges/https", *EDGES), HOSTPORTS), "reserved_domains": "domain"}
"""The field of the objects of a collection whose values can belong to one of them only."""


def possible_plans(
    plans: Sequence[Plan],
    matching: Matching,
    names_of: Callable[[Any], Mapping[Name, str]],
    is_purged: Callable[[Any], bool] = lambda _wire: False,
    kept: Mapping[Name, str] = MappingProxyType({}),
    absent: Sequence[Plan] = (),
) -> list[Plan]:
    """Return the plans of declared objects, with an error in place of each that takes a name which another one keeps.

    The first plans are those of the matching. `names_of` returns the names of a live object, each with the subject of
    the object, `kept` are names of others, and the plans of `absent` ones delete what has such names.
    """
    if HOSTPORTS in {name[0] for plan in plans for name in _taken(plan)}:
        live = [*matching.undeclared(), *matching.candidates(range(len(plans)))]
        gone = (dict.fromkeys(certain_names(plan.kind, plan.before), plan.subject) for plan in absent)
        plans = _without_near_misses(plans, [kept, *gone, *(_readable(names_of, wire) for wire in live)])
    while any(map(_taken, plans)):
        # A declared object that failed may be any of these.
        failed = matching.candidates(number for number, plan in enumerate(plans) if plan.error)
        undeclared = (wire for wire in matching.undeclared() if not is_purged(wire))
        kept_by, failing = (
            {name: subject for wire in wires for name, subject in names_of(wire).items()}
            for wires in (undeclared, failed)
        )
        possible = _without_taken(plans, {**kept, **kept_by}, failing)
        if [plan.error for plan in possible] == [plan.error for plan in plans]:
            break
        plans = possible
    return list(plans)


def _taken(plan: Plan) -> frozenset[Name]:
    return certain_names(plan.kind, plan.after) - certain_names(plan.kind, plan.before)


def _readable(names_of: Callable[[Any], Mapping[Name, str]], wire: Any) -> Mapping[Name, str]:
    try:
        return names_of(wire)
    except UnexpectedResponse:
        return {}  # Its own plan says so.


def _without_near_misses(plans: Sequence[Plan], others: Iterable[Mapping[Name, str]]) -> list[Plan]:
    """Return the plans, with an error in place of each that takes what may be a hostport of another object.

    Where a service takes both spellings for one host, it would be served without what protects it there. `others` are
    the names of live objects, also of those that are purged, each with the subject of its object.
    """
    holders = {name: subject for names in others for name, subject in names.items()}
    live = {*holders, *(name for plan in plans for name in certain_names(plan.kind, plan.before))}
    own = [certain_names(plan.kind, plan.before) | certain_names(plan.kind, plan.after) for plan in plans]
    for plan, names in zip(plans, own):
        holders |= dict.fromkeys(names, plan.subject)
    alike: dict[str, set[Name]] = {}
    for name in holders:
        if name[0] == HOSTPORTS:
            alike.setdefault(host_form(name[1]), set()).add(name)
    checked = []
    for plan, names in zip(plans, own):
        taken = sorted(name for name in _taken(plan) if name[0] == HOSTPORTS and name not in live)
        pairs = ((name[1], other) for name in taken for other in sorted(alike[host_form(name[1])] - names))
        hostport, other = next(pairs, ("", None))
        if other:
            plan = unchanged(plan, _near_miss(HOSTPORTS, hostport, other[1], holders[other]))  # noqa: PLW2901
            # What has the other one is not deleted before it is clear which one is meant.
            plan = replace(plan, claims=(plan.claims or frozenset()) | {other[:2]})  # noqa: PLW2901
        checked.append(plan)
    return checked


def _near_miss(field: str, name: str, other: str, holder: str) -> Contradiction:
    return Contradiction(
        f"{field}: {name} may be {other} in another spelling, which belongs to {holder}. Declare it as the service "
        f"returns it; if it is another host, update or delete {holder} in an earlier run."
    )


def check_free(
    collection: str, declared: Mapping[str, Any], live: Sequence[Mapping[str, Any]], named: Collection[Any]
) -> None:
    """Raise Contradiction if one of the live objects has what an object is declared to have, except of those `named`.

    What no object has in this spelling, it may also have in another one.
    """
    field = UNIQUE.get(collection, "")
    wanted = host_keys(declared.get(field))
    found = [(str(wire.get("id") or ""), host_keys(wire.get(field))) for wire in live] if wanted else []
    forms = {host_form(name): name for name in wanted.difference(*(names for _id, names in found))}
    for identifier, names in found:
        if identifier in named:
            continue
        for name in sorted(wanted & names):
            raise Contradiction(
                f"{field}: {name} belongs to {identifier}, and can belong to one object only. Declare `{field}` "
                "without it, or update or delete the other object in an earlier run."
            )
        for name in sorted(name for name in names if host_form(name) in forms):
            raise _near_miss(field, forms[host_form(name)], name, identifier)


def _without_taken(plans: Sequence[Plan], kept_by: Mapping[Name, str], failing: Mapping[Name, str]) -> list[Plan]:
    """Return the plans, with an error in place of each that takes a name which another object keeps.

    `kept_by` are the names of objects that stay as they are, each with the subject of that object, and `failing` those
    of declared objects that could not be planned.
    """
    holders = {**kept_by, **failing}
    names = [(certain_names(plan.kind, plan.before), certain_names(plan.kind, plan.after)) for plan in plans]
    for plan, (before, after) in zip(plans, names):
        holders |= dict.fromkeys(before & after, plan.subject)
    possible = []
    for plan, (before, after) in zip(plans, names):
        taken = sorted(after - before)
        rejected = [name for name in taken if name in holders]
        if rejected and rejected[0] in failing:
            plan = unchanged(plan, withholding(plan, failing[rejected[0]]))  # noqa: PLW2901
        elif rejected:
            plan = unchanged(plan, _not_free(plan, rejected[0], holders[rejected[0]]))  # noqa: PLW2901
        possible.append(plan)
        holders |= dict.fromkeys([] if rejected else taken, plan.subject)
    return possible


def _not_free(plan: Plan, name: Name, holder: str) -> Contradiction:
    field, value, noun = name[0], name[1], plan.kind.noun
    is_list = plan.after is not None and isinstance(plan.after[field], list)
    way_out = f"Declare `{field}` without it for one of the two" if is_list else f"Declare another `{field}`"
    return Contradiction(
        f"{field}: {value} belongs to {holder}, and can belong to one {noun} only. {way_out}, or delete the {noun} "
        "that has it first."
    )
