# SPDX-License-Identifier: GPL-3.0-or-later
"""Accounts without secrets and without the values of headers, which often are secrets. Pure.

Results of modules contain masks already. A declaration from variables does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...module_utils._model.declaration import NEW_SECRET
from ...module_utils._model.masking import Masks
from ...module_utils._model.named_secrets import SecretFields, masked, secret_fields, secrets_in
from ...module_utils._values.json_strings import container, rewritten
from ...module_utils._values.kinds import MASK
from ...module_utils._values.option_error import dictionary_of, members_of
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


_SHORTEST = 8
"""Shorter values of headers, or with the name of a secret in a policy, are words that occur elsewhere."""

_SENTENCES = ("msg", "error", "why")
"""Fields with messages of the service and of tasks, which quote what they are about."""

_JUDGED = ("exposure", "findings")
_WHOLE = SecretFields(paths=frozenset({""}))


@dataclass
class _Hidden:
    """The secrets of an account, and the values of its headers."""

    secrets: set[str] = field(default_factory=set)
    headers: set[str] = field(default_factory=set)

    def mask(self, path: str, value: Any) -> Any:
        """Return the mask for a secret, which may be part of other strings. One that says that it is new stays."""
        if str(value).startswith(MASK):
            return value
        if "policy" not in path.split(".") or len(str(value)) >= _SHORTEST:
            self.secrets.update(secrets_in(value, _WHOLE))
        return MASK

    def add_header(self, value: Any) -> None:
        self.headers.update(one for one in secrets_in(value, _WHOLE, _SHORTEST) if not one.startswith(MASK))


def concealed(account: Mapping[str, Any]) -> dict[str, Any]:
    """Return the account with a mask for each secret and each header value, wherever they are.

    Values of headers can be the same as the name of a host, an account, or an owner, which must stay, and a part of an
    account must be the same in each report. So they are masked in messages only.
    """
    hidden = _Hidden()
    shown = {name: _part(name, value, hidden) for name, value in account.items()}
    if hidden.headers:
        shown = _without_quotes(shown, Masks(lambda: sorted(hidden.headers)))
    return dict(Masks(lambda: sorted(hidden.secrets)).value(shown)) if hidden.secrets else shown


def _without_quotes(value: Any, masks: Masks, is_sentence: bool = False) -> Any:
    """Return the value with the values of headers masked in its sentences, except for those of the judge."""
    if isinstance(value, str):
        return masks.text(value) if is_sentence else value
    if isinstance(value, list):
        return [_without_quotes(member, masks, is_sentence) for member in value]
    if not isinstance(value, Mapping):
        return value
    return {
        name: member if name in _JUDGED else _without_quotes(member, masks, is_sentence or name in _SENTENCES)
        for name, member in value.items()
    }


def _part(name: str, value: Any, hidden: _Hidden) -> Any:
    """Return one part of the account, such as its estate. The judge shows no secrets."""
    if name in _RESULTS and isinstance(value, Mapping):
        value = {key: member for key, member in value.items() if key in _RESULTS[name]}
    if name == "objects":
        value = [_kept(one) for one in members_of(value)]
    elif name == "plan" and "objects" in dictionary_of(value):
        planned = dictionary_of(value["objects"]).items()
        value = {**value, "objects": {key: _kept(one) for key, one in planned if isinstance(one, Mapping)}}
    return value if name == "exposure" else masked(_without_headers(value, hidden), mask=hidden.mask)


def _kept(one: Mapping[str, Any]) -> dict[str, Any]:
    return {name: one[name] for name in KEPT if name in one}


def _without_headers(value: Any, hidden: _Hidden, name: str = "", before: Any = None) -> Any:
    """Return the value without the values of headers, and objects without what is secret in their collection."""
    if isinstance(value, str):
        old = container(before) if isinstance(before, str) else before
        return rewritten(value, lambda inner: _without_headers(inner, hidden, name, old))
    if isinstance(value, (list, tuple)):
        return [_without_headers(member, hidden) for member in value]
    if not isinstance(value, Mapping):
        return value
    old = dictionary_of(before)
    if name in _HEADERS and "add" in value:
        value = {**value, "add": _headers(value["add"], hidden, old.get("add"))}
    if name == "policy":
        value = masked(value, mask=hidden.mask, path=name)
    if "collection" in value:
        secret = secret_fields(value["collection"], value.get("write_only"))
        parts = {key: masked(value[key], secret, mask=hidden.mask) for key in ("find_by", "body") if key in value}
        value = {**value, **parts}
    # What a plan shows of an object before a change is next to what it shows after it.
    old = {**old, "after": value.get("before")}
    # The declaration of a traffic module does not contain the name of the module.
    names = {"declaration": str(value.get("kind"))}
    return {
        key: _headers(member, hidden, old.get(key))
        if key == _OTHER_HEADERS
        else _without_headers(member, hidden, names.get(key, key), old.get(key))
        for key, member in value.items()
    }


def _headers(added: Any, hidden: _Hidden, before: Any = None) -> Any:
    """Return the headers without their values. Those that differ from the ones before are masked as new."""
    if not isinstance(added, Mapping):
        hidden.add_header(added)
        return MASK if added else added
    for value in added.values():
        hidden.add_header(value)
    old = before if isinstance(before, Mapping) else None
    return {
        name: NEW_SECRET if value == NEW_SECRET or (old is not None and old.get(name) not in (value, MASK)) else MASK
        for name, value in added.items()
    }
