# SPDX-License-Identifier: GPL-3.0-or-later
"""What an online tunnel is as a host of an inventory: its variables, its address, its name. Pure."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from .addresses import tcp_address

Tunnel = Mapping[str, Any]

LONGEST_NAME = 253
"""In bytes: no name of a host can be longer, and it has to fit into the name of a file."""

# What is none of these means something in Ansible's patterns of hosts, in paths of files or on a command line.
_NOT_IN_NAMES = re.compile(r"[^\w.-]+")
_ENDS_NO_NAME = "._-"
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Deeper than anything that people write, and not as deep as Ansible gets.
_DEEPEST = 32


def prefix_faults(prefix: Any) -> Iterator[str]:
    """What is wrong with the prefix of the variables."""
    if isinstance(prefix, str) and prefix and not _VARIABLE.fullmatch(prefix):
        yield f"hostvars_prefix: {prefix!r} can't start a variable's name; use letters, digits and _, no digit first"


def variables_of(tunnel: Tunnel, prefix: str) -> dict[str, Any]:
    """The variables of the tunnel's host: all its fields, and where Ansible has to connect to."""
    fields = {**tunnel, "metadata": metadata_of(tunnel)}
    variables = {f"{prefix}{name}": value for name, value in fields.items()}
    address = tcp_address(tunnel["public_url"])
    return {**variables, "ansible_host": address[0], "ansible_port": address[1]} if address else variables


def metadata_of(tunnel: Tunnel) -> Any:
    """The tunnel's metadata: a JSON object or a JSON list as what it holds, everything else as its text."""
    text = tunnel["metadata"]
    try:
        found = json.loads(text, parse_constant=_refuse, object_pairs_hook=_object)
        if not isinstance(found, (dict, list)) or not _is_shallow(found):
            return text
        # Half of a surrogate pair can be written in JSON, and nowhere else.
        json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return text
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    # What ansible-inventory writes has values of Ansible's own types under such names, encrypted ones for instance.
    if any(name.startswith("__ansible_") for name, _value in members):
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


def name_in(value: Any) -> str:
    """The name of a host that a value is good for: of a text or a number; empty if it is good for none."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return ""
    name = _NOT_IN_NAMES.sub("_", str(value)).strip(_ENDS_NO_NAME)
    return name if len(name.encode()) <= LONGEST_NAME else ""


def default_name(tunnel: Tunnel) -> str:
    """The name that the metadata gives, else the id."""
    metadata = metadata_of(tunnel)
    return name_in(metadata.get("name") if isinstance(metadata, dict) else metadata) or name_in(tunnel["id"])


def names_of(wanted: Mapping[str, str], taken: Collection[str]) -> tuple[dict[str, str], list[str]]:
    """The names of hosts by the ids of their tunnels, and warnings.

    `wanted` are the names that they are to have, by the ids. Of those that are wanted by more than one tunnel, or
    `taken`, none is given: Ansible would make one host of many, or a group of a host. Such tunnels have their ids for
    names.
    """
    times = Counter(wanted.values())
    warnings = []
    for name in sorted(name for name, number in times.items() if number > 1):
        ids = sorted(identifier for identifier, each in wanted.items() if each == name)
        warnings.append(
            f"{len(ids)} tunnels have the name {name}; their hosts are named by their ids: {', '.join(ids)}"
        )
    names = {}
    for identifier, name in wanted.items():
        is_taken = name in taken or (name in wanted and name != identifier)
        if is_taken and times[name] == 1:
            warnings.append(
                f"the tunnel {identifier} can't have the name {name}, which is that of a group or of the controller "
                "itself, or the id of another tunnel; its host is named by its id"
            )
        names[identifier] = identifier if is_taken or times[name] > 1 else name
    return names, warnings
