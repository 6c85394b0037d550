# SPDX-License-Identifier: GPL-3.0-or-later
"""References to objects by their names, such as `ref:office`, which stand for the IDs of these objects. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any, NamedTuple

from .._values.identifiers import PREFIX, WORD, blank_problem, reference_in, strings_in
from .._values.option_error import join

TEXT_FIELDS = frozenset({"description", "metadata", "headers", "labels", "add"})
"""Fields with strings of the user, even in a dictionary: `add` contains the headers that a traffic module adds."""

_ID_FIELD = re.compile(r"(?:.*_)?ids?|backends|hostports", re.DOTALL)
"""Some fields contain IDs, or addresses that the service chooses, although their names do not say so."""


def name_in_ids(name: str) -> str:
    """Return a name as part of a placeholder, which contains no blanks."""
    return name.replace(" ", "~")


def parts_of(reference: str, names: Collection[str]) -> tuple[str, str]:
    """Return the name of the object that a reference means, and the field of it; no field stands for its ID.

    Names may contain dots. If no object has such a name, the whole reference counts as a name.
    """
    name = reference
    while name not in names and "." in name:
        name = name.rpartition(".")[0]
    return (name, reference[len(name) + 1 :]) if name in names else (reference, "")


def referenced_names(value: Any, names: Collection[str]) -> list[str]:
    """Return the names in the references of a value to objects with these names, or others."""
    return [parts_of(reference, names)[0] for _path, reference in references_in(value)]


def references_in(value: Any, path: str = "", *, is_id: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the references in the ID fields of a value: the path of each and what follows the prefix.

    Everything else is text, which may begin with the same letters. If it `is_id`, the value itself is an ID.
    """
    if isinstance(value, Mapping):
        for name, member in value.items():
            if is_id:
                yield from references_in(name, join(path, str(name)), is_id=True)
            # Ansible adds every option that is omitted, as null, so this is most of them.
            if member is not None and name not in TEXT_FIELDS:
                yield from references_in(member, join(path, str(name)), is_id=is_id or is_id_field(name))
    elif isinstance(value, list):
        for number, member in enumerate(value):
            yield from references_in(member, f"{path}[{number}]", is_id=is_id)
    elif is_id and isinstance(value, str) and (reference := reference_in(value)):
        yield path, reference


def resolved(value: Any, ids: Mapping[str, str]) -> Any:
    """Return a value with IDs in place of the references that `references_in` yields."""
    return with_ids_replaced(value, lambda one: ids.get(name, one) if (name := reference_in(one)) else one)


def merged_keys(value: Any, ids: Mapping[str, str], path: str = "", *, is_id: bool = False) -> Iterator[str]:
    """Yield the paths of the dictionaries of which several keys become the same ID, so that one value would be lost."""
    if isinstance(value, Mapping):
        keys = resolved({"ids": list(value)}, ids)["ids"] if is_id else ()
        yield from [path] if len(set(keys)) < len(keys) else []
        for name, member in value.items():
            if name not in TEXT_FIELDS:
                yield from merged_keys(member, ids, join(path, str(name)), is_id=is_id or is_id_field(name))
    elif isinstance(value, list):
        for number, member in enumerate(value):
            yield from merged_keys(member, ids, f"{path}[{number}]", is_id=is_id)


def with_ids_replaced(value: Any, replace: Callable[[str], str], *, is_id: bool = False) -> Any:
    """Return a value with what `replace` returns in place of the strings in its ID fields."""
    if isinstance(value, Mapping):
        return {
            with_ids_replaced(name, replace, is_id=is_id): member
            if name in TEXT_FIELDS
            else with_ids_replaced(member, replace, is_id=is_id or is_id_field(name))
            for name, member in value.items()
        }
    if isinstance(value, list):
        return [with_ids_replaced(member, replace, is_id=is_id) for member in value]
    return replace(value) if is_id and isinstance(value, str) else value


def is_id_field(name: Any) -> bool:
    return isinstance(name, str) and _ID_FIELD.fullmatch(name) is not None


def in_order(references: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the names of objects so that each comes after those that it refers to, and otherwise in their own order.

    Raises Circle if that is not possible.
    """
    known = {name: [other for other in others if other in references] for name, others in references.items()}
    depths: dict[str, int] = {}
    try:
        for name in TopologicalSorter(known).static_order():
            depths[name] = 1 + max((depths[other] for other in known[name]), default=0)
    except CycleError as error:
        raise Circle(" -> ".join(reversed(error.args[1]))) from None
    return sorted(references, key=depths.__getitem__)


class Circle(Exception):
    """Objects that refer to each other in a circle. The message is their names; the first one is also the last."""


_ONLY_WHOLE = (
    "which is not replaced here; a reference is the whole value of a field that contains IDs, such as `backend_id`, or "
    "of a member of `backends` or `hostports`. If it is not meant as a reference, rename the object"
)


class Misplaced(NamedTuple):
    """A string at this path. If it `is_text` of the user, which may contain anything, there is no problem with it."""

    path: str
    problem: str
    is_text: bool


def misplaced_references(value: Any, names: Collection[str]) -> list[Misplaced]:
    """Return the strings that look like references to objects with these names, but would be sent as they are."""
    # This is quicker than a look at each path.
    if not names or not any(WORD in one for one in strings_in(value)):
        return []
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w){PREFIX}(?:{'|'.join(longest_first)})(?:\.\w+)?(?![\w-])")
    return list(_misplaced(value, pattern, ""))


def _misplaced(
    value: Any, pattern: re.Pattern[str], path: str, *, is_id: bool = False, is_text: bool = False
) -> Iterator[Misplaced]:
    if problem := blank_problem(value) if is_id else "":
        yield Misplaced(path, problem, is_text=False)
    elif isinstance(value, Mapping):
        for name, member in value.items():
            inside = is_text or name in TEXT_FIELDS
            holds_ids = not inside and (is_id or is_id_field(name))
            yield from _misplaced(member, pattern, join(path, str(name)), is_id=holds_ids, is_text=inside)
    elif isinstance(value, list):
        for number, member in enumerate(value):
            yield from _misplaced(member, pattern, f"{path}[{number}]", is_id=is_id, is_text=is_text)
    elif isinstance(value, str) and not (is_id and reference_in(value)):
        found = pattern.fullmatch(value) if is_text else pattern.search(value)
        yield from [Misplaced(path, f"contains {found[0]}, {_ONLY_WHOLE}", is_text)] if found else []
