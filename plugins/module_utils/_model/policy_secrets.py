# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets in the rules of the policy module. Pure.

The collection does not know the actions of services, so it recognizes secrets by their names alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .kinds import MASK

State = dict[str, Any]

_SECRET_NAME = re.compile(
    r"(?:secret|password|passwd|pwd|passphrase|token|bearer|jwt|hmac|credentials?|authorization"
    r"|(?:api|private|access|secret|signing|hmac)[_-]?key)$",
    re.IGNORECASE,
)
_SHORTEST_SECRET = 8
"""Shorter values are words that occur elsewhere, such as the name of a header that holds a token."""


def secrets_in_policies(options: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is probably secret in the policies of a route, of an edge's routes, or of an estate."""
    for edge in _dictionaries(options.get("https_edges", [options])):
        for route in _dictionaries(edge.get("routes", [edge])):
            yield from _secrets_in(route.get("policy"))


def _dictionaries(members: Any) -> list[Mapping[str, Any]]:
    return [member for member in members if isinstance(member, Mapping)] if isinstance(members, list) else []


def masked_policies(before: State | None, after: State | None, new_secret: str) -> tuple[State | None, State | None]:
    """Return two states of an object with what is probably secret in their policies masked.

    If they differ in nothing else than such secrets, those of the second one are replaced by `new_secret` instead.
    """
    old, new = (state.get("policy") if state else None for state in (before, after))
    is_visible = old == new or _masked_rules(old, MASK) != _masked_rules(new, MASK)
    return _with_masked_policies(before, MASK), _with_masked_policies(after, MASK if is_visible else new_secret)


def _with_masked_policies(state: State | None, mask: str) -> State | None:
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
    return bool(_masked_rules(rules, MASK) != rules)


def _masked_rules(rules: Any, mask: str) -> Any:
    if isinstance(rules, dict):
        return {
            name: mask if value and _is_secret(name) else _masked_rules(value, mask) for name, value in rules.items()
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
