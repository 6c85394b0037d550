# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of any collection, which are only read."""

from __future__ import annotations

from .._applying.outcome import Outcome
from .._definition import ModuleDefinition, Options
from .._model.free_form import declared_fields
from .._model.named_secrets import masked
from .._model.option_error import OptionErrors
from .._planning.placeholders import placeholder_errors
from .._transport.client import Client
from .collection_of_objects import (
    collection_errors,
    find_by_errors,
    listed_objects,
    matching_objects,
    object_id_errors,
    read_object,
    secrets_of_collection,
)
from .object_errors import reference_errors


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from collection_errors(options.get("collection"), "collection")
    yield from object_id_errors(options.get("id"), options.get("collection"), "id", check_mode)
    yield from find_by_errors(options.get("find_by"), "find_by")
    yield from placeholder_errors(options.get("find_by"), "find_by", check_mode)
    yield from reference_errors(options)


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    collection, identifier = options["collection"], options["id"]
    wires = [read_object(client, collection, identifier)] if identifier else listed_objects(client, collection)
    found = matching_objects([wire for wire in wires if wire is not None], declared_fields(options["find_by"] or {}))
    return Outcome(objects={"objects": [masked(wire, secrets_of_collection(collection)) for wire in found]})


DEFINITION = ModuleDefinition(
    options={"collection": {"type": "str", "required": True}, "id": {"type": "str"}, "find_by": {"type": "dict"}},
    option_errors=_option_errors,
    perform=_perform,
    writes=False,
)
