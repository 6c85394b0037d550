# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluation of simple Jinja expressions without Ansible's templating, which takes a thousand times as long.

The result must be the same as Ansible's. Therefore, only common expressions are supported. If an expression, or one of
the values in it, is in any way unusual, its evaluation is left to Ansible.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Collection, Mapping
from typing import Any

from ansible import constants as C  # noqa: N812 - its name everywhere in Ansible
from jinja2 import Environment, TemplateError, nodes

from .._trust import TRUST_IS_TAGGED

Evaluator = Callable[[Mapping[str, Any]], Any]

MISSING = object()
"""The value of an expression that uses an undefined variable."""

# Ansible treats these characters differently than Jinja: escapes, and templates inside of expressions.
_SPECIAL = "{}\\#\n\r\t"
_PLAIN = (str, int, float, bool, type(None))
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "lteq": operator.le,
    "gt": operator.gt,
    "gteq": operator.ge,
    "in": lambda one, other: one in other,
    "notin": lambda one, other: one not in other,
}
_OF_STRINGS: dict[str, Callable[[str], str]] = {"upper": str.upper, "lower": str.lower}
_WITH_ATTRIBUTES = (dict, list, str, int, float)
_MOST_CHARACTERS = 1000


class Unsure(Exception):
    """The evaluation must be left to Ansible."""


def plain_expression(text: Any, known: Collection[str]) -> Evaluator | None:
    """Return the evaluator of an expression, or None if the expression must be left to Ansible.

    If a name is not among the variables, it is certainly undefined only if it is in `known`; Ansible may define any
    other. The evaluator raises Unsure, or returns MISSING.
    """
    if not isinstance(text, str) or any(character in text for character in _SPECIAL):
        return None
    body = _body(f"{{{{ {text} }}}}")
    if len(body) != 1 or isinstance(body[0], nodes.TemplateData):
        return None
    try:
        return _built(body[0], frozenset(known))
    except Unsure:
        return None


def plain_template(text: Any, known: Collection[str]) -> Evaluator | None:
    """Return the evaluator of a template of one line whose value is a string, or None."""
    if not isinstance(text, str) or any(sign in text for sign in ("\\", "\n", "\r", "#", "{%", "{{-", "-}}")):
        return None
    parts = _body(text)
    if not any(not isinstance(part, nodes.TemplateData) for part in parts):
        return None
    try:
        return _joined([_built(part, frozenset(known)) for part in parts])
    except Unsure:
        return None


def is_condition(value: Any) -> bool:
    """Return whether every version of Ansible accepts this value as the result of a condition."""
    return value is True or value is False


def as_result(value: Any) -> Any:
    """Return the value of an expression as Ansible returns it. Raises Unsure."""
    if TRUST_IS_TAGGED or value is MISSING or isinstance(value, bool):
        return value
    # Before 2.19, Ansible converts the value to a string, and evaluates the string if it looks like Python.
    if not isinstance(value, str) or value.startswith(("{", "[")) or value in ("True", "False"):
        raise Unsure
    return value


def _body(template: str) -> list[nodes.Expr]:
    if len(template) > _MOST_CHARACTERS or (not TRUST_IS_TAGGED and C.DEFAULT_JINJA2_NATIVE):
        return []
    try:
        parsed = Environment().parse(template)
    except (TemplateError, RecursionError):
        return []
    outputs = [node for node in parsed.body if isinstance(node, nodes.Output)]
    return [part for node in outputs for part in node.nodes] if len(outputs) == len(parsed.body) else []


def _built(node: nodes.Node, known: frozenset[str]) -> Evaluator:
    build = _BUILDERS.get(type(node))
    if build is None:
        raise Unsure
    return build(node, known)


def _const(node: Any, known: frozenset[str]) -> Evaluator:
    value = node.data if isinstance(node, nodes.TemplateData) else node.value
    if type(value) not in _PLAIN or (
        node.__class__ is nodes.Const and isinstance(value, str) and set("{}") & set(value)
    ):
        raise Unsure
    if isinstance(value, float) and not math.isfinite(value):
        raise Unsure
    return lambda variables: value


def _list(node: Any, known: frozenset[str]) -> Evaluator:
    members = [_built(item, known) for item in node.items]
    return lambda variables: [_defined(member(variables)) for member in members]


def _name(node: Any, known: frozenset[str]) -> Evaluator:
    name = node.name
    missing = MISSING if name in known else None

    def evaluate(variables: Mapping[str, Any]) -> Any:
        if name in variables:
            return variables[name]
        if missing is None:
            raise Unsure
        return missing

    return evaluate


def _getattr(node: Any, known: frozenset[str]) -> Evaluator:
    return _member(_built(node.node, known), node.attr)


def _getitem(node: Any, known: frozenset[str]) -> Evaluator:
    if not isinstance(node.arg, nodes.Const) or type(node.arg.value) not in (str, int):
        raise Unsure
    return _member(_built(node.node, known), node.arg.value)


