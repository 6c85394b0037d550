# SPDX-License-Identifier: GPL-3.0-or-later
"""Live objects of any collections as declarations, with references by name. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from .._model.free_form_values import is_same_text
from .._model.named_secrets import is_private_key, masked, secret_fields, without_fields
from .._model.schema import REFS
from .._values.identifiers import PREFIX
from .._values.kinds import MASK
from .._values.option_error import join
from .named_references import TEXT_FIELDS, is_id_field, with_ids_replaced

_OF_THE_SERVICE = ("id", "uri", "created_at", "updated_at")
"""Of an object. Inside of one, nobody knows what the service writes, so everything is kept there."""

_SETS = frozenset({"hostports", "ip_policy_ids", "certificate_authority_ids", "destination_ids", "sources"})
"""Lists that the API reference describes as sets, and whose order services may change."""

_MAPS = TEXT_FIELDS | {"critical_options", "extensions"}
"""Fields whose dictionaries have keys of the user, so that an empty string has a meaning, as in `permit-pty: ""`."""

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9]+")
_LONGEST_NAME = 40

Wire = Mapping[str, Any]
Member = dict[str, Any]


def exported_objects(
    lists: Mapping[str, Sequence[Wire]], omitted: Mapping[str, Collection[str]]
) -> tuple[list[Member], dict[str, str]]:
    """Return the objects of these collections as members of the option `objects`, and their names by ID.

    `omitted` are fields of objects, by ID, that are declared elsewhere.
    """
    lists = {collection: _without_secrets(wires, collection) for collection, wires in lists.items()}
    names: dict[str, str] = {}
    for collection, wires in lists.items():
        for wire in wires:
            names[wire["id"]] = _name(wire, collection, set(names.values()))
    members: list[Member] = []
    collections = {wire["id"]: collection for collection, wires in lists.items() for wire in wires}
    for collection, wires in lists.items():
        bodies: list[Member] = []
        for wire in wires:
            left_out = {*_OF_THE_SERVICE, *omitted.get(wire["id"], ())}
            declared = {name: value for name, value in wire.items() if name not in left_out}
            bodies.append(with_references(_request_form(declared, collections), names))
        members += _members(collection, wires, bodies, names)
    return members, names


def _without_secrets(wires: Sequence[Wire], collection: str) -> list[Wire]:
    """Return the objects without secrets at any depth, and with masks for those in strings that contain JSON.

    A list that lacked one of its members would be wrong.
    """
    secret = secret_fields(collection)

    def is_secret(path: str, value: Any) -> bool:
        return secret.has(path) or any(map(is_private_key, value if isinstance(value, list) else [value]))

    return [masked(without_fields(dict(wire), is_secret), secret) for wire in wires]


def with_references(value: Any, names: Mapping[str, str]) -> Any:
    return with_ids_replaced(value, lambda one: f"{PREFIX}{names[one]}" if one in names else one)


def _name(wire: Wire, collection: str, taken: set[str]) -> str:
    description = wire.get("description")
    words = _NOT_IN_NAMES.sub("_", description if isinstance(description, str) else "").lower()
    stem = words[:_LONGEST_NAME].strip("_") or _NOT_IN_NAMES.sub("_", collection).strip("_")
    names = itertools.chain([stem], (f"{stem}_{number}" for number in itertools.count(2)))
    return next(name for name in names if name not in taken)


def _members(
    collection: str, wires: Sequence[Wire], bodies: Sequence[Member], names: Mapping[str, str]
) -> Iterator[Member]:
    for wire, body in zip(wires, bodies):
        # Without fields that no other object has, it is found by its ID.
        find_by = next((fields for fields in _candidates(body) if fields and _matches_one(fields, bodies)), {})
        rest = {name: value for name, value in body.items() if name not in find_by}
        unordered = sorted(set(_sets_in(body)))
        yield {
            "name": names[wire["id"]],
            "collection": collection,
            **({"find_by": find_by} if find_by else {"id": wire["id"]}),
            **({"body": rest} if rest else {}),
            **({"unordered": unordered} if unordered else {}),
        }


def _candidates(body: Member) -> Iterator[Member]:
    """Yield fields that may identify an object, none with a secret: its description, or else its strings.

    People change the metadata, so it comes last. Blanks count as empty there, which is what objects without the field
    have.
    """
    texts = {name: body[name] for name in sorted(body) if isinstance(body[name], str) and body[name].strip()}
    strings = {name: value for name, value in texts.items() if MASK not in value}
    yield {name: value for name, value in texts.items() if name == "description"}
    yield {name: value for name, value in strings.items() if name != "metadata"}
    yield strings


def _matches_one(fields: Member, bodies: Sequence[Member]) -> bool:
    """Return whether only one of these objects has these fields, regardless of others that it has."""
    return sum(all(is_same_text(body.get(name), value, name) for name, value in fields.items()) for body in bodies) == 1


def _request_form(wire: Wire, collections: Mapping[str, str]) -> Member:
    """Return an object as a request could contain it, without empty values."""
    fields = (request_field(name, value, collections) for name, value in wire.items())
    return {field: value for field, value in fields if value not in (None, "", [], {})}


def request_field(name: str, value: Any, collections: Mapping[str, str] = MappingProxyType({})) -> tuple[str, Any]:
    """Return a field of a response with its name and its value in requests. References become IDs.

    `collections` are those of the objects to which it may refer, by ID.
    """
    if name in _MAPS and isinstance(value, Mapping):
        return name, {key: member for key, member in value.items() if member is not None}
    # Backends contain IDs alone, where other fields contain references.
    are_ids = name == "backends" and isinstance(value, (list, Mapping)) and all(isinstance(one, str) for one in value)
    if name in _MAPS or are_ids:
        return name, value
    identifier = _reference(name, value, collections)
    if identifier is not None:
        field = REFS.get(name, f"{name}_id")
        return field, [identifier] if field.endswith("_ids") else identifier
    if isinstance(value, list) and value:
        identifiers = [_reference(name, member, collections) for member in value]
        if all(each is not None for each in identifiers):
            return f"{_singular(name)}_ids", identifiers
        return name, [_request_form(member, collections) if isinstance(member, Mapping) else member for member in value]
    return name, _request_form(value, collections) if isinstance(value, Mapping) else value


def _reference(name: str, value: Any, collections: Mapping[str, str]) -> str | None:
    """Return the ID in a reference, None for any other value. Some services return the ID alone."""
    if isinstance(value, Mapping) and isinstance(value.get("id"), str):
        identifier: str = value["id"]
        is_alone = identifier in collections and not value.keys() - {"id", "uri"}
        return identifier if is_alone or isinstance(value.get("uri"), str) else None
    if not isinstance(value, str) or is_id_field(name):
        return None
    return value if name in REFS or (value in collections and _names(name, collections[value])) else None


def _names(field: str, collection: str) -> bool:
    """Return whether a field may contain an object of a collection, as `default_backend` does of `backends/…`.

    The owner of a credential is a user of any kind. Other fields, such as `name`, may contain any string, even an ID.
    """
    noun = "user" if field == "owner" else _noun(field)
    return any(_noun(segment) == noun for segment in collection.split("/"))


def _noun(name: str) -> str:
    return _singular(name).rpartition("_")[2]


def _singular(name: str) -> str:
    return f"{name[:-3]}y" if name.endswith("ies") else name.removesuffix("s")


def _sets_in(value: Any, path: str = "") -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, member in value.items():
            if isinstance(member, list) and name in _SETS:
                yield join(path, name)
            yield from _sets_in(member, join(path, name))
