# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of any collection. The API reference does not define their fields, so the task says how they compare."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from .._definition import Client, Options
from .._errors import Contradiction, Missing, SecretNeeded
from .._model.free_form import FreeFormObject, constant_fields, declared_fields, free_form
from .._model.free_form_values import Terms, has_fields, without_positions
from .._model.named_secrets import SecretFields, masked, secret_fields, secrets_in
from .._model.protection import COUNTING, SERVING
from .._planning.changes import plan_absent, plan_present
from .._planning.plan import Name, Plan, State, Target
from .._planning.unique_names import UNIQUE, check_free, declared_names
from .._planning.unsent_fields import ALWAYS_SENT, carried, carried_whole
from .._transport.addresses import collection_path, object_path
from .._values.escapes import visible
from .._values.identifiers import is_placeholder, strings_in
from .._values.kinds import MASK
from .._values.option_error import join
from .._values.option_wording import similar_names
from . import collection_of_objects as objects
from .collection_of_objects import ListedObjects, Wire
from .common_options import STATE
from .finding import check_near_misses, matching_objects, the_only_one
from .object_errors import fields_declared_by, fields_in

_PATHS: dict[str, Any] = {"type": "list", "elements": "str", "default": []}

MEMBER_OPTIONS: dict[str, Any] = {
    "collection": {"type": "str", "required": True},
    "id": {"type": "str"},
    "find_by": {"type": "dict"},
    "body": {"type": "dict", "default": {}},
    "state": STATE,
    "create_only": {"type": "list", "elements": "str"},
    "write_only": {"type": "list", "elements": "str"},
    "unordered": _PATHS,
    "always_send": _PATHS,
    "update_method": {"type": "str", "choices": ["PATCH", "PUT"], "default": "PATCH"},
}
"""The options of one object, in a task of its own and as a member of a list."""


def terms_of(options: Options) -> Terms:
    unordered, reveal = (frozenset(options.get(name) or ()) for name in ("unordered", "reveal"))
    create_only = constant_fields(options.get("collection"), options.get("create_only"))
    unique = UNIQUE.get(str(options.get("collection")), "")
    return Terms(frozenset(filter(None, (*unordered, unique))), secret_fields_of(options), create_only, reveal, unique)


def finding_terms(options: Options) -> Terms:
    """Return the terms of what finds an object: it must have these values, even those that are `create_only`."""
    return replace(terms_of(options), create_only=frozenset())


def secret_fields_of(options: Mapping[str, Any]) -> SecretFields:
    return secret_fields(options.get("collection"), options.get("write_only"))


def secrets_of(options: Mapping[str, Any]) -> Iterator[str]:
    """Yield the secrets in the declaration of an object, whatever its options are."""
    secret = secret_fields_of(options)
    known = {path for name in ("body", "find_by") for path, _value in fields_in(options.get(name))}
    is_misspelled = options.get("state") != "absent" and not known.issuperset(secret.paths)
    unknown = (str(name) for name in options if name not in MEMBER_OPTIONS)
    if is_misspelled or any(similar_names(name, ["write_only"]) for name in unknown):
        # A path or the option is misspelled, so any value may be the secret that it means.
        secret = replace(secret, paths=frozenset({""}))
    for name in ("body", "find_by"):
        yield from secrets_in(options.get(name), secret)


def find_object(client: Client, options: Options, others: Collection[str] = ()) -> Wire | None:
    """Return the object as the service returns it, None if there is none. Raise Ambiguous if several match.

    If there is none, none of the live ones may be it in another spelling, except of `others`, the IDs of declared ones.
    """
    if options["id"]:
        return objects.find_by_id(client, options["collection"], options["id"])
    listed = ListedObjects(client, options["collection"])
    wire = found_object(listed, options)
    check_others(listed, options, wire, others, [*others, objects.identifier_of(wire or {})])
    return wire if wire is None or is_known(wire, options) else objects.read_member(client, options["collection"], wire)


def is_known(wire: Wire, options: Options) -> bool:
    """Return whether a member of a list has all fields that are compared, and those that count for who gets where."""
    compared = () if options["state"] == "absent" else fields_declared_by(options)
    return has_fields(wire, [*COUNTING.get(options["collection"], ()), *compared], terms_of(options))


def found_object(listed: ListedObjects, options: Options) -> Wire | None:
    """Return the one of these objects that is declared, or None. Raise Ambiguous if several match."""
    found = _found_among(listed, options)
    # Nothing can refer to what does not exist yet.
    creates = options["state"] == "present" and not any(map(is_placeholder, strings_in(options["find_by"])))
    found = _found_among(listed, options) if found is None and creates and listed.read_again() else found
    if found is not None:
        objects.check_identified(found, options["collection"])
    return found


def _found_among(listed: ListedObjects, options: Options) -> Wire | None:
    find_by, terms = declared_fields(options["find_by"]), finding_terms(options)
    found = matching_objects(listed.with_fields(find_by, terms), find_by, terms)
    return the_only_one(found, options["collection"], find_by, terms.secret)


