# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets in the headers and the policies of routes, which are recognized by their names. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .kinds import MASK
from .named_secrets import masked, secrets_in
from .unchecked_options import members_of

State = dict[str, Any]

_RECOGNIZED_BY_NAME = ("metadata", "request_headers", "response_headers", "policy")
_SHORTEST_SECRET = 8
"""Shorter values are words that occur elsewhere, such as the name of a header that holds a token."""


def secrets_in_routes(options: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is probably secret in the declaration of a route, of an edge, of its routes, or of an estate."""
    for edge in members_of(options.get("https_edges", [options])):
        for one in (edge, *members_of(edge.get("routes"))):
            for name in _RECOGNIZED_BY_NAME:
                yield from secrets_in(one.get(name), shortest=_SHORTEST_SECRET)


def masked_policies(before: State | None, after: State | None, new_secret: str) -> tuple[State | None, State | None]:
    """Return two states of an object with what is probably secret in their policies masked.

    Secrets of the second one that the policy of the first one does not contain are replaced by `new_secret`. If the two
    policies differ only in the places of their secrets, all of them are.
    """
    old, new = (state.get("policy") if state else None for state in (before, after))
    known = _secrets_in(old)

    def mask(path: str, value: Any) -> str:
        return MASK if old is None or (path, value) in known else new_secret

    is_hidden = old != new and masked(old) == masked(new, mask=mask)
    shown = masked(new, mask=(lambda _path, _value: new_secret) if is_hidden else mask)
    return _with_policies(before, masked(old)), _with_policies(after, shown)


def _with_policies(state: State | None, policy: Any) -> State | None:
    """Return the state of an object with this policy, and with masks in those of the routes that are part of it."""
    if state is None:
        return None
    routes = {"routes": [_with_policies(one, masked(one.get("policy"))) for one in state.get("routes", ())]}
    return {**state, **({"policy": policy} if "policy" in state else {}), **(routes if "routes" in state else {})}


def may_contain_secrets(rules: Any) -> bool:
    """Return whether a value in a policy has a name that secrets have."""
    return bool(_secrets_in(rules))


def _secrets_in(rules: Any) -> set[tuple[str, Any]]:
    """Return the secrets that are masked, each with its path."""
    found: set[tuple[str, Any]] = set()
    masked(rules, mask=lambda path, value: found.add((path, value)))
    return found
