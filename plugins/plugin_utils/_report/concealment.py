# SPDX-License-Identifier: GPL-3.0-or-later
"""Accounts without secrets and without the values of headers, which often are secrets. Pure.

Results of modules contain masks already. A declaration from variables does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...module_utils._model.declaration import NEW_SECRET
from ...module_utils._model.masking import Masks
from ...module_utils._model.named_secrets import Mask, SecretFields, masked, secret_fields, secrets_in
from ...module_utils._values.kinds import MASK
from .exposure import dictionaries, mapping
from .names import KEPT

_HEADERS = ("request_headers", "response_headers")
_OTHER_HEADERS = "headers"
"""In actions of policies, and in objects of collections that the API reference does not describe."""

_RESULTS = {
    "plan": frozenset(
        {"changed", "failed", "msg", "summary", "plan", "plan_digest", "findings", "failures", "objects"}
        | {"undeclared", "undeclared_counts", "not_examined"}
    ),
    "exposure": frozenset({"exposure", "findings", "not_judged", "summary"}),
}
"""What a report contains of the result of a task. Others, such as a diff, have header values in their text."""


_SHORTEST_IN_POLICY = 8
"""Shorter values with the name of a secret in a policy are words that occur elsewhere, such as the name of a header."""

_WHOLE = SecretFields(paths=frozenset({""}))


def concealed(account: Mapping[str, Any]) -> dict[str, Any]:
    """Return the account with a mask for each secret and each header value, wherever they are."""
    secrets: set[str] = set()

    def mask(path: str, value: Any) -> Any:
        """Return the mask for a secret, which may be part of other strings. One that says that it is new stays."""
        if str(value).startswith(MASK):
            return value
        if "policy" not in path.split(".") or len(str(value)) >= _SHORTEST_IN_POLICY:
            secrets.update(secrets_in(value, _WHOLE))
        return MASK

    shown = {name: _part(name, value, mask) for name, value in account.items()}
    return dict(Masks(lambda: sorted(secrets)).value(shown)) if secrets else shown


def _part(name: str, value: Any, mask: Mask) -> Any:
    """Return one part of the account, such as its estate. The judge shows no secrets."""
    if name in _RESULTS and isinstance(value, Mapping):
        value = {key: member for key, member in value.items() if key in _RESULTS[name]}
    if name == "objects":
        value = [_kept(one) for one in dictionaries(value)]
    elif name == "plan" and "objects" in mapping(value):
        planned = mapping(value["objects"]).items()
        value = {**value, "objects": {key: _kept(one) for key, one in planned if isinstance(one, Mapping)}}
    return value if name == "exposure" else masked(_without_headers(value, mask), mask=mask)


def _kept(one: Mapping[str, Any]) -> dict[str, Any]:
    return {name: one[name] for name in KEPT if name in one}


def _without_headers(value: Any, mask: Mask, name: str = "", before: Any = None) -> Any:
    """Return the value without the values of headers, and objects without what is secret in their collection."""
    if isinstance(value, (list, tuple)):
        return [_without_headers(member, mask) for member in value]
    if not isinstance(value, Mapping):
        return value
    old = mapping(before)
    if name in _HEADERS and "add" in value:
        value = {**value, "add": _headers(value["add"], old.get("add"))}
    if name == "policy":
        value = masked(value, mask=mask, path=name)
    if "collection" in value:
        secret = secret_fields(value["collection"], value.get("write_only"))
        parts = {key: masked(value[key], secret, mask=mask) for key in ("find_by", "body") if key in value}
        value = {**value, **parts}
    # What a plan shows of an object before a change is next to what it shows after it.
    old = {**old, "after": value.get("before")}
    # The declaration of a traffic module does not contain the name of the module.
    names = {"declaration": str(value.get("kind"))}
    return {
        key: _headers(member, old.get(key))
        if key == _OTHER_HEADERS
        else _without_headers(member, mask, names.get(key, key), old.get(key))
        for key, member in value.items()
    }


def _headers(added: Any, before: Any = None) -> Any:
    """Return the headers without their values. Those that differ from the ones before are masked as new."""
    if not isinstance(added, Mapping):
        return MASK if added else added
    old = before if isinstance(before, Mapping) else None
    return {
        name: NEW_SECRET if value == NEW_SECRET or (old is not None and old.get(name) not in (value, MASK)) else MASK
        for name, value in added.items()
    }
