# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that refer to each other by name: planned together, in the order of their references."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from .._applying.outcome import Applied
from .._applying.parallel import run_in_parallel
from .._definition import Client, Options
from .._errors import Contradiction, IngressError, NotSupported
from .._model.free_form import free_form
from .._model.free_form_values import Terms
from .._model.schema import HTTPS_EDGE
from .._planning import named_references, referenced_fields
from .._planning.given_up_names import NameRule
from .._planning.named_references import in_order, referenced_names, references_in, resolved
from .._planning.plan import Ids, Plan, Target, planned
from .._planning.undeclared import NotExamined
from .._planning.unique_names import EDGES, declared_names
from .._values.identifiers import is_placeholder, with_ids
from . import any_object
from .collection_of_objects import ListedObjects, Wire, find_by_id, read_member
from .common_options import how_of
from .estate_objects import REFERRING
from .object_errors import fields_declared_by

NAMED_OBJECTS: dict[str, Any] = {
    "type": "list",
    "elements": "dict",
    "options": {"name": {"type": "str", "required": True}, **any_object.MEMBER_OPTIONS},
}


class NamedObjects:
    """The plans of the named objects of an estate, whose options have no errors.

    `present` are those that should exist, each after those that it refers to; `absent` are the others, each before
    those that it refers to. `ids` are the IDs of all objects by name, and their other fields to which something
    refers as `name.field`: placeholders, if they do not exist yet. `names` is the rule for the names of all edges, also
    of HTTPS edges. The key of a plan has the name alone: others are strings or longer tuples, so none is the same.
    """

    def __init__(self, client: Client, options: Options) -> None:
        self._client, self._concurrency = client, options["concurrency"]
        self._how = how_of(options)
        self._declared = {one["name"]: one for one in options["objects"] or ()}
        self._references = {name: referenced_names(one, self._declared) for name, one in self._declared.items()}
        references = references_in({name: options[name] for name in ("objects", *REFERRING)})
        collections = {name: one["collection"] for name, one in self._declared.items()}
        self._fields = referenced_fields.referenced_fields([reference for _path, reference in references], collections)
        self._lists = self._listed()
        why = "only declared objects are compared"
        self.rest = [NotExamined(f"other objects in {collection}", why) for collection in sorted(self._lists)]
        self._wires: dict[str, Wire | None] = {}
        self._failed: dict[str, IngressError] = {}
        self.ids: dict[str, str] = {}
        order = in_order(self._references)
        plans = {name: self._plan(name) for name in order}
        self._failed |= dict(self._impossible())
        if self._read_what_lists_leave_out() or self._failed:
            plans = {name: self._plan(name) for name in order}
        edges = (declared_names(HTTPS_EDGE, resolved(edge, self.ids)) for edge in options["https_edges"] or ())
        claims = [*edges, *(plan.claims for plan in plans.values())]
        declared = frozenset(name for names in claims for name in names or ())
        how = "add `hostports` to `purge`"
        self.names = NameRule("hostports" in options["purge"], how, options["allow_empty"], declared)
        plans = {name: self.names.applied(plan) for name, plan in plans.items()}
        self.present = [plan for name, plan in plans.items() if self._declared[name]["state"] == "present"]
        self.absent = [plans[name] for name in self._deletion_order()]

    def listed(self, collection: str, fields: Collection[str]) -> Sequence[Wire] | None:
        """Return all live objects of a collection with these fields, None if it was not listed."""
        found = self._lists.get(collection)
        return found.with_fields(fields, Terms()) if isinstance(found, ListedObjects) else None

    def results(self, all_done: Sequence[Applied], unchanged: str) -> dict[str, Any]:
        """Return what the result contains of each object by its name, in the order of the declaration."""
        shown = {done.plan.key: done.in_result(unchanged) for done in all_done if done.final is not None}
        return {name: shown[key] for name in self._declared if (key := (name,)) in shown}

    def _listed(self) -> dict[str, ListedObjects | NotSupported]:
        """Return each collection whose objects are found in its list, which is read once; or why it has no list."""
        collections = list(dict.fromkeys(one["collection"] for one in self._declared.values() if not one["id"]))

        def read(collection: str) -> ListedObjects | NotSupported:
            try:
                return ListedObjects(self._client, collection, self._concurrency)
            except NotSupported as error:
                return error

        return dict(zip(collections, run_in_parallel(read, collections, self._concurrency)))

    def _read_what_lists_leave_out(self) -> bool:
        """Read the objects by their IDs of which a list leaves out something. Return whether there are any.

        To which others an object refers that is deleted with them, its declaration does not say, so a list may leave
        that out as well.
        """
        found = {name: wire for name, wire in self._wires.items() if wire and not self._declared[name]["id"]}
        absent = [name for name in found if self._declared[name]["state"] == "absent"]
        lacking = [name for name, wire in found.items() if not any_object.is_known(wire, self._declared[name])]
        lacking += absent if len(absent) > 1 else ()

        def read(name: str) -> None:
            try:
                self._wires[name] = read_member(self._client, self._declared[name]["collection"], found[name])
            except IngressError as error:
                self._failed[name] = error

        run_in_parallel(read, lacking, self._concurrency)
        return bool(lacking)

    def _impossible(self) -> Iterator[tuple[str, IngressError]]:
        """Yield the error of each object that is declared twice, that needs a name which another one keeps, or, if it
        is new, that may be an undeclared one in another spelling."""
        by_object: dict[tuple[str, Any], list[str]] = {}
        for name, wire in self._wires.items():
            if wire is not None and not is_placeholder(wire.get("id")):
                by_object.setdefault((self._declared[name]["collection"], wire.get("id")), []).append(name)
        for (collection, _id), names in by_object.items():
            same = f"{' and '.join(names)} are the same object in {collection}. Remove all but one of them."
            yield from ((name, Contradiction(same)) for name in names if len(names) > 1)
        for name, wire in self._wires.items():
            options = resolved(self._declared[name], self.ids)
            listed, ids = self._lists.get(options["collection"]), partial(self._live_ids, options["collection"])
            try:
                if isinstance(listed, ListedObjects):
                    # Of what is deleted, only an edge gives up its names before everything else is done.
                    named = ids() if options["collection"] in EDGES else ids(["present"])
                    any_object.check_others(listed, options, wire, ids(), named)
            except IngressError as error:
                yield name, error

    def _live_ids(self, collection: str, states: Collection[str] = ("present", "absent")) -> set[str]:
        """Return the IDs of the declared objects of a collection that exist."""
        declared = ((self._declared[name], wire) for name, wire in self._wires.items() if wire)
        return {wire["id"] for one, wire in declared if one["collection"] == collection and one["state"] in states}

    def _deletion_order(self) -> list[str]:
        """Return the names of the objects to delete, each before those that it refers to, declared or not."""
        names = [name for name, one in self._declared.items() if one["state"] == "absent"]
        fields = {name: {one: self.ids.get(f"{name}.{one}", "") for one in self._fields[name]} for name in names}
        by_id = {one: name for name in names for one in (self.ids[name], *referenced_fields.names_of(fields[name]))}
        live = {
            name: [by_id[one] for one in referenced_fields.names_in(self._wires.get(name)) if one in by_id]
            for name in names
        }
        known = {name: [*self._references[name], *(one for one in live[name] if one != name)] for name in names}
        hidden = {
            name: [by_id[one] for one in by_id if referenced_fields.hides_references_to(self._wires.get(name), one)]
            for name in names
        }
        for references in ({name: [*known[name], *hidden[name]] for name in names}, known):
            with suppress(named_references.Circle):
                return in_order(references)[::-1]
        return in_order({name: self._references[name] for name in names})[::-1]

    def _plan(self, name: str) -> Plan:
        options = resolved(self._declared[name], self.ids)
        self.ids[name] = any_object.provisional_id(options)
        try:
            wire = self._wires[name] = self._wires.get(name) or self._wire(options)
            if wire is not None:
                self.ids[name] = wire["id"]
            if name in self._failed:
                raise self._failed[name]
            self._check_references(self._declared[name])
            plan = any_object.object_plan(wire, options, (name,), **self._how)
        except IngressError as error:
            # Everything that it refers to is known, if it was found.
            wire = self._wires.get(name)
            kind = free_form({}, any_object.terms_of(options), also=wire)
            before = kind.read(wire, "") if wire and any_object.is_known(wire, options) else None
            target = any_object.object_target(options, kind, None, (name,))
            plan = Plan(target, before, fields_declared_by(options), error=error)
        target, claims = self._with_fields(name, options, plan.target), any_object.names_declared_by(options)
        return replace(plan, target=target, claims=claims)

    def again(self, plan: Plan, ids: Ids) -> list[Plan]:
        """Read the object of a plan and plan it again. `ids` are those of new objects to which it refers."""
        name = next(one for one in self._declared if (one,) == plan.key)
        options = with_ids(resolved(self._declared[name], self.ids), ids)
        return [planned(lambda: self._read_again(name, options), plan.target)]

    def _with_fields(self, name: str, options: Options, target: Target) -> Target:
        """Return an object that is also identified by its fields to which others refer, whose values this learns."""
        wire, declared = self._wires.get(name), fields_declared_by(options)
        found = {field: referenced_fields.value_of(field, name, wire, declared) for field in self._fields[name]}
        found |= {"id": self.ids[name]} if "id" in found else {}
        learned = {f"{name}.{field}": value for field, value in found.items()}
        self.ids.update({one: value for one, value in learned.items() if one not in self._declared})
        return replace(target, identity={**target.identity, **found})

    def _check_references(self, options: Options) -> None:
        """Raise Contradiction if an object refers to a field that another object does not have, or to an object twice.

        Of two keys of a dictionary that are the same object, only one would be sent.
        """
        fields = {"body": options["body"], "find_by": options["find_by"]}
        for _path, reference in references_in(fields):
            name, field = named_references.parts_of(reference, self._declared)
            wire = self._wires.get(name)
            if field and wire is not None and is_placeholder(self.ids[reference]):
                raise referenced_fields.no_such_field(field, name, wire)
        for path in named_references.merged_keys(fields, self.ids):
            raise Contradiction(f"{path}: two of the keys are the same object; remove one of them.")

    def _read_again(self, name: str, options: Mapping[str, Any]) -> Plan:
        # An update may empty what finds the object.
        known = {**options, "id": (self._wires[name] or options).get("id")}
        found = any_object.find_object(self._client, known, self._live_ids(options["collection"]))
        self._wires[name] = found or self._wires[name]
        return self.names.applied(any_object.object_plan(found, options, (name,), **self._how))

    def _wire(self, options: Options) -> Wire | None:
        if options["id"]:
            return find_by_id(self._client, options["collection"], options["id"])
        listed = self._lists[options["collection"]]
        if isinstance(listed, NotSupported):
            raise listed
        return any_object.found_object(listed, options)
