# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that several modules have in common, and the checks that go with them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from .._model.identifiers import KINDS, addressed_id_errors
from .._model.objects import join
from .._planning.placeholders import placeholder_errors
from .._transport.addresses import segment_errors

STATE: dict[str, Any] = {"type": "str", "choices": ["present", "absent"], "default": "present"}
UPDATE_SECRETS: dict[str, Any] = {"type": "str", "choices": ["on_create", "always"], "default": "on_create"}

MAX_DELETIONS: dict[str, Any] = {"type": "int", "default": 10}
ALLOW_EMPTY: dict[str, Any] = {"type": "bool", "default": False}


def given_name(options: Mapping[str, Any], name: str, *aliases: str) -> str:
    """The name under which an option is given. Ansible adds the option's own name to the alias that somebody used."""
    return next((alias for alias in aliases if options.get(alias) is not None), name)


def module_options(modules: Collection[str]) -> dict[str, Any]:
    """The options that take modules off."""
    return {
        "absent_modules": {"type": "list", "elements": "str", "choices": list(modules), "default": []},
        "purge_modules": {"type": "bool", "default": False},
    }


def module_errors(options: Mapping[str, Any], modules: Collection[str], path: str = "") -> Iterator[str]:
    absent = options.get("absent_modules")
    for name in modules:
        given = options.get(name)
        if isinstance(absent, list) and name in absent and isinstance(given, dict):
            yield f"{join(path, 'absent_modules')}: {name} is declared as well; it can't be both"


def identifier_errors(
    options: Mapping[str, Any], name: str, prefix: str, check_mode: bool, path: str = ""
) -> Iterator[str]:
    identifier = options.get(name)
    if isinstance(identifier, str):
        where = join(path, name)
        yield from list(addressed_id_errors(identifier, KINDS[prefix], where)) or path_errors(identifier, where)
        yield from placeholder_errors(identifier, where, check_mode)


def path_errors(identifier: str, path: str) -> Iterator[str]:
    """What keeps an identifier from being part of the paths of requests."""
    for option_error in segment_errors(identifier):
        yield f"{path}: {option_error}"


def emptied_errors(options: Mapping[str, Any], name: str) -> Iterator[str]:
    """What is wrong with a set that is declared empty, to be purged: it may be a variable that was never set."""
    if options.get("purge") is True and options.get(name) == [] and not options.get("allow_empty"):
        yield (
            f"{name}: the list is empty, so purge would remove everything; if that is what you want, set "
            "allow_empty: true, else check the variable that the list comes from"
        )


def range_errors(options: Mapping[str, Any], name: str, least: int, most: int | None = None) -> Iterator[str]:
    value = options.get(name)
    if isinstance(value, int) and (value < least or (most is not None and value > most)):
        yield f"{name}: {value} is out of range; allowed is {least} {f'to {most}' if most else 'or more'}"


def duplicate_errors(keys: Sequence[tuple[str, ...]], path: str) -> Iterator[str]:
    """Members of a list that are declared under the same key as one before them."""
    first: dict[tuple[str, ...], int] = {}
    for number, key in enumerate(keys):
        if any(key) and first.setdefault(key, number) != number:
            yield f"{path}[{number}]: {' '.join(key)} is declared by {path}[{first[key]}] already"
