# SPDX-License-Identifier: GPL-3.0-or-later
"""Validation of the configuration of an inventory: all option errors are reported together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ansible.errors import AnsibleParserError

from ...module_utils import _entry as entry
from ...module_utils._arguments import CheckedArguments
from ...module_utils._entry import checked, masked
from ...module_utils._model.option_error import InvalidOptions, OptionError
from ...module_utils._model.option_wording import unknown_option_error
from ...module_utils._transport.connection import CONNECTION_OPTIONS
from .._plain import plain
from .definition import DEFINITION
from .host_groups import prefix_clashes
from .syntax import syntax_errors


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
    if found := [*unknown, *entry.all_option_errors(DEFINITION, arguments.options, option_errors)]:
        message = InvalidOptions(found).full_message(can_write=False)
        raise AnsibleParserError(masked({"msg": message}, DEFINITION, arguments)["msg"])
    return arguments


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
