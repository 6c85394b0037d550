# SPDX-License-Identifier: GPL-3.0-or-later
"""The definition of the inventory: its options, all of whose errors are reported together, and the tunnels to read.

Syntax errors in expressions and templates are found without evaluating them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ansible.errors import AnsibleParserError
from jinja2 import Environment, TemplateSyntaxError, nodes

from ...module_utils._applying.outcome import Outcome
from ...module_utils._arguments import CheckedArguments
from ...module_utils._definition import Options, PluginDefinition
from ...module_utils._entry import all_option_errors, checked, masked
from ...module_utils._errors import Request, UnexpectedResponse, UnexpectedType, reading
from ...module_utils._model.schema import TUNNEL
from ...module_utils._transport.addresses import path_of
from ...module_utils._transport.client import Client
from ...module_utils._transport.connection import CONNECTION_OPTIONS
from ...module_utils._values.option_error import InvalidOptions, OptionError, OptionErrors, dictionary_of, list_of
from ...module_utils._values.option_wording import kind_of, unknown_option_error
from .._ansible_values import plain
from .host_names import name_in, name_prefix_errors
from .host_rules import TEMPLATE_MARKS, prefix_clashes
from .tunnel_host import Tunnel, prefix_errors

_PATH = path_of("tunnels")
_MAX_NAMED = 5
_FILTER: dict[str, dict[str, Any]] = {"include": {"type": "raw"}, "exclude": {"type": "raw"}}
_KEYED_GROUP: dict[str, dict[str, Any]] = {
    "key": {"type": "str", "required": True},
    **{name: {"type": "str"} for name in ("prefix", "separator", "parent_group", "default_value")},
    "trailing_separator": {"type": "bool"},
}
_OTHER_MARKS = "#jinja2:"
"""Starts the line in which a template defines other delimiters."""


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from name_prefix_errors(options["name_prefix"])
    yield from prefix_errors(options["hostvars_prefix"])
    for number, one in enumerate(options["filters"]):
        yield from _filter_errors(one, f"filters[{number}]")
    if "" in (options["groups"] or {}):
        yield OptionError("groups", "the name of a group is empty; expected a name before the colon")
    for number, keyed in enumerate(options["keyed_groups"]):
        if keyed.get("default_value") is not None and keyed.get("trailing_separator") is not None:
            text = "`default_value` and `trailing_separator` cannot be combined; remove one of them"
            yield OptionError(f"keyed_groups[{number}]", text)


def _filter_errors(one: Options, path: str) -> OptionErrors:
    given = [(kind, value) for kind, value in one.items() if value is not None]
    if len(given) != 1:
        yield OptionError(path, f"expected either `include` or `exclude`, got {'both' if given else 'neither'}")
        return
    [(kind, value)] = given
    if not isinstance(value, (str, bool)) or value == "":
        yield OptionError(f"{path}.{kind}", f"expected an expression such as `proto == 'tcp'`, got {kind_of(value)}")


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    """Read the tunnels that can become hosts, with warnings about the others: one of them must not hide all hosts.

    Raises UnexpectedResponse if there are tunnels, and none of them can become a host.
    """
    tunnels: list[Tunnel] = []
    errors: list[UnexpectedResponse] = []
    for number, wire in enumerate(client.list_all(_PATH, "tunnels", checked=False)):
        try:
            tunnels.append(_usable(wire, f"tunnels[{number}]"))
        except UnexpectedResponse as error:
            errors.append(error)
    if errors and not tunnels:
        raise errors[0]
    warnings = [f"{error} This tunnel is not in the inventory." for error in errors[:_MAX_NAMED]]
    if len(errors) > _MAX_NAMED:
        warnings.append(f"{len(errors) - _MAX_NAMED} more tunnels are not in the inventory for similar reasons.")
    return Outcome(objects={"tunnels": tunnels}, warnings=warnings)


def _usable(wire: Any, where: str) -> Tunnel:
    """Read one tunnel. Raises UnexpectedResponse if it cannot become a host."""
    with reading(_PATH):
        if not isinstance(wire, dict):
            raise UnexpectedType(where, "an object", wire)
        tunnel: Tunnel = TUNNEL.shown(TUNNEL.read(wire, where))
    if not tunnel["id"] or name_in(tunnel["id"].replace(".", "_")) != tunnel["id"].replace(".", "_"):
        raise UnexpectedResponse(f"{where} has no ID that can be used as the name of a host.", Request("GET", _PATH))
    return tunnel


def is_as_read(tunnel: Any) -> bool:
    """Return whether the value has exactly the form of a tunnel that was read, with all fields and no others."""
    try:
        return bool(_usable(tunnel, "tunnel") == tunnel)
    except UnexpectedResponse:
        return False


DEFINITION = PluginDefinition(
    options={
        "hostname": {"type": "str"},
        "name_prefix": {"type": "str", "default": ""},
        "hostvars_prefix": {"type": "str", "default": ""},
        "filters": {"type": "list", "elements": "dict", "options": _FILTER, "default": []},
        # Ansible treats an invalid boolean as false, and does not validate the entries of keyed_groups at all.
        **{name: {"type": "bool"} for name in ("strict", "use_extra_vars", "leading_separator", "cache")},
        **{name: {"type": "dict"} for name in ("compose", "groups")},
        "keyed_groups": {"type": "list", "elements": "dict", "options": _KEYED_GROUP, "default": []},
        "cache_timeout": {"type": "int"},
    },
    option_errors=_option_errors,
    perform=_perform,
    writes=False,
)


def validated(given: Mapping[str, Any], known: Mapping[str, Any], template: Callable[[Any], Any]) -> CheckedArguments:
    """Return the options of the collection, with templates of the connection's options evaluated by `template`.

    `given` are the options in the file, `known` the definitions of all options, Ansible's included. Raises
    AnsibleParserError with all option errors.
    """
    unknown = [unknown_option_error(str(name), known) for name in given if name not in known]
    option_errors: list[OptionError] = []
    connection = {
        name: _evaluated(name, given[name], template, option_errors) for name in CONNECTION_OPTIONS if name in given
    }
    own = {name: given[name] for name in DEFINITION.options if name in given}
    arguments = checked(DEFINITION, {**connection, **plain(own)})
    failed = {error.path for error in option_errors}
    others = (error for error in arguments.option_errors if error.path not in failed)
    option_errors += [*prefix_clashes(arguments.options), *syntax_errors(given), *others]
    if found := [*unknown, *all_option_errors(DEFINITION, arguments.options, option_errors)]:
        message = InvalidOptions(found).full_message(can_write=False)
        raise AnsibleParserError(masked({"msg": message}, DEFINITION, arguments)["msg"])
    return arguments


def syntax_errors(options: Mapping[str, Any]) -> OptionErrors:
    """Return the option errors of all expressions and templates. The options can have wrong types.

    These are the options as Ansible reads them: encrypted values are not strings there, and are not displayed.
    """
    for path, text, is_expression in _expressions(options):
        if not isinstance(text, str):
            continue
        # Versions of Ansible treat templates inside of expressions differently.
        if any(mark in text for mark in TEMPLATE_MARKS) if is_expression else text.startswith(_OTHER_MARKS):
            continue
        kind, example = ("expression", "proto == 'tcp'") if is_expression else ("template", "{{ metadata.name }}")
        if is_expression and not text.strip():
            yield OptionError(path, f"expected an expression, got an empty string; an example is `{example}`")
        elif problem := _syntax_problem(f"{{{{ {text} }}}}" if is_expression else text, is_expression):
            yield OptionError(path, f"{plain(text)!r} is not a valid {kind} ({problem}); an example is `{example}`")


def _expressions(options: Mapping[str, Any]) -> Iterator[tuple[str, Any, bool]]:
    """Yield the path and the value of each expression and template, and whether it is an expression."""
    yield "hostname", options.get("hostname"), False
    for number, one in enumerate(map(dictionary_of, list_of(options.get("filters")))):
        for kind in ("include", "exclude"):
            if isinstance(one.get(kind), str) and one[kind]:  # An empty one is an option error of its own.
                yield f"filters[{number}].{kind}", one[kind], True
    for option in ("compose", "groups"):
        for name, expression in dictionary_of(options.get(option)).items():
            yield f"{option}.{name}", expression, True
    for number, keyed in enumerate(map(dictionary_of, list_of(options.get("keyed_groups")))):
        yield f"keyed_groups[{number}].key", keyed.get("key"), True
        yield f"keyed_groups[{number}].parent_group", keyed.get("parent_group"), False


def _syntax_problem(template: str, is_expression: bool) -> str:
    try:
        body = Environment().parse(template).body
    except TemplateSyntaxError as error:
        # Ansible can be configured to support more statements.
        return "" if "unknown tag" in str(error.message) else str(error.message)
    except RecursionError:
        return ""  # Let Ansible decide whether it is too deep.
    parts = [part for node in body if isinstance(node, nodes.Output) for part in node.nodes]
    return "unexpected text after its end" if is_expression and len(parts) > 1 else ""


def _evaluated(name: str, value: Any, template: Callable[[Any], Any], option_errors: list[OptionError]) -> Any:
    """Return the value of an option of the connection, which can be a template or encrypted."""
    try:
        return plain(template(value))
    except Exception as error:
        # Some of Ansible's messages quote the template. Do not display a value that is encrypted or secret.
        is_quoted = isinstance(value, str) and value in str(error)
        is_shown = not (is_quoted and CONNECTION_OPTIONS[name].get("no_log"))
        option_errors.append(OptionError(name, "cannot be evaluated" + (f" ({error})" if is_shown else "")))
        return None
