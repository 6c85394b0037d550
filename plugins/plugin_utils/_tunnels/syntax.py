# SPDX-License-Identifier: GPL-3.0-or-later
"""The syntax of expressions and templates among the options of an inventory, checked without evaluating them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jinja2 import Environment, TemplateSyntaxError, nodes

from .._plain import plain

_SIGNS = ("{{", "{%", "{#")
_OTHER_SIGNS = "#jinja2:"
"""Starts the line by which a template says that it has other signs."""


def syntax_errors(options: Mapping[str, Any]) -> Iterator[str]:
    """What cannot be read in the expressions and templates of options, which may be of wrong types.

    These are the options as Ansible read them: what came encrypted is no string there, and must not be quoted.
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


def _expression_errors(text: Any, path: str) -> Iterator[str]:
    # Of templates inside of expressions, versions of Ansible make different things.
    if isinstance(text, str) and not any(sign in text for sign in _SIGNS):
        if not text.strip():
            yield f"{path}: expected an expression, got an empty string; it looks like: proto == 'tcp'"
        elif problem := _problem(f"{{{{ {text} }}}}", is_expression=True):
            yield f"{path}: {plain(text)!r} is not a valid expression ({problem}); it looks like: proto == 'tcp'"


def _template_errors(text: Any, path: str) -> Iterator[str]:
    if isinstance(text, str) and not text.startswith(_OTHER_SIGNS) and (problem := _problem(text)):
        yield f"{path}: {plain(text)!r} is not a valid template ({problem}); it looks like: {{{{ metadata.name }}}}"


def _problem(template: str, is_expression: bool = False) -> str:
    try:
        [*body] = Environment().parse(template).body
    except TemplateSyntaxError as error:
        # Ansible can be configured to know more statements.
        return "" if "unknown tag" in str(error.message) else str(error.message)
    except RecursionError:
        return ""  # Whether this is too much is for Ansible to say.
    parts = [part for node in body if isinstance(node, nodes.Output) for part in node.nodes]
    return "there is more after its end" if is_expression and len(parts) > 1 else ""
