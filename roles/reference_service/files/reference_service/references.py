# SPDX-License-Identifier: GPL-3.0-or-later
"""References between objects: whether an object can refer to an ID, and whether an object is in use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import BaseModel

from .chosen_values import reserved_name
from .fields import References, model_in
from .rejection_codes import Code
from .rejections import Rejection, invalid
from .service import Call
from .store import Document


def check_references(call: Call, model: type[BaseModel], document: Document, *, of_edge: bool = True) -> None:
    """Raise `Rejection` for an ID of an object that does not exist, if the switches ask for that.

    By default, edges and routes can refer to any ID, because the API reference has no operation that creates the
    objects.
    """
    accepted = call.switches.unknown_references
    if accepted == "accepted" or (accepted == "in_edges" and of_edge):
        return
    for path, identifier in _referred(model, document):
        if call.store.kind_of(identifier) is None:
            raise invalid(f"{path}: there is no object with the ID {identifier!r}", Code.UNKNOWN_REFERENCE)


def check_reserved(call: Call, hostports: Iterable[str]) -> None:
    """Raise `Rejection` for a hostport whose domain or address is not reserved, if the switches ask for that."""
    if call.switches.unreserved_hostports == "accepted":
        return
    reserved = {
        reserved_name(f"{kind}s", each)
        for kind in ("reserved_addr", "reserved_domain")
        for each in call.store.newest_first(kind, None, -1)
    }
    for hostport in hostports:
        if reserved.isdisjoint((hostport, hostport.rpartition(":")[0])):
            raise invalid(f"hostports: {hostport!r} is not reserved", Code.NOT_RESERVED)


def check_unused(call: Call, identifier: str, called: str) -> None:
    """Raise `Rejection` if another object refers to this one."""
    for kind, other in call.store.containing(identifier):
        if other.id != identifier and _refers(other.document, identifier):
            message = f"The {called} {identifier} is in use: the {kind.replace('_', ' ')} {other.id} refers to it."
            raise Rejection(call.switches.deletion_in_use, Code.IN_USE, message)


def _referred(model: type[BaseModel], document: Document, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the IDs in a document that refer to other objects, each with its path."""
    for name, info in model.model_fields.items():
        value = document.get(name)
        nested = model_in(info.annotation)
        if any(isinstance(each, References) for each in info.metadata):
            several = value if isinstance(value, list | dict) else [value]
            yield from ((f"{path}{name}", each) for each in several if each)
        elif nested and isinstance(value, dict):
            yield from _referred(nested, value, f"{path}{name}.")


def _refers(value: Any, identifier: str, name: str = "") -> bool:
    if isinstance(value, dict):
        is_key = name == "backends" and identifier in value
        return is_key or any(_refers(member, identifier, key) for key, member in value.items())
    if isinstance(value, list):
        return any(_refers(member, identifier, name) for member in value)
    return bool(value == identifier) and (name == "backends" or name.endswith(("_id", "_ids")))
