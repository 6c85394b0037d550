# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Does the work of every module of this collection inside Ansible's worker, many times faster than a process would.

A task that could tell the two ways apart by more than their speed is left to the ordinary module.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ansible import constants as C  # noqa: N812 - its name everywhere in Ansible
from ansible.plugins.action.normal import ActionModule as NormalAction
from ansible.plugins.loader import callback_loader, module_loader
from ansible.utils.display import Display

from ansible_collections.edgeops.ingress.plugins.module_utils import _entry as entry
from ansible_collections.edgeops.ingress.plugins.module_utils._definition import ModuleDefinition
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from ansible_collections.edgeops.ingress.plugins.plugin_utils._plain import plain
from ansible_collections.edgeops.ingress.plugins.plugin_utils._trust import TRUST_IS_TAGGED

display = Display()

IN_PROCESS = "ansible_edgeops_in_process"
"""The variable that, set to false, sends all tasks to ordinary modules."""

_MACHINE_READ = re.compile(r"json|\bnull\b|minimal|oneline")
"""Names of stdout callbacks whose output is not for people to watch."""

_WITHOUT_DIFFS = re.compile(r"json|\bnull\b|oneline")
"""Names of those that show no diff of a task that succeeds, either."""

_MODULES = "ansible_collections.edgeops.ingress.plugins.modules"


class ActionModule(NormalAction):
    def run(self, tmp: Any = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        variables = task_vars or {}
        reason = next(self._reasons_for_a_process(variables), None)
        way = "in the worker" if reason is None else f"in a process of its own: {reason}"
        display.vvvv(f"{self._task.action} runs {way}", host=variables.get("inventory_hostname"))
        result = super().run(tmp, task_vars) if reason else self._run_in_worker(variables)
        self._show_diff_of_failure(result)
        return result

    def _reasons_for_a_process(self, variables: Mapping[str, Any]) -> Iterator[str]:
        if sys.platform == "darwin":
            yield "network calls of a forked worker are not safe on macOS"
        if self._task.async_val:
            yield "it is asynchronous"
        if getattr(self._connection, "transport", None) != "local":
            yield f"its connection is {getattr(self._connection, 'transport', None)}, not local"
        if getattr(self._connection, "become", None) is not None:
            yield "it becomes another user"
        environment: dict[str, Any] = {}
        self._compute_environment_string(environment)
        if environment:
            yield "it has an environment"
        if C.DEFAULT_KEEP_REMOTE_FILES:
            yield "files of modules are to be kept"
        target = self._variables_of_target(variables)
        interpreter = self._templated(C.config.get_config_value("INTERPRETER_PYTHON", variables=target))
        if not interpreter.startswith("auto") and interpreter != sys.executable:
            yield f"its interpreter is {interpreter}, the controller's {sys.executable}"
        if self._templated(target.get(IN_PROCESS, True)).lower() in {"false", "no", "off", "0"}:
            yield f"{IN_PROCESS} says so"

    def _variables_of_target(self, variables: Mapping[str, Any]) -> Mapping[str, Any]:
        if not self._task.delegate_to:
            return variables
        return (variables.get("ansible_delegated_vars") or {}).get(self._task.delegate_to) or {}

    def _templated(self, value: Any) -> str:
        return str(self._templar.template(value))

    def _run_in_worker(self, variables: Mapping[str, Any]) -> dict[str, Any]:
        definition = _work_of(self._task)
        given = plain(self._task.args)
        if TRUST_IS_TAGGED:
            # The worker sends them back with the result, and the tags of every text in a large estate take longer on
            # that way than all that is done here.
            self._task.args = given
        arguments = entry.checked(definition, given)
        try:
            result = entry.result_of(
                definition,
                arguments.options,
                arguments.option_errors,
                bool(self._task.check_mode),
                bool(self._task.diff),
                Progress(self._teller(variables)),
            )
        except Exception as exc:
            result = entry.crash(exc)
        if _invocation_is_wanted(variables):
            result["invocation"] = {"module_args": entry.shown_arguments(definition, arguments)}
        return entry.masked(result, definition, arguments)

    def _teller(self, variables: Mapping[str, Any]) -> Callable[[str], None] | None:
        """What shows progress to a person; None where nobody may see it, or a program reads what is displayed."""
        if self._is_hidden(_MACHINE_READ):
            return None
        host = variables.get("inventory_hostname")
        return lambda line: display.display(f"{self._task.get_name()} [{host}]: {line}")

    def _is_hidden(self, silent: re.Pattern[str]) -> bool:
        """Whether nobody may see the task, or its output goes to one of the `silent` callbacks."""
        return bool(self._task.no_log or silent.search(str(C.DEFAULT_STDOUT_CALLBACK)))

    def _show_diff_of_failure(self, result: Mapping[str, Any]) -> None:
        """Ansible itself shows the diff of a task that succeeds only."""
        if self._task.diff and result.get("failed") and result.get("diff") and not self._is_hidden(_WITHOUT_DIFFS):
            # As the usual callback would, with the format that the user has set for it.
            callback = callback_loader.get("ansible.builtin.default")
            callback.set_options()
            display.display(callback._get_diff(result["diff"]))

    def cleanup(self, force: bool = False) -> None:
        # There is a folder to be removed only where a module had one.
        if force or self._connection._shell.tmpdir is not None:
            super().cleanup(force)


def main() -> None:
    """The main function of the module `api`, for which ansible-lint takes this file when it checks options."""
    importlib.import_module(f"{_MODULES}.api").main()


def _work_of(task: Any) -> ModuleDefinition:
    """The work that the task's module names."""
    found = module_loader.find_plugin_with_context(task.action, collection_list=task.collections)
    return importlib.import_module(f"{_MODULES}.{found.resolved_fqcn.rpartition('.')[2]}").DEFINITION


def _invocation_is_wanted(variables: Mapping[str, Any]) -> bool:
    try:
        return bool(C.config.get_config_value("INJECT_INVOCATION", variables=variables))
    except Exception:
        return True
