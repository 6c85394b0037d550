# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of unknown types: how they look through a declaration, and how they differ from it. Pure.

Paths have the names of fields, such as `target.kinesis.stream_arn`. The members of a list have the path of the list.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from .._values.hostports import host_keys
from .._values.json_strings import meaning
from .._values.kinds import MASK, Mark, without_line_ends
from .._values.option_error import join
from . import named_secrets
from .named_secrets import BY_NAME, SecretFields
from .named_strings import PartlyMaskedText, Secret, in_spelling_of
from .references import OneOf, identifier_in, identifiers_in, reference_names

_COMPARED_BY_MEANING = frozenset({"metadata", "traffic_policy", "traffic_policy.value"})
_OF_HEADERS = frozenset({"headers"})


@dataclass(frozen=True)
class Terms:
    """Paths of values that are not compared as they are.

    Lists at the `unordered` paths are sets. The service never returns what is at the paths of `secret` fields, and
    never changes what is `create_only`. Each value of the `unique` field, a host or a list of hostports, can belong to
    one object only.
    """

    unordered: frozenset[str] = frozenset()
    secret: SecretFields = BY_NAME
    create_only: frozenset[str] = frozenset()
    reveal: frozenset[str] = frozenset()
    unique: str = ""

    def is_secret(self, path: str, value: Any = None) -> bool:
        return self.secret.is_one_secret(path, value)

    def constant_around(self, path: str) -> str:
        """Return the `create_only` path of a value, or of one around it; empty if it can change."""
        return next((each for each in self.create_only if f"{path}.".startswith(f"{each}.")), "")


def normal_form(given: Any, path: str, terms: Terms) -> Any:
    """Return the normal form of a declared value: no nulls in dictionaries, and no duplicates in sets."""
    if terms.is_secret(path, given):
        return Mark.KEEP if given == MASK else given
    if isinstance(given, Mapping):
        named = ((str(name), member) for name, member in given.items() if member is not None)
        return {name: normal_form(member, join(path, name), terms) for name, member in named}
    if isinstance(given, list):
        members = [normal_form(member, path, terms) for member in given]
        return _each_once(members, path, terms) if path in terms.unordered else members
    return given


def to_send(given: Any, current: Any, path: str, terms: Terms) -> Any:
    """Return the request form of a declared value. Raises SecretNeeded for the mask of a secret that is not known."""
    if terms.is_secret(path, given):
        return Secret().body(given, current if isinstance(current, str) else Mark.UNKNOWN, path)
    if isinstance(given, Mapping):
        known = current if isinstance(current, Mapping) else {}
        named = ((str(name), member) for name, member in given.items() if member is not None)
        return {name: to_send(member, known.get(name), join(path, name), terms) for name, member in named}
    if isinstance(given, list):
        members = [to_send(member, None, path, terms) for member in given]
        return _each_once(members, path, terms) if path in terms.unordered else members
    return named_secrets.to_send(given, current, path, terms.secret)


def _each_once(members: Sequence[Any], path: str, terms: Terms) -> list[Any]:
    kept: list[Any] = []
    for member in members:
        if not any(is_same(other, member, path, terms) for other in kept):
            kept.append(member)
    return kept


def seen_member(
    wire: Mapping[str, Any], name: str, declared: Mapping[str, Any], path: str, terms: Terms, *, whole: bool = False
) -> Any:
    """Return a field of a response as it looks through the declaration of the object: the `whole` one, or without what
    is not declared inside of it.
    """
    where = join(path, name)
    value = wire.get(name)
    if value is None:
        value = next((wire[each] for each in reference_names(name) if wire.get(each) and each not in declared), None)
    if name.endswith("_id"):
        value = identifier_in(value)
    elif name.endswith("_ids") and isinstance(declared[name], list):
        value = identifiers_in(value)
    return seen(value, declared[name], where, terms, whole=whole)


def undeclared_members(wire: Mapping[str, Any], declared: Collection[str]) -> dict[str, Any]:
    """Return what a dictionary in a response contains besides the declared fields and the Refs in place of them.

    In the API, a `uri` is always one that the service assigns.
    """
    known = {*declared, *(each for name in declared for each in reference_names(name)), "uri"}
    return {name: value for name, value in wire.items() if name not in known and not is_empty(value)}


