# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the modules of this collection in-process, inside Ansible's worker, many times faster than a separate process.

A task for which this could make any other difference runs as an ordinary module. So do all tasks with an
ansible-core with which this was not tested.

Each module has an action plugin of its name, which does nothing but name the definition of the module. Ansible imports
the action plugin of a task before it forks the worker. So the worker finds what its task needs already imported, and a
play imports nothing that none of its tasks needs.
"""

from __future__ import annotations

import functools
import gc
import multiprocessing
import os
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from ansible import constants as C  # noqa: N812 - its name everywhere in Ansible
from ansible.plugins.action.normal import ActionModule as NormalAction
from ansible.plugins.loader import callback_loader
from ansible.release import __version__ as ansible_version
from ansible.utils.display import Display

from ..module_utils import _entry as entry
from ..module_utils._arguments import shown
from ..module_utils._definition import PluginDefinition
from ..module_utils._entry import checked, masked
from ..module_utils._transport.progress import Progress
from ._ansible_values import TRUST_IS_TAGGED, plain
from ._inspection import inspect
from ._interruptions import INTERRUPTIONS
from ._plan_facts import plan_lines, summary_line
from ._result_size import PRINTED, can_be_read, printed_length, without_longest_lists

display = Display()

if "ansible.executor.task_queue_manager" in sys.modules:
    # This process forks the workers. Editors, linters, and documentation builders import this file as well.
    INTERRUPTIONS.open()

SEEN_ON = ("2.16", "2.17", "2.18", "2.19", "2.20", "2.21", "2.22")
"""The versions of ansible-core with which this was tested. It relies on their inside, which the next one may change."""

IN_PROCESS = "ansible_edgeops_in_process"
"""The variable that makes all tasks run as ordinary modules if it is false."""

_MACHINE_READ = re.compile(r"json|\bnull\b|minimal|oneline")
"""Matches the names of stdout callbacks whose output is not displayed to people."""

_WITHOUT_DIFFS = re.compile(r"json|\bnull\b|oneline")
"""Matches the names of callbacks that do not show the diff of a successful task either."""

_FEW = 5
"""So many diffs need no list before them."""

_PRINTS_ALL = 3
"""With this verbosity, Ansible prints results over several lines, with everything in them."""


def is_tested(version: str) -> bool:
    """Return whether this was tested with a version of ansible-core. The checks run with each development version."""
    return ".dev" in version or version.startswith(tuple(f"{seen}." for seen in SEEN_ON))


class InProcessAction(NormalAction):  # type: ignore[misc] # Ansible has no type hints
    """The base class of the action plugins, of which each has the `definition` of its module."""

    definition: ClassVar[PluginDefinition]

    @classmethod
    def main(cls) -> None:
        """Validate options. ansible-lint calls this, in preference to the same function of the module."""
        inspect(cls.definition)

    def run(self, tmp: Any = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        variables = task_vars or {}
        reason = next(self._reasons_for_a_process(variables), None)
        way = "in the worker" if reason is None else f"in a separate process: {reason}"
        display.vvvv(f"{self._task.action} runs {way}", host=variables.get("inventory_hostname"))
        result = super().run(tmp, task_vars) if reason else self._run_in_worker(variables)
        self._show_summary(result, variables)
        if result.get("failed"):
            self._show_diff(result)
            return result if can_be_read(self._task) else without_longest_lists(result)
        return self._printed_if_short(result, variables)

    def _reasons_for_a_process(self, variables: Mapping[str, Any]) -> Iterator[str]:
        if not is_tested(ansible_version):
            yield f"it was not tested with ansible-core {ansible_version}"
        if sys.platform == "darwin":
            yield "network requests of a forked worker are not safe on macOS"
        if self._task.async_val:
            yield "it uses async"
        if getattr(self._connection, "transport", None) != "local":
            yield f"its connection is {getattr(self._connection, 'transport', None)}, not local"
        if getattr(self._connection, "become", None) is not None:
            yield "it uses become"
        environment: dict[str, Any] = {}
        self._compute_environment_string(environment)
        if environment:
            yield "it has the keyword environment"
        if C.DEFAULT_KEEP_REMOTE_FILES:
            yield "ANSIBLE_KEEP_REMOTE_FILES is set"
        delegated = variables.get("ansible_delegated_vars") or {}
        target = delegated.get(self._task.delegate_to) or {} if self._task.delegate_to else variables
        interpreter = self._templated(C.config.get_config_value("INTERPRETER_PYTHON", variables=target))
        if not interpreter.startswith("auto") and interpreter != sys.executable:
            yield f"its interpreter is {interpreter}, the control node's {sys.executable}"
        if self._templated(target.get(IN_PROCESS, True)).lower() in {"false", "no", "off", "0"}:
            yield f"{IN_PROCESS} is false"

    def _templated(self, value: Any) -> str:
        return str(self._templar.template(value))

    def _run_in_worker(self, variables: Mapping[str, Any]) -> dict[str, Any]:
        _spare_inherited_memory(os.getpid())
        definition = self.definition
        given = plain(self._task.args)
        if TRUST_IS_TAGGED:
            # The worker returns the arguments with the result. In a large estate, the tags of all strings would take
            # longer to return than the whole task.
            self._task.args = given
        arguments = checked(definition, given)
        # Nobody sees the progress of a hidden task, and no program reads it.
        is_hidden = self._is_hidden(_MACHINE_READ)
        progress = Progress(None if is_hidden else lambda line: self._show_line(line, variables))
        try:
            with INTERRUPTIONS.reporting(lambda: self._interruption(progress, arguments.options, variables)):
                modes = bool(self._task.check_mode), bool(self._task.diff)
                result = entry.result_of(definition, arguments.options, arguments.option_errors, *modes, progress)
        except Exception as exc:
            result = entry.crash(exc)
        if _invocation_is_wanted(variables):
            result["invocation"] = {"module_args": shown(entry.argument_spec(definition), arguments.options)}
        return masked(result, definition, arguments)

    def _show_line(self, line: str, variables: Mapping[str, Any]) -> None:
        display.display(self._named(line, variables))

    def _named(self, line: str, variables: Mapping[str, Any]) -> str:
        return f"{self._task.get_name()} [{variables.get('inventory_hostname')}]: {line}"

    def _interruption(self, progress: Progress, options: Mapping[str, Any], variables: Mapping[str, Any]) -> str:
        """Return the line to print if the task is interrupted now; an empty string if there is nothing to say."""
        line = "" if self._is_hidden(_MACHINE_READ) else progress.interrupted()
        # The approved plan contains what is already done, so it is not the plan of the next run.
        advice = "Approve the plan of the remaining changes" if options.get("expect_plan") else "Run the task again"
        return line and self._named(f"{line} {advice} to continue.", variables)

    def _show_summary(self, result: Mapping[str, Any], variables: Mapping[str, Any]) -> None:
        """Show what the task does with its objects, so that nobody has to register and print the result."""
        secrets, name = result.get("secrets_not_compared", 0), self._task.action.rpartition(".")[2]
        if self._is_hidden(_MACHINE_READ):
            return
        if "plan" in result and "summary" in result:
            undeclared = sum((result.get("undeclared_counts") or {}).values())
            counts = summary_line(
                result["summary"], result["plan"], undeclared, secrets, is_planned=bool(self._task.check_mode)
            )
            self._show_line(f"{name}: {counts}", variables)
            # A few diffs are their own list. Without diffs, only check mode has something to review.
            if len(result["plan"]) > _FEW if self._task.diff else self._task.check_mode:
                for line in plan_lines(result["plan"], failures=result.get("failures") or ()):
                    display.display(f"  {line}")
        elif secrets:
            self._show_line(f"{name}: {result['msg']}", variables)

    def _is_hidden(self, silent: re.Pattern[str]) -> bool:
        """Return whether the task is hidden, or its output goes to one of the `silent` callbacks."""
        return bool(self._task.no_log or silent.search(str(C.DEFAULT_STDOUT_CALLBACK)))

    def _printed_if_short(self, result: dict[str, Any], variables: Mapping[str, Any]) -> dict[str, Any]:
        """Return the result of a task that succeeds. Ansible does not print it at -v and -vv if it is too long."""
        if not 0 < display.verbosity < _PRINTS_ALL or (length := printed_length(result)) <= PRINTED:
            return result
        if not self._is_hidden(_MACHINE_READ):
            rest = f"so it is displayed only with -{'v' * _PRINTS_ALL}, and to tasks that register it"
            self._show_line(f"The result is {length:,} characters long, {rest}.", variables)
        return {**result, "_ansible_verbose_override": True}

    def _show_diff(self, result: Mapping[str, Any]) -> None:
        """Show the diff of a failed task. Ansible itself shows it only if the task succeeds."""
        if self._task.diff and result.get("diff") and not self._is_hidden(_WITHOUT_DIFFS):
            # Use the default callback, with the diff format that the user has configured.
            callback = callback_loader.get("ansible.builtin.default")
            callback.set_options()
            display.display(callback._get_diff(result["diff"]))

    def cleanup(self, force: bool = False) -> None:
        # Only ordinary modules have a temporary directory to remove.
        if force or self._connection._shell.tmpdir is not None:
            super().cleanup(force)


def action_of(definition: PluginDefinition) -> type[InProcessAction]:
    return type("ActionModule", (InProcessAction,), {"definition": definition})


@functools.cache
def _spare_inherited_memory(_process: int) -> None:
    """Exclude all that a forked worker has inherited from garbage collection, which would copy that memory."""
    if multiprocessing.parent_process() is not None:
        gc.freeze()


def _invocation_is_wanted(variables: Mapping[str, Any]) -> bool:
    try:
        return bool(C.config.get_config_value("INJECT_INVOCATION", variables=variables))
    except Exception:
        return True
