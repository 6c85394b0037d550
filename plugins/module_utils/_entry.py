# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a task: from its arguments to its result. Connects Ansible with the core.

`result_of` does everything in between. The modules call `run`, where AnsibleModule reads the arguments and sends the
result. On the control node, plugins do both themselves.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ansible.module_utils.basic import AnsibleModule, missing_required_lib

from ._arguments import ANSIBLES_OWN, CheckedArguments, from_environment, shown, validated
from ._definition import PluginDefinition
from ._errors import IngressError, counted
from ._model.masking import Masks, has_to_stand_alone, secret_values
from ._transport.addresses import is_harmless, secrets_in_address
from ._transport.client import Client
from ._transport.connection import CONNECTION_OPTIONS, Connection, connection_errors, environment_variable
from ._transport.exchange import REQUESTS_MISSING
from ._transport.progress import SECONDS_BETWEEN, Patience, Progress
from ._values.kinds import MASK
from ._values.option_error import InvalidOptions, OptionError

try:
    from ansible.module_utils.secrets import register_secrets
except ImportError:

    def register_secrets(values: Iterable[str], /) -> None:
        """Before ansible-core 2.22, Ansible masks only what AnsibleModule sends, with its `no_log_values`."""


_WITH_FALLBACKS = {
    name: {**spec, "fallback": (from_environment, [environment_variable(name)])}
    for name, spec in CONNECTION_OPTIONS.items()
}


def argument_spec(definition: PluginDefinition) -> dict[str, Any]:
    return {**_WITH_FALLBACKS, **definition.options}


def crash(exc: Exception) -> dict[str, Any]:
    """Return the result of a task that fails because of a bug in this collection."""
    strings = f"{type(exc).__name__}: {exc}", "".join(traceback.format_exception(exc))
    msg, trace = map(Masks(tuple).library_text, strings)
    return {"failed": True, "msg": msg, "exception": trace}


def masks_of(definition: PluginDefinition, options: Mapping[str, Any]) -> Masks:
    return Masks(lambda: secrets_of(definition, options))


def secrets_of(definition: PluginDefinition, options: Mapping[str, Any]) -> Iterator[str]:
    """Yield all secrets in the options. Of those with an argument spec, Ansible does not know all suboptions."""
    yield from secret_values(argument_spec(definition), options)
    yield from definition.secrets(options)
    for name in ("base_url", "version_header"):  # Errors reject secrets there, but Ansible displays them at -vvv.
        given = str(options.get(name))
        yield from () if is_harmless(given) else secrets_in_address(given)


def all_option_errors(
    definition: PluginDefinition,
    options: Mapping[str, Any],
    found: Sequence[OptionError] = (),
    check_mode: bool = False,
) -> list[OptionError]:
    """Return all errors in the options of a task, including those that were `found` already.

    Values of the wrong type have been removed from the options, and are not reported as missing in addition.
    """
    others = (*connection_errors(options), *definition.option_errors(options, check_mode))
    return [*found, *(other for other in others if not any(map(other.may_follow_from, found)))]


def checked(definition: PluginDefinition, arguments: Mapping[str, Any]) -> CheckedArguments:
    """Validate the arguments of a task.

    Results are masked before Ansible receives them, in the same way on each ansible-core. Secrets are also masked in
    what Ansible prints itself, such as the lines of a playbook around a failed task. It would mask short ones even
    inside of words, in everything that it prints until the end of the run, so these are masked in results only.
    """
    found = validated(argument_spec(definition), arguments)
    secrets = secrets_of(definition, found.options)
    register_secrets(secret for secret in secrets if secret != MASK and not has_to_stand_alone(secret))
    return found


def masked(result: dict[str, Any], definition: PluginDefinition, arguments: CheckedArguments) -> dict[str, Any]:
    """Return the result with all secrets masked, as a module would send it."""
    return dict(masks_of(definition, arguments.options).value(result))


def result_of(
    definition: PluginDefinition,
    options: Mapping[str, Any],
    found: Sequence[OptionError] = (),
    check_mode: bool = False,
    diff_mode: bool = False,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Run a task and return its result, even if it fails. `found` are the option errors that validation returned."""
    if REQUESTS_MISSING is not None:
        return {"failed": True, "msg": missing_required_lib("requests"), "exception": REQUESTS_MISSING}
    if option_errors := all_option_errors(definition, options, found, check_mode):
        return _failure(InvalidOptions(option_errors), definition)
    masks = masks_of(definition, options)
    client = Client(Connection.of(options), progress, masks)
    try:
        outcome = definition.perform(client, options, check_mode)
    except IngressError as error:
        planned = {"diff": error.diff} if check_mode and diff_mode and error.diff else {}
        return {**_failure(error, definition), **planned, **_retry_statistics(client.patience, [])}
    result: dict[str, Any] = {"changed": outcome.changed, **outcome.objects}
    if outcome.error is not None:
        result |= _failure(outcome.error, definition)
    if outcome.operations is not None:
        result["operations"] = outcome.operations
    if diff_mode and outcome.diff is not None:
        result["diff"] = outcome.diff
    return result | _retry_statistics(client.patience, outcome.warnings)


def run(definition: PluginDefinition) -> None:
    spec = argument_spec(definition)
    module = _Module(spec, supports_check_mode=True)
    module.argument_spec = spec
    arguments = checked(definition, module.arguments)
    module.params = masked(shown(spec, arguments.options), definition, arguments)
    # Wrong arguments may contain what the log does not accept, such as a NUL.
    if not (arguments.option_errors or module.no_log):
        AnsibleModule._log_invocation(module)
    try:
        result = result_of(definition, arguments.options, arguments.option_errors, module.check_mode, module._diff)
    except Exception as exc:
        result = crash(exc)
    result = masked(result, definition, arguments)
    for warning in result.pop("warnings", ()):
        module.warn(warning)
    if result.pop("failed", False):
        module.fail_json(**result)
    module.exit_json(**result)


class _Module(AnsibleModule):  # type: ignore[misc]
    """Leaves the arguments to this file. AnsibleModule stops at the first error, and masks short secrets in words."""

    params: dict[str, Any]

    def _load_params(self) -> None:
        super()._load_params()
        own = {name: value for name, value in self.params.items() if name.startswith(ANSIBLES_OWN)}
        self.arguments = {name: value for name, value in self.params.items() if name not in own}
        self.params = own
        self.argument_spec: dict[str, Any] = {}

    def _log_invocation(self) -> None:
        """Log nothing yet: the arguments are neither validated nor masked."""


def _failure(error: IngressError, definition: PluginDefinition) -> dict[str, Any]:
    return {
        "failed": True,
        "changed": bool(error.done),
        "msg": error.full_message(can_write=definition.writes),
        **({"operations": list(error.done)} if definition.writes else {}),
        **error.details(),
    }


def _retry_statistics(patience: Patience, warnings: Sequence[str]) -> dict[str, Any]:
    """Return how often the task retried requests and how long it waited, with a warning if that was long."""
    statistics: dict[str, Any] = {"retries": patience.retries, "seconds_waited": round(patience.waited, 1)}
    if patience.waited >= SECONDS_BETWEEN:
        waited = f"Retried {counted(patience.retries, 'requests')} and waited {patience.waited:.0f} seconds in total."
        warnings = [*warnings, f"{waited} Last error: {patience.last_failure}"]
    return {**statistics, "warnings": list(warnings)} if warnings else statistics
