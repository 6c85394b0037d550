# SPDX-License-Identifier: GPL-3.0-or-later
"""Declared values with masks in them, which stand for current secrets, as in strings that contain JSON. Pure."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from .._errors import SecretNeeded
from .json_strings import container, meaning, rewritten
from .kinds import MASK
from .named_secrets import BY_NAME, SecretFields, is_private_key, masked, secret_values
from .objects import join


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
