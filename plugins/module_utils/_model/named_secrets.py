# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets in values of which the collection knows no fields, recognized by their names, paths, or contents. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Optional

from .kinds import MASK
from .objects import join
from .schema import SECRET_NAMES

SecretPaths = Optional[Collection[str]]  # noqa: UP045 - modules can also run on Python 3.9
"""Paths of secrets in addition to those that have the name of a secret; None if no value is secret by its name.

Paths have no positions: `rules.key` is the key of each member of the list `rules`.
"""

_IN_COLLECTIONS = {"vault_secrets": ("value",), "event_destinations": ("target.value",)}
"""Paths of secrets, by collection, whose names are not those of secrets elsewhere."""


def secret_paths(collection: Any, write_only: Sequence[str] | None = None) -> SecretPaths:
    """Return the paths of the secrets in objects of a collection. With an empty `write_only`, none is secret."""
    if write_only is not None and not write_only:
        return None
    known = _IN_COLLECTIONS.get(collection, ()) if isinstance(collection, str) else ()
    return frozenset([*(write_only or ()), *known])


def secrets_in(value: Any, paths: SecretPaths = (), path: str = "") -> Iterator[str]:
    """Yield the secrets in a value: everything below the name of a secret, at one of the `paths`, and private keys."""
    stack = [(value, path, path in (paths or ()))]
    while stack:
        one, where, is_secret = stack.pop()
        if isinstance(one, dict):
            stack += [
                (member, join(where, str(name)), is_secret or is_secret_at(join(where, str(name)), paths))
                for name, member in one.items()
            ]
        elif isinstance(one, list):
            stack += [(item, where, is_secret) for item in one]
        elif is_private_key(one):
            yield one
        elif is_secret and isinstance(one, (str, int, float)) and not isinstance(one, bool) and one != "":
            yield str(one)


def masked(value: Any, paths: SecretPaths = (), reveal: Collection[str] = (), path: str = "") -> Any:
    """Return the value with a mask for each secret that is not empty, except for those with a name in `reveal`."""
    if isinstance(value, dict):
        return {
            name: MASK
            if member and is_secret_at(join(path, str(name)), paths) and name not in reveal
            else member
            if name in reveal and isinstance(member, str)
            else masked(member, paths, reveal, join(path, str(name)))
            for name, member in value.items()
        }
    if is_private_key(value):
        return MASK
    return [masked(item, paths, reveal, path) for item in value] if isinstance(value, list) else value


def is_private_key(value: Any) -> bool:
    """Return whether a value is a string with a private key in it, which is secret whatever its name is."""
    return isinstance(value, str) and "PRIVATE KEY-----" in value


def is_secret_at(path: str, paths: SecretPaths = ()) -> bool:
    """Return whether a value at this path is secret: by its name, or because the path is one of `paths`."""
    return paths is not None and (path in paths or path.rpartition(".")[2] in SECRET_NAMES)