def has_fields(wire: Mapping[str, Any], declared: Iterable[str], terms: Terms) -> bool:
    """Return whether a response has these declared fields, which may be null. No response has secrets."""
    return all(terms.is_secret(name) or not wire.keys().isdisjoint((name, *reference_names(name))) for name in declared)


def seen(wire: Any, declared: Any, path: str, terms: Terms, *, whole: bool = False) -> Any:
    """Return a value of a response as it looks through a declared value in its normal form.

    A `whole` value also has what is not declared: what is lost if the declared value replaces it.
    """
    if terms.is_secret(path, declared):
        is_readable = isinstance(wire, str) and path not in terms.secret.paths
        return Secret().read(wire, path) if is_readable else Mark.UNKNOWN
    if path in terms.create_only and is_empty(wire):
        return declared  # Its value is unknown, and could not be changed.
    # If something inside of a value never changes, the value counts as declared if it is not returned.
    is_fixed = wire is None and any(each.startswith(f"{path}.") for each in terms.create_only)
    if isinstance(declared, Mapping) and (isinstance(wire, Mapping) or is_fixed):
        wire = in_spelling_of(declared, wire or {}) if path in _OF_HEADERS else wire or {}
        members = {name: seen_member(wire, name, declared, path, terms, whole=whole) for name in declared}
        if path in _OF_HEADERS:
            # A header that is not shown is taken for one that is not there. Otherwise, a new one would never be sent.
            absent = {join(path, name): name for name in declared if name not in wire}
            members |= {name: "" for where, name in absent.items() if where not in terms.secret.paths}
        return {**members, **undeclared_members(wire, declared)} if whole else members
    if isinstance(declared, list) and isinstance(wire, list) and not isinstance(wire, OneOf):
        if path in terms.unordered:
            return _seen_set(wire, declared, path, terms, whole=whole)
        pairs = zip_longest(wire, declared[: len(wire)], fillvalue=_common_shape(declared))
        return [seen(one, member, path, terms, whole=whole) for one, member in pairs]
    return wire


def _seen_set(wire: Sequence[Any], declared: Sequence[Any], path: str, terms: Terms, *, whole: bool) -> list[Any]:
    """Return the members of a set: first those that are declared, in the order of the declaration."""
    pairs = list(_pairs_of_set(wire, declared, path, terms))
    present = [member for member in declared if any(member is each for _one, each in pairs)]
    others = [one for one in wire if not any(one is each for each, _member in pairs)]
    shape = _common_shape(declared)
    if whole:
        once = {id(one): (one, member) for one, member in pairs}.values()
        present = [seen(one, member, path, terms, whole=True) for one, member in once]
    return [*present, *(seen(one, shape, path, terms, whole=whole) for one in others)]


def _common_shape(declared: Sequence[Any]) -> Any:
    """Return a dictionary with all keys of the declared members, so that the others look like them."""
    shapes = (member for member in declared if isinstance(member, Mapping))
    return {name: value for shape in shapes for name, value in shape.items()} or None


def differences(current: Any, desired: Any, path: str, terms: Terms, resend_secrets: bool) -> Iterator[str]:
    """Yield the paths at which a current value differs from a declared one, both in their normal form."""
    if desired is Mark.KEEP:
        return
    bare = without_positions(path)
    resend_secrets = resend_secrets and not terms.constant_around(bare)
    if terms.is_secret(bare, desired):
        known = Mark.UNKNOWN if current is None else current
        yield from Secret().differs(_trimmed(known), _trimmed(desired), path, resend_secrets)
    elif terms.unique and bare == terms.unique:
        yield from [] if host_keys(current) == host_keys(desired) else [path]
    elif isinstance(desired, Mapping) and (isinstance(current, Mapping) or is_empty(current)):
        different = [
            each
            for name, value in desired.items()
            for each in differences((current or {}).get(name), value, join(path, name), terms, resend_secrets)
        ]
        yield from different if current else [path][: len(different)]
    elif isinstance(desired, list):
        yield from _different_members(current, desired, path, terms, resend_secrets)
    else:
        desired = named_secrets.unmasked(desired, current, terms.secret, bare)
        if not _same_scalar(current, desired) and not is_same_text(current, desired, path):
            yield from named_secrets.changed_paths(current, desired, path, terms.secret, bare)


