# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that refer to each other by name: planned together, created in the order of their references, and deleted in
the reverse order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .._applying.apply import carried_out
from .._applying.outcome import Applied
from .._applying.parallel import run_in_parallel
from .._applying.permission import Permission
from .._definition import Options
from .._errors import ChangeWithheld, Contradiction, IngressError, NotSupported, NotTried
from .._model.free_form import FreeFormObject, free_form
from .._planning.named_references import Circle, in_order, referenced_names, resolved
from .._planning.placeholders import is_placeholder, strings_in
from .._planning.plan import Plan, Target, planned, unplanned
from .._planning.undeclared import NotExamined, Remainder
from .._planning.withholding import withheld
from .._transport.client import Client
from .collection_of_objects import ListedObjects, Wire, read_object
from .named_object_errors import members_of
from .object import (
    MEMBER_OPTIONS,
    find_object,
    found_object,
    object_plan,
    object_target,
    placeholder_of,
    secrets_of,
    terms_of,
)

NAMED_OBJECTS: dict[str, Any] = {
    "type": "list",
    "elements": "dict",
    "options": {"name": {"type": "str", "required": True}, **MEMBER_OPTIONS},
}

_CONCURRENCY = 4
_ONLY_DECLARED = "only declared objects are compared"


def secrets_of_all(options: Mapping[str, Any]) -> Iterator[str]:
    """Yield the secrets in the declarations of named objects."""
    for one in members_of(options.get("objects")):
        yield from secrets_of(one)


