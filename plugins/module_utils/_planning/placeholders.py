# SPDX-License-Identifier: GPL-3.0-or-later
"""IDs of objects that check mode would create, so that later tasks can plan what belongs to these objects."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .._model.option_error import OptionError, OptionErrors

_SUFFIX = "would-be-created"

_DIGITS = 12
"""Of the part that distinguishes new objects. They are enough for millions of objects, and names stay readable."""

UNKNOWN_PREFIX = "new_"
"""The prefix of placeholders for objects whose kind the collection does not know."""


def placeholder(prefix: str, *identity: Any) -> str:
    """Return the ID of an object in check mode before it exists; `prefix` is that of its kind (section 2).

    `identity` is what finds the object later: later tasks would take two objects with the same ID for one.
    """
    if not identity:
        return prefix + _SUFFIX
    text = json.dumps(identity, sort_keys=True, default=str)
    return f"{prefix}{hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]}_{_SUFFIX}"


def is_placeholder(identifier: Any) -> bool:
    return isinstance(identifier, str) and identifier.endswith("_" + _SUFFIX)


def placeholders_in(values: Iterable[Any]) -> list[str]:
    """Return the placeholders among the strings inside of these values."""
    return [one for value in values for one in strings_in(value) if is_placeholder(one)]


def strings_in(value: Any) -> Iterator[str]:
    """Yield all strings inside of a value, of which some may be IDs, also as the keys of a dictionary."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, (dict, list)):
            waiting += reversed([*one.values(), *one] if isinstance(one, dict) else one)


def with_ids(value: Any, ids: Mapping[str, str]) -> Any:
    """Return the value with other IDs in place of some, at any depth."""
    if isinstance(value, dict):
        return {ids.get(name, name): with_ids(member, ids) for name, member in value.items()}
    if isinstance(value, list):
        return [with_ids(member, ids) for member in value]
    return ids.get(value, value) if isinstance(value, str) else value


def placeholder_errors(value: Any, path: str, check_mode: bool) -> OptionErrors:
    """Yield an error for a value that is a placeholder outside check mode, and for each one inside of the value."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield from placeholder_errors(name, f"{path}.{name}", check_mode)
            yield from placeholder_errors(member, f"{path}.{name}", check_mode)
    elif isinstance(value, list):
        for number, member in enumerate(value):
            yield from placeholder_errors(member, f"{path}[{number}]", check_mode)
    elif is_placeholder(value) and not check_mode:
        yield OptionError(path, f"{value} is a check-mode placeholder; outside check mode, set a real ID")
