# SPDX-License-Identifier: GPL-3.0-or-later
"""Strings that look like references by name, but are not replaced, because of where or how they are written. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from .._model.objects import join
from .._model.reference_syntax import PREFIX, blank_problem, reference_in
from .named_references import TEXT_FIELDS, is_id_field, may_refer

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
    if not names or not may_refer(value):
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
