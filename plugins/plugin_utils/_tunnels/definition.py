# SPDX-License-Identifier: GPL-3.0-or-later
"""The definition of the inventory: its own options, their validation, and the tunnels that can become hosts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...module_utils._applying.outcome import Outcome
from ...module_utils._arguments import well_shaped
from ...module_utils._definition import Options, PluginDefinition
from ...module_utils._errors import Request, UnexpectedResponse, reading
from ...module_utils._model.option_error import OptionError, OptionErrors
from ...module_utils._model.option_wording import kind_of
from ...module_utils._model.schema import TUNNEL
from ...module_utils._transport.addresses import path_of
from ...module_utils._transport.client import Client
from .host_filters import filter_errors
from .host_names import name_in, name_prefix_errors
from .tunnel_host import Tunnel, prefix_errors

_PATH = path_of("tunnels")
_MAX_NAMED = 5
# Ansible treats an invalid boolean as false, and does not validate the entries of keyed_groups at all.
_ANSIBLE_OPTIONS: dict[str, dict[str, Any]] = {
    **{name: {"type": "bool"} for name in ("strict", "use_extra_vars", "leading_separator", "cache")},
    **{name: {"type": "dict"} for name in ("compose", "groups")},
    "keyed_groups": {"type": "list", "elements": "raw", "default": []},
    "cache_timeout": {"type": "int"},
}
_KEYED_GROUP: dict[str, dict[str, Any]] = {
    "key": {"type": "str", "required": True},
    "prefix": {"type": "str"},
    "separator": {"type": "str"},
    "parent_group": {"type": "str"},
    "default_value": {"type": "str"},
    "trailing_separator": {"type": "bool"},
}


def tunnel_inventory(known: Sequence[Tunnel] | None = None) -> PluginDefinition:
    """Return the definition of one inventory. If its tunnels are `known` from a cache, no request is sent."""

    def perform(client: Client, options: Options, check_mode: bool) -> Outcome:
        tunnels, warnings = _usable_tunnels(client) if known is None else (list(known), [])
        by_id: dict[str, Tunnel] = {}
        for tunnel in tunnels:
            by_id.setdefault(tunnel["id"], tunnel)
        return Outcome(objects={"tunnels": list(by_id.values())}, warnings=warnings)

    return PluginDefinition(
        options={
            "hostname": {"type": "str"},
            "name_prefix": {"type": "str", "default": ""},
            "hostvars_prefix": {"type": "str", "default": ""},
            "filters": {"type": "list", "elements": "raw", "default": []},
            **_ANSIBLE_OPTIONS,
        },
        option_errors=_option_errors,
        perform=perform,
        writes=False,
    )


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from name_prefix_errors(options.get("name_prefix"))
    yield from prefix_errors(options.get("hostvars_prefix"))
    yield from filter_errors(options.get("filters"))
    if "" in (options.get("groups") or {}):
        yield OptionError("groups", "the name of a group is empty; expected a name before the colon")
    for number, keyed in enumerate(options.get("keyed_groups") or ()):
        yield from _keyed_group_errors(keyed, f"keyed_groups[{number}]")


def _keyed_group_errors(keyed: Any, path: str) -> OptionErrors:
    if not isinstance(keyed, Mapping):
        yield OptionError(path, f"expected a dictionary with `key`, got {kind_of(keyed)}")
        return
    option_errors: list[OptionError] = []
    well_shaped(_KEYED_GROUP, keyed, option_errors, path)
    yield from option_errors
    if keyed.get("default_value") is not None and keyed.get("trailing_separator") is not None:
        yield OptionError(path, "`default_value` and `trailing_separator` cannot be combined; remove one of them")


def _usable_tunnels(client: Client) -> tuple[list[Tunnel], list[str]]:
    """Return the tunnels that can become hosts, and warnings about the others: one of them must not hide all hosts.

    Raises UnexpectedResponse if there are tunnels, and none of them can become a host.
    """
    tunnels: list[Tunnel] = []
    errors: list[UnexpectedResponse] = []
    for number, wire in enumerate(client.list_all(_PATH, "tunnels", identity="id")):
        try:
            tunnels.append(_usable(wire, f"tunnels[{number}]"))
        except UnexpectedResponse as error:
            errors.append(error)
    if errors and not tunnels:
        raise errors[0]
    warnings = [f"{error} This tunnel is not in the inventory." for error in errors[:_MAX_NAMED]]
    if len(errors) > _MAX_NAMED:
        warnings.append(f"{len(errors) - _MAX_NAMED} more tunnels are not in the inventory for similar reasons.")
    return tunnels, warnings


def _usable(wire: dict[str, Any], where: str) -> Tunnel:
    """Read one tunnel. Raises UnexpectedResponse if it cannot become a host."""
    with reading(_PATH):
        tunnel: Tunnel = TUNNEL.shown(TUNNEL.read(wire, where))
    if not tunnel["id"] or name_in(tunnel["id"].replace(".", "_")) != tunnel["id"].replace(".", "_"):
        raise UnexpectedResponse(f"{where} has no ID that can be used as the name of a host.", Request("GET", _PATH))
    return tunnel
