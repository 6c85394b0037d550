# SPDX-License-Identifier: GPL-3.0-or-later
"""Values that no service accepts, in the few fields of other collections of which that is certain."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from ipaddress import ip_network
from typing import Any

from .._model.hostports import hostport_errors
from .._model.objects import join
from .._model.option_error import OptionError, OptionErrors
from .._model.option_wording import kind_of
from .._model.reference_syntax import PREFIX
from .._model.string_sets import host_key
from .._planning.placeholders import UNKNOWN_PREFIX, is_placeholder


def known_value_errors(collection: Any, fields: Any, path: str) -> OptionErrors:
    """Yield the errors in the fields of an object of this collection."""
    checks = _CHECKS.get(collection, {}) if isinstance(collection, str) and isinstance(fields, dict) else {}
    if checks is _OF_EDGES:
        yield from _list_errors(fields.get("hostports"), join(path, "hostports"))
    for name, check in checks.items():
        for where, value in _strings(fields.get(name), join(path, name)):
            yield from check(value, where)
    if collection == "event_destinations" and isinstance(fields, dict) and isinstance(fields.get("target"), dict):
        targets = sorted(str(name) for name, value in fields["target"].items() if value is not None)
        if len(targets) != 1:
            got = " and ".join(targets) or "none"
            yield OptionError(join(path, "target"), f"expected one kind of target, got {got}; set exactly one")


def _list_errors(value: Any, path: str) -> OptionErrors:
    """Yield the errors in a list of hostports that are not about a single one of them."""
    if value is not None and not isinstance(value, list):
        yield OptionError(path, f"expected a list, got {kind_of(value)}")
    earlier: set[str] = set()
    for number, one in enumerate(value if isinstance(value, list) else ()):
        where, key = f"{path}[{number}]", host_key(str(one))
        if not isinstance(one, str):
            yield OptionError(where, f"expected a string, got {kind_of(one)}")
        elif key in earlier:
            yield OptionError(where, f"{one!r} is listed twice; remove one of them")
        earlier.add(key)


def _strings(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield the strings that are known already, each with its path."""
    members = [(f"{path}[{number}]", one) for number, one in enumerate(value)] if isinstance(value, list) else []
    for where, one in members or [(path, value)]:
        if isinstance(one, str) and not one.startswith((PREFIX, UNKNOWN_PREFIX)) and not is_placeholder(one):
            yield where, one


def _network_errors(value: str, path: str) -> OptionErrors:
    try:
        ip_network(value, strict=False)
    except ValueError:
        yield OptionError(path, f"{value!r} is not a network; expected one of IPv4 or IPv6, such as '192.0.2.0/24'")


def _host_errors(value: str, path: str) -> OptionErrors:
    if any(hostport_errors(f"{value}:443", path)):
        yield OptionError(
            path, f"{value!r} is not a host name; expected one without a port, such as 'shop.example.com'"
        )


_OF_EDGES = {"hostports": hostport_errors}
_CHECKS: Mapping[str, Mapping[str, Callable[[str, str], OptionErrors]]] = {
    "edges/tcp": _OF_EDGES,
    "edges/tls": _OF_EDGES,
    "ip_policy_rules": {"cidr": _network_errors},
    "reserved_domains": {"domain": _host_errors},
}
