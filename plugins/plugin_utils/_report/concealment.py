# SPDX-License-Identifier: GPL-3.0-or-later
"""Accounts without secrets and without the values of headers, which often are secrets. Pure.

Results of modules contain masks already. A declaration from variables does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...module_utils._model.declaration import NEW_SECRET
from ...module_utils._model.kinds import MASK
from ...module_utils._model.masking import Masks
from ...module_utils._model.policy_secrets import masked_policies, secrets_in_policies
from ...module_utils._model.schema import SECRET_NAMES

_HEADERS = ("request_headers", "response_headers")
_HEADERS_IN_POLICIES = "headers"


def concealed(account: Mapping[str, Any]) -> dict[str, Any]:
    """Return the account with a mask for each secret and each header value, wherever they are."""
    shown = {name: _concealed(value) for name, value in account.items() if name != "plan"}
    if isinstance(account.get("plan"), Mapping):
        shown["plan"] = _plan(account["plan"])
    elif "plan" in account:
        shown["plan"] = account["plan"]
    secrets = sorted({*_secrets(account), *secrets_in_policies(_estate(account))})
    masked: dict[str, Any] = Masks(lambda: secrets).value(shown) if secrets else shown
    return masked


def _estate(account: Mapping[str, Any]) -> Mapping[str, Any]:
    return account["estate"] if isinstance(account.get("estate"), Mapping) else {}


def _plan(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result with a plan. A value that changes is shown as a new one."""
    shown: dict[str, Any] = {}
    for name, value in result.items():
        if name == "plan" and isinstance(value, list):
            shown[name] = [_entry(entry) if isinstance(entry, Mapping) else entry for entry in value]
        elif name == "undeclared" and isinstance(value, list):
            shown[name] = [_undeclared(one) if isinstance(one, Mapping) else one for one in value]
        else:
            shown[name] = _concealed(value)
    return shown


def _entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    before, after = entry.get("before"), entry.get("after")
    return {**_concealed(entry), "before": _concealed(before), "after": _concealed(after, before)}


def _undeclared(one: Mapping[str, Any]) -> dict[str, Any]:
    # The declaration of a traffic module does not contain the name of the module.
    kind = str(one.get("kind"))
    return {**_concealed(one), "declaration": _concealed({kind: one.get("declaration")})[kind]}


def _concealed(value: Any, before: Any = None) -> Any:
    """Return the value without secrets. Header values that differ from those in `before` are masked as new ones."""
    if isinstance(value, Mapping):
        old = before if isinstance(before, Mapping) else {}
        return {name: _member(name, member, old.get(name)) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_concealed(member) for member in value]
    return value


def _member(name: Any, value: Any, before: Any) -> Any:
    if name in SECRET_NAMES and isinstance(value, (str, int)) and value and not str(value).startswith(MASK):
        return MASK
    if name in _HEADERS and isinstance(value, Mapping):
        old = before.get("add") if isinstance(before, Mapping) else None
        return {**_concealed(value), **({"add": _headers(value["add"], old)} if "add" in value else {})}
    if name == "policy" and isinstance(value, Mapping):
        masked, _none = masked_policies({"policy": dict(value)}, None, NEW_SECRET)
        return _without_headers(masked["policy"] if masked else {})
    return _concealed(value, before)


def _headers(added: Any, before: Any = None) -> Any:
    if not isinstance(added, Mapping):
        return MASK
    if not isinstance(before, Mapping):
        return dict.fromkeys(added, MASK)
    return {
        name: value if value == NEW_SECRET else MASK if before.get(name) in (value, MASK) else NEW_SECRET
        for name, value in added.items()
    }


def _without_headers(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {
            name: _headers(member) if name == _HEADERS_IN_POLICIES and isinstance(member, Mapping)
            else _without_headers(member)
            for name, member in value.items()
        }
    return [_without_headers(member) for member in value] if isinstance(value, list) else value


def _secrets(value: Any) -> Iterator[str]:
    """Yield the values of the fields that are secret."""
    if isinstance(value, Mapping):
        for name, member in value.items():
            if name in SECRET_NAMES and isinstance(member, str) and member and not member.startswith(MASK):
                yield member
            else:
                yield from _secrets(member)
    elif isinstance(value, (list, tuple)):
        for member in value:
            yield from _secrets(member)
