# SPDX-License-Identifier: GPL-3.0-or-later
"""Which undeclared edges a task may purge, so that several teams can share an account. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .._errors import UNSET_VARIABLE
from .._values.hostports import LARGEST_PORT, host_key
from .._values.json_strings import unique_members
from .._values.option_error import OptionError, OptionErrors, join, list_of
from .._values.option_types import by_name
from .._values.option_wording import NeverNull

OPTION = NeverNull(
    type="dict",
    options={"hostports": NeverNull(type="list", elements="str"), "metadata": NeverNull(type="dict")},
)
OUTSIDE = "outside of purge_scope"

_PATH = "purge_scope"
_EXPECTED = "a pattern such as '*.example.com:443', or '*.example.com:*' for all ports"
_PORT = re.compile(r"[0-9*]+")


@dataclass(frozen=True)
class PurgeScope:
    """The edges whose hostports all match one of the patterns, and whose metadata contains these members.

    None stands for no condition. What cannot be understood, such as metadata that is not JSON, is outside.
    """

    hostports: Sequence[str] | None = None
    metadata: Mapping[str, Any] | None = None

    def includes(self, hostports: Sequence[str], metadata: str) -> bool:
        if self.hostports is not None:
            are_inside = [any(pattern.fullmatch(one) for pattern in self._patterns) for one in hostports]
            if not are_inside or not all(are_inside):
                return False
        if self.metadata is None:
            return True
        try:
            found = json.loads(metadata, object_pairs_hook=unique_members)
        except (ValueError, RecursionError):
            return False
        return _contains(found, self.metadata)

    @cached_property
    def _patterns(self) -> list[re.Pattern[str]]:
        """The patterns, compiled once for all edges: `*` stands for any number of characters, in any case."""
        parts = (host_key(pattern).split("*") for pattern in self.hostports or ())
        return [re.compile(".*".join(map(re.escape, each)), re.DOTALL) for each in parts]


def scope_errors(given: Any, purges_edges: bool) -> OptionErrors:
    """Yield the errors in the option: a scope that no edge can be in, or that has no effect."""
    if not isinstance(given, dict):
        return
    hostports, metadata = given.get("hostports"), given.get("metadata")
    if not purges_edges:
        yield OptionError(_PATH, f"has no effect without `edges` in `purge`; add `edges` to `purge`, or remove {_PATH}")
    if hostports is None and metadata is None:
        yield OptionError(_PATH, f"is empty; set hostports, metadata, or both, or {UNSET_VARIABLE}")
    if hostports == []:
        yield OptionError(join(_PATH, "hostports"), f"the list is empty, so no edge is in the scope; {UNSET_VARIABLE}")
    if metadata == {}:
        text = f"the dictionary is empty, so every edge is in the scope; {UNSET_VARIABLE}"
        yield OptionError(join(_PATH, "metadata"), text)
    yield from _metadata_errors(metadata or {}, join(_PATH, "metadata"))
    for number, pattern in enumerate(list_of(hostports)):
        if isinstance(pattern, str):
            yield from _pattern_errors(pattern, f"{join(_PATH, 'hostports')}[{number}]")


def _metadata_errors(wanted: Any, path: str) -> OptionErrors:
    """Yield the errors in wanted metadata: what a variable that is not set leaves behind, which may match others."""
    places = [(f"{path}[{number}]", member) for number, member in enumerate(list_of(wanted))]
    named = by_name(wanted) if isinstance(wanted, Mapping) else ()
    for where, member in [*places, *((join(path, str(name)), member) for name, member in named)]:
        if member is None or member in ("", {}):
            yield OptionError(where, f"is {'null' if member is None else 'empty'}; {UNSET_VARIABLE}")
        yield from _metadata_errors(member, where)


def _pattern_errors(pattern: str, path: str) -> OptionErrors:
    host, _colon, port = pattern.rpartition(":")
    if not pattern:
        yield OptionError(path, f"is empty; {UNSET_VARIABLE}")
    elif any(letter.isspace() for letter in pattern):
        yield OptionError(path, f"{pattern!r} contains a space, so it matches no hostport; expected {_EXPECTED}")
    elif not host or not _PORT.fullmatch(port):
        if not pattern.endswith("*"):
            yield OptionError(path, f"{pattern!r} has no port, so it matches no hostport; expected {_EXPECTED}")
    elif port.isdigit() and not 0 < int(port[: len(str(LARGEST_PORT)) + 1]) <= LARGEST_PORT:
        yield OptionError(path, f"the port {port!r} is out of range; expected a number from 1 to {LARGEST_PORT}, or *")


def _contains(found: Any, wanted: Any) -> bool:
    """Return whether JSON contains the wanted members at any depth. Values are equal only if their types are."""
    if isinstance(wanted, Mapping):
        are_there = isinstance(found, dict) and found.keys() >= wanted.keys()
        return are_there and all(_contains(found[name], value) for name, value in wanted.items())
    if isinstance(wanted, (list, tuple)):
        are_as_many = isinstance(found, list) and len(found) == len(wanted)
        return are_as_many and all(map(_contains, found, wanted))
    if isinstance(wanted, str):
        return isinstance(found, str) and str(found) == str(wanted)
    return type(found) is type(wanted) and bool(found == wanted)
