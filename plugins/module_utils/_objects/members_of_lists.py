# SPDX-License-Identifier: GPL-3.0-or-later
"""Members of lists that show less than the object itself. What a list leaves out is unknown, so it is read by ID."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from .._applying.parallel import run_in_parallel
from .._errors import Request, UnexpectedResponse
from .._model.free_form_values import Terms, has_fields
from .._transport.client import Client
from .collection_of_objects import Wire, check_identified, collection_path, listed_objects, object_path, read_object

CONCURRENCY = 4
"""How many objects are read at a time in tasks without the option `concurrency`."""


def read_member(client: Client, collection: str, wire: Wire, noun: str = "object") -> Wire:
    """Return the object itself in place of a member of a list. Raise UnexpectedResponse if it cannot be read."""
    identifier = check_identified(wire, collection)
    found = read_object(client, collection, identifier, noun)
    if found is None:
        # If it counted as missing, a service that cannot read it would get another one in each run.
        problem = f"404 for the {noun} {identifier}, which is in the list. If it was just deleted, run the task again."
        raise UnexpectedResponse(problem, Request("GET", object_path(collection, identifier)))
    return found


def completed(
    client: Client,
    collection: str,
    wires: Sequence[Wire],
    is_whole: Callable[[Wire], bool],
    concurrency: int = CONCURRENCY,
    noun: str = "object",
) -> list[Wire]:
    """Return the members of a list, with the object itself in place of each that is not whole."""
    lacking = [number for number, wire in enumerate(wires) if not is_whole(wire)]
    read = run_in_parallel(lambda number: read_member(client, collection, wires[number], noun), lacking, concurrency)
    by_number = dict(zip(lacking, read))
    return [by_number.get(number, wire) for number, wire in enumerate(wires)] if lacking else list(wires)


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
            seen = {wire.get("id") for wire in self._wires}
            again = listed_objects(self._client, self._collection)
            self._wires += [wire for wire in again if wire.get("id") not in seen]
        return is_needed
