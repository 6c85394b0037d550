# SPDX-License-Identifier: GPL-3.0-or-later
"""The work of the inventory of tunnels: its own options, their checks, and the tunnels that become hosts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...module_utils._applying.outcome import Outcome
from ...module_utils._arguments import well_shaped
from ...module_utils._definition import ModuleDefinition, Options
from ...module_utils._errors import Request, UnexpectedAnswer, reading
from ...module_utils._model.option_types import kind_of
from ...module_utils._model.schema import TUNNEL
from ...module_utils._transport.addresses import path_of
from ...module_utils._transport.client import Client
from .host_filters import filter_errors
from .host_names import name_in, name_prefix_errors
from .tunnel_host import Tunnel, prefix_errors

_PATH = path_of("tunnels")
_MOST_TOLD = 5
# Ansible takes what is no boolean for false, and does not look into the entries of keyed_groups at all.
_OF_ANSIBLE: dict[str, dict[str, Any]] = {
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


def tunnel_inventory(known: Sequence[Tunnel] | None = None) -> ModuleDefinition:
    """The work of one inventory. Where its tunnels are `known`, from a cache, the service is not asked."""

    def perform(client: Client, options: Options, check_mode: bool) -> Outcome:
        tunnels, warnings = _usable_tunnels(client) if known is None else (list(known), [])
        by_id: dict[str, Tunnel] = {}
        for tunnel in tunnels:
            by_id.setdefault(tunnel["id"], tunnel)
        return Outcome(objects={"tunnels": list(by_id.values())}, warnings=warnings)

    return ModuleDefinition(
        options={
            "hostname": {"type": "str"},
            "name_prefix": {"type": "str", "default": ""},
            "hostvars_prefix": {"type": "str", "default": ""},
            "filters": {"type": "list", "elements": "raw", "default": []},
            **_OF_ANSIBLE,
        },
        option_errors=_option_errors,
        perform=perform,
        writes=False,
    )


def _option_errors(options: Options, check_mode: bool) -> Iterator[str]:
    yield from name_prefix_errors(options.get("name_prefix"))
    yield from prefix_errors(options.get("hostvars_prefix"))
    yield from filter_errors(options.get("filters"))
    if "" in (options.get("groups") or {}):
        yield "groups: the name of a group is empty; expected a name before the colon"
    for number, keyed in enumerate(options.get("keyed_groups") or ()):
        yield from _keyed_group_errors(keyed, f"keyed_groups[{number}]")


def _keyed_group_errors(keyed: Any, path: str) -> Iterator[str]:
    if not isinstance(keyed, Mapping):
        yield f"{path}: expected a dictionary with key, got {kind_of(keyed)}"
        return
    option_errors: list[str] = []
    well_shaped(_KEYED_GROUP, keyed, option_errors, path)
    yield from option_errors
    if keyed.get("default_value") is not None and keyed.get("trailing_separator") is not None:
        yield f"{path}: default_value and trailing_separator are mutually exclusive; remove one of them"


def _usable_tunnels(client: Client) -> tuple[list[Tunnel], list[str]]:
    """The tunnels that can be hosts, and warnings about those that can't: one of them must not hide all others.

    Raises UnexpectedAnswer if there are tunnels, and none of them can be a host.
    """
    tunnels: list[Tunnel] = []
    option_errors: list[UnexpectedAnswer] = []
    for number, wire in enumerate(client.listed(_PATH, "tunnels", identity="id")):
        try:
            tunnels.append(_usable(wire, f"tunnels[{number}]"))
        except UnexpectedAnswer as error:
            option_errors.append(error)
    if option_errors and not tunnels:
        raise option_errors[0]
    warnings = [
        f"{option_error} This tunnel is left out of the inventory." for option_error in option_errors[:_MOST_TOLD]
    ]
    if len(option_errors) > _MOST_TOLD:
        warnings.append(
            f"{len(option_errors) - _MOST_TOLD} more tunnels are left out of the inventory for such reasons."
        )
    return tunnels, warnings


def _usable(wire: dict[str, Any], where: str) -> Tunnel:
    with reading(_PATH):
        tunnel: Tunnel = TUNNEL.shown(TUNNEL.read(wire, where))
    if not tunnel["id"] or name_in(tunnel["id"].replace(".", "_")) != tunnel["id"].replace(".", "_"):
        raise UnexpectedAnswer(f"the ID of {where} cannot be used as a host name.", Request("GET", _PATH))
    return tunnel
