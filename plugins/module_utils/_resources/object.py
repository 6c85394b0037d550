# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of any collection: each in a task of its own, and what is only read."""

from __future__ import annotations

from functools import partial
from typing import Any

from .._applying.carry_out import carry_out_one
from .._applying.outcome import Outcome
from .._definition import Options, PluginDefinition
from .._model.free_form import declared_fields, free_form
from .._model.identifiers import placeholder_errors
from .._model.named_secrets import masked, secret_fields, secrets_in
from .._model.option_error import OptionErrors
from .._objects import common_options
from .._objects.any_object import MEMBER_OPTIONS, find_object, object_plan, object_target, secrets_of, terms_of
from .._objects.collection_of_objects import collection_errors, find_by_id, listed_objects, whole_objects, with_fields
from .._objects.finding import find_by_errors, matching_objects
from .._objects.object_errors import object_errors, object_id_errors, reference_errors
from .._objects.surroundings import surroundings
from .._planning.given_up_names import NameRule
from .._planning.plan import Plan, planned
from .._transport.client import Client


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from object_errors(options, check_mode)
    yield from reference_errors(options)
    yield from common_options.reveal_errors(options)
    yield from common_options.openings_errors(options)


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    names = NameRule(options["purge_hostports"], "set `purge_hostports: true`", options["allow_empty"])
    rejected = common_options.rejected_kinds(options)
    live: dict[str, Any] = {}

    def plan() -> Plan:
        wire = find_object(client, {**options, **live})
        # An update may empty what finds the object.
        live.update({} if wire is None else {"id": wire.get("id")})
        return names.applied(object_plan(wire, options, "object", options["update_secrets"] == "always"))

    around = partial(surroundings, client, with_https_edges=True, are_needed=bool(rejected))
    target = object_target(options, free_form({}, terms_of(options)), None, "object")
    return carry_out_one(client, check_mode, "object", partial(planned, plan, target), rejected, around)


def _info_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from collection_errors(options.get("collection"), "collection")
    yield from object_id_errors(options.get("id"), options.get("collection"), "id", check_mode)
    yield from find_by_errors(options.get("find_by"), "find_by", secret_fields(options.get("collection")))
    yield from placeholder_errors(options.get("find_by"), "find_by", check_mode)
    yield from reference_errors(options)


def _read(client: Client, options: Options, check_mode: bool) -> Outcome:
    collection, identifier = options["collection"], options["id"]
    find_by = declared_fields(options["find_by"] or {})
    if identifier:
        wire = find_by_id(client, collection, identifier)
        found = matching_objects([] if wire is None else [wire], find_by)
    else:
        wires = with_fields(client, collection, listed_objects(client, collection), find_by)
        found = whole_objects(client, collection, matching_objects(wires, find_by))
    secret = secret_fields(collection)
    return Outcome(objects={"objects": [masked(wire, secret) for wire in found]})


OBJECT = PluginDefinition(
    options={
        **MEMBER_OPTIONS,
        "purge_hostports": common_options.PURGE_HOSTPORTS,
        **common_options.SINGLE_OPTIONS,
        "reveal": common_options.REVEAL,
        "update_secrets": common_options.UPDATE_SECRETS,
    },
    option_errors=_option_errors,
    perform=_perform,
    secrets=secrets_of,
)

INFO = PluginDefinition(
    options={"collection": {"type": "str", "required": True}, "id": {"type": "str"}, "find_by": {"type": "dict"}},
    option_errors=_info_errors,
    perform=_read,
    writes=False,
    secrets=lambda options: secrets_in(options.get("find_by"), secret_fields(options.get("collection"))),
)
