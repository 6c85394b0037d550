# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets in values of which the collection knows no fields, recognized by names, paths, or contents. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from .kinds import MASK
from .objects import join
from .schema import SECRET_NAMES
from .unchecked_options import list_of

_NAMES_IN = {"vault_secrets": ("value",), "event_destinations": ("value",)}
"""Names of secret fields in some collections, which are too common to be those of secrets elsewhere."""


@dataclass(frozen=True)
class SecretFields:
    """Which fields of an object are secret: those at one of the `paths`, and those with one of the `names`.

    Paths have no positions: `rules.key` is the key of each member of the list `rules`.
    """

    paths: frozenset[str] = frozenset()
    names: frozenset[str] = SECRET_NAMES

    def has(self, path: str) -> bool:
        return path in self.paths or path.rpartition(".")[2] in self.names


BY_NAME = SecretFields()


def secret_fields(collection: Any, write_only: Any = None) -> SecretFields:
    """Return the secret fields of objects in a collection, even if the options are invalid.

    `write_only` adds paths. An empty list says that no field is secret. If it is None, nothing is said.
    """
    if write_only == []:
        return SecretFields(names=frozenset())
    paths = frozenset(path for path in list_of(write_only) if isinstance(path, str))
    return SecretFields(paths, SECRET_NAMES.union(_NAMES_IN.get(str(collection), ())))


def is_private_key(value: Any) -> bool:
    """Return whether a value is a string with a private key in it, which is secret in any field."""
    return isinstance(value, str) and "PRIVATE KEY-----" in value


def secrets_in(value: Any, secret: SecretFields = BY_NAME) -> Iterator[str]:
    """Yield the secrets in a value: private keys, and everything in secret fields."""
    stack = [(value, "", secret.has(""))]
    while stack:
        one, where, is_secret = stack.pop()
        if isinstance(one, dict):
            paths = [(member, join(where, str(name))) for name, member in one.items()]
            stack += [(member, path, is_secret or secret.has(path)) for member, path in paths]
        elif isinstance(one, list):
            stack += [(item, where, is_secret) for item in one]
        elif is_private_key(one) or (
            is_secret and isinstance(one, (str, int, float)) and not isinstance(one, bool) and one != ""
        ):
            yield str(one)


def masked(value: Any, secret: SecretFields = BY_NAME, reveal: Collection[str] = (), path: str = "") -> Any:
    """Return the value with a mask for each secret that is not empty, except for fields with a name in `reveal`."""
    if isinstance(value, dict):
        return {name: _masked_member(name, member, secret, reveal, path) for name, member in value.items()}
    if is_private_key(value):
        return MASK
    return [masked(item, secret, reveal, path) for item in value] if isinstance(value, list) else value


def _masked_member(name: Any, member: Any, secret: SecretFields, reveal: Collection[str], path: str) -> Any:
    where = join(path, str(name))
    if name in reveal:
        return member if isinstance(member, str) else masked(member, secret, reveal, where)
    return MASK if member and secret.has(where) else masked(member, secret, reveal, where)


def without_fields(value: Any, is_omitted: Callable[[str, Any], bool], path: str = "") -> Any:
    """Return a value without the fields, at any depth, of which `is_left_out` says so by their path and value."""
    if isinstance(value, dict):
        members = [(name, member, join(path, str(name))) for name, member in value.items()]
        return {
            name: without_fields(member, is_omitted, where)
            for name, member, where in members
            if not is_omitted(where, member)
        }
    return [without_fields(item, is_omitted, path) for item in value] if isinstance(value, list) else value
