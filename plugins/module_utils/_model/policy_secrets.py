# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets in the rules of the policy module. Pure.

The collection does not know the actions of services, so it recognizes secrets by their names alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from .kinds import MASK
from .unchecked_options import members_of

State = dict[str, Any]

Mask = Callable[[str, Any], str]
"""Returns what is displayed in place of the secret with this name."""

_SECRET_NAME = re.compile(
    r"(?:secret|password|passwd|pwd|passphrase|token|bearer|jwt|hmac|credentials?|authorization"
    r"|(?:api|private|access|secret|signing|hmac)[_-]?key)$",
    re.IGNORECASE,
)
_SHORTEST_SECRET = 8
"""Shorter values are words that occur elsewhere, such as the name of a header that holds a token."""


def secrets_in_policies(options: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is probably secret in the policies of a route, of an edge's routes, or of an estate."""
    for edge in members_of(options.get("https_edges", [options])):
        for route in members_of(edge.get("routes", [edge])):
            yield from _secrets_in(route.get("policy"))


def masked_policies(before: State | None, after: State | None, new_secret: str) -> tuple[State | None, State | None]:
    """Return two states of an object with what is probably secret in their policies masked.

    Secrets of the second one that the policy of the first one does not contain are replaced by `new_secret`. If the two
    policies differ only in the places of their secrets, all of them are.
    """
    old, new = (state.get("policy") if state else None for state in (before, after))
    known = {_canonical(named) for named in _named_secrets(old)}

    def mask(name: str, value: Any) -> str:
        return MASK if old is None or _canonical((name, value)) in known else new_secret

    is_hidden = old != new and _masked_rules(old, _always(MASK)) == _masked_rules(new, mask)
    new_mask = _always(new_secret) if is_hidden else mask
    return _with_masked_policies(before, _always(MASK)), _with_masked_policies(after, new_mask)


def _always(shown: str) -> Mask:
    return lambda _name, _value: shown


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _named_secrets(rules: Any) -> Iterator[tuple[str, Any]]:
    """Yield the secrets that are masked, each with its name."""
    for name, member in _named_members(rules):
        if member and _is_secret(name):
            yield name, member
        else:
            yield from _named_secrets(member)


def _with_masked_policies(state: State | None, mask: Mask) -> State | None:
    """Return the state of an object, and of the routes that are part of it, with a mask for secrets in policies."""
    if state is None:
        return None
    masked = dict(state)
    if "policy" in state:
        masked["policy"] = _masked_rules(state["policy"], mask)
    if "routes" in state:
        masked["routes"] = [_with_masked_policies(route, mask) for route in state["routes"]]
    return masked


def may_contain_secrets(rules: Any) -> bool:
    """Return whether a value in a policy has a name that secrets have."""
    return bool(_masked_rules(rules, _always(MASK)) != rules)


def _masked_rules(rules: Any, mask: Mask) -> Any:
    if isinstance(rules, dict):
        return {
            name: mask(name, value) if value and _is_secret(name) else _masked_rules(value, mask)
            for name, value in rules.items()
        }
    return [_masked_rules(rule, mask) for rule in rules] if isinstance(rules, list) else rules


def _secrets_in(value: Any, is_secret: bool = False) -> Iterator[str]:
    if isinstance(value, str) and is_secret and len(value) >= _SHORTEST_SECRET:
        # Services also quote the part after the word `Bearer` alone.
        yield from {value, *(word for word in value.split() if len(word) >= _SHORTEST_SECRET)}
    for name, member in _named_members(value):
        yield from _secrets_in(member, is_secret or _is_secret(name))


def _named_members(value: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(value, Mapping):
        return value.items()
    return [("", member) for member in value] if isinstance(value, list) else ()


def _is_secret(name: Any) -> bool:
    return isinstance(name, str) and _SECRET_NAME.search(name) is not None
