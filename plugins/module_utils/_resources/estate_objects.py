# SPDX-License-Identifier: GPL-3.0-or-later
"""The named objects of an estate, and the edges and subscriptions that refer to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from .._applying.outcome import Applied
from .._applying.permission import Permission
from .._applying.subtree import Subtree, carry_out_subtrees
from .._definition import Options
from .._errors import NotTried
from .._model.option_error import OptionError, OptionErrors
from .._model.schema import TLS_EDGE_MODULES
from .._planning.named_references import may_refer, referenced_names, resolved
from .._planning.plan import Plan
from .._planning.undeclared import Remainder
from .._planning.withholding import not_tried, withheld
from .._transport.client import Client
from .named_object_errors import (
    fields_declared_by,
    gone_errors,
    members_of,
    named_objects_errors,
    unknown_name_errors,
    with_stand_ins,
)
from .named_objects import NamedObjects

REFERRING = ("https_edges", "tls_edges", "event_subscriptions")
"""The lists whose members can refer to named objects."""

_PARTS = (
    ("tls_edges", "edge_id", tuple(TLS_EDGE_MODULES)),
    ("event_subscriptions", "subscription_id", ("sources",)),
)
"""The lists whose members manage parts of an object, the option with its ID, and the fields with these parts."""

PlanSubtrees = Callable[[Client, Options], tuple[list[Subtree], list[Remainder]]]


class EstateWithObjects:
    """The plans of named objects and of everything that refers to them, and their execution."""

    def __init__(self, client: Client, options: Options, plan_subtrees: PlanSubtrees) -> None:
        self._client, self._options, self._plan_subtrees = client, options, plan_subtrees
        resend_secrets = options["update_secrets"] == "always"
        self.objects = NamedObjects(client, options["objects"] or (), resend_secrets=resend_secrets)
        self.subtrees, rest = self._planned()
        self.rest = [*rest, *self.objects.rest]
        self.objects.keep_what_is_used([plan for subtree in self.subtrees for plan in subtree.plans if plan.error])

    @property
    def plans(self) -> list[Plan]:
        children = [plan for subtree in self.subtrees for plan in subtree.plans]
        return [*self.objects.present, *children, *self.objects.absent]

    def carry_out(self, permission: Permission) -> tuple[list[Applied], list[list[Applied]], list[Applied]]:
        """Create and update the objects, then everything that refers to them, and delete objects at last."""
        present = self.objects.carry_out_present(permission)
        if self.objects.creates:
            self.subtrees, _rest = self._planned()
        between = carry_out_subtrees(self._client, self.subtrees, self._options["concurrency"], permission)
        others = [*present, *(done for subtree in between for done in subtree)]
        return present, between, self.objects.carry_out_absent(permission, others)

    @property
    def resolved_options(self) -> Options:
        """The options with the IDs that the objects have now in place of references."""
        ids = self.objects.ids
        return {
            **self._options,
            **{name: resolved(self._options[name], ids) for name in REFERRING if ids},
        }

    def _planned(self) -> tuple[list[Subtree], list[Remainder]]:
        """Return the subtrees with the IDs that the objects have now, and what they leave undeclared."""
        options = self.resolved_options
        if not self.objects.creates:
            subtrees, rest = self._plan_subtrees(self._client, options)
        else:
            # They are planned again when the new objects have IDs, without any other request.
            with self._client.remembering():
                subtrees, rest = self._plan_subtrees(self._client, options)
        failed = self.objects.failed_ids
        return [_without_failed(subtree, failed) for subtree in subtrees] if failed else subtrees, rest


def _without_failed(subtree: Subtree, failed: Mapping[str, str]) -> Subtree:
    """Return the subtree without operations that refer to objects that failed."""
    own = [_unless_failed(plan, failed) for plan in subtree.own]
    children = [_unless_failed(plan, failed) for plan in subtree.children]
    if subtree.is_parent and own[0].error and own[0].before is None:
        children = [not_tried(plan, own[0].subject) for plan in children]
    return replace(subtree, own=own, children=children)


def _unless_failed(plan: Plan, failed: Mapping[str, str]) -> Plan:
    for operation in plan.operations if not plan.error else ():
        identifier = next((one for one in operation.strings() if one in failed), None)
        if identifier is not None:
            return withheld(plan, NotTried(f"{failed[identifier]} failed"))
    return plan


def _referring(options: Options) -> list[str]:
    """Return the lists in which there may be references."""
    return [name for name in REFERRING if may_refer(options.get(name))]


def without_references(options: Options) -> dict[str, Any]:
    """Return the options with an ID in place of each reference, so that they can be checked."""
    objects = options.get("objects")
    lists = {name: with_stand_ins(options.get(name), objects) for name in _referring(options)}
    return {**options, **lists}


def reference_option_errors(options: Options, check_mode: bool) -> OptionErrors:
    """Yield the errors in the named objects of an estate, and in the references to them."""
    yield from named_objects_errors(options.get("objects"), check_mode)
    for name in _referring(options):
        yield from unknown_name_errors(options.get(name), options.get("objects"), name)
        yield from gone_errors(options.get(name), options.get("objects"), name)
    yield from _declared_twice_errors(options)


def _declared_twice_errors(options: Options) -> OptionErrors:
    """Yield an error for each part of an object that an edge or a subscription manages as well: each would undo it."""
    objects = members_of(options.get("objects"))
    for option, key, parts in _PARTS:
        for number, member in enumerate(members_of(options.get(option)) if objects else ()):
            managed = [part for part in parts if _is_managed(member, part, options)]
            for position in _positions(objects, key, member.get(key)):
                for part in managed:
                    if fields_declared_by(objects[position]).get(part) is not None:
                        where = f"objects[{position}].body.{part}"
                        yield OptionError(where, f"{option}[{number}] manages it as well; declare it in one of the two")


def _positions(objects: Sequence[Mapping[str, Any]], key: str, identifier: Any) -> list[int]:
    """Return the positions of the objects that this ID, or reference, means."""
    names = referenced_names({key: identifier})
    return [
        number
        for number, one in enumerate(objects)
        if one.get("name") in names or (identifier and one.get("id") == identifier)
    ]


def _is_managed(member: Mapping[str, Any], part: str, options: Options) -> bool:
    are_purged = "modules" in (options.get("purge") or ()) and part in TLS_EDGE_MODULES
    return member.get(part) is not None or part in (member.get("absent_modules") or ()) or are_purged