def _member(of: Evaluator, name: str | int) -> Evaluator:
    # Jinja also finds methods and attributes by name: `labels.items` is not a label.
    if isinstance(name, str) and (name.startswith("_") or any(hasattr(kind, name) for kind in _WITH_ATTRIBUTES)):
        raise Unsure

    def evaluate(variables: Mapping[str, Any]) -> Any:
        value = of(variables)
        if value is MISSING:
            return MISSING
        if isinstance(value, dict):
            return value.get(name, MISSING)
        if isinstance(value, list) and isinstance(name, int):
            return value[name] if -len(value) <= name < len(value) else MISSING
        if isinstance(name, int):
            raise Unsure
        return MISSING

    return evaluate


def _filter(node: Any, known: frozenset[str]) -> Evaluator:
    if node.name in _OF_STRINGS and not (node.args or node.kwargs or node.dyn_args or node.dyn_kwargs):
        return _of_string(_OF_STRINGS[node.name], _built(node.node, known))
    if node.name not in ("default", "d") or node.kwargs or node.dyn_args or node.dyn_kwargs or len(node.args) > 2:  # noqa: PLR2004 - the number of its parameters
        raise Unsure
    value_of = _built(node.node, known)
    default_of, also_empty_of = (
        _built(node.args[position], known) if len(node.args) > position else _always(fallback)
        for position, fallback in enumerate(("", False))
    )

    def evaluate(variables: Mapping[str, Any]) -> Any:
        value = value_of(variables)
        default, also_empty = _defined(default_of(variables)), _defined(also_empty_of(variables))
        if not isinstance(also_empty, bool):  # an error since 2.19
            raise Unsure
        return default if value is MISSING or (also_empty and not value) else value

    return evaluate


def _of_string(convert: Callable[[str], str], value_of: Evaluator) -> Evaluator:
    def evaluate(variables: Mapping[str, Any]) -> Any:
        value = _defined(value_of(variables))
        if not isinstance(value, str):
            raise Unsure
        return convert(value)

    return evaluate


def _always(value: Any) -> Evaluator:
    return lambda variables: value


def _test(node: Any, known: frozenset[str]) -> Evaluator:
    if node.name not in ("defined", "undefined") or node.args or node.kwargs or node.dyn_args or node.dyn_kwargs:
        raise Unsure
    value_of, is_defined = _built(node.node, known), node.name == "defined"
    return lambda variables: (value_of(variables) is not MISSING) is is_defined


def _compare(node: Any, known: frozenset[str]) -> Evaluator:
    if len(node.ops) != 1:
        raise Unsure
    one, other = _built(node.expr, known), _built(node.ops[0].expr, known)
    compare = _OPERATORS[node.ops[0].op]

    def evaluate(variables: Mapping[str, Any]) -> Any:
        values = _defined(one(variables)), _defined(other(variables))
        try:
            return compare(*values)
        except TypeError:
            raise Unsure from None

    return evaluate


def _not(node: Any, known: frozenset[str]) -> Evaluator:
    value_of = _built(node.node, known)
    return lambda variables: not _defined(value_of(variables))


def _and(node: Any, known: frozenset[str]) -> Evaluator:
    left, right = _built(node.left, known), _built(node.right, known)
    return lambda variables: _defined(left(variables)) and right(variables)


def _or(node: Any, known: frozenset[str]) -> Evaluator:
    left, right = _built(node.left, known), _built(node.right, known)
    return lambda variables: _defined(left(variables)) or right(variables)


def _if(node: Any, known: frozenset[str]) -> Evaluator:
    if node.expr2 is None:
        raise Unsure
    condition, one, other = (_built(each, known) for each in (node.test, node.expr1, node.expr2))
    return lambda variables: one(variables) if _defined(condition(variables)) else other(variables)


def _concat(node: Any, known: frozenset[str]) -> Evaluator:
    return _joined([_built(part, known) for part in node.nodes])


def _joined(parts: list[Evaluator]) -> Evaluator:
    def evaluate(variables: Mapping[str, Any]) -> Any:
        values = [_defined(part(variables)) for part in parts]
        if any(isinstance(value, bool) or not isinstance(value, (int, str)) for value in values):
            raise Unsure
        return "".join([str(value) for value in values])

    return evaluate


def _defined(value: Any) -> Any:
    if value is MISSING:
        raise Unsure  # Ansible's error contains the name.
    return value


_BUILDERS: dict[type[nodes.Node], Callable[[Any, frozenset[str]], Evaluator]] = {
    nodes.Const: _const,
    nodes.TemplateData: _const,
    nodes.List: _list,
    nodes.Name: _name,
    nodes.Getattr: _getattr,
    nodes.Getitem: _getitem,
    nodes.Filter: _filter,
    nodes.Test: _test,
    nodes.Compare: _compare,
    nodes.Not: _not,
    nodes.And: _and,
    nodes.Or: _or,
    nodes.CondExpr: _if,
    nodes.Concat: _concat,
}
