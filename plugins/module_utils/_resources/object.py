# SPDX-License-Identifier: GPL-3.0-or-later
"""An object of any collection, in a task of its own."""

from __future__ import annotations

from typing import Any

from .._applying.carry_out import OneObject, carry_out_one
from .._applying.outcome import Outcome
from .._definition import Options, PluginDefinition
from .._model.free_form import free_form
from .._model.option_error import OptionErrors
from .._objects.any_object import MEMBER_OPTIONS, find_object, object_plan, object_target, secrets_of, terms_of
from .._objects.collection_of_objects import Wire
from .._objects.common_options import (
    PURGE_HOSTPORTS,
    REVEAL,
    SINGLE_OPTIONS,
    UPDATE_SECRETS,
    openings_errors,
    rejected_kinds,
    reveal_errors,
)
from .._objects.object_errors import object_errors, reference_errors
from .._objects.surroundings import surroundings
from .._planning.given_up_names import NameRule
from .._planning.plan import Plan
from .._planning.undeclared import Remainder
from .._transport.client import Client


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from object_errors(options, check_mode)
    yield from reference_errors(options)
    yield from reveal_errors(options)
    yield from openings_errors(options)


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    resend_secrets = options["update_secrets"] == "always"
    names = NameRule(options["purge_hostports"], "set `purge_hostports: true`", options["allow_empty"])
    live: dict[str, Any] = {}

    def read() -> Wire | None:
        wire = find_object(client, {**options, **live})
        # An update may empty what finds the object.
        live.update({} if wire is None else {"id": wire.get("id")})
        return wire

    def plan(wire: Wire | None) -> Plan:
        return names.applied(object_plan(wire, options, "object", resend_secrets))

    rejected = rejected_kinds(options)

    def around(_found: object, plan: Plan) -> list[Remainder]:
        return surroundings(client, [plan], with_https_edges=True, are_needed=bool(rejected))

    target = object_target(options, free_form({}, terms_of(options)), None, "object")
    return carry_out_one(client, check_mode, OneObject("object", read, plan, around, target), rejected)


DEFINITION = PluginDefinition(
    options={
        **MEMBER_OPTIONS,
        "purge_hostports": PURGE_HOSTPORTS,
        **SINGLE_OPTIONS,
        "reveal": REVEAL,
        "update_secrets": UPDATE_SECRETS,
    },
    option_errors=_option_errors,
    perform=_perform,
    secrets=secrets_of,
)
