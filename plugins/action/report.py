# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a report on the control node. It needs no connection, neither to a host nor to the service."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ansible.plugins.action import ActionBase

import ansible_collections.edgeops.ingress.plugins.plugin_utils._bytecode  # noqa: F401 # pylint: disable=unused-import
from ansible_collections.edgeops.ingress.plugins.module_utils._entry import crash
from ansible_collections.edgeops.ingress.plugins.module_utils._values.option_error import InvalidOptions, OptionError
from ansible_collections.edgeops.ingress.plugins.plugin_utils._ansible_values import plain, untrusted
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.options import checked
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report_formats.task import result_of
from ansible_collections.edgeops.ingress.plugins.plugin_utils._result_size import can_be_read, without_longest_lists


class ActionModule(ActionBase):
    _requires_connection = False
    _given: dict[str, Any] | None = None

    def run(self, tmp: Any = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        super().run(tmp, task_vars)
        # With `until`, this runs several times, and the arguments of the task are complete only once.
        self._given = given = self._given or plain(self._task.args)
        # The worker returns the arguments with the result. Those of a large estate would take longer than the task.
        self._task.args = {name: value for name, value in given.items() if name != "accounts"}
        try:
            result = self._written(given)
        except InvalidOptions as error:
            result = {"failed": True, "changed": False, "msg": error.full_message(), **error.details()}
        except Exception as exc:
            result = crash(exc)
        if result.get("failed") and not can_be_read(self._task):
            result = without_longest_lists(result)
        shown: dict[str, Any] = untrusted(result)
        return shown

    def _written(self, given: Mapping[str, Any]) -> dict[str, Any]:
        options = checked(given)
        options["dest"] = self._loader.path_dwim(options["dest"])
        options["merge"] = [self._loader.path_dwim(path) for path in options["merge"] or ()]
        options["repository"] = self._loader.path_dwim(options["repository"] or ".")
        options["previous"] = self._loader.path_dwim(options["previous"]) if options["previous"] else None
        if options["previous"] and os.path.realpath(options["previous"]) == os.path.realpath(options["dest"]):
            problem = "is also `dest`, so the next run would compare the report with itself"
            raise InvalidOptions([OptionError("previous", problem)])
        return result_of(options, check_mode=bool(self._task.check_mode), diff=bool(self._task.diff))
