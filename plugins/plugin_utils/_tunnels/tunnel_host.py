# SPDX-License-Identifier: GPL-3.0-or-later
"""What an online tunnel is as a host of an inventory: its variables, its address, its name. Pure."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ...module_utils._model.schema import TUNNEL
from ...module_utils._transport.addresses import tcp_address
from .host_names import name_in

Tunnel = Mapping[str, Any]

FIELDS = tuple(TUNNEL.shown(TUNNEL.read({}, "tunnel")))
"""The names of the fields that every tunnel has, be they empty."""

CONNECTION = ("ansible_host", "ansible_port")
"""Variables of a host that are made of its tunnel's address, if it has one that Ansible can connect to."""

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# ansible-inventory writes values of Ansible's own types, such as encrypted ones, as dictionaries with such names. Read
# again, a dictionary of somebody else's that has one is no longer what it was, or makes the whole inventory unreadable.
_MEANS_SOMETHING = "__ansible_"
_HALF_OF_A_CHARACTER = re.compile("[\ud800-\udfff]")
# Deeper than anything that people write, and not as deep as Ansible gets.
_DEEPEST = 32


def prefix_errors(prefix: Any) -> Iterator[str]:
    """What is wrong with the prefix of the variables."""
    if isinstance(prefix, str) and prefix and not _VARIABLE.fullmatch(prefix):
        yield f"hostvars_prefix: {prefix!r} can't start a variable's name; use letters, digits and _, no digit first"


def variables_of(tunnel: Tunnel, prefix: str) -> dict[str, Any]:
    """The variables of the tunnel's host: all its fields, and where Ansible has to connect to."""
    fields = {**tunnel, "metadata": metadata_of(tunnel), "labels": _labels(tunnel)}
    variables = {f"{prefix}{name}": _writable(value) for name, value in fields.items()}
    address = tcp_address(tunnel["public_url"])
    return {**variables, **dict(zip(CONNECTION, address, strict=True))} if address else variables


def oddities_of(tunnel: Tunnel) -> Iterator[str]:
    """What of a tunnel is not among the variables of its host."""
    for name in tunnel["labels"].keys() - _labels(tunnel).keys():
        yield f"the label {name!r} is left out, because {_MEANS_SOMETHING} means something to Ansible"


def _labels(tunnel: Tunnel) -> dict[str, str]:
    return {name: value for name, value in tunnel["labels"].items() if not name.startswith(_MEANS_SOMETHING)}


def _writable(value: Any) -> Any:
    """The value without what JSON can spell and nobody can write into a file: halves of surrogate pairs."""
    if isinstance(value, str):
        return value if value.isascii() else _HALF_OF_A_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, dict):
        return {_writable(name): _writable(member) for name, member in value.items()}
    return [_writable(member) for member in value] if isinstance(value, list) else value


def metadata_of(tunnel: Tunnel) -> Any:
    """The tunnel's metadata: a JSON object or a JSON list as what it holds, everything else as its text.

    What other programs could not read in the JSON that `ansible-inventory` makes of it stays text.
    """
    text = tunnel["metadata"]
    try:
        found = json.loads(text, parse_constant=_refuse, parse_float=_finite, object_pairs_hook=_object)
        if not isinstance(found, (dict, list)) or not _is_shallow(found):
            return text
        # Half of a surrogate pair can be written in JSON, and nowhere else.
        json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return text
    return found


def fits_json(value: Any) -> bool:
    """Whether JSON can hold a plain value: no infinity, and no number of more digits than Python writes."""
    try:
        json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError):
        return False
    return True


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _finite(number: str) -> float:
    # 1e999 is JSON, and infinity to Python, which writes it as something that is not JSON.
    if not math.isfinite(float(number)):
        _refuse(number)
    return float(number)


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    if any(name.startswith(_MEANS_SOMETHING) for name, _value in members):
        raise ValueError("this means something to Ansible")
    return dict(members)


def _is_shallow(value: Any) -> bool:
    level = [value]
    for _depth in range(_DEEPEST):
        level = [
            member
            for each in level
            if isinstance(each, (dict, list))
            for member in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return True
    return False


def default_name(tunnel: Tunnel, extensions: Collection[str] = ()) -> str:
    """The name that the metadata gives, else the ID."""
    metadata = metadata_of(tunnel)
    given = metadata.get("name") if isinstance(metadata, dict) else metadata
    return name_in(given, extensions) or name_in(tunnel["id"], extensions)
