# SPDX-License-Identifier: GPL-3.0-or-later
"""The check of a task's arguments, before Ansible's own.

Ansible names an option without its place among others of the same name, reports some faults and not the rest, and
crashes on a boolean where a dictionary of options belongs. So all that it would find is found before it, with paths.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ansible.module_utils.common.arg_spec import ArgumentSpecValidator, ValidationResult
from ansible.module_utils.common.validation import check_type_dict
from ansible.module_utils.errors import AnsibleFallbackNotFound, UnsupportedError

from ._errors import UNSET_VARIABLE
from ._model.kinds import MASK
from ._model.masking import has_to_stand_alone
from ._model.objects import join
from ._model.option_types import WRONG, Option, Spec, kind_of, names_in, taken, unknown_option_error

_ANSIBLES_OWN = "_ansible_"
"""What the names of those arguments start with that Ansible itself hands to a module."""


@dataclass(frozen=True)
class Checked:
    """What came of a check: the options (None for what is not given), what is wrong, and values that must be masked."""

    options: dict[str, Any]
    option_errors: list[str]
    no_log_values: set[str]


def checked(spec: Spec, arguments: Mapping[str, Any]) -> Checked:
    """The options that Ansible makes of a task's arguments, with all faults of form."""
    option_errors: list[str] = []
    shaped = prepared(spec, arguments, option_errors)
    result = ArgumentSpecValidator(spec).validate(shaped)
    return Checked(result.validated_parameters, option_errors or option_errors_of(result), set(result._no_log_values))


def option_errors_of(result: ValidationResult) -> list[str]:
    """What Ansible's own check found. If there are faults that were found before, these are the same, without paths."""
    return [
        f"Unsupported parameters: {error.msg.rstrip('.')}" if isinstance(error, UnsupportedError) else error.msg
        for error in result.errors
    ]


def prepared(spec: Spec, arguments: Mapping[str, Any], option_errors: list[str]) -> dict[str, Any]:
    """A task's arguments, with those that come from the environment and without those that are wrong."""
    from_environment = dict(_fallbacks(spec, arguments))
    kept = well_shaped(spec, arguments, option_errors)
    for name, (value, variable) in from_environment.items():
        wrong: list[str] = []
        kept.update(well_shaped({name: spec[name]}, {name: value}, wrong))
        option_errors += (
            f"{option_error}; it comes from the environment variable {variable}" for option_error in wrong
        )
    option_errors += (
        f"{name}: required; set it here, in module_defaults, or in the environment variable {option['fallback'][1][0]}"
        for name, option in spec.items()
        if _is_missing(name, option, arguments) and "fallback" in option and name not in from_environment
    )
    return kept


def _fallbacks(spec: Spec, arguments: Mapping[str, Any]) -> Iterator[tuple[str, tuple[Any, str]]]:
    """The values of options that are not given, each with the name of the environment variable that it comes from."""
    for name, option in spec.items():
        if "fallback" in option and not _is_given(name, option, arguments):
            strategy, variables = option["fallback"]
            try:
                yield name, (strategy(*variables), variables[0])
            except AnsibleFallbackNotFound:
                continue


def well_shaped(spec: Spec, arguments: Mapping[str, Any], option_errors: list[str], path: str = "") -> dict[str, Any]:
    """The arguments without those that are wrong; `faults` gets their paths."""
    kept = dict(arguments)
    # By name: whether the playbook's order gets this far depends on the version of Ansible.
    unknown = sorted(str(name) for name in arguments if name not in spec)
    if unknown:
        known = names_in(spec)
        option_errors += (
            unknown_option_error(name, spec, join(path, name))
            for name in unknown
            if name not in known and not (path == "" and name.startswith(_ANSIBLES_OWN))
        )
    for name, option in spec.items():
        if name in arguments or "aliases" in option or "required" in option:
            _check(name, option, kept, option_errors, path)
    return kept


def _check(name: str, option: Option, kept: dict[str, Any], option_errors: list[str], path: str) -> None:
    """Check one option, under whichever of its names it is given."""
    given = [each for each in (name, *option.get("aliases", ())) if each in kept]
    if _counts_as_omitted(option):
        given = _without_null(given, option, kept)
    if len(given) > 1:
        option_errors.append(
            f"{join(path, given[1])}: another name of {given[0]}, which is given as well; keep one of them"
        )
    if _is_missing(name, option, kept) and "fallback" not in option:
        option_errors.append(f"{join(path, given[0] if given else name)}: required{_null_advice(given)}")
    for each in given:
        if kept.get(each) is not None or _refuses_null(option):
            _take(each, option, kept, option_errors, join(path, each))


