# SPDX-License-Identifier: GPL-3.0-or-later
"""The types of options: errors for values that do not have the type of their option. Pure.

Ansible converts values to the type, and its versions convert differently: a list becomes a string that looks like one,
a boolean becomes a number. A value that nobody can mean is an error here, no matter how Ansible would convert it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from difflib import get_close_matches
from functools import partial
from typing import Any

from .._errors import UNSET_VARIABLE
from .escapes import encodable
from .identifiers import blank_problem
from .option_error import OptionError, OptionErrors
from .option_wording import IN_QUOTES, Option, did_you_mean, enumerated, kind_of, quoted

WRONG = object()
"""Represents a value that does not have the type of its option."""

_OMIT = "__omit_place_holder__"
_NUMBER = re.compile(r"\s*[+-]?\d{1,400}(?:\.\d{0,20})?(?:[eE][+-]?\d{1,2})?\s*", re.ASCII)
_NUMBER_WITH_UNIT = re.compile(r"\s*\d[\d.]*\s*[^\W\d_]")
_PERCENTAGE = re.compile(r"\s*(\d{1,3}(?:\.\d+)?)\s*%\s*", re.ASCII)
_BOOLEANS = frozenset({"y", "yes", "on", "1", "true", "t", "n", "no", "off", "0", "false", "f"})

_ID_NAME = re.compile(r"(?:.*_)?ids?(?:\[\d+\])?", re.DOTALL)


def accepted_value(option: Option, value: Any, path: str, option_errors: list[OptionError]) -> Any:
    """Return the value to pass to Ansible, or WRONG, and append its errors to `option_errors`."""
    if isinstance(option, InSeconds) and isinstance(value, str) and (seconds := seconds_in(value)) is not None:
        value = seconds
    kind = option.get("type", "str")
    check = _seconds_errors if isinstance(option, InSeconds) else _TYPES.get(kind)
    wrong = list(check(value, path)) if check else []
    if not wrong and option.get("choices"):
        wrong = list(choice_errors(value, option["choices"], path))
    option_errors += wrong or (content_errors(value, path) if kind in _FREE else ())
    if wrong:
        return WRONG
    # Versions of Ansible differ in what else they accept as an integer.
    return _integer_in(value) if kind == "int" else value


def choice_errors(value: Any, choices: Sequence[str], path: str) -> OptionErrors:
    if str(value) not in choices:
        advice = did_you_mean(get_close_matches(str(value), choices, 1))
        yield OptionError(path, f"{quoted(value)} is not allowed; expected {enumerated(choices)}{advice}")


def text_errors(value: Any, path: str) -> OptionErrors:
    """Yield the error in a value that should be a string, or a number in place of one."""
    if value is None:
        yield OptionError(path, f"expected a string, got null; {UNSET_VARIABLE}")
    elif isinstance(value, bool) or _is_not_finite(value):
        got = kind_of(value) if isinstance(value, bool) else f"the number {value}"
        yield OptionError(path, f"expected a string, got {got}; {IN_QUOTES}")
    elif not isinstance(value, (str, int, float)):
        reference = blank_problem(value)
        advice = f"; {reference}" if reference else _id_advice(value, path)
        yield OptionError(path, f"expected a string, got {kind_of(value)}{advice}")


def _id_advice(value: Any, path: str) -> str:
    """Return where the ID may be, if the value is an object with an ID or a result that contains such an object."""
    if not isinstance(value, Mapping) or not _ID_NAME.fullmatch(path.rpartition(".")[2]):
        return ""
    if "id" in value:
        return "; did you mean its .id?"
    inside = [name for name, member in value.items() if isinstance(member, Mapping) and "id" in member]
    return f"; did you mean its .{inside[0]}.id?" if len(inside) == 1 else ""


def _number_errors(value: Any, path: str, noun: str, number_in: Callable[[Any], object]) -> OptionErrors:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        yield OptionError(path, f"expected {noun}, got {kind_of(value)}{_null_advice(value)}")
    elif number_in(value) is None:
        yield OptionError(path, f"{quoted(value)} is not {noun}{_number_advice(value)}")


def _seconds_errors(value: Any, path: str) -> OptionErrors:
    if isinstance(value, str) and _NUMBER_WITH_UNIT.match(value):
        yield OptionError(
            path, f"{quoted(value)} is not a whole number of seconds; expected seconds, or a duration in {UNITS}"
        )
    else:
        yield from _number_errors(value, path, "an integer", _integer_in)


def _number_advice(value: Any) -> str:
    if isinstance(value, str) and not value.strip():
        return f"; {UNSET_VARIABLE}"
    share = _PERCENTAGE.fullmatch(value) if isinstance(value, str) else None
    if share:
        return f"; as a fraction, {value.strip()} is {float(share[1]) / 100:g}"
    return "; write the number without a unit" if isinstance(value, str) and _NUMBER_WITH_UNIT.match(value) else ""


def _boolean_errors(value: Any, path: str) -> OptionErrors:
    if isinstance(value, (str, int, float)):
        if not (value in (0, 1) if not isinstance(value, str) else value.strip().lower() in _BOOLEANS):
            advice = f"; {UNSET_VARIABLE}" if value == "" else ""
            yield OptionError(path, f"{quoted(value)} is not a boolean; expected true or false{advice}")
    else:
        yield OptionError(path, f"expected true or false, got {kind_of(value)}{_null_advice(value)}")


def _null_advice(value: Any) -> str:
    return f"; omit the option, or {UNSET_VARIABLE}" if value is None else ""


def content_errors(value: Any, path: str) -> OptionErrors:
    """Yield errors for what no request can contain, at any depth; the values themselves are not displayed."""
    if isinstance(value, str):
        problem = _text_problem(value)
        if problem:
            yield OptionError(path, problem)
    elif isinstance(value, list):
        for number, member in enumerate(value):
            yield from content_errors(member, f"{path}[{number}]")
    elif isinstance(value, Mapping):
        for name, member in by_name(value):
            problem = _text_problem(str(name))
            if problem:
                yield OptionError(path, f"the key {name!a} {problem}")
            yield from content_errors(member, f"{path}.{ascii(name) if problem else name}")
    elif _is_not_finite(value):
        yield OptionError(path, f"{value} is not possible in JSON; set a finite number, or {IN_QUOTES}")


def by_name(value: Mapping[Any, Any]) -> list[tuple[Any, Any]]:
    """Return the members sorted by name, because versions of Ansible pass them in different orders."""
    return sorted(value.items(), key=lambda member: str(member[0]))


def _text_problem(text: str) -> str:
    if text.startswith(_OMIT):
        # Before ansible-core 2.19, `omit` works for options only, and not inside of their values.
        return f"`omit` is not possible here; {UNSET_VARIABLE}"
    if "\0" in text:
        return "contains a NUL character; remove it"
    if not text.isascii() and encodable(text) != text:
        return "contains half of a surrogate pair, which cannot be encoded; remove it"
    return ""


def _is_not_finite(value: Any) -> bool:
    return isinstance(value, float) and not math.isfinite(value)


def _integer_in(value: str | float) -> int | None:
    """Return an integer, or that in a string: YAML reads 1e3 as one, although its author means a number."""
    if _is_not_finite(value) or (isinstance(value, str) and not _NUMBER.fullmatch(value)):
        return None
    number = Decimal(value.strip()) if isinstance(value, str) else value
    return int(number) if number == int(number) else None


def _number_in(value: str | float) -> float | None:
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


_TYPES: Mapping[str, Callable[[Any, str], OptionErrors]] = {
    "str": text_errors,
    "path": text_errors,
    "int": partial(_number_errors, noun="an integer", number_in=_integer_in),
    "float": partial(_number_errors, noun="a number", number_in=_number_in),
    "bool": _boolean_errors,
}
_FREE = ("str", "path", "dict", "raw")
"""The types whose values may contain anything."""

_UNITS = {"h": Decimal(3600), "m": Decimal(60), "s": Decimal(1), "ms": Decimal("0.001")}
UNITS = "h, m, s, and ms, such as 1h30m"
_PART = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)(ms|h|m|s)", re.ASCII)
_DURATION = re.compile(rf"\s*((?:{_PART.pattern})+)\s*", re.ASCII)


class InSeconds(dict[str, Any]):
    """The spec of an integer option that is a number of seconds, and also accepts a duration."""


def seconds_in(text: str) -> int | None:
    """Return the whole number of seconds of a duration; None for anything else."""
    found = _DURATION.fullmatch(text)
    if not found:
        return None
    total = sum((Decimal(number) * _UNITS[unit] for number, unit in _PART.findall(found[1])), Decimal(0))
    return int(total) if total == total.to_integral_value() else None
