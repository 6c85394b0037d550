# SPDX-License-Identifier: GPL-3.0-or-later
"""Syntax errors in the expressions and templates of an inventory, found without evaluating them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jinja2 import Environment, TemplateSyntaxError, nodes

from ...module_utils._values.option_error import OptionError, OptionErrors
from .._ansible_values import plain

_MARKS = ("{{", "{%", "{#")
_OTHER_MARKS = "#jinja2:"
"""Starts the line in which a template defines other delimiters."""


def syntax_errors(options: Mapping[str, Any]) -> OptionErrors:
    """Return the option errors of all expressions and templates. The options can have wrong types.

    These are the options as Ansible reads them: encrypted values are not strings there, and are not displayed.
    """
    for path, text, is_expression in _texts(options):
        # Versions of Ansible treat templates inside of expressions differently.
        is_left = any(mark in text for mark in _MARKS) if is_expression else text.startswith(_OTHER_MARKS)
        kind, example = ("expression", "proto == 'tcp'") if is_expression else ("template", "{{ metadata.name }}")
        if is_left:
            continue
        if is_expression and not text.strip():
            yield OptionError(path, f"expected an expression, got an empty string; an example is `{example}`")
        elif problem := _problem(f"{{{{ {text} }}}}" if is_expression else text, is_expression):
            yield OptionError(path, f"{plain(text)!r} is not a valid {kind} ({problem}); an example is `{example}`")


def _texts(options: Mapping[str, Any]) -> Iterator[tuple[str, str, bool]]:
    """Return the path and the text of each expression and template, and whether it is an expression."""
    found: list[tuple[str, Any, bool]] = [("hostname", options.get("hostname"), False)]
    for number, one in enumerate(_dictionaries(options.get("filters"))):
        both = [(f"filters[{number}].{kind}", one.get(kind), True) for kind in ("include", "exclude")]
        # An empty one is an option error of its own.
        found += [each for each in both if isinstance(each[1], str) and each[1]]
    for option in ("compose", "groups"):
        given: Any = options.get(option)
        found += [(f"{option}.{name}", given[name], True) for name in (given if isinstance(given, Mapping) else ())]
    for number, keyed in enumerate(_dictionaries(options.get("keyed_groups"))):
        path = f"keyed_groups[{number}]"
        found += [(f"{path}.key", keyed.get("key"), True), (f"{path}.parent_group", keyed.get("parent_group"), False)]
    return ((path, text, is_expression) for path, text, is_expression in found if isinstance(text, str))


def _dictionaries(members: Any) -> Iterator[Mapping[str, Any]]:
    return (member if isinstance(member, Mapping) else {} for member in (members if isinstance(members, list) else ()))


def _problem(template: str, is_expression: bool) -> str:
    try:
        [*body] = Environment().parse(template).body
    except TemplateSyntaxError as error:
        # Ansible can be configured to support more statements.
        return "" if "unknown tag" in str(error.message) else str(error.message)
    except RecursionError:
        return ""  # Let Ansible decide whether it is too deep.
    parts = [part for node in body if isinstance(node, nodes.Output) for part in node.nodes]
    return "unexpected text after its end" if is_expression and len(parts) > 1 else ""
