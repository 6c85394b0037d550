# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets in values of which the collection knows no fields, recognized by names, paths, or contents. Pure.

A string that contains a JSON object or list has the same secrets as the object or the list itself. In declared values,
a mask stands for the current secret.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from .._errors import UNSET_VARIABLE, SecretNeeded
from .._values.escapes import visible_part
from .._values.json_strings import container, meaning, rewritten
from .._values.kinds import MASK
from .._values.option_error import OptionError, OptionErrors, join, list_of, members_of

_NAME = re.compile(
    r"(?:secret|password|passwd|pwd|passphrase|token|bearer|jwt|hmac|credentials?|authorization|cookie"
    r"|(?:api|auth|private|access|secret|shared|signing|subscription|functions|hmac)[_-]?key(?:[_-]pem)?)$",
    re.IGNORECASE,
)
_NAMES_IN = {"vault_secrets": ("value",), "event_destinations": ("value",)}
"""Names of secret fields in some collections, which are too common to be those of secrets elsewhere."""

_BACKEND_ID = re.compile(r"(?<![^.])backends\.[^.]+")
"""A name that is the ID of a backend, which may end like anything: `backends` contains a weight for each."""

_WITHOUT_VALUE = re.compile(
    r"\S*authorization: *(?:apikey|basic|bearer|digest|token)?|\S*cookie: *(?:[^=;]+=(?:\"\")?;?)*", re.IGNORECASE
)
"""A header whose value is a scheme without credentials, or names without values."""

_WITH_SCHEME = re.compile(r"\A(?:bearer|basic|token) +(\S{8,})\Z", re.IGNORECASE)
"""The value of an authorization header, of which services also quote the second part alone."""

_SCHEME_ALONE = re.compile(r"(?:bearer|basic|token)\s+", re.IGNORECASE)
"""What an unset variable leaves of the value of an authorization header."""


@lru_cache(maxsize=10_000)
def is_secret_name(name: str) -> bool:
    return _NAME.search(name) is not None


@dataclass(frozen=True)
class SecretFields:
    """Which fields of an object are secret: those at one of the `paths`, and if `by_name`, those that are named like
    secrets or have one of the `names`. Everything inside of a secret field is secret.

    Paths have no positions: `rules.key` is the key of each member of the list `rules`.
    """

    paths: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    by_name: bool = True

    def has(self, path: str) -> bool:
        return path in self.paths or any(map(self.has_name, _BACKEND_ID.sub("", path).split(".")))

    def has_name(self, name: str) -> bool:
        return self.by_name and (name in self.names or is_secret_name(name))

    def is_one_secret(self, path: str, value: Any) -> bool:
        """Return whether a value at this path is a secret as a whole, and not only each value inside of it."""
        return path in self.paths or (not isinstance(value, (Mapping, list)) and self.has(path))


BY_NAME = SecretFields()


def secret_fields(collection: Any, write_only: Any = None) -> SecretFields:
    """Return the secret fields of objects in a collection, even if the options are invalid.

    `write_only` adds paths. An empty list says that no field is secret. If it is None, nothing is said.
    """
    if write_only == []:
        return SecretFields(by_name=False)
    paths = frozenset(path for path in list_of(write_only) if isinstance(path, str))
    return SecretFields(paths, frozenset(_NAMES_IN.get(str(collection), ())))


def is_private_key(value: Any) -> bool:
    """Return whether a value is a string with a private key in it, which is secret in any field."""
    return isinstance(value, str) and "PRIVATE KEY-----" in value


def secret_values(value: Any, secret: SecretFields, path: str = "", field: str = "") -> Iterator[tuple[str, Any]]:
    """Yield everything in secret fields, even if it is empty, and private keys, each with its path as options have it.

    `path` is that of the value itself, and `field` the same path as it is in the paths of secret fields.
    """
    stack = [(value, path, field, secret.has(field))]
    while stack:
        one, where, field, is_secret = stack.pop()
        if isinstance(one, str) and not is_secret and not is_private_key(one):
            found = container(one)
            one = one if found is None else found
        if isinstance(one, dict) and one:
            named = ((str(name), member) for name, member in one.items())
            members = [(member, join(where, name), join(field, name)) for name, member in named]
            stack += [(member, at, inside, is_secret or secret.has(inside)) for member, at, inside in members]
        elif isinstance(one, list) and one:
            stack += [(item, f"{where}[{number}]", field, is_secret) for number, item in enumerate(one)]
        elif is_secret or is_private_key(one):
            yield where, one


def secrets_in(value: Any, secret: SecretFields = BY_NAME, shortest: int = 1) -> Iterator[str]:
    """Yield the secrets in a value of at least so many characters: private keys, and everything in secret fields."""
    for _path, one in secret_values(value, secret):
        if isinstance(one, (str, int, float)) and not isinstance(one, bool) and len(str(one)) >= shortest:
            yield str(one)
            yield from _WITH_SCHEME.findall(str(one))


