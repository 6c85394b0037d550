# SPDX-License-Identifier: GPL-3.0-or-later
"""Validates tasks that are inspected but not run, as by ansible-lint: templates have no values yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ansible.module_utils import basic

from ..module_utils import _arguments as arguments
from ..module_utils._definition import PluginDefinition
from ..module_utils._entry import argument_spec
from ..module_utils._transport.connection import CONNECTION_OPTIONS
from ..module_utils._values.option_error import OptionError
from ..module_utils._values.option_wording import Spec, suboptions_of

# The connection may come from the environment of the run, or from module_defaults, neither of which is known.
_CONNECTION = {name: {**option, "required": False} for name, option in CONNECTION_OPTIONS.items()}

# The class AnsibleModule is looked up when a task is inspected, and becomes the base of this class then.
_AnsibleModule: Any = basic.AnsibleModule if TYPE_CHECKING else object


def inspect(definition: PluginDefinition) -> None:
    """Validate the arguments of a task as far as they are known.

    ansible-lint replaces AnsibleModule while it calls this, by a class that stops after the validation.
    """
    type("Inspected", (_Inspected, basic.AnsibleModule), {})(definition)


class _Inspected(_AnsibleModule):  # type: ignore[misc]
    def __init__(self, definition: PluginDefinition) -> None:
        self._definition = definition
        super().__init__(argument_spec=argument_spec(definition), supports_check_mode=True)

    def _load_params(self) -> None:
        super()._load_params()
        self.argument_spec: dict[str, Any] = _kept({**_CONNECTION, **self._definition.options}, self.params)
        option_errors: list[OptionError] = []
        self.params: dict[str, Any] = arguments.well_shaped(self.argument_spec, self.params, option_errors)
        if option_errors:
            self.fail_json("; ".join(map(str, option_errors)))

    def fail_json(self, msg: str, **details: Any) -> None:
        result = getattr(self, "validation_result", None)
        if result is not None and result.error_messages:
            msg = "; ".join(map(str, arguments.option_errors_of(result)))
        # ansible-lint looks up an option in a message with "is of type" among the top-level options of the task. For a
        # suboption, this fails, and the rest of the file is not checked.
        super().fail_json(msg.replace("is of type", "has the type"), **details)


def _kept(spec: Spec, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the spec without the requirements that only a run can check: the value of a template may be anything."""
    return {name: _option(option, given.get(name)) for name, option in spec.items()}


def _option(option: Mapping[str, Any], value: Any) -> dict[str, Any]:
    if _is_template(value) or (isinstance(value, list) and any(_is_template(member) for member in value)):
        return {"type": "raw", **{name: option[name] for name in ("required", "no_log") if name in option}}
    options = suboptions_of(option)
    if options is None:
        return dict(option)
    members = [member for member in (value if isinstance(value, list) else [value]) if isinstance(member, dict)]
    for member in members:
        options = _kept(options, member)
    return {**option, "options": options}


def _is_template(value: Any) -> bool:
    return isinstance(value, str) and ("{{" in value or "{%" in value)