class NamedObjects:
    """The plans of named objects, and their execution. `declared` has no option errors."""

    def __init__(self, client: Client, declared: Sequence[Options], *, resend_secrets: bool) -> None:
        self._client, self._resend_secrets = client, resend_secrets
        self._declared = {one["name"]: one for one in declared}
        self._references = {name: referenced_names(one) for name, one in self._declared.items()}
        self._lists = self._listed()
        self._wires: dict[str, Wire | None] = {}
        self._planned: dict[str, Options] = {}
        self._failed: dict[str, str] = {}
        self._same: dict[str, list[str]] = {}
        self.ids: dict[str, str] = {}
        """The IDs of all objects by name. Objects that do not exist yet have placeholders."""
        plans = self._planned_in_order()
        self._same = self._declared_twice()
        if self._same:
            self._failed.clear()
            plans = self._planned_in_order()
        self.present = [plan for name, plan in plans.items() if self._declared[name]["state"] == "present"]
        self.absent = [plans[name] for name in self._deletion_order()]
        self.keep_what_is_used([plan for plan in self.present if plan.error])

    @property
    def plans(self) -> list[Plan]:
        return [*self.present, *self.absent]

    @property
    def rest(self) -> list[Remainder]:
        return [NotExamined(f"other objects in {collection}", _ONLY_DECLARED) for collection in sorted(self._lists)]

    @property
    def creates(self) -> bool:
        """Whether an object is new, so that what refers to it must be planned again with its ID."""
        return any(plan.operations and plan.before is None for plan in self.present)

    @property
    def failed_ids(self) -> dict[str, str]:
        """The IDs of the objects that failed, each with its subject. Of new ones, these are placeholders."""
        return {self.ids[name]: subject for name, subject in self._failed.items()}

    def failed_subject(self, value: Any) -> str | None:
        """Return the subject of an object that failed, if the value refers to one by name."""
        return next((self._failed[name] for name in referenced_names(value) if name in self._failed), None)

    def carry_out_present(self, permission: Permission) -> list[Applied]:
        """Create and update the objects in the order of their references."""
        if self.plans:
            self._client.progress.add_planned(len(self.plans))
        return [self._carry_out(plan, permission) for plan in self.present]

    def carry_out_absent(self, permission: Permission, others: Iterable[Applied]) -> list[Applied]:
        """Delete the objects that should not exist, in the reverse order of their references.

        An object stays if one of the `others`, which were executed before, failed and may still refer to it.
        """
        self.keep_what_is_used([done.plan for done in others if done.error is not None])
        all_done: list[Applied] = []
        for number in range(len(self.absent)):
            done = self._carry_out(self.absent[number], permission)
            all_done.append(done)
            if done.error is not None:
                self.keep_what_is_used([done.plan])
        return all_done

    def keep_what_is_used(self, failed: Sequence[Plan]) -> None:
        """Withhold the deletions of objects to which the objects of failed plans may still refer."""
        staying = list(failed)
        for number, plan in enumerate(self.absent):
            user = next(
                (one.subject for one in staying if one.subject != plan.subject and self._may_use(one, plan)), None
            )
            if user is not None and plan.operations and not plan.error:
                error = ChangeWithheld(
                    f"Not deleted, because {user} failed and may still refer to it. Fix that failure, then run the "
                    "task again."
                )
                self.absent[number] = withheld(plan, error)
            if self.absent[number].error:
                staying.append(self.absent[number])

    def _may_use(self, failed: Plan, plan: Plan) -> bool:
        is_known, current = failed.error is None or failed.before is not None, failed.before
        if isinstance(failed.kind, FreeFormObject):
            name = str(failed.key)
            is_known, current = name in self._wires, self._wires.get(name)
        return not is_known or self.ids[str(plan.key)] in strings_in(current)

    def results(self, all_done: Sequence[Applied]) -> dict[str, Any]:
        """Return the state of each object by its name, in the order of the declaration."""
        shown = {done.plan.key: done.shown for done in all_done if done.final is not None}
        return {name: shown[name] for name in self._declared if name in shown}

    def _listed(self) -> dict[str, ListedObjects | NotSupported]:
        """Return each collection whose objects are found in its list, which is read once; or why it has no list."""
        collections = list(dict.fromkeys(one["collection"] for one in self._declared.values() if not one["id"]))

        def read(collection: str) -> ListedObjects | NotSupported:
            try:
                return ListedObjects(self._client, collection)
            except NotSupported as error:
                return error

        return dict(zip(collections, run_in_parallel(read, collections, _CONCURRENCY)))

    def _deletion_order(self) -> list[str]:
        """Return the names of the objects to delete, each before those that it refers to, declared or not."""
        names = [name for name, one in self._declared.items() if one["state"] == "absent"]
        by_id = {self.ids[name]: name for name in names}
        live = {name: [by_id[one] for one in strings_in(self._wires.get(name)) if one in by_id] for name in names}
        references = {name: [*self._references[name], *(one for one in live[name] if one != name)] for name in names}
        try:
            return in_order(references)[::-1]
        except Circle:
            return in_order({name: self._references[name] for name in names})[::-1]

    def _planned_in_order(self) -> dict[str, Plan]:
        return {name: self._plan(name) for name in in_order(self._references)}

    def _declared_twice(self) -> dict[str, list[str]]:
        """Return the names of declarations that have found the same object, each with all of these names."""
        by_object: dict[tuple[str, Any], list[str]] = {}
        for name, wire in self._wires.items():
            if wire is not None and not is_placeholder(wire.get("id")):
                by_object.setdefault((self._declared[name]["collection"], wire.get("id")), []).append(name)
        return {name: names for names in by_object.values() if len(names) > 1 for name in names}

    def _plan(self, name: str) -> Plan:
        options = resolved(self._declared[name], self.ids)
        self._planned[name] = options
        target = self._target(name)
        self.ids[name] = placeholder_of(options)
        try:
            if (subject := self.failed_subject(self._declared[name])) is not None:
                raise NotTried(f"{subject} failed")
            if name in self._same:
                same = " and ".join(self._same[name])
                raise Contradiction(
                    f"{same} are the same object in {options['collection']}. Remove all but one of them."
                )
            wire = self._wires[name] = self._wires.get(name) or self._wire(options)
            plan = object_plan(wire, options, name, self._resend_secrets)
        except IngressError as error:
            self._failed[name] = target.subject
            return unplanned(error, target)
        if wire is not None:
            self.ids[name] = wire["id"]
        return plan

    def _wire(self, options: Options) -> Wire | None:
        if options["id"]:
            return read_object(self._client, options["collection"], options["id"])
        listed = self._lists[options["collection"]]
        if isinstance(listed, NotSupported):
            raise listed
        return found_object(listed, options)

    def _target(self, name: str) -> Target:
        options = self._planned[name]
        return object_target(options, free_form({}, terms_of(options)), None, name)

    def _carry_out(self, plan: Plan, permission: Permission) -> Applied:
        name = str(plan.key)
        options = resolved(self._declared[name], self.ids)
        planned_id = placeholder_of(options)

        def read_and_plan() -> Plan:
            return object_plan(find_object(self._client, options), options, name, self._resend_secrets)

        def replan() -> list[Plan]:
            return [planned(read_and_plan, plan.target)]

        if (subject := self.failed_subject(self._declared[name])) is not None and not plan.error:
            plan = unplanned(NotTried(f"{subject} failed"), plan.target)
        elif options != self._planned[name] and not plan.error:
            # It refers to new objects, which have IDs now.
            wire = self._wires[name]
            plan = planned(lambda: object_plan(wire, options, name, self._resend_secrets), plan.target)
        [done] = carried_out(self._client, [plan], replan, permission)
        if done.error is not None:
            self._failed[name] = plan.subject
        elif done.final is not None and plan.before is None:
            self.ids[name] = done.final["id"]
            permission.created(planned_id, done.final["id"])
        return done
