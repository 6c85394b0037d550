# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of the policy module (section 2.4): one rule or a list of them, each with one action or a list of them.

Their order has a meaning. Services take and return either form; what the user wrote is what is sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from .._errors import UNSET_VARIABLE, WrongShape
from .kinds import Given, Kind, Normal, Wire
from .objects import join
from .option_types import by_name, enumerated, kind_of, unknown_option_error

_RULE = {
    "name": (str, "a string"),
    "expressions": (list, "a list of strings"),
    "actions": ((dict, list), "an action or a list of actions"),
}
_ACTION = {"type": (str, "a string"), "config": (dict, "a dictionary")}


@dataclass(frozen=True)
class Rules(Kind):
    """Normal form: a list of {name, expressions, actions: a list of {type, config}}."""

    empty: ClassVar[list[Any]] = []
    clears_when_omitted = True
    option = {"type": "raw"}  # noqa: RUF012 - never changed

    def option_errors(self, given: Given, path: str) -> Iterator[str]:
        for rule, where in _each(given, path):
            wrong = list(_shape_errors(rule, where, "a rule", _RULE))
            yield from wrong
            if not wrong and _says_nothing(rule):
                yield f"{where}: the rule is empty; write [] for no rules, or {UNSET_VARIABLE}"
            elif isinstance(rule, dict):
                yield from _content_errors(rule, where)

    def normal(self, given: Given) -> Normal:
        return _said(_normal_rule(rule) for rule in _as_list(given))

    def same(self, have: Normal, want: Normal) -> bool:
        return bool(_shape(have) == _shape(want))

    def read(self, wire: Wire, path: str) -> Normal:
        for rule, where in _each(wire, path):
            actions = rule.get("actions") if isinstance(rule, dict) else None
            for value, spot in [(rule, where), *_each(actions, join(where, "actions"))]:
                if not isinstance(value, dict):
                    raise WrongShape(spot, "an object", value)
            if not isinstance(rule.get("expressions") or [], list):
                raise WrongShape(f"{where}.expressions", "a list", rule["expressions"])
        return self.normal(wire)


def _says_nothing(value: Any) -> bool:
    """Whether this is what remains where everything inside of it is omitted."""
    if isinstance(value, (dict, list)):
        return all(_says_nothing(member) for member in (value.values() if isinstance(value, dict) else value))
    return value is None or value == ""


def _as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _each(value: Any, path: str) -> Iterator[tuple[Any, str]]:
    """The members with their paths, of a list or of the single one that stands for it."""
    if isinstance(value, list):
        yield from ((item, f"{path}[{number}]") for number, item in enumerate(value))
    elif value is not None:
        yield value, path


def _shape_errors(value: Any, path: str, noun: str, members: dict[str, Any]) -> Iterator[str]:
    if not isinstance(value, dict):
        options = enumerated(tuple(members), "and")
        yield f"{path}: expected {noun} (a dictionary with {options}), got {kind_of(value)}"
        return
    for name, member in by_name(value):
        if name not in members:
            yield unknown_option_error(str(name), {known: {} for known in members}, join(path, str(name)))
        elif member is not None and not isinstance(member, members[name][0]):
            yield f"{join(path, name)}: expected {members[name][1]}, got {kind_of(member)}"


def _content_errors(rule: dict[str, Any], path: str) -> Iterator[str]:
    """What is wrong with the expressions and the actions of a rule, as far as these are what they should be."""
    expressions = rule.get("expressions")
    for number, expression in enumerate(expressions if isinstance(expressions, list) else ()):
        if not isinstance(expression, str):
            yield (
                f"{path}.expressions[{number}]: expected a string, got {kind_of(expression)}; put it in "
                "quotes if you mean a string"
            )
    actions = rule.get("actions")
    for action, spot in _each(actions, join(path, "actions")) if isinstance(actions, (dict, list)) else ():
        wrong = list(_shape_errors(action, spot, "an action", _ACTION))
        yield from wrong
        if not wrong and _says_nothing(action):
            yield f"{spot}: the action is empty; remove it, or {UNSET_VARIABLE}"


def _normal_rule(rule: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": rule.get("name") or "",
        "expressions": list(rule.get("expressions") or []),
        "actions": _said(
            {"type": action.get("type") or "", "config": _without_empty(action.get("config") or {})}
            for action in _as_list(rule.get("actions"))
        ),
    }


def _said(members: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without the rules and actions that have nothing in them; an empty dictionary comes back from some services so."""
    return [member for member in members if any(member.values())]


def _shape(value: Any) -> Any:
    """A value with its booleans marked, which Python takes for 0 and 1."""
    if isinstance(value, dict):
        return {name: _shape(member) for name, member in value.items()}
    return [_shape(item) for item in value] if isinstance(value, list) else (isinstance(value, bool), value)


def _without_empty(value: Any) -> Any:
    """A free-form value without the members that are null or empty, which services add and leave out as they like."""
    if isinstance(value, dict):
        members = {name: _without_empty(member) for name, member in sorted(value.items())}
        return {name: member for name, member in members.items() if member is not None and member not in ("", [], {})}
    return [_without_empty(item) for item in value] if isinstance(value, list) else value


_SECRET_NAME = re.compile(
    r"(?:secret|password|passwd|pwd|passphrase|token|bearer|jwt|hmac|credentials?|authorization"
    r"|(?:api|private|access|secret|signing|hmac)[_-]?key)$",
    re.IGNORECASE,
)
_SHORTEST_SECRET = 8
"""Shorter values are words that occur elsewhere, such as the name of a header that holds a token."""


def secrets_in_policies(options: Mapping[str, Any]) -> Iterator[str]:
    """What is probably secret in the policies of a route, of an edge's routes or of an estate.

    The actions of services are not known here, so secrets are recognized by their names alone.
    """
    for edge in _dictionaries(options.get("https_edges", [options])):
        for route in _dictionaries(edge.get("routes", [edge])):
            yield from _secrets_in(route.get("policy"))


def _dictionaries(members: Any) -> list[Mapping[str, Any]]:
    return [member for member in members if isinstance(member, Mapping)] if isinstance(members, list) else []


def masked_rules(rules: Any, mask: str) -> Any:
    """The rules with a mask in place of all that is probably secret."""
    if isinstance(rules, dict):
        return {
            name: mask if value and _is_secret(name) else masked_rules(value, mask) for name, value in rules.items()
        }
    return [masked_rules(rule, mask) for rule in rules] if isinstance(rules, list) else rules


def _secrets_in(value: Any, is_secret: bool = False) -> Iterator[str]:
    if isinstance(value, str) and is_secret and len(value) >= _SHORTEST_SECRET:
        # Services quote what comes after the word `Bearer` by itself, too.
        yield from {value, *(word for word in value.split() if len(word) >= _SHORTEST_SECRET)}
    for name, member in _named_members(value):
        yield from _secrets_in(member, is_secret or _is_secret(name))


def _named_members(value: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(value, Mapping):
        return value.items()
    return [("", member) for member in value] if isinstance(value, list) else ()


def _is_secret(name: Any) -> bool:
    return isinstance(name, str) and _SECRET_NAME.search(name) is not None
