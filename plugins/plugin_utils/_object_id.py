# SPDX-License-Identifier: GPL-3.0-or-later
"""The ID of the only object of a collection that has some values."""

from __future__ import annotations

import multiprocessing
from typing import Any

from ..module_utils._applying.outcome import Outcome
from ..module_utils._definition import Options, PluginDefinition
from ..module_utils._errors import Missing
from ..module_utils._model.free_form import declared_fields
from ..module_utils._model.named_secrets import secret_fields, secrets_in
from ..module_utils._objects import collection_of_objects as objects
from ..module_utils._objects import finding
from ..module_utils._objects.any_object import finding_terms
from ..module_utils._objects.object_errors import reference_errors
from ..module_utils._planning.object_names import with_distinguishing_fields
from ..module_utils._transport.client import Client
from ..module_utils._transport.connection import Connection
from ..module_utils._values.option_error import OptionErrors
from ..module_utils._values.option_wording import quoted

Known = dict[str, list[objects.Wire]]
_OF_THIS_TASK: dict[str, Known] = {}
"""The collections of each account. Ansible starts a process for each task of a host, which fills a copy of its own."""


def _known_lists(options: Options) -> Known:
    """Return the lists of the account that were read in the same task. Outside of a worker, they could be outdated."""
    if multiprocessing.parent_process() is None:
        return {}
    return _OF_THIS_TASK.setdefault(Connection.of(options).account_digest, {})


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    """In check mode, an object that does not exist has a placeholder as ID: an earlier task may have created it.

    The value `is_placeholder` of the result says so.
    """
    lists = _known_lists(options)
    collection, find_by, terms = options["collection"], declared_fields(options["find_by"]), finding_terms(options)
    lists[collection] = objects.with_fields(client, collection, lists.get(collection, ()), find_by)
    found = finding.matching_objects(lists[collection], find_by, terms)
    if not found:
        # It may have been created after the collection was listed.
        lists[collection] = objects.with_fields(client, collection, objects.listed_objects(client, collection), find_by)
        found = finding.matching_objects(lists[collection], find_by, terms)
    advice = "Add a field in which they differ."
    only = finding.the_only_one(found, collection, find_by, secret_fields(collection), advice=advice)
    if only is not None:
        return Outcome(objects={"id": objects.check_identified(only, collection), "is_placeholder": False})
    # No earlier task creates such an object: modules reject it as well.
    finding.check_near_misses(lists[collection], find_by, terms, "looked up", "use the ID")
    if check_mode:
        return Outcome(objects={"id": objects.new_object_id(collection, find_by), "is_placeholder": True})
    raise Missing(_missing(collection, find_by, lists[collection]))


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from objects.collection_errors(options.get("collection"), "_terms")
    yield from finding.find_by_errors(options.get("find_by"), "", secret_fields(options.get("collection")))
    yield from finding.vague_errors(options.get("find_by"), "")
    yield from reference_errors(options)


def _missing(collection: str, find_by: dict[str, Any], wires: list[objects.Wire]) -> str:
    wanted = " and ".join(f"{name} {quoted(value)}" for name, value in find_by.items())
    shown = with_distinguishing_fields(wires, secret_fields(collection))
    there = f"The objects are: {shown}." if shown else "The collection is empty."
    return f"No object in {collection} has {wanted}. {there}"


DEFINITION = PluginDefinition(
    options={"collection": {"type": "str", "required": True}, "find_by": {"type": "dict", "required": True}},
    option_errors=_option_errors,
    perform=_perform,
    writes=False,
    secrets=lambda options: secrets_in(options.get("find_by"), secret_fields(options.get("collection"))),
)
