# SPDX-License-Identifier: GPL-3.0-or-later
"""The errors in the declaration of an object of any collection, found before any request."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from ipaddress import ip_network
from typing import Any

from .._errors import UNSET_VARIABLE
from .._model.free_form import OF_THE_SERVICE, declared_fields
from .._model.named_secrets import secret_errors, secret_fields
from .._model.protection import is_never_hidden
from .._model.schema import RESTRICTIONS
from .._planning.named_references import references_in
from .._planning.unique_names import EDGES
from .._values import identifiers
from .._values.hostports import host_key, hostport_errors
from .._values.kinds import MASK
from .._values.option_error import OptionError, OptionErrors, dictionary_of, join, with_paths
from .._values.option_wording import did_you_mean, kind_of, quoted
from .collection_of_objects import collection_errors, prefix_of
from .common_options import id_errors
from .finding import find_by_errors, vague_errors

_ONLY_READ = {"api_keys": ("token",), "credentials": ("token",)}
"""Secrets that only the service writes, and returns as null after the creation."""


def object_errors(options: Mapping[str, Any], check_mode: bool, path: str = "") -> OptionErrors:
    collection, identifier, find_by = (options.get(name) for name in ("collection", "id", "find_by"))
    yield from collection_errors(collection, join(path, "collection"))
    yield from own_module_errors(collection, join(path, "collection"))
    yield from object_id_errors(identifier, collection, join(path, "id"), check_mode)
    yield from find_by_errors(find_by, join(path, "find_by"), secret_fields(collection, options.get("write_only")))
    yield from vague_errors(find_by, join(path, "find_by"))
    if identifier is None and find_by is None:
        text = "required to find the object; set `find_by` or `id`"
        yield OptionError(join(path, "find_by"), text, premises=(join(path, "id"),))
    elif identifier is not None and find_by is not None:
        yield OptionError(join(path, "id"), "cannot be combined with `find_by`; keep one of the two")
    for name in ("find_by", "body"):
        fields, where = dictionary_of(options.get(name)), join(path, name)
        yield from identifiers.placeholder_errors(options.get(name), where, check_mode)
        yield from _sign_errors(fields, where)
        yield from _known_value_errors(collection, fields, where)
    yield from _body_errors(options, path)
    if options.get("state") != "absent":
        yield from _path_errors(options, path)


def object_id_errors(identifier: Any, collection: Any, path: str, check_mode: bool) -> OptionErrors:
    kind = identifiers.KINDS.get(prefix_of(collection), f"an object in {collection}")
    return id_errors(identifier, kind, path, check_mode)


def fields_declared_by(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return all declared fields of an object, including those that find it: a new object gets these as well."""
    return declared_fields({**dictionary_of(options.get("find_by")), **dictionary_of(options.get("body"))})


def reference_errors(options: Mapping[str, Any]) -> OptionErrors:
    """Yield the errors of references by name where no object has a name."""
    for where, name in references_in({option: options.get(option) for option in ("id", "find_by", "body")}):
        yield OptionError(where, f"{identifiers.only_in_estates(name)}; set an ID")


def own_module_errors(collection: Any, path: str) -> OptionErrors:
    if isinstance(collection, str) and (module := identifiers.own_module(collection)):
        text = f"objects in {collection!r} have a module of their own; use `edgeops.ingress.{module}`"
        yield OptionError(path, text)


def _sign_errors(fields: Mapping[Any, Any], path: str) -> OptionErrors:
    for name in fields:
        if "." in str(name) or "[" in str(name):
            text = f"{quoted(str(name))} cannot be the name of a field, because paths contain dots and brackets"
            yield OptionError(path, text)


def _body_errors(options: Mapping[str, Any], path: str) -> OptionErrors:
    body, where = dictionary_of(options.get("body")), join(path, "body")
    for name in sorted(map(str, body)):
        if not name:
            yield OptionError(where, "the name of a field is empty; set a name")
        elif name == "id":
            text = "the service assigns IDs; to choose an object, set `id` instead of `body.id`"
            yield OptionError(join(where, name), text)
    for name, field in RESTRICTIONS.items() if options.get("collection") in EDGES else ():
        if field.response and dictionary_of(body.get(name)).get(field.response) is not None:
            text = f"is the name in responses; set `{field.name}`, a list of IDs"
            yield OptionError(join(where, f"{name}.{field.response}"), text)
    secret = secret_fields(options.get("collection"), options.get("write_only"))
    given, wanted = declared_fields(body), declared_fields(dictionary_of(options.get("find_by")))
    for name, value in given.items():
        if name in wanted and wanted[name] != value:
            way_out = "set the same value, or set `id` instead of `find_by`"
            text = f"differs from `find_by`, so the next run would not find the object; {way_out}"
            yield OptionError(join(where, name), text)
        elif value == MASK and options.get("id") is None and secret.has_name(name):
            text = (
                f"{MASK!r} stands for the current secret, which a new object does not have, and services do not show; "
                "set the secret, or omit the field to keep the current one"
            )
            yield OptionError(join(where, name), text)
    only_read = _ONLY_READ.get(str(options.get("collection")), ())
    declared = {name: value for name, value in body.items() if value is not None or name not in only_read}
    yield from secret_errors(declared, where, secret)