def _without_null(given: list[str], option: Option, kept: dict[str, Any]) -> list[str]:
    """Leave out the names that are given as null, unless a fault has to name one of them."""
    said = [each for each in given if kept[each] is not None]
    for each in given:
        if each not in said:
            del kept[each]
    return said if said or not option.get("required") else given[:1]


def _null_advice(given: list[str]) -> str:
    return f", got null; {UNSET_VARIABLE}" if given else ""


def _is_given(name: str, option: Option, arguments: Mapping[str, Any]) -> bool:
    return any(each in arguments for each in (name, *option.get("aliases", ())))


def _is_missing(name: str, option: Option, arguments: Mapping[str, Any]) -> bool:
    names = (name, *option.get("aliases", ()))
    return bool(option.get("required")) and all(arguments.get(each) is None for each in names)


def _refuses_null(option: Option) -> bool:
    """Whether null is a value: for other options it is the same as leaving them out, or told as missing."""
    return option.get("default") is not None


def _counts_as_omitted(option: Option) -> bool:
    """Whether null is taken out. Ansible would compare it with the choices, and let it replace an alias's value.

    An option with a fallback keeps it: null says there that nothing is to be taken from the environment.
    """
    return not _refuses_null(option) and "fallback" not in option


def _take(name: str, option: Option, kept: dict[str, Any], option_errors: list[str], where: str) -> None:
    """Replace the value of one option by what may go on to Ansible."""
    value = kept[name]
    inside = option.get("options")
    if inside is not None and option["type"] == "list":
        kept[name] = _shaped_members(inside, value, option_errors, where)
    elif option.get("type") == "dict":
        kept[name] = _shaped_dictionary(option, value, option_errors, where)
    else:
        found = taken(option, value, where, option_errors)
        if found is not WRONG:
            kept[name] = found
        elif option.get("type") == "list":
            kept[name] = []
        elif option.get("no_log"):  # what is in a secret has to be known, so that it can be masked
            kept[name] = _without_words(value)
        else:
            del kept[name]


def _without_words(value: Any) -> Any:
    """What is in the place of a secret, without what is short: if that were masked, so would be words of our messages.

    It is replaced by a mask, so that nothing that shows the option shows it.
    """
    if isinstance(value, Mapping):
        return {name: _without_words(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_words(member) for member in value]
    return MASK if has_to_stand_alone(str(value)) else value


def _shaped_members(spec: Spec, value: Any, option_errors: list[str], where: str) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        advice = f"; write [] for an empty list, or {UNSET_VARIABLE}" if value in ("", None) else ""
        option_errors.append(f"{where}: expected a list of dictionaries, got {kind_of(value)}{advice}")
        return []
    # What is left of a wrong member keeps the others at the numbers that faults name them by.
    option = {"options": spec}
    return [
        _shaped_dictionary(option, member, option_errors, f"{where}[{number}]") or {}
        for number, member in enumerate(value)
    ]


def _shaped_dictionary(option: Option, value: Any, option_errors: list[str], where: str) -> dict[str, Any] | None:
    spec = option.get("options")
    try:
        given: dict[str, Any] = check_type_dict(value)
    except (TypeError, ValueError):  # the second comes from ansible-core 2.16, of a text with an equals sign in it
        # The value is not told: it may be a secret at the wrong place.
        advice = f"; {UNSET_VARIABLE}" if value in ("", None) else ""
        options = f"; its options are {', '.join(spec)}" if spec else ""
        option_errors.append(f"{where}: expected a dictionary, got {kind_of(value)}{options}{advice}")
        return None
    if spec is not None:
        return well_shaped(spec, given, option_errors, where)
    taken(option, given, where, option_errors)
    return given


def shown(spec: Spec, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments for people to look at. What is given under a name that no option has may well be a secret."""
    options = {alias: option for name, option in spec.items() for alias in (name, *option.get("aliases", ()))}
    return {
        name: value if value is None else _shown(options[name], value) if name in options else MASK
        for name, value in arguments.items()
    }


def _shown(option: Mapping[str, Any], value: Any) -> Any:
    if "options" not in option:
        return value
    if isinstance(value, list):
        return [_shown(option, member) for member in value]
    return shown(option["options"], value) if isinstance(value, Mapping) else value
