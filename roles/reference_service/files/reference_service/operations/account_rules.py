# SPDX-License-Identifier: GPL-3.0-or-later
"""What the state of the account does not allow, and how long a creation takes.

These are creations over a limit, claims of what another object has, and references to what does not exist, or
deletions of what another object refers to.
"""

import asyncio
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Literal

from pydantic import BaseModel

from ..responses.chosen_values import reserved_name
from ..store import Document, Store, Stored
from ..values.fields import References, model_in
from ..values.formats import ascii_form
from ..values.rejection_codes import Code
from ..values.rejections import Rejection, called, invalid
from .service import Call

Created = Literal["edges", "routes", "sources", "objects"]


async def wait_to_create(call: Call) -> None:
    """Wait before the transaction starts, so that other requests are processed and do not see the object yet."""
    await asyncio.sleep(call.switches.slow_creations_ms / 1000)


def check_creation(call: Call, created: Created) -> None:
    """Raise `Rejection` if the account has reached its limit of these objects. Check the parent before."""
    if call.switches.rejected_creations in (created, "all"):
        message = f"This account has reached its limit of {created}. Delete one, or ask for a higher limit."
        raise Rejection(call.switches.creation_rejection, Code[f"{created[:-1].upper()}_LIMIT"], message)


def claim(store: Store, claimant: Stored, slow_releases: int = 0) -> None:
    """Raise `Rejection` if an object has what another object has."""
    if claimant.kind.endswith("_edge"):
        taken = store.claim_hostports(claimant.id, claimant.document.get("hostports", ()), slow_releases)
        if taken is not None:
            raise invalid(taken, Code.HOSTPORT_TAKEN)
    if claimant.kind == "reserved_domain":
        own = ascii_form(reserved_name(claimant))
        for other in store.newest_first("reserved_domain"):
            if other.id != claimant.id and ascii_form(reserved_name(other)) == own:
                raise invalid(f"domain: {own!r} is already reserved by {other.id}", Code.DOMAIN_TAKEN)


def check_references(call: Call, model: type[BaseModel], document: Document, *, of_edge: bool = True) -> None:
    """Raise `Rejection` for an ID of an object that does not exist, if the switches ask for that.

    By default, edges and routes can refer to any ID, because the API reference has no operation that creates the
    objects.
    """
    accepted = call.switches.unknown_references
    if accepted == "accepted" or (accepted == "in_edges" and of_edge):
        return
    for path, identifier in _referred(model, document):
        if not call.store.has(identifier):
            raise invalid(f"{path}: there is no object with the ID {identifier!r}", Code.UNKNOWN_REFERENCE)


def check_reserved(call: Call, hostports: Iterable[str]) -> None:
    """Raise `Rejection` for a hostport whose domain or address is not reserved, if the switches ask for that."""
    if call.switches.unreserved_hostports == "accepted":
        return
    objects = (call.store.newest_first(kind) for kind in ("reserved_addr", "reserved_domain"))
    reserved = set(map(reserved_name, chain(*objects)))
    for hostport in hostports:
        if reserved.isdisjoint((hostport, hostport.rpartition(":")[0])):
            raise invalid(f"hostports: {hostport!r} is not reserved", Code.NOT_RESERVED)


def check_unused(call: Call, held: Stored) -> None:
    """Raise `Rejection` if another object refers to this one."""
    for other in call.store.containing(held.id):
        if other.id != held.id and _refers(other.document, held.id):
            referring = f"the {other.kind.replace('_', ' ')} {other.id}"
            message = f"The {called(held.kind)} {held.id} is in use: {referring} refers to it."
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
