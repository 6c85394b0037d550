# SPDX-License-Identifier: GPL-3.0-or-later
"""What can belong to one object of a kind at a time, as the schema says. Pure.

Each of these is a `Name`: the name of a field and a value, such as ("hostports", "shop.example.com:443").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .._model.objects import Object
from .._model.protection import is_enabled
from .._model.string_sets import host_key
from .plan import Name, State

_SET, _ENABLED = "set", "enabled"


def held(kind: Object, state: State) -> frozenset[Name]:
    """Return the names that an object has in a state.

    If several fields identify an object, it also has the name that they form together. An exclusive module is a name
    as well, for being set and for being enabled: some services accept either on one object of a parent only.
    """
    names = set(_names(kind, state))
    exclusive = [state[name] for name in kind.exclusive]
    counted = {_SET: any(one is not None for one in exclusive), _ENABLED: any(map(is_enabled, exclusive))}
    return frozenset(names | {name for name in handed_over(kind) if counted[name[0]]})


def own_names(kind: Object, state: State | None) -> frozenset[Name]:
    """Return the values that identify an object by themselves; none for an object that does not exist."""
    if state is None:
        return frozenset()
    return frozenset((f.name, value) for f in kind.fields if f.unique for value in values_of(state[f.name]))


def certain_names(kind: Object, state: State | None) -> frozenset[Name]:
    """Return the names that no service lets two objects have: of several identifying fields, all together."""
    return frozenset(_whole_names(kind, state)) if state is not None else frozenset()


def declared_names(kind: Object, given: Mapping[str, Any]) -> frozenset[Name] | None:
    """Return the names that an object is declared to have; None if the declaration leaves its names unchanged."""
    declared = [f for f in kind.fields if f.unique and given.get(f.name) is not None]
    if not declared:
        return None
    return frozenset((f.name, value) for f in declared for value in values_of(f.kind.normal(given[f.name])))


def handed_over(kind: Object) -> frozenset[Name]:
    """Return the names that an object has by its exclusive modules."""
    name = what_is_handed_over(kind)
    return frozenset({(_SET, name), (_ENABLED, name)} if name else ())


def what_is_handed_over(kind: Object) -> str:
    """Return the name of the protection by the exclusive modules of a kind, such as "the login"; "" if it has none."""
    modules = (kind.named[name].kind for name in kind.exclusive)
    protections = sorted({module.protects for module in modules if isinstance(module, Object)})
    return f"the {' or '.join(protections)}" if protections else ""


def _names(kind: Object, state: State) -> Iterator[Name]:
    for name in _whole_names(kind, state):
        yield from {name[:2], name}


def _whole_names(kind: Object, state: State) -> Iterator[Name]:
    for f in kind.fields:
        if f.unique:
            # What is in a list belongs to one object, whatever else identifies it.
            is_list = isinstance(state[f.name], list)
            others = [] if is_list else [one.name for one in kind.fields if one.identifies and one is not f]
            yield from ((f.name, value, *map(state.__getitem__, others)) for value in values_of(state[f.name]))


def values_of(value: Any) -> list[str]:
    """Return the values of a unique field, in their normal form: those of a list are hostports."""
    if isinstance(value, list):
        return [host_key(one) for one in value if isinstance(one, str)]
    return [value] if isinstance(value, str) else []
