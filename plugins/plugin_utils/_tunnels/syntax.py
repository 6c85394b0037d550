# SPDX-License-Identifier: GPL-3.0-or-later
"""Syntax errors in the expressions and templates of an inventory, found without evaluating them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jinja2 import Environment, TemplateSyntaxError, nodes

from ...module_utils._model.option_error import OptionError, OptionErrors
from .._plain import plain

_MARKS = ("{{", "{%", "{#")
_OTHER_MARKS = "#jinja2:"
"""Starts the line in which a template defines other delimiters."""


def syntax_errors(options: Mapping[str, Any]) -> OptionErrors:
    """Return the option errors of all expressions and templates. The options can have wrong types.

    These are the options as Ansible reads them: encrypted values are not strings there, and are not displayed.
    """
    yield from _template_errors(options.get("hostname"), "hostname")
    for number, one in enumerate(_dictionaries(options.get("filters"))):
        for kind in ("include", "exclude"):
            if isinstance(one.get(kind), str) and one[kind]:
                yield from _expression_errors(one[kind], f"filters[{number}].{kind}")
    for option in ("compose", "groups"):
        given = options.get(option)
        for name, expression in given.items() if isinstance(given, Mapping) else ():
            yield from _expression_errors(expression, f"{option}.{name}")
    for number, keyed in enumerate(_dictionaries(options.get("keyed_groups"))):
        yield from _expression_errors(keyed.get("key"), f"keyed_groups[{number}].key")
        yield from _template_errors(keyed.get("parent_group"), f"keyed_groups[{number}].parent_group")


def _dictionaries(members: Any) -> Iterator[Mapping[str, Any]]:
    return (member if isinstance(member, Mapping) else {} for member in (members if isinstance(members, list) else ()))


def _expression_errors(text: Any, path: str) -> OptionErrors:
    # Versions of Ansible treat templates inside of expressions differently.
    if isinstance(text, str) and not any(mark in text for mark in _MARKS):
        if not text.strip():
            yield OptionError(path, "expected an expression, got an empty string; an example is `proto == 'tcp'`")
        elif problem := _problem(f"{{{{ {text} }}}}", is_expression=True):
            yield OptionError(
                path, f"{plain(text)!r} is not a valid expression ({problem}); an example is `proto == 'tcp'`"
            )


def _template_errors(text: Any, path: str) -> OptionErrors:
    if isinstance(text, str) and not text.startswith(_OTHER_MARKS) and (problem := _problem(text)):
        yield OptionError(
            path, f"{plain(text)!r} is not a valid template ({problem}); an example is `{{{{ metadata.name }}}}`"
        )


def _problem(template: str, is_expression: bool = False) -> str:
    try:
        [*body] = Environment().parse(template).body
    except TemplateSyntaxError as error:
        # Ansible can be configured to support more statements.
        return "" if "unknown tag" in str(error.message) else str(error.message)
    except RecursionError:
        return ""  # Let Ansible decide whether it is too deep.
    parts = [part for node in body if isinstance(node, nodes.Output) for part in node.nodes]
    return "unexpected text after its end" if is_expression and len(parts) > 1 else ""
