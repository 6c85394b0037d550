# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of any collections that refer to each other by name, managed together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .._applying.check_mode import predicted
from .._applying.outcome import Outcome, outcome_of_many
from .._applying.permission import permission
from .._definition import ModuleDefinition, Options
from .._model.option_error import OptionErrors
from .._planning.plan_document import plan_document
from .._transport.client import Client
from .common_options import EXPECT_PLAN, MAX_DELETIONS, STATE, UPDATE_SECRETS, limit_errors, limits_of
from .named_object_errors import members_of, named_objects_errors
from .named_objects import NAMED_OBJECTS, NamedObjects
from .object import secrets_of


def _declared(options: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the members, all of which should be absent if that is the state of the task."""
    members = members_of(options.get("objects"))
    return [{**one, "state": "absent"} for one in members] if options.get("state") == "absent" else members


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from named_objects_errors(_declared(options), check_mode)
    yield from limit_errors(options)


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    objects = NamedObjects(client, _declared(options), resend_secrets=options["update_secrets"] == "always")
    document = plan_document(objects.plans, objects.rest, client.masks)
    permitted = permission(objects.plans, document, limits_of(options))
    if check_mode:
        all_done = [predicted(plan) for plan in objects.plans]
    else:
        present = objects.carry_out_present(permitted)
        all_done = [*present, *objects.carry_out_absent(permitted, present)]
    return outcome_of_many(all_done, {"objects": objects.results(all_done), **document.result()})


def secrets_of_all(options: Mapping[str, Any]) -> Iterator[str]:
    """Yield the secrets in the declarations of named objects."""
    for one in members_of(options.get("objects")):
        yield from secrets_of(one)


DEFINITION = ModuleDefinition(
    options={
        "objects": {**NAMED_OBJECTS, "required": True},
        "state": STATE,
        "max_deletions": MAX_DELETIONS,
        "expect_plan": EXPECT_PLAN,
        "update_secrets": UPDATE_SECRETS,
    },
    option_errors=_option_errors,
    perform=_perform,
    secrets=secrets_of_all,
)
