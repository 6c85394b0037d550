# SPDX-License-Identifier: GPL-3.0-or-later
"""The argument spec for tasks that are inspected but not run, as by ansible-lint: templates have no values yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._model.option_specs import with_suboptions
from ._transport.connection import connection_options

Spec = Mapping[str, Mapping[str, Any]]


def spec_for_inspection(spec: Spec, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the spec without the requirements that only a run can check.

    The value of a template may be anything, and the connection may come from the environment of the run or from
    module_defaults, neither of which is known during the inspection.
    """
    kept = _kept(spec, arguments)
    for name in connection_options().keys() & kept.keys():
        kept[name] = {key: value for key, value in kept[name].items() if key not in ("required", "fallback")}
    return kept


def _kept(spec: Spec, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _option(option, arguments.get(name)) for name, option in spec.items()}


def _option(option: Mapping[str, Any], value: Any) -> dict[str, Any]:
    option = with_suboptions(option)
    if _is_template(value) or (isinstance(value, list) and any(_is_template(member) for member in value)):
        return {"type": "raw", **{name: option[name] for name in ("required", "no_log") if name in option}}
    if "options" not in option:
        return dict(option)
    members = [member for member in (value if isinstance(value, list) else [value]) if isinstance(member, dict)]
    options: Spec = option["options"]
    for member in members:
        options = _kept(options, member)
    return {**option, "options": options}


def _is_template(value: Any) -> bool:
    return isinstance(value, str) and ("{{" in value or "{%" in value)
