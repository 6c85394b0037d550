# SPDX-License-Identifier: GPL-3.0-or-later
"""Validates the arguments and masks the result of a task that runs on the control node, as AnsibleModule does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ..module_utils._arguments import option_errors_of, prepared
from ..module_utils._definition import PluginDefinition
from ..module_utils._entry import argument_spec, let_ansible_mask, masks_of, secrets_of
from ..module_utils._model.option_error import OptionError
from ..module_utils._model.option_specs import Spec


@dataclass(frozen=True)
class CheckedArguments:
    """The result of the validation: the options (None if omitted), their errors, and the values to mask."""

    options: dict[str, Any]
    option_errors: list[OptionError]
    no_log_values: set[str]


def checked(definition: PluginDefinition, arguments: Mapping[str, Any]) -> CheckedArguments:
    """Validate the arguments of a task, and let Ansible mask the secrets among them."""
    found = validated(argument_spec(definition), arguments)
    let_ansible_mask(secrets_of(definition, found.options))
    return found


def validated(spec: Spec, arguments: Mapping[str, Any]) -> CheckedArguments:
    """Return the options that Ansible makes of the arguments of a task, with all errors in their names and types."""
    option_errors: list[OptionError] = []
    shaped = prepared(spec, arguments, option_errors)
    result = ArgumentSpecValidator(spec).validate(shaped)
    return CheckedArguments(
        result.validated_parameters, option_errors or option_errors_of(result), set(result._no_log_values)
    )


def masked(result: dict[str, Any], definition: PluginDefinition, arguments: CheckedArguments) -> dict[str, Any]:
    """Return the result with all secrets masked, as a module would send it."""
    without: dict[str, Any] = masks_of(arguments.no_log_values, definition, arguments.options).value(result)
    return without
