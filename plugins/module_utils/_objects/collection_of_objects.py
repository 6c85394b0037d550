# SPDX-License-Identifier: GPL-3.0-or-later
"""Collections of which the API reference defines no fields: their paths, their lists, and single objects of them.

What a list leaves out is unknown, so objects of which it shows too little are read by their IDs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from .. import _errors
from .._applying.parallel import run_in_parallel
from .._model.free_form import declared_fields
from .._model.free_form_values import Terms, has_fields, meaning_of, normal_form
from .._planning.named_references import name_in_ids
from .._planning.unique_names import UNIQUE
from .._transport.addresses import collection_path, object_path
from .._transport.client import Client
from .._values.hostports import host_keys
from .._values.identifiers import COLLECTIONS, UNKNOWN_PREFIX, is_placeholder, placeholder
from .._values.option_error import OptionError, OptionErrors, join
from .._values.option_wording import did_you_mean

_SEGMENT = r"(?!\.\.?(?:/|\Z))[A-Za-z0-9_.~-]+"
_COLLECTION = re.compile(f"{_SEGMENT}(?:/{_SEGMENT})*")

Wire = dict[str, Any]

CONCURRENCY = 4
"""How many objects are read at a time in tasks without the option `concurrency`."""


def collection_errors(collection: Any, path: str) -> OptionErrors:
    if isinstance(collection, str) and not _COLLECTION.fullmatch(collection):
        yield OptionError(
            path,
            f"{collection!r} is not the path of a collection; expected names of ASCII letters, digits, and "
            "underscores with single slashes in between, such as `ip_policies` or `backends/http_response`",
        )


def prefix_of(collection: Any) -> str:
    """Return the prefix of the IDs in a collection, or that of placeholders if it is unknown."""
    return COLLECTIONS.get(collection, UNKNOWN_PREFIX) if isinstance(collection, str) else UNKNOWN_PREFIX


def new_object_id(collection: str, find_by: Mapping[str, Any], name: str = "") -> str:
    """Return the ID of a new object in check mode. An object of a list has a `name` that no other one has."""
    if name:
        return placeholder(f"{prefix_of(collection)}{name_in_ids(name)}_")
    unique = UNIQUE.get(collection, "")
    wanted = normal_form(declared_fields(find_by), "", Terms())
    common = {field: _in_common(value, field) for field, value in wanted.items()}
    if hosts := sorted(host_keys(wanted.get(unique))):  # what is no host stays what it is
        common[unique] = hosts
    return placeholder(prefix_of(collection), collection, common)


def _in_common(value: Any, path: str) -> Any:
    """Return what all values in their normal form have in common that find the same objects."""
    if isinstance(value, Mapping):
        return {name: _in_common(member, join(path, name)) for name, member in value.items()}
    if isinstance(value, list):
        return [_in_common(member, path) for member in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return meaning_of(value, path) if isinstance(value, str) else value


def find_by_id(client: Client, collection: str, identifier: str) -> Wire | None:
    """Return an object as the service returns it, or None. Raise NotSupported if there may be no such collection."""

    def check_collection() -> None:
        try:
            client.call("GET", collection_path(collection))
        except _errors.POSSIBLY_UNSUPPORTED as rejection:
            raise _errors.NotSupported(
                f"Object {identifier} does not exist, or the service does not have the collection {collection}: "
                f"{_errors.as_sentence(str(rejection))} Check `collection`."
            ) from rejection

    return read_object(client, identifier, collection, in_doubt=check_collection)


def read_object(
    client: Client, identifier: str, collection: str, in_doubt: Callable[[], object] | None = None
) -> Wire | None:
    """Return an object as the service returns it, or None. An object that check mode would create has only its ID."""
    if is_placeholder(identifier) or _is_new(collection):
        return {"id": identifier}
    path = object_path(collection, identifier)
    wire = client.get_object(path, in_doubt)
    if wire is not None and wire.get("id") != identifier:
        # A proxy may have mixed up responses. Continuing would change another object.
        raise _errors.UnexpectedResponse(
            f"expected the object {identifier}, got one with the ID {wire.get('id')}.", _errors.Request("GET", path)
        )
    return wire


def listed_objects(client: Client, collection: str) -> list[Wire]:
    """Return all objects of a collection. Raise NotSupported if the service does not list it."""
    if _is_new(collection):
        return []
    try:
        return client.list_all(collection_path(collection), "")
    except _errors.POSSIBLY_UNSUPPORTED as rejection:
        similar = get_close_matches(collection, COLLECTIONS, 1) if collection not in COLLECTIONS else []
        raise _errors.NotSupported(
            f"The service does not list the collection {collection}: {_errors.as_sentence(str(rejection))} Check "
            f"`collection`{did_you_mean(similar) or '.'} If the service has such objects but cannot list them, set "
            "`id`."
        ) from rejection


@lru_cache
def _is_new(collection: str) -> bool:
    """Return whether a collection belongs to an object that check mode would create."""
    return any(map(is_placeholder, collection.split("/")))


def identifier_of(wire: Wire) -> str:
    """Return the ID of an object, an empty one if it has none."""
    identifier = wire.get("id")
    return identifier if isinstance(identifier, str) else ""


def check_identified(wire: Wire, collection: str) -> str:
    """Return the ID of a listed object. Raise UnexpectedResponse if it has none."""
    if not (identifier := identifier_of(wire)):
        with _errors.reading(collection_path(collection)):
            raise _errors.UnexpectedType("id", "the ID of an object", wire.get("id"))
    return identifier


def read_member(client: Client, collection: str, wire: Wire) -> Wire:
    """Return the object itself in place of a member of a list. Raise UnexpectedResponse if it cannot be read."""
    identifier = check_identified(wire, collection)
    found = read_object(client, identifier, collection)
    if found is None:
        # If it counted as missing, a service that cannot read it would get another one in each run.
        problem = f"404 for the object {identifier}, which is in the list. If it was just deleted, run the task again."
        raise _errors.UnexpectedResponse(problem, _errors.Request("GET", object_path(collection, identifier)))
    return found


def completed(
    client: Client,
    collection: str,
    wires: Sequence[Wire],
    is_whole: Callable[[Wire], bool],
    concurrency: int = CONCURRENCY,
) -> list[Wire]:
    """Return the members of a list, with the object itself in place of each that is not whole."""
    lacking = [wire for wire in wires if not is_whole(wire)]
    read = run_in_parallel(lambda wire: read_member(client, collection, wire), lacking, concurrency)
    whole = dict(zip(map(id, lacking), read))
    return [whole.get(id(wire), wire) for wire in wires]


def whole_objects(client: Client, collection: str, wires: Sequence[Wire]) -> list[Wire]:
    """Return the members of a list, with the objects themselves in their place if the list leaves out parts of them.

    The member with the fewest fields shows whether it does. What has no ID is nowhere else.
    """
    poorest = min((wire for wire in wires if wire.get("id")), key=len, default=None)
    if poorest is None:
        return list(wires)
    found = read_member(client, collection, poorest)
    if found.keys() <= poorest.keys():
        return list(wires)
    known = [found if wire is poorest else wire for wire in wires]
    return completed(client, collection, known, lambda wire: wire is found or not wire.get("id"))


def with_fields(client: Client, collection: str, wires: Sequence[Wire], declared: Collection[str]) -> list[Wire]:
    """Return the members of a list with these declared fields, as far as the objects have them."""
    return completed(client, collection, wires, lambda wire: has_fields(wire, declared, Terms()))


class ListedObjects:
    """The objects of a collection, as far as its list shows them. Raises NotSupported if there is no such list."""

    def __init__(self, client: Client, collection: str, concurrency: int = CONCURRENCY) -> None:
        self._client, self._collection, self._concurrency = client, collection, concurrency
        self._wires = listed_objects(client, collection)
        self._read: set[str] = set()
        self._may_lack_some = client.has_pages(collection_path(collection))

    def with_fields(self, declared: Collection[str], terms: Terms) -> list[Wire]:
        """Return the objects with these fields, as far as they have them. Each is read by its ID only once."""

        def is_known(wire: Wire) -> bool:
            return str(wire.get("id")) in self._read or has_fields(wire, declared, terms)

        known = completed(self._client, self._collection, self._wires, is_known, self._concurrency)
        self._read |= {str(wire.get("id")) for wire, listed in zip(known, self._wires) if wire is not listed}
        self._wires = known
        return known

    def read_again(self) -> bool:
        """Add objects that the first reading may have missed. Returns whether it may have missed any.

        If an object is deleted while a list is read, all later ones move up, maybe to a page that was read before.
        Nothing on a service prevents a second object with the same fields, so this comes before a creation.
        """
        is_needed, self._may_lack_some = self._may_lack_some, False
        if is_needed:
            seen = set(map(identifier_of, self._wires))
            again = listed_objects(self._client, self._collection)
            self._wires += [wire for wire in again if identifier_of(wire) not in seen]
        return is_needed
