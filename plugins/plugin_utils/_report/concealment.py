# SPDX-License-Identifier: GPL-3.0-or-later
"""Accounts without secrets and without the values of headers, which often are secrets. Pure.

Results of modules contain masks already. A declaration from variables does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...module_utils._model.declaration import NEW_SECRET
from ...module_utils._model.kinds import MASK
from ...module_utils._model.masking import Masks
from ...module_utils._model.named_secrets import (
    SecretFields,
    is_private_key,
    is_secret_name,
    masked,
    secret_fields,
    secrets_in,
    secrets_in_routes,
)
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


def concealed(account: Mapping[str, Any]) -> dict[str, Any]:
    """Return the account with a mask for each secret and each header value, wherever they are."""
    concealment = _Concealment()
    shown = {name: concealment.part(name, value) for name, value in account.items()}
    secrets = sorted(concealment.secrets)
    masked: dict[str, Any] = Masks(lambda: secrets).value(shown) if secrets else shown
    return masked


class _Concealment:
    """Masks the values of one account, and collects the secrets, which may be part of other strings."""

    def __init__(self) -> None:
        self.secrets: set[str] = set()

    def part(self, name: str, value: Any) -> Any:
        """Return one part of the account, such as its estate. The judge shows no secrets."""
        if name in _RESULTS and isinstance(value, Mapping):
            value = {key: member for key, member in value.items() if key in _RESULTS[name]}
        if name == "exposure":
            return value
        if name == "objects":
            return self._value([_kept(one) for one in dictionaries(value)])
        if name == "plan" and isinstance(value, Mapping):
            return self._result(value)
        return self._value(value)

    def _result(self, result: Mapping[str, Any]) -> dict[str, Any]:
        if "objects" in result:
            objects = mapping(result["objects"])
            kept = {name: _kept(one) for name, one in objects.items() if isinstance(one, Mapping)}
            result = {**result, "objects": kept}
        shown = {name: self._value(value) for name, value in result.items() if name not in ("plan", "undeclared")}
        if "plan" in result:
            shown["plan"] = self._members(result["plan"], self._entry)
        if "undeclared" in result:
            shown["undeclared"] = self._members(result["undeclared"], self._undeclared)
        return shown

    def _members(self, value: Any, conceal: Any) -> Any:
        if not isinstance(value, list):
            return self._value(value)
        return [conceal(one) if isinstance(one, Mapping) else self._value(one) for one in value]

    def _entry(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        """Return an entry of a plan. A header value that changes is shown as a new one."""
        others = {name: self._value(value) for name, value in entry.items() if name not in ("before", "after")}
        before, after = entry.get("before"), entry.get("after")
        return {**others, "before": self._value(before), "after": self._value(after, before)}

    def _undeclared(self, one: Mapping[str, Any]) -> dict[str, Any]:
        # The declaration of a traffic module does not contain the name of the module.
        kind = str(one.get("kind"))
        others = {name: self._value(value) for name, value in one.items() if name != "declaration"}
        return {**others, "declaration": self._member(kind, one.get("declaration"), None)}

    def _value(self, value: Any, before: Any = None) -> Any:
        if isinstance(value, Mapping):
            old = before if isinstance(before, Mapping) else {}
            value = self._object(value) if "collection" in value else value
            return {name: self._member(name, member, old.get(name)) for name, member in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._value(member) for member in value]
        return self._secret(value) if is_private_key(value) else value

    def _object(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """Return the declaration of an object of any collection without what is secret in this collection."""
        secret = secret_fields(value["collection"], value.get("write_only"))
        fields = {name: value[name] for name in ("find_by", "body") if name in value}
        found = (each for one in fields.values() for each in secrets_in(one, secret))
        self.secrets.update(each for each in found if not each.startswith(MASK))
        return {**value, **{name: masked(one, secret) for name, one in fields.items()}}

    def _member(self, name: Any, value: Any, before: Any) -> Any:
        if is_secret_name(str(name)) or is_private_key(value):
            return self._secret(value)
        if not isinstance(value, (Mapping, list, tuple)):
            return self._plain(value)
        if name in _HEADERS and isinstance(value, Mapping):
            old = before.get("add") if isinstance(before, Mapping) else None
            added = {"add": _headers(value["add"], old)} if "add" in value else {}
            return {**self._value({key: each for key, each in value.items() if key != "add"}), **added}
        if name == "policy" and isinstance(value, Mapping):
            return self._policy(value)
        if name == _OTHER_HEADERS:
            return _headers(value, before)
        return self._value(value, before)

    def _secret(self, value: Any) -> Any:
        """Return a mask for a secret, which can be a list or a dictionary of secrets."""
        if not value or str(value).startswith(MASK):
            return value
        self.secrets.update(secrets_in(value, SecretFields(paths=frozenset({""}))))
        return MASK

    def _plain(self, value: Any) -> Any:
        """Return a single value, which can be a string with JSON."""
        self.secrets.update(each for each in secrets_in(value) if not each.startswith(MASK))
        return masked(value, mask=_mask)

    def _policy(self, policy: Mapping[str, Any]) -> Any:
        self.secrets.update(secrets_in_routes({"policy": policy}))
        return _without_headers(masked(policy, mask=_mask))


def _mask(_path: str, value: Any) -> Any:
    """Return the mask for a secret. One that says that the secret is new stays."""
    return value if str(value).startswith(MASK) else MASK


def _kept(one: Mapping[str, Any]) -> dict[str, Any]:
    return {name: one[name] for name in KEPT if name in one}


def _headers(added: Any, before: Any = None) -> Any:
    """Return the headers without their values. Those that differ from the ones before are masked as new."""
    if not isinstance(added, Mapping):
        return MASK if added else added
    if not isinstance(before, Mapping):
        return {name: value if value == NEW_SECRET else MASK for name, value in added.items()}
    return {
        name: NEW_SECRET if value == NEW_SECRET or before.get(name) not in (value, MASK) else MASK
        for name, value in added.items()
    }


def _without_headers(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {
            name: _headers(member) if name == _OTHER_HEADERS else _without_headers(member)
            for name, member in value.items()
        }
    return [_without_headers(member) for member in value] if isinstance(value, list) else value
