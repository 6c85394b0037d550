# SPDX-License-Identifier: GPL-3.0-or-later
"""Online tunnels, which are only read."""

from __future__ import annotations

from typing import Any

from .._definition import Client, Options, Outcome, PluginDefinition
from .._model.schema import TUNNEL_PREFIX
from .._objects.common_options import identifier_errors
from .._objects.tunnels import online_tunnels
from .._values.option_error import OptionErrors, dictionary_of
from .._values.option_types import by_name, text_errors


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    tunnels = online_tunnels(client, options["id"])
    return Outcome(objects={"tunnels": [tunnel for tunnel in tunnels if _matches(tunnel, options)]})


def _matches(tunnel: dict[str, Any], options: Options) -> bool:
    plain = ("proto", "region", "metadata")
    return all(options[name] in (None, tunnel[name]) for name in plain) and all(
        tunnel["labels"].get(name) == _as_string(value) for name, value in (options["labels"] or {}).items()
    )


def _as_string(value: Any) -> str:
    """Return the value of a label as it is usually written in YAML."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from identifier_errors(options, "id", TUNNEL_PREFIX, check_mode)
    for name, value in by_name(dictionary_of(options.get("labels"))):
        yield from () if isinstance(value, bool) else text_errors(value, f"labels.{name}")


DEFINITION = PluginDefinition(
    options={
        "id": {"type": "str"},
        "proto": {"type": "str", "choices": ["http", "https", "tcp", "tls"]},
        "region": {"type": "str"},
        "labels": {"type": "dict"},
        "metadata": {"type": "str"},
    },
    option_errors=_option_errors,
    perform=_perform,
    writes=False,
)
