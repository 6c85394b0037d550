# SPDX-License-Identifier: GPL-3.0-or-later
"""Dictionaries of strings: headers and labels. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from .._errors import UnexpectedType
from .kinds import Body, Given, Kind, Normal, Wire
from .option_error import OptionError, OptionErrors
from .option_types import by_name, text_errors
from .option_wording import quoted


@dataclass(frozen=True)
class Headers(Kind):
    """A dictionary of HTTP headers. Letter case of the names is ignored."""

    empty: ClassVar[dict[str, str]] = {}
    clears_when_omitted = True
    option: ClassVar[Mapping[str, Any]] = {"type": "dict"}

    def option_errors(self, given: Given, path: str) -> OptionErrors:
        spelled: dict[str, str] = {}
        for name, value in by_name(given) if isinstance(given, dict) else ():
            yield from text_errors(value, f"{path}.{name}")
            yield from _header_errors(str(name), value, path)
            other = spelled.setdefault(str(name).lower(), str(name))
            if other != str(name):
                yield OptionError(path, f"{other} and {name} are the same header; keep one of them")

    def normal(self, given: Given) -> Normal:
        return {str(name).lower(): str(value) for name, value in sorted((given or {}).items(), key=str)}

    def read(self, wire: Wire, path: str) -> Normal:
        headers = _read_strings(wire, path)
        # Keep headers that differ only in letter case. They cannot be declared together, so they differ from every
        # declaration and are replaced by it. Ignoring one of them would hide the other.
        spellings = Counter(map(str.lower, headers))
        return {name if spellings[name.lower()] > 1 else name.lower(): headers[name] for name in sorted(headers)}

    def body(self, given: Given, current: Normal, path: str) -> Body:
        return {str(name): str(value) for name, value in given.items()}


_NO_HEADER_NAME = re.compile(r"[\s:\x01-\x1f\x7f]")
_LINE_BREAK = re.compile(r"[\r\n]")


def _header_errors(name: str, value: Any, path: str) -> OptionErrors:
    """Yield what cannot be a single header of an HTTP message."""
    if not name or _NO_HEADER_NAME.search(name):
        rule = "expected a name without spaces, colons, or control characters"
        yield OptionError(path, f"{quoted(name)} is not a valid HTTP header name; {rule}")
    elif isinstance(value, str) and _LINE_BREAK.search(value):
        yield OptionError(f"{path}.{name}", "contains a line break; remove it")


@dataclass(frozen=True)
class Labels(Kind):
    """A dictionary of strings that is only read."""

    empty: ClassVar[dict[str, str]] = {}

    def read(self, wire: Wire, path: str) -> Normal:
        return _read_strings(wire, path)


def _read_strings(wire: Wire, path: str) -> dict[str, str]:
    if wire is None:
        return {}
    if not isinstance(wire, dict) or not all(isinstance(value, str) for value in wire.values()):
        raise UnexpectedType(path, "a map of strings", wire)
    return wire
