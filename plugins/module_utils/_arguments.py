# SPDX-License-Identifier: GPL-3.0-or-later
"""Validates the arguments of a task, before Ansible's own validation.

Ansible names options without their path, reports only some of the errors, and crashes if it finds a boolean in place of
suboptions. So everything that it would find is found first, with paths.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from ansible.module_utils.basic import env_fallback
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator, ValidationResult
from ansible.module_utils.common.validation import check_type_dict
from ansible.module_utils.errors import AnsibleFallbackNotFound, UnsupportedError

from ._errors import UNSET_VARIABLE
from ._model.masking import WrongSecret
from ._model.named_secrets import masked
from ._values.kinds import MASK
from ._values.option_error import OptionError, join
from ._values.option_types import WRONG, accepted_value
from ._values.option_wording import NeverNull, Option, Spec, kind_of, options_of, suboptions_of, unknown_option_error

ANSIBLES_OWN = "_ansible_"
"""The prefix of the arguments that Ansible itself passes to a module."""

_DATE = "datetime.date"
"""Is in the string that ansible-core before 2.19 makes of a variable that contains a date."""


def option_errors_of(result: ValidationResult) -> list[OptionError]:
    """Return the errors of Ansible's own validation. They repeat errors that were found before, without paths."""
    strings = (
        f"Unsupported parameters: {one.msg.rstrip('.')}" if isinstance(one, UnsupportedError) else one.msg
        for one in result.errors
    )
    return [OptionError("", text) for text in strings]


@dataclass(frozen=True)
class CheckedArguments:
    """The result of the validation: the options (None if omitted), and their errors."""

    options: dict[str, Any]
    option_errors: list[OptionError]


def validated(spec: Spec, arguments: Mapping[str, Any]) -> CheckedArguments:
    """Return the options that Ansible makes of the arguments of a task, with all errors in their names and types."""
    from_variables = dict(_fallbacks(spec, arguments))
    found: list[OptionError] = []
    kept = well_shaped(spec, {**arguments, **from_variables}, found)
    origin = "; it comes from the environment variable"
    option_errors = [
        replace(one, text=f"{one.text}{origin} {_variable(spec[one.path])}") if one.path in from_variables else one
        for one in found
    ]
    given = {name: option for name, option in spec.items() if name in kept}
    result = ArgumentSpecValidator({**spec, **_for_ansible(given)}).validate(kept)
    return CheckedArguments(result.validated_parameters, option_errors or option_errors_of(result))


def _for_ansible(spec: Spec) -> dict[str, Any]:
    """Return the spec with all suboptions, also with those that are documented elsewhere."""
    inside = {name: suboptions_of(option) for name, option in spec.items() if option.get("type") in ("dict", "list")}
    return {**spec, **{name: {**spec[name], "options": _for_ansible(one)} for name, one in inside.items() if one}}


def from_environment(variable: str) -> str:
    """Return the value of a variable. Empty counts as unset: AWX sets empty credential fields, too."""
    value: str = env_fallback(variable)
    if not value:
        raise AnsibleFallbackNotFound
    return value


def _variable(option: Option) -> str:
    return str(option["fallback"][1][0])


