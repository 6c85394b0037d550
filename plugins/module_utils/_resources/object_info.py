# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of any collection, read."""

from __future__ import annotations

from .._definition import Client, OptionErrors, Options, Outcome, PluginDefinition
from .._model.free_form import declared_fields
from .._model.named_secrets import masked, secret_fields, secrets_in
from .._objects.any_object import finding_terms
from .._objects.collection_of_objects import collection_errors, find_by_id, listed_objects, whole_objects, with_fields
from .._objects.finding import find_by_errors, matching_objects
from .._objects.object_errors import object_id_errors, reference_errors
from .._values.identifiers import placeholder_errors


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from collection_errors(options.get("collection"), "collection")
    yield from object_id_errors(options.get("id"), options.get("collection"), "id", check_mode)
    yield from find_by_errors(options.get("find_by"), "find_by", secret_fields(options.get("collection")))
    yield from placeholder_errors(options.get("find_by"), "find_by", check_mode)
    yield from reference_errors(options)


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    collection, identifier = options["collection"], options["id"]
    find_by, terms = declared_fields(options["find_by"] or {}), finding_terms(options)
    if identifier:
        wire = find_by_id(client, collection, identifier)
        found = matching_objects([] if wire is None else [wire], find_by, terms)
    else:
        wires = with_fields(client, collection, listed_objects(client, collection), find_by)
        found = whole_objects(client, collection, matching_objects(wires, find_by, terms))
    secret = secret_fields(collection)
    return Outcome(objects={"objects": [masked(wire, secret) for wire in found]})


DEFINITION = PluginDefinition(
    options={"collection": {"type": "str", "required": True}, "id": {"type": "str"}, "find_by": {"type": "dict"}},
    option_errors=_option_errors,
    perform=_perform,
    writes=False,
    secrets=lambda options: secrets_in(options.get("find_by"), secret_fields(options.get("collection"))),
)