def _path_errors(options: Mapping[str, Any], path: str) -> OptionErrors:
    """Yield errors for paths in `write_only` without a field, because a typing error would reveal a secret; and others.

    Tasks may have other paths in common that not all of them declare.
    """
    declared = {**dictionary_of(options.get("find_by")), **dictionary_of(options.get("body"))}
    known = sorted({found for found, _value in fields_in(declared)})
    lists = {found for found, value in fields_in(declared) if value is None or isinstance(value, list)}
    for where, each in with_paths(options.get("write_only"), join(path, "write_only")):
        if each not in known:
            close = get_close_matches(each, known, 1)
            yield OptionError(where, f"{quoted(each)} is not the path of a field in `body`{did_you_mean(close)}")
        elif is_never_hidden(options.get("collection"), each):
            text = "decides which hosts are served or who gets in, and cannot be hidden; remove it"
            yield OptionError(where, f"{quoted(each)} {text}")
    for where, each in with_paths(options.get("always_send"), join(path, "always_send")):
        if not each or "." in each:
            yield OptionError(where, f"{quoted(each)} is not the name of a field; set the name of a top-level field")
        elif each in OF_THE_SERVICE:
            yield OptionError(where, f"{quoted(each)} is assigned by the service; remove it")
    for where, each in with_paths(options.get("unordered"), join(path, "unordered")):
        if each in known and each not in lists:
            yield OptionError(where, f"{quoted(each)} is not a list in `body`; remove it")


def fields_in(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the paths of all fields, at any depth, and their values. Members of a list have the path of the list."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield join(path, str(name)), member
            yield from fields_in(member, join(path, str(name)))
    elif isinstance(value, list):
        for member in value:
            yield from fields_in(member, path)


def _known_value_errors(collection: Any, fields: Mapping[str, Any], path: str) -> OptionErrors:
    if collection in EDGES:
        yield from _list_errors(fields.get("hostports"), join(path, "hostports"))
        yield from _duplicate_errors(fields.get("hostports"), join(path, "hostports"))
        yield from _restriction_errors(fields, path)
    for name, check in _CHECKS.get(str(collection), {}).items():
        for where, value in _strings(fields.get(name), join(path, name)):
            yield from check(value, where)
    if collection == "endpoints" and fields.get("url") is not None:
        yield from _string_errors(fields["url"], join(path, "url"))
    if collection == "event_destinations" and isinstance(fields.get("target"), dict):
        targets = sorted(str(name) for name, value in fields["target"].items() if value is not None)
        if len(targets) != 1:
            got = " and ".join(targets) or "none"
            yield OptionError(join(path, "target"), f"expected one kind of target, got {got}; set exactly one")


def _list_errors(value: Any, path: str) -> OptionErrors:
    """Yield the errors in the types of a list of strings and of its members."""
    if value is not None and not isinstance(value, list):
        yield OptionError(path, f"expected a list, got {kind_of(value)}")
    for where, one in with_paths(value, path):
        yield from _string_errors(one, where)


def _string_errors(value: Any, path: str) -> OptionErrors:
    if not isinstance(value, str):
        yield OptionError(path, f"expected a string, got {kind_of(value)}")


def _duplicate_errors(hostports: Any, path: str) -> OptionErrors:
    earlier: set[str] = set()
    for where, one in with_paths(hostports, path):
        key = host_key(str(one))
        if isinstance(one, str) and key in earlier:
            yield OptionError(where, f"{one!r} is listed twice; remove one of them")
        earlier.add(key)


def _restriction_errors(fields: Mapping[str, Any], path: str) -> OptionErrors:
    """Yield the errors in what says who gets in. A service might take it for an empty list, which admits everyone."""
    for name, field in RESTRICTIONS.items():
        value, where = fields.get(name), join(path, name)
        if isinstance(value, dict):
            ids, where = value.get(field.name), join(where, field.name)
            yield from _list_errors(ids, where)
            empty = (place for place, one in with_paths(ids, where) if one == "")
            yield from (OptionError(place, f"is empty; {UNSET_VARIABLE}") for place in empty)
        elif value is not None:
            yield OptionError(where, f"expected a dictionary, got {kind_of(value)}")


def _strings(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield the strings that are known already, each with its path."""
    unknown = (identifiers.PREFIX, identifiers.UNKNOWN_PREFIX)
    for where, one in [*with_paths(value, path)] or [(path, value)]:
        if isinstance(one, str) and not one.startswith(unknown) and not identifiers.is_placeholder(one):
            yield where, one


def _network_errors(value: str, path: str) -> OptionErrors:
    try:
        ip_network(value, strict=False)
    except ValueError:
        yield OptionError(path, f"{value!r} is not a network; expected one of IPv4 or IPv6, such as '192.0.2.0/24'")


def _host_errors(value: str, path: str) -> OptionErrors:
    if any(hostport_errors(f"{value}:443", path)):
        expected = "expected one without a port, such as 'shop.example.com'"
        yield OptionError(path, f"{value!r} is not a host name; {expected}")


_CHECKS: Mapping[str, Mapping[str, Callable[[str, str], OptionErrors]]] = {
    **{collection: {"hostports": hostport_errors} for collection in EDGES},
    "ip_policy_rules": {"cidr": _network_errors},
    "reserved_domains": {"domain": _host_errors},
}