def is_blank(path: str, value: Any) -> bool:
    """Return whether a secret is a string without content, or with nothing but the scheme of credentials."""
    if not isinstance(value, str):
        return False
    content, name = visible_part(value), path.rpartition(".")[2].partition("[")[0]
    is_alone = _SCHEME_ALONE.fullmatch(value) or _WITHOUT_VALUE.fullmatch(f"{name}: {content}")
    return not content or is_alone is not None


def _is_empty(path: str, value: Any) -> bool:
    """Return whether a secret is empty. False is a setting of its own in fields such as `allow_credentials`."""
    return value in (None, [], {}) or is_blank(path, value) or (value is False and not path.endswith("credentials"))


def secret_errors(
    value: Any, path: str, secret: SecretFields = BY_NAME, is_wrong: Callable[[str, Any], bool] = _is_empty
) -> OptionErrors:
    for where, one in secret_values(value, secret, path):
        if is_wrong(where, one):
            yield OptionError(where, f"must not be empty; {UNSET_VARIABLE}")


def masked(
    value: Any,
    secret: SecretFields = BY_NAME,
    reveal: Collection[str] = (),
    path: str = "",
    mask: Callable[[str, Any], Any] = lambda _path, _value: MASK,
) -> Any:
    """Return the value with a mask for each secret that is not empty, except for fields with a name in `reveal`.

    `mask` returns what is displayed in place of the secret at a path.
    """
    if value and (secret.is_one_secret(path, value) or is_private_key(value)):
        return mask(path, value)
    if isinstance(value, dict):
        return {
            name: member
            if name in reveal and isinstance(member, str)
            else masked(member, secret, reveal, join(path, str(name)), mask)
            for name, member in value.items()
        }
    if isinstance(value, str):
        return rewritten(value, lambda inner: masked(inner, secret, reveal, path, mask))
    return [masked(item, secret, reveal, path, mask) for item in value] if isinstance(value, list) else value


def without_fields(value: Any, is_omitted: Callable[[str, Any], bool], path: str = "") -> Any:
    if isinstance(value, dict):
        members = [(name, one, join(path, str(name))) for name, one in value.items()]
        return {name: without_fields(one, is_omitted, at) for name, one, at in members if not is_omitted(at, one)}
    return [without_fields(item, is_omitted, path) for item in value] if isinstance(value, list) else value


_RECOGNIZED_BY_NAME = ("metadata", "request_headers", "response_headers", "policy")
_SHORTEST_SECRET = 8
"""Shorter values are words that occur elsewhere, such as the name of a header that holds a token."""


def secrets_in_routes(options: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is probably secret in the declaration of a route, of an edge, of its routes, or of an estate."""
    for edge in members_of(options.get("https_edges", [options])):
        for one in (edge, *members_of(edge.get("routes"))):
            for name in _RECOGNIZED_BY_NAME:
                yield from secrets_in(one.get(name), shortest=_SHORTEST_SECRET)


def unmasked(given: Any, current: Any, secret: SecretFields = BY_NAME, path: str = "") -> Any:
    """Return a declared value with the current secrets in place of their masks, as far as these are known.

    The members of lists have no names, so they must be the same in everything that is not secret.
    """
    if given == MASK:
        return current if secret.is_one_secret(path, current) or is_private_key(current) else given
    if isinstance(given, str) and MASK in given:
        known = container(current) if isinstance(current, str) else None
        return rewritten(given, lambda value: unmasked(value, known, secret, path))
    if isinstance(given, dict):
        members = current if isinstance(current, dict) else {}
        return {name: unmasked(one, members.get(name), secret, join(path, str(name))) for name, one in given.items()}
    if isinstance(given, list):
        known = current if isinstance(current, list) else []
        return [
            unmasked(one, now, secret, path) if masked(now, secret, path=path) == one else one
            for one, now in zip_longest(given, known[: len(given)])
        ]
    return given


def to_send(given: Any, current: Any, path: str, secret: SecretFields = BY_NAME) -> Any:
    """Return a declared value without masks. Raise SecretNeeded for the mask of a secret that is not known."""
    value = unmasked(given, current, secret, path)
    for where, one in secret_values(value, secret, path, path):
        if one == MASK:
            raise SecretNeeded(where, MASK)
    return value


def changed_paths(current: Any, desired: Any, path: str, secret: SecretFields = BY_NAME, field: str = "") -> list[str]:
    """Return the paths at which different values differ: those of new secrets, and that of the value for all else."""
    if not isinstance(current, str) or not isinstance(desired, str):
        return [path]
    known = list(secret_values(current, secret, path, field))
    new = sorted(where for where, one in secret_values(desired, secret, path, field) if (where, one) not in known)
    before, after = (meaning(masked(text, secret, path=field)) for text in (current, desired))
    return new if new and before == after else [path, *new]
