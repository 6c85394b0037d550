# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a task comes in and its result goes out: the only place that knows Ansible.

`result_of` is the whole way of a task. `run` is what the modules call: it lets Ansible check the arguments first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ansible.module_utils.basic import AnsibleModule, env_fallback, missing_required_lib

from .client import REQUESTS_MISSING, Client
from .connection import Connection, connection_faults, connection_options, environment_variable
from .errors import IngressError, InvalidInput
from .work import Work


def argument_spec(work: Work) -> dict[str, Any]:
    """The whole argument spec: the connection's options with their environment fallbacks, and the work's own."""
    connection = {
        name: {**spec, "fallback": (env_fallback, [environment_variable(name)])}
        for name, spec in connection_options().items()
    }
    return {**connection, **work.options}


def result_of(
    work: Work, options: Mapping[str, Any], found: Sequence[str] = (), check_mode: bool = False, diff_mode: bool = False
) -> dict[str, Any]:
    """The result of a task, a failed one included. `found` are the faults that Ansible's own check of `options` saw."""
    if REQUESTS_MISSING is not None:
        return {"failed": True, "msg": missing_required_lib("requests"), "exception": REQUESTS_MISSING}
    try:
        faults = [*found, *connection_faults(options), *work.faults(options, check_mode)]
        if faults:
            raise InvalidInput(faults)
        client = Client(Connection.of(options))
        outcome = work.perform(client, options, check_mode)
    except IngressError as error:
        return _failure(error, work)
    result: dict[str, Any] = {"changed": outcome.changed, **outcome.objects}
    if outcome.operations is not None:
        result["operations"] = outcome.operations
    if diff_mode and outcome.diff is not None:
        result["diff"] = outcome.diff
    if outcome.warnings:
        result["warnings"] = outcome.warnings
    return result


def run(work: Work) -> None:
    """The main function of a module."""
    module = _Module(work)
    result = result_of(work, module.params, (), module.check_mode, module._diff)
    for warning in result.pop("warnings", ()):
        module.warn(warning)
    if result.pop("failed", False):
        module.fail_json(**result)
    module.exit_json(**result)


class _Module(AnsibleModule):  # type: ignore[misc]
    """Reports all faults of the arguments at once. AnsibleModule by itself stops at the first that it sees."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._is_valid = False
        super().__init__(argument_spec=argument_spec(work), supports_check_mode=True)
        self._is_valid = True

    def _log_invocation(self) -> None:
        # AnsibleModule writes the arguments to the system's log as soon as they are valid.
        self.no_log_values.update(self._work.secrets(self.params))
        super()._log_invocation()

    def fail_json(self, msg: str, **details: Any) -> None:
        checked = getattr(self, "validation_result", None)
        if not self._is_valid and checked is not None and checked.error_messages:
            self.no_log_values.update(self._work.secrets(self.params))
            details = result_of(self._work, self.params, checked.error_messages, self.check_mode)
            del details["failed"]
            msg = details.pop("msg")
        super().fail_json(msg, **details)


def _failure(error: IngressError, work: Work) -> dict[str, Any]:
    message = _faults_message(error) if isinstance(error, InvalidInput) else str(error)
    parts = [f"{error.subject}: {message}" if error.subject else message, error.meanwhile]
    if error.done:
        steps = ", ".join(f"{step['method']} {step['path']}" for step in error.done)
        parts.insert(1, f"Before that, this was done: {steps}.")
    return {
        "failed": True,
        "changed": bool(error.done),
        "msg": " ".join(filter(None, parts)),
        **({"operations": list(error.done)} if work.writes else {}),
        **error.details(),
    }


def _faults_message(error: InvalidInput) -> str:
    if len(error.faults) == 1:
        return f"{error.faults[0]}. Nothing was changed."
    lines = "".join(f"\n- {fault}" for fault in error.faults)
    return f"{len(error.faults)} faults in the options; nothing was changed.{lines}"
