# SPDX-License-Identifier: GPL-3.0-or-later
"""An online tunnel as a host of an inventory: its variables, its address, and its name. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any

from ...module_utils._transport.addresses import is_host, url_parts
from ...module_utils._values.escapes import encodable
from ...module_utils._values.json_strings import container
from ...module_utils._values.option_error import OptionError, OptionErrors
from .host_names import listed, name_in

Tunnel = Mapping[str, Any]

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# ansible-inventory writes values of Ansible's own types, such as encrypted ones, as dictionaries with such keys. If a
# tunnel's own dictionary contains one, it changes when it is read again, or makes the whole inventory unreadable.
_ANSIBLE_TYPE = "__ansible_"
# Deeper than realistic metadata, but within what Ansible can process.
_MAX_DEPTH = 32

TOO_DEEP = f"has more than {_MAX_DEPTH} levels"
NO_JSON_NUMBER = "is or contains an infinite number, or one with too many digits, which JSON cannot represent"
"""Why an inventory cannot contain a value."""


def prefix_errors(prefix: Any) -> OptionErrors:
    if isinstance(prefix, str) and prefix and not _VARIABLE.fullmatch(prefix):
        yield OptionError(
            "hostvars_prefix",
            f"{prefix!r} cannot start the name of a variable; use letters, digits, and _, and start with a letter or _",
        )


def variables_of(tunnel: Tunnel, prefix: str) -> dict[str, Any]:
    """Return the variables of the tunnel's host: all fields, and the address that Ansible connects to."""
    fields = {**tunnel, "metadata": metadata_of(tunnel), "labels": _labels(tunnel)}
    variables = {f"{prefix}{name}": writable(value) for name, value in fields.items()}
    return {**variables, **_address_variables(tunnel["public_url"])}


def _address_variables(url: str) -> dict[str, Any]:
    """Return how Ansible connects to a URL such as tcp://1.tcp.example.net:12345; nothing for any other URL."""
    parts = url_parts(url)
    if parts is None or parts.scheme != "tcp" or parts.port is None or "@" in parts.netloc or parts.query:
        return {}
    host = parts.hostname or ""
    # The zone of an IPv6 address is valid only on the machine that the address belongs to.
    is_usable = is_host(host) and "%" not in host and parts.path in ("", "/")
    return {"ansible_host": host, "ansible_port": parts.port} if is_usable else {}


def omissions_of(tunnel: Tunnel) -> str:
    """Return what the variables of the host do not contain, and why; an empty string if they contain everything."""
    omitted = tunnel["labels"].keys() - _labels(tunnel).keys()
    reason = f"because names with {_ANSIBLE_TYPE} are reserved by Ansible"
    return f"labels are ignored, {reason}: {listed(list(omitted))}" if omitted else ""


def _labels(tunnel: Tunnel) -> dict[str, str]:
    return {name: value for name, value in tunnel["labels"].items() if not name.startswith(_ANSIBLE_TYPE)}


def writable(value: Any) -> Any:
    """Return a plain value without halves of surrogate pairs, which JSON can represent but no file can contain."""
    if isinstance(value, str):
        return value if value.isascii() else encodable(value)
    if isinstance(value, dict):
        return {writable(name): writable(member) for name, member in value.items()}
    return [writable(member) for member in value] if isinstance(value, list) else value


def metadata_of(tunnel: Tunnel) -> Any:
    """Return the value of metadata that is a JSON object or list, and all other metadata as a string.

    If the inventory cannot contain the value as it is, it stays a string.
    """
    text = tunnel["metadata"]
    found = container(text)
    return found if found is not None and not obstacle_in(found) and writable(found) == found else text


def obstacle_in(value: Any) -> str:
    """Return why an inventory cannot contain a plain value, or an empty string if it can.

    If `ansible-inventory` fails for one value, it lists no host at all. Other programs, and Ansible itself, must also
    read from its output what it has listed.
    """
    if found := _obstacle_inside(value, 0):
        return found
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        return NO_JSON_NUMBER
    return ""


def _obstacle_inside(value: Any, level: int) -> str:
    if not isinstance(value, (dict, list)):
        return ""
    if level == _MAX_DEPTH:
        return TOO_DEEP
    if isinstance(value, dict) and any(name.startswith(_ANSIBLE_TYPE) for name in value):
        return f"contains a name with {_ANSIBLE_TYPE}, which is reserved by Ansible"
    members = value.values() if isinstance(value, dict) else value
    return next(filter(None, (_obstacle_inside(member, level + 1) for member in members)), "")


def default_name(tunnel: Tunnel, extensions: Collection[str] = ()) -> str:
    """Return the name in the metadata, or else the ID."""
    metadata = metadata_of(tunnel)
    given = metadata.get("name") if isinstance(metadata, dict) else metadata
    return name_in(given, extensions) or name_in(tunnel["id"], extensions)
