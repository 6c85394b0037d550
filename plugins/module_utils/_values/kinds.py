# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of field that resources are made of, and how each one is checked, sent, read, and compared.

A value has three forms. The user gives one, the service returns another, which differs between services, and both have
one normal form, in which they are compared. It is also the form in which a task returns values, because it has the
shape of the options. An example, the `ip_policy_ids` of an IP restriction:

    given    ["ipp_b", "ipp_a", "ipp_b"]                        the option in the task
             option_errors(given)    nothing is wrong
    normal   ["ipp_a", "ipp_b"]                                 normal(given): sorted, without duplicates
    wire     [{"id": "ipp_c", "uri": "..."}]                    the field `ip_policies` of the response
    normal   ["ipp_c"]                                          read(wire)
             differs(["ipp_c"], ["ipp_a", "ipp_b"])             the path of the field, so a request is necessary
    body     ["ipp_b", "ipp_a"]                                 body(given): as the user wrote it, without duplicates
             resend(["ipp_c"])    instead of body, if the option is omitted but its object is sent
             predict(...)         the value after the request, as check mode returns it
             shown(normal)        the value in results and diffs, with secrets masked
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar

from .._errors import UNSET_VARIABLE, UnexpectedType
from .option_error import OptionError, OptionErrors, list_of
from .option_types import InSeconds, choice_errors, content_errors, seconds_in

# The forms of a value. In place of the normal one, there can be a Mark.
Given = Any
Wire = Any
Normal = Any
Body = Any

MASK = "********"
"""Stands for a secret in everything that is displayed; as an option, it stands for the current secret."""


class Mark(Enum):
    KEEP = "not declared: keep the current value, and include it if the object is sent"
    UNKNOWN = "a secret that the service does not return, if it has one"


@dataclass(frozen=True)
class Kind:
    """One kind of value. The methods of this class suit a plain JSON value; the others override what differs."""

    empty: ClassVar[Any] = None
    """The normal form of null, of a missing key, and of an empty value, which are equal."""

    clears_when_omitted: ClassVar[bool] = False
    """Whether omitting the option in an object that is replaced as a whole means empty. If not, the service chooses."""

    option: ClassVar[Mapping[str, Any]] = {}
    """The option's part of an Ansible argument spec."""

    def argument(self) -> dict[str, Any]:
        return dict(self.option)

    def option_errors(self, given: Given, path: str) -> OptionErrors:
        return iter(())

    def normal(self, given: Given) -> Normal:
        return given

    def read(self, wire: Wire, path: str) -> Normal:
        return self.empty if wire is None else self.normal(wire)

    def body(self, given: Given, current: Normal, path: str) -> Body:
        return given

    def resend(self, current: Normal, path: str) -> Body:
        """Return the request form of the current value, to send it unchanged; None if there is nothing to send."""
        return None if current == self.empty else current

    def differs(self, current: Normal, desired: Normal, path: str, resend_secrets: bool) -> list[str]:
        return [] if self.same(current, desired) else [path]

    def same(self, current: Normal, desired: Normal) -> bool:
        return bool(current == desired)

    def predict(self, current: Normal, desired: Normal) -> Normal:
        """Return the value after `desired` has been applied; an equal value keeps the spelling of the service."""
        if desired is Mark.KEEP or self.same(current, desired):
            return current
        return desired

    def completed(self, predicted: Normal, desired: Normal) -> Normal:
        """Return the predicted value if a request contains `desired`, of which the service may return only a part."""
        return predicted

    def reconcile(self, response: Normal, predicted: Normal) -> Normal:
        """Return the value after a write; `response` is what the service returned, `predicted` what was expected."""
        return predicted if predicted != self.empty and self.same(response, predicted) else response

    def shown(self, value: Normal) -> Given:
        return value