def _fallbacks(spec: Spec, arguments: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the values of omitted options that environment variables contain."""
    for name, option in spec.items():
        if "fallback" in option and name not in arguments:
            strategy, variables = option["fallback"]
            with suppress(AnsibleFallbackNotFound):
                yield name, strategy(*variables)


def well_shaped(
    spec: Spec, arguments: Mapping[str, Any], option_errors: list[OptionError], path: str = ""
) -> dict[str, Any]:
    """Return the arguments without those that are wrong, and append their errors to `option_errors`."""
    kept = dict(arguments)
    # Sorted, because not all versions of Ansible keep the order of the playbook.
    unknown = sorted(str(name) for name in arguments if name not in spec)
    option_errors += (
        unknown_option_error(name, spec, path) for name in unknown if not (path == "" and name.startswith(ANSIBLES_OWN))
    )
    for name, option in spec.items():
        if name in arguments or "required" in option:
            _check(name, option, kept, option_errors, path)
    return kept


def _check(name: str, option: Option, kept: dict[str, Any], option_errors: list[OptionError], path: str) -> None:
    is_given, where = name in kept, join(path, name)
    # For other options, null means that they are omitted.
    rejects_null = is_given and (option.get("default") is not None or isinstance(option, NeverNull))
    # Ansible would compare null with the choices. An option with a fallback keeps it, because null disables the
    # fallback.
    if is_given and kept[name] is None and not rejects_null and "fallback" not in option:
        del kept[name]
    if option.get("required") and kept.get(name) is None:
        text = f"required, got null; {UNSET_VARIABLE}" if is_given else "required"
        if "fallback" in option and not is_given:
            variable = _variable(option)
            text = (
                f"required; set it here, in module_defaults (modules only), or in the environment variable {variable}"
            )
        option_errors.append(OptionError(where, text))
    if rejects_null or kept.get(name) is not None:
        _take(name, option, kept, option_errors, where)


def _take(name: str, option: Option, kept: dict[str, Any], option_errors: list[OptionError], where: str) -> None:
    """Replace the value of one option by what is passed to Ansible."""
    found = _accepted(option, kept[name], where, option_errors)
    if found is not WRONG:
        kept[name] = found
    elif option.get("type") == "list":
        # Like a list with an invalid member, which is not the same as an empty list.
        kept[name] = [] if suboptions_of(option) else [""]
    elif option.get("no_log"):  # the value must be known to be masked
        kept[name] = WrongSecret(kept[name])
    else:
        del kept[name]


def _accepted(option: Option, value: Any, where: str, option_errors: list[OptionError]) -> Any:
    if option.get("type") == "list":
        return _accepted_list(option, value, where, option_errors)
    if option.get("type") == "dict" or "options" in option:
        return _accepted_dictionary(option, value, where, option_errors)
    return accepted_value(option, value, where, option_errors)


def _accepted_list(option: Option, value: Any, where: str, option_errors: list[OptionError]) -> Any:
    spec = suboptions_of(option)
    advice = f"; write [] for an empty list, or {UNSET_VARIABLE}" if value in ("", None) else ""
    if spec is None and isinstance(value, str) and value:
        value = [member.strip() for member in value.split(",")]
    elif spec is None and isinstance(value, (int, float)) and not isinstance(value, bool):
        value = [value]
    if not isinstance(value, list):
        if isinstance(value, str) and _DATE in value:
            advice = "; put dates in quotes, because Ansible turns a variable with dates into a string"
        noun = "a list" if spec is None else "a list of dictionaries"
        option_errors.append(OptionError(where, f"expected {noun}, got {kind_of(value)}{advice}"))
        return WRONG
    element = {**option, "type": option.get("elements", "raw")} if spec is None else {"options": spec}
    found = [_accepted(element, member, f"{where}[{number}]", option_errors) for number, member in enumerate(value)]
    # Replace invalid members with empty ones, so that the indexes in error messages stay correct.
    return [("" if spec is None else {}) if member is WRONG else member for member in found]


def _accepted_dictionary(option: Option, value: Any, where: str, option_errors: list[OptionError]) -> Any:
    spec = suboptions_of(option)
    given = _read_dictionary(value)
    if given is None:
        # Do not show the value: it may be a misplaced secret.
        advice = f"; {UNSET_VARIABLE}" if value in ("", None) else ""
        options = f"; {options_of(spec)}" if spec else ""
        option_errors.append(OptionError(where, f"expected a dictionary, got {kind_of(value)}{options}{advice}"))
        return WRONG
    if spec is not None:
        return well_shaped(spec, given, option_errors, where)
    accepted_value(option, given, where, option_errors)
    return given


def _read_dictionary(value: Any) -> dict[str, Any] | None:
    """Return the dictionary that Ansible reads in a value, which may also be a string with JSON or Python."""
    try:
        given = check_type_dict(value)
    except (TypeError, ValueError):  # ansible-core 2.16 raises ValueError for a string with an equals sign
        return None
    # In Python, keys may be anything, and braces may be those of a set, which ansible-core 2.16 returns.
    return {str(name): member for name, member in given.items()} if isinstance(given, Mapping) else None


def shown(spec: Spec, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments for display. The values of unknown options are masked, because they may be secrets."""
    return {
        name: value if value is None else _shown(spec[name], value) if name in spec else MASK
        for name, value in arguments.items()
    }


def _shown(option: Option, value: Any) -> Any:
    suboptions = suboptions_of(option)
    if suboptions is None:
        return masked(value)
    if isinstance(value, list):
        return [_shown(option, member) for member in value]
    return shown(suboptions, value) if isinstance(value, Mapping) else value
