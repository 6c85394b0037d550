# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of the policy module (section 2.4): one rule or a list of them, each with one action or a list of them.

Their order matters. Services accept and return either form; the collection sends the form that the user wrote.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from .._errors import UNSET_VARIABLE, UnexpectedType
from .._values.json_strings import compact, container, meaning
from .._values.kinds import Given, Kind, Normal, Wire
from .._values.option_error import OptionError, OptionErrors, dictionary_of, join, list_of
from .._values.option_types import by_name
from .._values.option_wording import IN_QUOTES, enumerated, kind_of, unknown_option_error
from .named_secrets import secret_errors
from .objects import Object

_RULE = {
    "name": (str, "a string"),
    "expressions": (list, "a list of strings"),
    "actions": ((dict, list), "an action or a list of actions"),
}
_ACTION = {"type": (str, "a string"), "config": (dict, "a dictionary")}
_DIRECTIONS = ("inbound", "outbound")
_KNOWN = (*_DIRECTIONS, "value")


class Rules(Kind):
    """Normal form: a list of {name, expressions, actions: a list of {type, config}}."""

    empty: ClassVar[list[Any]] = []
    clears_when_omitted = True
    option = {"type": "raw"}  # noqa: RUF012 - never changed

    def option_errors(self, given: Given, path: str) -> OptionErrors:
        for rule, where in _each(given, path):
            wrong = list(_shape_errors(rule, where, "a rule", _RULE))
            yield from wrong
            if not wrong and _is_blank(rule):
                yield OptionError(where, f"the rule is empty; write [] for no rules, or {UNSET_VARIABLE}")
            elif isinstance(rule, dict):
                yield from _content_errors(rule, where)
        yield from secret_errors(given, path)

    def normal(self, given: Given) -> Normal:
        return _without_empty_members(_normal_rule(rule) for rule, _where in _each(given, path=""))

    def same(self, current: Normal, desired: Normal) -> bool:
        # As JSON, because Python considers booleans equal to 0 and 1.
        return meaning(compact(current)) == meaning(compact(desired))

    def read(self, wire: Wire, path: str) -> Normal:
        for rule, where in _each(wire, path):
            actions = rule.get("actions") if isinstance(rule, dict) else None
            for value, spot in [(rule, where), *_each(actions, join(where, "actions"))]:
                if not isinstance(value, dict):
                    raise UnexpectedType(spot, "an object", value)
            if not isinstance(rule.get("expressions") or [], list):
                raise UnexpectedType(f"{where}.expressions", "a list", rule["expressions"])
        return self.normal(wire)


def _is_blank(value: Any) -> bool:
    """Return whether a value contains nothing, as if everything inside of it is omitted."""
    if isinstance(value, (dict, list)):
        return all(_is_blank(member) for member in (value.values() if isinstance(value, dict) else value))
    return value is None or value == ""


def _each(value: Any, path: str) -> Iterator[tuple[Any, str]]:
    """Yield the members with their paths, of a list or of the single member in place of a list."""
    if isinstance(value, list):
        yield from ((item, f"{path}[{number}]") for number, item in enumerate(value))
    elif value is not None:
        yield value, path


def _shape_errors(value: Any, path: str, noun: str, members: dict[str, Any]) -> OptionErrors:
    if not isinstance(value, dict):
        options = enumerated(tuple(members), "and")
        yield OptionError(path, f"expected {noun} (a dictionary with {options}), got {kind_of(value)}")
        return
    for name, member in by_name(value):
        if name not in members:
            yield unknown_option_error(str(name), {known: {} for known in members}, path)
        elif member is not None and not isinstance(member, members[name][0]):
            yield OptionError(join(path, name), f"expected {members[name][1]}, got {kind_of(member)}")


def _content_errors(rule: dict[str, Any], path: str) -> OptionErrors:
    """Yield the errors in the expressions and the actions of a rule, as far as these have the right type."""
    for number, expression in enumerate(list_of(rule.get("expressions"))):
        if not isinstance(expression, str):
            where = f"{path}.expressions[{number}]"
            yield OptionError(where, f"expected a string, got {kind_of(expression)}; {IN_QUOTES}")
    actions = rule.get("actions")
    for action, spot in _each(actions, join(path, "actions")) if isinstance(actions, (dict, list)) else ():
        wrong = list(_shape_errors(action, spot, "an action", _ACTION))
        yield from wrong
        if not wrong and _is_blank(action):
            yield OptionError(spot, f"the action is empty; remove it, or {UNSET_VARIABLE}")


def _normal_rule(rule: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": rule.get("name") or "",
        "expressions": list(rule.get("expressions") or []),
        "actions": _without_empty_members(
            {"type": action.get("type") or "", "config": _without_empty(action.get("config") or {})}
            for action, _where in _each(rule.get("actions"), path="")
        ),
    }


def _without_empty_members(members: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the members without empty ones, which some services return for an empty dictionary."""
    return [member for member in members if any(member.values())]


def _without_empty(value: Any) -> Any:
    """Return a free-form value without members that are null or empty, which services add and omit at will."""
    if isinstance(value, dict):
        members = {name: _without_empty(member) for name, member in sorted(value.items())}
        return {name: member for name, member in members.items() if member is not None and member not in ("", [], {})}
    return [_without_empty(item) for item in value] if isinstance(value, list) else value


class SomeRules(list[Any]):
    """The rules of a policy that also has rules in another format, which are not read. The service keeps them."""


def has_other_rules(policy: Normal) -> bool:
    """Return whether a policy in its normal form has rules in another format, so that a declaration would lack them."""
    return policy is not None and isinstance(policy["inbound"], SomeRules)


class Policy(Object):
    """The traffic module with the rules. Some services return all of them as JSON in a string, the `value`."""

    def read(self, wire: Wire, path: str) -> Normal:
        if not isinstance(wire, dict):
            return super().read(wire, path)
        value = wire.get("value")
        written = container(value) if isinstance(value, str) else value
        members = {**wire, **dictionary_of(written)}
        state = super().read({**wire, **{name: members[name] for name in _DIRECTIONS if members.get(name)}}, path)
        others = [written] if isinstance(written, list) else [members[name] for name in members if name not in _KNOWN]
        is_text = isinstance(value, str) and written is None and bool(value.strip())
        if state is not None and (is_text or any(isinstance(one, (dict, list)) and one for one in others)):
            state["inbound"] = SomeRules(state["inbound"])
        return state
