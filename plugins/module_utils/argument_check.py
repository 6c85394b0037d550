# SPDX-License-Identifier: GPL-3.0-or-later
"""Ansible's own check of a task's arguments, made safe.

Ansible walks through whatever it finds where a dictionary of options belongs, and crashes on a boolean or a number; so
the shapes are looked at before. It crashes on an integer that is infinite, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ansible.module_utils.common.arg_spec import ArgumentSpecValidator, ValidationResult
from ansible.module_utils.common.validation import check_type_dict
from ansible.module_utils.errors import UnsupportedError

from .errors import json_kind
from .fields import MASK

Spec = Mapping[str, Mapping[str, Any]]

_OMIT = "__omit_place_holder__"


@dataclass(frozen=True)
class Checked:
    """What came of a check: the options (None for what is not given), what is wrong, and values that must be masked."""

    options: dict[str, Any]
    faults: list[str]
    no_log_values: set[str]


def checked(spec: Spec, arguments: Mapping[str, Any]) -> Checked:
    """The options that Ansible makes of a task's arguments, with all faults of form."""
    faults: list[str] = []
    shaped = well_shaped(spec, arguments, faults)
    result = ArgumentSpecValidator(spec).validate(shaped)
    return Checked(result.validated_parameters, [*faults, *faults_of(result)], set(result._no_log_values))


def faults_of(result: ValidationResult) -> list[str]:
    """What Ansible's own check found."""
    return [
        f"Unsupported parameters: {error.msg.rstrip('.')}" if isinstance(error, UnsupportedError) else error.msg
        for error in result.errors
    ]


def well_shaped(spec: Spec, arguments: Mapping[str, Any], faults: list[str], path: str = "") -> dict[str, Any]:
    """The arguments without those that have no options inside where some belong; `faults` gets their paths."""
    kept = dict(arguments)
    for name, option in spec.items():
        inside = option.get("options")
        where = f"{path}{name}"
        if option.get("type") == "int" and _is_infinite(arguments.get(name)):
            del kept[name]
            faults.append(f"{where}: {arguments[name]} is not an integer")
        if inside is None:
            faults += _omitted(arguments.get(name), where)
        if inside is None or arguments.get(name) is None:
            continue
        if option["type"] == "dict":
            kept[name] = _shaped_dictionary(inside, arguments[name], faults, where)
        elif isinstance(arguments[name], list):
            # What is left of a wrong member keeps the others at the numbers that faults name them by.
            kept[name] = [
                _shaped_dictionary(inside, member, faults, f"{where}[{number}]") or {}
                for number, member in enumerate(arguments[name])
            ]
        else:
            kept[name] = []
            faults.append(f"{where}: this is {json_kind(arguments[name])}, where a list of dictionaries belongs")
    return kept


def _omitted(value: Any, where: str) -> Iterator[str]:
    """Members for which `omit` was given. Before 2.19, Ansible removes that from the options themselves only."""
    if isinstance(value, str) and value.startswith(_OMIT):
        yield f"{where}: `omit` is not possible here; check whether the variable that it comes from is set"
    elif isinstance(value, list):
        for number, member in enumerate(value):
            yield from _omitted(member, f"{where}[{number}]")
    elif isinstance(value, Mapping):
        for name, member in value.items():
            yield from _omitted(member, f"{where}.{name}")


def _is_infinite(value: Any) -> bool:
    try:
        return isinstance(value, (str, float)) and not math.isfinite(float(value))
    except ValueError:
        return False


def _shaped_dictionary(spec: Spec, value: Any, faults: list[str], where: str) -> dict[str, Any] | None:
    try:
        given = check_type_dict(value)
    except (TypeError, ValueError):  # the second comes from ansible-core 2.16, of a text with an equals sign in it
        # The value is not told: it may be a secret at the wrong place.
        faults.append(f"{where}: this is {json_kind(value)}, where a dictionary belongs; it takes {', '.join(spec)}")
        return None
    return well_shaped(spec, given, faults, f"{where}.")


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