def _different_members(
    current: Any, desired: Sequence[Any], path: str, terms: Terms, resend_secrets: bool
) -> Iterator[str]:
    if isinstance(current, OneOf):
        is_same = bool(desired) and set(current) <= set(map(str, desired))
        yield from [] if is_same else [path]
    elif is_empty(current) and terms.is_secret(without_positions(path)):
        yield from [path] if resend_secrets and desired else []
    elif not isinstance(current, list) or len(current) != len(desired):
        yield from [] if is_empty(current) and not desired else [path]
    else:
        found = [
            each
            if (isinstance(theirs, Mapping) and isinstance(ours, Mapping)) or each.startswith(f"{path}[{number}].")
            else path
            for number, (ours, theirs) in enumerate(zip(current, desired))
            for each in differences(ours, theirs, f"{path}[{number}]", terms, resend_secrets)
        ]
        yield from dict.fromkeys(found)


def is_same(current: Any, desired: Any, path: str, terms: Terms) -> bool:
    return next(differences(current, desired, path, terms, resend_secrets=False), None) is None


def is_same_text(current: Any, desired: Any, path: str) -> bool:
    are_strings = isinstance(current, (str, type(None))) and isinstance(desired, str)
    return are_strings and bool(meaning_of(current or "", path) == meaning_of(desired, path))


def meaning_of(text: str, path: str) -> Any:
    """Return what all strings with the same meaning have in common. Services add a line end to certificates."""
    return meaning(text) if path in _COMPARED_BY_MEANING else without_line_ends(text)


def _same_scalar(current: Any, desired: Any) -> bool:
    """Return whether two values are equal. A service that omits empty values also omits false and 0."""
    current, desired = _trimmed(current), _trimmed(desired)
    if is_empty(current):
        return is_empty(desired) or (isinstance(desired, (int, float)) and desired == 0)
    if isinstance(current, bool) or isinstance(desired, bool):
        return current is desired
    return bool(current == desired)


def _trimmed(value: Any) -> Any:
    return without_line_ends(value) if isinstance(value, str) and not isinstance(value, PartlyMaskedText) else value


def text_at(value: Any, path: str) -> str | None:
    """Return the string at a path, or None if there is no string that is not empty."""
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, str) and value else None


def is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, (str, list, Mapping)) and not value)


def is_lost(before: Any, after: Any) -> bool:
    """Return whether a value of a response is empty now and was not. Numbers may count down to 0 on their own."""
    return (not is_empty(before) and is_empty(after)) or (before is True and after is False)


def without_positions(path: str) -> str:
    """Return the path of a difference as options spell it: the members of a list have the path of the list."""
    return "".join(part.partition("]")[2] if position else part for position, part in enumerate(path.split("[")))


def predicted_value(current: Any, desired: Any) -> Any:
    """Return a value after `desired` has been sent: without what is not declared of it, which is unknown."""
    if desired is Mark.KEEP:
        return current
    if isinstance(desired, Mapping):
        known = current if isinstance(current, Mapping) else {}
        return {name: predicted_value(known.get(name), member) for name, member in desired.items()}
    return [predicted_value(None, member) for member in desired] if isinstance(desired, list) else desired


def lost_secret(wire: Any, sent: Any, path: str, terms: Terms) -> str | None:
    """Return the path of a secret that the service has, and that a request does not contain which replaces it."""
    if isinstance(wire, Mapping) and isinstance(sent, Mapping):
        for name, member in (in_spelling_of(sent, wire) if path in _OF_HEADERS else wire).items():
            where = join(path, str(name))
            if name not in sent and member and terms.is_secret(where):
                return where
            if name in sent and (found := lost_secret(member, sent[name], where, terms)):
                return found
    elif isinstance(wire, list) and isinstance(sent, list):
        pairs = _pairs_of_set(wire, sent, path, terms) if path in terms.unordered else zip(wire, sent)
        return next(filter(None, (lost_secret(theirs, ours, path, terms) for theirs, ours in pairs)), None)
    return None


def _pairs_of_set(wire: Sequence[Any], sent: Sequence[Any], path: str, terms: Terms) -> Iterator[tuple[Any, Any]]:
    """Yield the members of a set that stay, each with what is sent of it."""
    for member in sent:
        yield from ((one, member) for one in wire if is_same(seen(one, member, path, terms), member, path, terms))
