# SPDX-License-Identifier: GPL-3.0-or-later
"""The order in which a report draws what a request meets between the visitor and the backend, with labels. Pure.

The API reference does not say in which order traffic modules act, so this order is only that of the drawing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...module_utils._exposure.classes import PUBLIC
from ...module_utils._model.objects import Object
from ...module_utils._model.protection import CHECKS as NEEDS
from ...module_utils._model.protection import CLOSED
from ...module_utils._model.schema import EDGE_MODULES, ROUTE_MODULES, TLS_EDGE_MODULES

CHECKS = tuple(NEEDS)
"""What a visitor may need, in the order in which the gates are drawn."""

ACCESS = (PUBLIC, *CHECKS, CLOSED)
"""All that `access` can contain."""

_MODULES: Mapping[str, Object] = {**EDGE_MODULES, **ROUTE_MODULES}

GATES: Mapping[str, tuple[str, ...]] = {
    check: tuple(name for name, kind in _MODULES.items() if kind.protects == check) for check in CHECKS
}
"""The traffic modules that can require each check."""

POLICY = "policy"
BACKEND = "backend"
OTHERS = tuple(
    name for name in ROUTE_MODULES if name not in (BACKEND, POLICY) and not any(name in each for each in GATES.values())
)
"""The traffic modules that let everybody through."""

MODULES = frozenset({*_MODULES, *TLS_EDGE_MODULES})

_LABELED_BY = {"webhook_verification": "provider", "oidc": "issuer"}
_SCHEME = re.compile(r"^https?://")


def label(name: str, module: Mapping[str, Any]) -> str:
    """Return the few words that a gate shows: whom it lets through, or by what it recognizes them."""
    if name == POLICY:
        return _first(_rule_names(module))
    allowed = list(_restrictions(_MODULES[name], module))
    if allowed:
        return _first(allowed)
    text = module.get(_LABELED_BY.get(name, ""))
    if isinstance(text, str) and text:
        return _SCHEME.sub("", text)
    providers = module.get("provider")
    if isinstance(providers, Mapping) and providers:
        return f"any user of {', '.join(map(str, providers))}"
    return "any user" if name in GATES["login"] else "none"


def _restrictions(kind: Object, value: Any) -> Iterator[str]:
    """Yield the values of all options that restrict who gets through."""
    if not isinstance(value, Mapping):
        return
    for f in kind.fields:
        member = value.get(f.name)
        if isinstance(f.kind, Object):
            yield from _restrictions(f.kind, member)
        elif f.restricts:
            yield from map(str, member if isinstance(member, list) else [member] if member else [])


def _rule_names(policy: Mapping[str, Any]) -> list[str]:
    rules = [rule for name in ("inbound", "outbound") for rule in _list(policy.get(name))]
    return [str(rule.get("name") or "rule") for rule in rules if isinstance(rule, Mapping)]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _first(names: list[str]) -> str:
    if not names:
        return "no rule"
    return f"{names[0]} +{len(names) - 1}" if len(names) > 1 else names[0]