@dataclass(frozen=True)
class Text(Kind):
    """A string. `max_bytes` counts UTF-8. With `fold`, letter case is ignored.

    `filled` is a regular expression of what services return in place of an empty string. `choices` are all values, and
    `known` some of them, in lower case.
    """

    max_bytes: int | None = None
    choices: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    fold: bool = False
    filled: str = ""

    empty = ""
    option: ClassVar[Mapping[str, Any]] = {"type": "str"}

    def argument(self) -> dict[str, Any]:
        return {**self.option, "choices": list(self.choices)} if self.choices else dict(self.option)

    def option_errors(self, given: Given, path: str) -> OptionErrors:
        yield from content_errors(given, path)
        if self.choices and given:
            yield from choice_errors(given, self.choices, path)
        text = self.normal(given)
        size = len(text.encode("utf-8", "surrogatepass"))
        if self.max_bytes is not None and size > self.max_bytes:
            got = f"{size} bytes ({len(text)} characters)"
            yield OptionError(path, f"{got} is too long; the maximum is {self.max_bytes} bytes")

    def normal(self, given: Given) -> Normal:
        return "" if given is None else str(given)

    def read(self, wire: Wire, path: str) -> Normal:
        if wire is not None and not isinstance(wire, str):
            raise UnexpectedType(path, "a string", wire)
        return wire or ""

    def same(self, current: Normal, desired: Normal) -> bool:
        if desired == "" and self.filled and re.fullmatch(self.filled, current):
            return True
        return bool(current.lower() == desired.lower() if self.fold else current == desired)


def without_line_ends(text: str) -> str:
    """Return a string without line ends at its end, which files have, lookups remove, and services add."""
    return text.rstrip("\r\n")


class TextOfFile(Text):
    """A string that usually comes from a file."""

    def same(self, current: Normal, desired: Normal) -> bool:
        return bool(without_line_ends(current) == without_line_ends(desired))


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
        return set(current) == set(desired)

    def body(self, given: Given, current: Normal, path: str) -> Body:
        """Return the strings as they were written, once each, because services reject duplicates."""
        first: dict[str, str] = {}
        for name in given:
            first.setdefault(self._key(name), name)
        return list(first.values())

    def _key(self, name: str) -> str:
        return name.lower() if self.fold else name


class Boolean(Kind):
    """A boolean. A missing one counts as false."""

    option: ClassVar[Mapping[str, Any]] = {"type": "bool"}

    def read(self, wire: Wire, path: str) -> Normal:
        if wire is not None and not isinstance(wire, bool):
            raise UnexpectedType(path, "a boolean", wire)
        return wire

    def same(self, current: Normal, desired: Normal) -> bool:
        return bool(current) == bool(desired)


@dataclass(frozen=True)
class Integer(Kind):
    """A number of things. Unless the API reference states other limits, they are those of uint32.

    `filled` is what services return in place of 0, which counts as omitted there.
    """

    minimum: float = 0
    maximum: float = 2**32 - 1
    filled: float = 0

    option: ClassVar[Mapping[str, Any]] = {"type": "int"}
    remark: ClassVar[str] = ""

    def option_errors(self, given: Given, path: str) -> OptionErrors:
        if isinstance(given, (int, float)) and not self.minimum <= given <= self.maximum:
            expected = f"expected a number from {self.minimum} to {self.maximum}{self.remark}"
            yield OptionError(path, f"{given} is out of range; {expected}")

    def read(self, wire: Wire, path: str) -> Normal:
        if wire is not None and (isinstance(wire, bool) or not isinstance(wire, (int, float))):
            raise UnexpectedType(path, "a number", wire)
        return int(wire) if isinstance(wire, float) and wire.is_integer() else wire

    def same(self, current: Normal, desired: Normal) -> bool:
        # A service that omits empty values also omits zeros.
        return bool((current or 0) == (desired or 0) or (desired == 0 and current == self.filled))

    def reconcile(self, response: Normal, predicted: Normal) -> Normal:
        return response if predicted == 0 and response else super().reconcile(response, predicted)


class Seconds(Integer):
    """A number of seconds. Options and responses may also contain a duration, such as `10s`."""

    def argument(self) -> dict[str, Any]:
        return InSeconds(self.option)

    def read(self, wire: Wire, path: str) -> Normal:
        seconds = seconds_in(wire) if isinstance(wire, str) else None
        return super().read(wire if seconds is None else seconds, path)


@dataclass(frozen=True)
class Fraction(Integer):
    maximum: float = 1.0

    option: ClassVar[Mapping[str, Any]] = {"type": "float"}
    remark: ClassVar[str] = " (a fraction, not a percentage)"