def check_others(
    listed: ListedObjects, options: Options, wire: Wire | None, declared: Collection[str], named: Collection[Any]
) -> None:
    """Raise Contradiction if one of these has a name that the declared object needs, except of those `named` by ID.

    Also, if no object was found, and one of these may be it in another spelling, except of those that are `declared`.
    """
    if options["state"] == "present":
        check_free(options["collection"], fields_declared_by(options), listed.with_fields((), Terms()), named)
    if wire is None and not options["id"]:
        find_by, terms = declared_fields(options["find_by"]), finding_terms(options)
        wires = [one for one in listed.with_fields(find_by, terms) if objects.identifier_of(one) not in declared]
        check_near_misses(wires, find_by, terms, options["state"])


def object_plan(
    wire: Wire | None, options: Options, key: Hashable, *, resend_secrets: bool = False, allow_empty: bool = False
) -> Plan:
    """Return the plan for one object; `wire` is what the service returns for it."""
    always_sent = [*ALWAYS_SENT.get(options["collection"], ()), *options["always_send"]]
    if options["state"] == "absent":
        # It may have to give up a hostport in an update before it is deleted.
        given = carried_whole(wire or {}, always_sent, secret_fields_of(options))
        kind = free_form(given, terms_of(options), always_sent=tuple(given), also=wire)
        return plan_absent(object_target(options, kind, wire, key), kind.read(wire, ""))
    given = fields_declared_by(options)
    method = options["update_method"]
    if method == "PATCH" and wire is not None:
        given |= carried(wire, always_sent, given, secret_fields_of(options))
    also = wire if method == "PUT" else None
    serves = options["collection"] in SERVING
    kind = free_form(given, terms_of(options), tuple(options["find_by"] or ()), tuple(always_sent), also, serves)
    current: State | None = kind.read(wire, "")
    if current is None and options["id"]:
        raise Missing(
            f"Object {options['id']} does not exist in {options['collection']}. To create an object, set `find_by` "
            "instead of `id`; the service assigns an ID.",
            "Objects with these IDs do not exist. To create an object, set `find_by` instead of `id`",
        )
    target = object_target(options, kind, wire, key)
    try:
        plan = plan_present(target, current, given, resend_secrets=resend_secrets, update_method=method)
    except SecretNeeded as error:
        raise SecretNeeded(join("body", error.path), MASK) from None
    _check_create_only(kind, plan)
    _check_secrets(kind, plan)
    if options["collection"] in SERVING and not allow_empty:
        # Ansible compiles whatever is imported, for each playbook.
        from .._access.served_objects import check_restrictions  # noqa: PLC0415

        check_restrictions(plan)
    return plan


def names_declared_by(options: Options) -> frozenset[Name] | None:
    """Return the names that an object is declared to have; None if the declaration leaves its names unchanged."""
    if options["state"] == "absent":
        return None
    given = fields_declared_by(options)
    return declared_names(free_form(given, terms_of(options)), given)


def object_target(options: Mapping[str, Any], kind: FreeFormObject, wire: Wire | None, key: Hashable) -> Target:
    """Return the object as the target of a plan. Raise UnusableIdentifier if its ID cannot be part of a path.

    Its name says how it is declared, with its ID as far as that is known.
    """
    collection = options["collection"]
    shown: dict[str, Any] = masked(options.get("find_by") or {}, secret_fields_of(options))
    label = options.get("name") or ", ".join(f"{name}={value}" for name, value in shown.items())
    identifier = wire.get("id") if wire else options.get("id")
    parts = (collection, label, f"({identifier})" if identifier else "")
    return Target(
        visible(" ".join(filter(None, parts))),
        kind,
        key,
        path="" if wire is None else object_path(collection, wire.get("id")),
        collection=collection_path(collection),
        identity={"id": provisional_id(options)},
    )


def provisional_id(options: Mapping[str, Any]) -> str:
    """Return the ID that stands for an object until it is found: the declared one, or a placeholder."""
    new = objects.new_object_id(options["collection"], options.get("find_by") or {}, options.get("name") or "")
    return str(options.get("id") or new)


def _check_create_only(kind: FreeFormObject, plan: Plan) -> None:
    """Raise Contradiction if a field differs that never changes after the creation."""
    differing = sorted({kind.terms.constant_around(without_positions(path)) for path in plan.changes} - {""})
    if differing:
        paths = " and ".join(join("body", path) for path in differing)
        raise Contradiction(
            f"{paths}: differs from the current value, and cannot change after the creation (see `create_only`). "
            "Declare the current value, or delete the object and create it again."
        )


def _check_secrets(kind: FreeFormObject, plan: Plan) -> None:
    """Raise SecretNeeded if an undeclared secret would be removed, and Contradiction if a mask would be sent."""
    for operation in plan.operations:
        body = operation.body or {}
        path = plan.before and kind.lost_secret(plan.before, body, is_whole=operation.method == "PUT")
        if path:
            raise SecretNeeded(join("body", path), MASK)
        if masked_names := [name for name, value in body.items() if MASK in strings_in(value)]:
            raise Contradiction(
                f"{join('body', masked_names[0])}: {MASK!r} stands for a current secret, which this object does not "
                "have there. Set the secret, or omit the field."
            )
