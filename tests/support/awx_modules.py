# SPDX-License-Identifier: GPL-3.0-or-later
"""The modules of awx.awx 24.6.1 that docs/awx/load.yml uses: they check their arguments as those do, and record them.

The options are in awx_modules.yml, because that collection is not installed here. The modules run in
Ansible's worker and send nothing.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

_ACTION = """
import json
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from ansible.plugins.action import ActionBase

class ActionModule(ActionBase):
    def run(self, tmp=None, task_vars=None):
        validated = ArgumentSpecValidator({specification!r}).validate(dict(self._task.args))
        if validated.error_messages:
            return {{"failed": True, "msg": "; ".join(validated.error_messages)}}
        sent = {{name: value for name, value in validated.validated_parameters.items() if value is not None}}
        with open({record!r}, "a") as record:
            record.write(json.dumps([{module!r}, sent]) + "\\n")
        return {{"changed": True}}
"""


def write_modules(collections: Path, record: Path) -> None:
    """Write a collection awx.awx whose modules append a line for each task to the file `record`."""
    actions = collections / "ansible_collections" / "awx" / "awx" / "plugins" / "action"
    actions.mkdir(parents=True)
    for module, specification in SPECIFICATIONS.items():
        text = _ACTION.format(specification=specification, record=str(record), module=module)
        (actions / f"{module}.py").write_text(text, encoding="utf-8")


def recorded(record: Path) -> list[tuple[str, dict[str, Any]]]:
    """Return the name and the arguments of each module that ran, in this order."""
    lines = record.read_text(encoding="utf-8").splitlines() if record.exists() else []
    return [(module, arguments) for module, arguments in map(json.loads, lines)]


def _specification(options: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for option in options.split():
        named, _, choices = option.partition("=")
        name, _, kind = named.rstrip("!").partition(":")
        found[name] = {"type": kind or "str", "required": named.endswith("!")}
        if kind in ("list", "dicts"):
            found[name].update(type="list", elements="dict" if kind == "dicts" else "str")
        if choices:
            found[name]["choices"] = [choice.strip("'") for choice in choices.split(",")]
    return found


_OPTIONS = yaml.safe_load(Path(__file__).with_suffix(".yml").read_text(encoding="utf-8"))
SPECIFICATIONS = {module: _specification(options) for module, options in _OPTIONS.items()}
"""The argument spec of each module."""
