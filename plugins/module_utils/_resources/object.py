# SPDX-License-Identifier: GPL-3.0-or-later
"""An object of any collection in a task of its own."""

from __future__ import annotations

from functools import partial
from typing import Any

from .._applying.carry_out import carry_out_one
from .._definition import Client, OptionErrors, Options, Outcome, PluginDefinition
from .._model.free_form import free_form
from .._objects import common_options
from .._objects.any_object import MEMBER_OPTIONS, find_object, object_plan, object_target, secrets_of, terms_of
from .._objects.object_errors import object_errors, reference_errors
from .._objects.surroundings import surroundings
from .._planning.given_up_names import NameRule
from .._planning.plan import Plan, planned


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
        return names.applied(object_plan(wire, options, "object", **common_options.how_of(options)))

    around = partial(surroundings, client, with_https_edges=True, is_needed=bool(rejected))
    target = object_target(options, free_form({}, terms_of(options)), None, "object")
    return carry_out_one(client, check_mode, "object", partial(planned, plan, target), rejected, around)


DEFINITION = PluginDefinition(
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
