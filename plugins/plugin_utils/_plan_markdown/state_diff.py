# SPDX-License-Identifier: GPL-3.0-or-later
"""The differences between two states of an object, as the lines of a diff."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .._yaml_text import yaml_lines, yaml_string

_REMOVED, _ADDED, _SAME = "- ", "+ ", "  "


def diff_lines(before: Any, after: Any) -> Iterator[str]:
    """Yield the lines of a diff of two states. None means that the object does not exist.

    The lines look like YAML. Values that do not differ are omitted, so a long object with a small change stays short.
    """
    if before is None or after is None:
        yield from _marked(_REMOVED, before)
        yield from _marked(_ADDED, after)
    else:
        yield from _differences(before, after)


def _differences(before: Any, after: Any) -> Iterator[str]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in [*before, *(key for key in after if key not in before)]:
            if key not in before:
                yield from _marked(_ADDED, {key: after[key]})
            elif key not in after:
                yield from _marked(_REMOVED, {key: before[key]})
            elif before[key] != after[key]:
                yield from _different_members(key, before[key], after[key])
    elif isinstance(before, list) and isinstance(after, list):
        start, end = _ends_in_common(before, after)
        yield from _marked(_REMOVED, before[start : len(before) - end])
        yield from _marked(_ADDED, after[start : len(after) - end])
    elif before != after:
        yield from _marked(_REMOVED, before)
        yield from _marked(_ADDED, after)


def _different_members(key: str, before: Any, after: Any) -> Iterator[str]:
    if before and after and isinstance(before, type(after)) and isinstance(after, (dict, list)):
        yield f"{_SAME}{yaml_string(key)}:"
        yield from (f"{line[:2]}  {line[2:]}" for line in _differences(before, after))
    else:
        yield from _marked(_REMOVED, {key: before})
        yield from _marked(_ADDED, {key: after})


def _ends_in_common(before: list[Any], after: list[Any]) -> tuple[int, int]:
    """Return how many members are the same at the start and at the end of two lists."""
    shorter = min(len(before), len(after))
    start = 0
    while start < shorter and before[start] == after[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return start, end


def _marked(mark: str, value: Any) -> Iterator[str]:
    if value is not None and value not in ([], {}):
        yield from (f"{mark}{line}" for line in yaml_lines(value))
