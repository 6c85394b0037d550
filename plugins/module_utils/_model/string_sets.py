# SPDX-License-Identifier: GPL-3.0-or-later
"""Sets of strings, such as scopes or hostports: order and duplicates are ignored. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from .._errors import UNSET_VARIABLE, UnexpectedType
from .hostports import hostport_errors
from .kinds import Body, Given, Kind, Normal, Wire
from .option_error import OptionError, OptionErrors, list_of


@dataclass(frozen=True)
class StringSet(Kind):
    """A set of strings. Order and duplicates are ignored; with `fold`, so is letter case."""

    fold: bool = False

    empty: ClassVar[list[str]] = []
    clears_when_omitted = True
    option: ClassVar[Mapping[str, Any]] = {"type": "list", "elements": "str"}

    def option_errors(self, given: Given, path: str) -> OptionErrors:
        for number, name in enumerate(list_of(given)):
            yield from self._member_errors(str(name), f"{path}[{number}]")

    def _member_errors(self, name: str, path: str) -> OptionErrors:
        if not name:
            yield OptionError(path, f"is empty; {UNSET_VARIABLE}")

    def normal(self, given: Given) -> Normal:
        return sorted({self._key(name) for name in given or ()})

    def read(self, wire: Wire, path: str) -> Normal:
        if wire is None:
            return []
        if not isinstance(wire, list) or not all(isinstance(name, str) for name in wire):
            raise UnexpectedType(path, "a list of strings", wire)
        return self.normal(wire)

    def same(self, current: Normal, desired: Normal) -> bool:
        """Compare without order, because an ID that has replaced a placeholder may belong in another place."""
        if isinstance(current, list) and isinstance(desired, list):
            return set(current) == set(desired)
        return super().same(current, desired)

    def body(self, given: Given, current: Normal, path: str) -> Body:
        """Return the strings as they were written, once each, because services reject duplicates."""
        first: dict[str, str] = {}
        for name in given:
            first.setdefault(self._key(name), name)
        return list(first.values())

    def _key(self, name: str) -> str:
        return name.lower() if self.fold else name


@dataclass(frozen=True)
class Hostports(StringSet):
    """A set of host names with their ports. Names in other scripts are compared in their ASCII form."""

    def _member_errors(self, name: str, path: str) -> OptionErrors:
        yield from hostport_errors(name, path)

    def _key(self, name: str) -> str:
        return host_key(name)


_LABEL_ENDS = re.compile("[.\u3002\uff0e\uff61]")
_OWN_LETTERS = frozenset("ßς\u200c\u200d")


def host_key(name: str) -> str:
    """Return the normal form of a host, with or without a port: lowercase ASCII, `xn--bcher-kva.example:443`."""
    if name.isascii():
        return name.lower()
    host, colon, port = name.rpartition(":")
    if not colon or not port.isdigit():
        host, colon, port = name, "", ""
    try:
        return ".".join(_label_key(label) for label in _LABEL_ENDS.split(host)) + colon + port
    except UnicodeError:
        return name.lower()


def host_keys(value: Any) -> set[str]:
    return {host_key(one) for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)}


def _label_key(label: str) -> str:
    lower = "".join(map(str.lower, label))  # by letter, because str.lower() treats a final sigma differently
    if lower.isascii():
        return lower
    if _OWN_LETTERS.isdisjoint(lower):
        return lower.encode("idna").decode("ascii")
    # Python implements the older IDNA, which turns ß into ss. Today these are two names, possibly of two owners.
    return "xn--" + unicodedata.normalize("NFC", lower).encode("punycode").decode("ascii")
