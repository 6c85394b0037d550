# SPDX-License-Identifier: GPL-3.0-or-later
"""The differences between two states of an object, as the lines of a diff."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any

from .._yaml_text import yaml_lines, yaml_string

_REMOVED, _ADDED, _SAME = "- ", "+ ", "  "


def diff_lines(before: Any, after: Any) -> Iterator[str]:
    """Yield the lines of a diff of two states. None means that the object does not exist.

    The lines look like YAML. Values that do not differ are omitted, so a long object with a small change stays short.
    """
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in [*before, *(key for key in after if key not in before)]:
            if key not in before:
                yield from _marked(_ADDED, {key: after[key]})
            elif key not in after:
                yield from _marked(_REMOVED, {key: before[key]})
            elif before[key] != after[key]:
                yield from _different_members(key, before[key], after[key])
    elif isinstance(before, list) and isinstance(after, list):
        start = _in_common(before, after)
        before, after = before[start:], after[start:]
        end = _in_common(reversed(before), reversed(after))
        yield from _marked(_REMOVED, before[: len(before) - end])
        yield from _marked(_ADDED, after[: len(after) - end])
    elif before != after:
        yield from _marked(_REMOVED, before)
        yield from _marked(_ADDED, after)


def _different_members(key: str, before: Any, after: Any) -> Iterator[str]:
    if before and after and isinstance(before, type(after)) and isinstance(after, (dict, list)):
        yield f"{_SAME}{yaml_string(key)}:"
        yield from (f"{line[:2]}  {line[2:]}" for line in diff_lines(before, after))
    else:
        yield from _marked(_REMOVED, {key: before})
        yield from _marked(_ADDED, {key: after})


def _in_common(before: Iterable[Any], after: Iterable[Any]) -> int:
    """Return how many members are the same at the start."""
    pairs = zip(before, after, strict=False)
    return sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _marked(mark: str, value: Any) -> Iterator[str]:
    if value is not None and value not in ([], {}):
        yield from (f"{mark}{line}" for line in yaml_lines(value))
