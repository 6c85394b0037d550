# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of the event source, and their validation, before any request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from ...module_utils._applying.outcome import Outcome
from ...module_utils._arguments import validated
from ...module_utils._definition import Options, PluginDefinition
from ...module_utils._entry import all_option_errors, argument_spec
from ...module_utils._objects.live_estate import LIVE_OPTIONS, live_errors
from ...module_utils._objects.rejection import ACCEPT, acceptance_errors
from ...module_utils._transport.client import Client
from ...module_utils._transport.connection import Connection
from ...module_utils._values.option_error import InvalidOptions, OptionError, OptionErrors
from .harmless import harmless_text

_REQUESTS_PER_MINUTE = 60
_RETRY_MAX_WAIT = 60.0
_DAY = 86_400
_SECONDS = {"interval": (0.1, _DAY), "report_failure_after": (0, _DAY)}
_LONGEST_NAME = 100


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from live_errors(options, check_mode)
    yield from acceptance_errors(options.get("accept"))
    for name, (least, most) in _SECONDS.items():
        value = options.get(name)
        if isinstance(value, (int, float)) and not least <= value <= most:
            yield OptionError(name, f"{value} is out of range; expected {least} to {most:,} seconds")
    if options.get("accept") and options.get("findings") is False:
        yield OptionError("accept", "has no effect with `findings: false`; remove one of the two")
    account, path = options.get("account"), options.get("state_file")
    if account is not None:
        is_visible = account.isprintable() and account == harmless_text(account, _LONGEST_NAME)
        if not (account.strip() and is_visible):
            yield OptionError("account", f"expected a name of 1 to {_LONGEST_NAME} visible characters")
    if path is not None and not path.strip():
        yield OptionError("state_file", "is empty; omit it to remember nothing after the end of the process")
    if not any(options.get(name) for name in ("tunnels", *LIVE_OPTIONS)):
        names = ", ".join(f"`{name}`" for name in ("tunnels", *LIVE_OPTIONS))
        yield OptionError("", f"there is nothing to read; set one of {names}")


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    raise NotImplementedError("an event source is not a task")


DEFINITION = PluginDefinition(
    options={
        **LIVE_OPTIONS,
        "tunnels": {"type": "bool", "default": True},
        "findings": {"type": "bool", "default": True},
        "accept": ACCEPT,
        "account": {"type": "str"},
        "interval": {"type": "float", "default": 60.0},
        "report_failure_after": {"type": "float", "default": 300.0},
        "initial_events": {"type": "bool", "default": False},
        "state_file": {"type": "path"},
    },
    option_errors=_option_errors,
    perform=_perform,
    writes=False,
)


def options_of(arguments: Mapping[str, Any]) -> Options:
    """Return the options of a source. Raises InvalidOptions with all errors in them."""
    found = validated(argument_spec(DEFINITION), arguments)
    if errors := all_option_errors(DEFINITION, found.options, found.option_errors):
        raise InvalidOptions(errors)
    options = found.options
    if options["requests_per_minute"] is None:
        options["requests_per_minute"] = _REQUESTS_PER_MINUTE
    if arguments.get("retry_max_wait") is None:
        options["retry_max_wait"] = min(options["retry_max_wait"], _RETRY_MAX_WAIT)
    return options


def account_of(options: Options) -> str:
    return options["account"] or str(urlsplit(options["base_url"]).hostname)


def owner_of(options: Options) -> str:
    """Return what a state file belongs to. With a name, the account keeps its file if its API key is replaced."""
    key = f"named {options['account']}" if options["account"] else options["api_key"]
    return Connection.of({**options, "api_key": key}).account_digest
