# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that are found by their fields: which of those in a list, and which fields cannot find any."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from html import unescape
from typing import Any
from urllib.parse import unquote

from .._errors import UNSET_VARIABLE, Ambiguous, Contradiction
from .._model.free_form import declared_fields
from .._model.free_form_values import Terms, is_same, normal_form, seen_member
from .._model.named_secrets import BY_NAME, SecretFields, masked
from .._planning.object_names import with_distinguishing_fields
from .._values.hostports import host_form, host_key, host_keys, plain_hosts
from .._values.json_strings import meaning
from .._values.option_error import OptionError, OptionErrors, join
from .._values.option_wording import quoted
from .collection_of_objects import Wire

_DEFAULT_PORT = re.compile(r":(?:443|80)(?=/|$)")
_SCHEME = re.compile(r"^https?://")
_LENGTHS_OF_DEFAULTS = {scheme + port for scheme in (0, 7, 8) for port in (0, 3, 4)} - {0}
_IN_PUNYCODE = re.compile(r"xn--([a-z0-9-]+)")
_SHORTEST_LIMIT = 63
"""No service is known that cuts off shorter strings, and names such as `shop` and `shop-2` belong to two objects."""


def matching_objects(wires: Sequence[Wire], find_by: Mapping[str, Any], terms: Terms) -> list[Wire]:
    wanted = {name: normal_form(value, name, terms) for name, value in find_by.items()}
    hosts = host_keys(find_by.get(terms.unique))

    def has(wire: Wire, name: str) -> bool:
        if name == terms.unique:
            return bool(hosts) and hosts == host_keys(wire.get(name))
        return is_same(seen_member(wire, name, wanted, "", terms), wanted[name], name, terms)

    return [wire for wire in wires if all(has(wire, name) for name in wanted)]


_OTHERWISE = {
    "present": "A new object needs values that differ in more than spelling; otherwise, each run would create another "
    "one.",
    "absent": "If it is another object, the declared one does not exist; remove it from the declaration.",
    "looked up": "If it is another object, no object has these values.",
}
"""What to do if an object that may be the declared one is another one, by the declared state."""


def check_near_misses(
    wires: Iterable[Wire],
    find_by: Mapping[str, Any],
    terms: Terms,
    state: str,
    use: str = "set `id` to",
    *,
    one_suffices: bool = False,
) -> None:
    """Raise Contradiction for an object that may be the declared one, whose values the service writes in another way.

    It would do the same to the value of a new object, so no run would find it, and each would create another. If
    `one_suffices`, an object is found by any of its hosts.
    """

    def alike(wire: Wire, name: str) -> Any:
        """Return the value that a field has instead, None if it is another one."""
        if name == terms.unique:
            return _hosts_alike(wire.get(name), find_by[name], one_suffices)
        current, declared = wire.get(name), find_by[name]
        if not (isinstance(current, str) and isinstance(declared, str)):
            current = seen_member(wire, name, find_by, "", Terms())
        if name in terms.unordered and isinstance(current, list) and isinstance(declared, list):
            current, declared = (sorted(one, key=lambda member: _loose(str(member))) for one in (current, declared))
        return current if is_spelled_alike(current, declared) else None

    for wire in wires:
        found = {name: value for name in find_by if (value := alike(wire, name)) is not None}
        if len(found) == len(find_by):
            shown = " and ".join(
                f"{quoted(masked(value))} for {name}" for name, value in found.items() if value != find_by[name]
            )
            raise Contradiction(
                f"{wire.get('id')} has {shown}, which may be the declared value in the spelling of the service. "
                f"Declare what finds an object as the service returns it, or {use} {wire.get('id')}. "
                f"{_OTHERWISE[state]}"
            )


def _hosts_alike(current: Any, declared: Any, one_suffices: bool) -> Any:
    """Return the hosts that may be declared ones, or the current value if it is the declared one; else, None."""
    ours = host_keys(declared)
    forms = set(map(host_form, ours))
    members = current if isinstance(current, list) else [current]
    theirs = {host_key(one): one for one in members if isinstance(one, str)}
    if theirs.keys() == ours:
        return current
    alike = [one for key, one in theirs.items() if key not in ours and host_form(key) in forms]
    return (alike or None) if one_suffices or set(map(host_form, theirs)) == forms else None


def is_spelled_alike(current: Any, declared: Any) -> bool:
    """Return whether a current value may be the declared one, as a service may write it in another way.

    A number is like its digits. Strings are alike if they differ in blanks, letter case, quotes, Unicode form,
    encoding, a slash at the end, a dot before a port, the form of an IPv6 address, or a scheme or default port that
    only one of them has. A long string is like one that continues it.
    """
    if isinstance(current, list) and isinstance(declared, list):
        return len(current) == len(declared) and all(map(is_spelled_alike, current, declared))
    if isinstance(current, dict) and isinstance(declared, dict):
        return current.keys() == declared.keys() and all(
            is_spelled_alike(current[name], declared[name]) for name in current
        )
    if current is None or declared is None or isinstance(current, (dict, list)) or isinstance(declared, (dict, list)):
        return current is declared
    text, other = _loose(current), _loose(declared)
    more = abs(len(text) - len(other))
    return (
        text == other
        or (more in _LENGTHS_OF_DEFAULTS and (text in _without_defaults(other) or other in _without_defaults(text)))
        # A service may have cut off a long string.
        or (_SHORTEST_LIMIT <= len(str(current)) < len(str(declared)) and str(declared).startswith(str(current)))
    )


@lru_cache(maxsize=10_000, typed=True)
def _loose(value: Any) -> str:
    text = str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
    text = unicodedata.normalize("NFKC", unescape(unquote(text))).casefold()
    text = plain_hosts(" ".join(_IN_PUNYCODE.sub(_decoded, meaning(text)).replace('"', "").split()))
    return text.rstrip("/") or text


def _decoded(label: re.Match[str]) -> str:
    try:
        return label[1].encode().decode("punycode")
    except UnicodeError:
        return label[0]


def _without_defaults(address: str) -> tuple[str, ...]:
    bare = _SCHEME.sub("", address)
    return bare, _DEFAULT_PORT.sub("", address), _DEFAULT_PORT.sub("", bare)


def the_only_one(
    wires: Sequence[Wire],
    collection: str,
    find_by: Mapping[str, Any],
    secret: SecretFields,
    advice: str = "Set `id` to choose one.",
) -> Wire | None:
    """Return the only object of those that match, None if there is none. Raise Ambiguous if there are several."""
    if len(wires) > 1:
        raise Ambiguous(
            f"{len(wires)} objects in {collection} match the declared {' and '.join(find_by)}: "
            f"{with_distinguishing_fields(wires, secret)}. {advice}",
            [str(wire.get("id")) for wire in wires],
        )
    return wires[0] if wires else None


def find_by_errors(find_by: Any, path: str, secret: SecretFields = BY_NAME) -> OptionErrors:
    """Yield the errors in the fields that find an object. In a lookup, these are the options, and `path` is empty."""
    if not isinstance(find_by, dict):
        return
    if not find_by:
        yield OptionError(path, f"{'is empty, so ' if path else ''}every object would match; set at least one field")
    fields = declared_fields({name: "" if value is None else value for name, value in find_by.items()})
    for name, value in fields.items():
        if not name:
            yield OptionError(join(path, name), "the name of a field is empty; set a name")
        elif name == "id":
            text = "an object is not found by its ID this way; set `id` instead of `find_by`"
            yield OptionError(join(path, name), text if path else "use the ID itself, without a lookup")
        else:
            yield from _find_by_field_errors(name, value, path, secret)


def _find_by_field_errors(field: str, value: Any, path: str, secret: SecretFields) -> OptionErrors:
    """Yield the errors in a field, and inside of it: what is empty or secret there would match objects without it."""
    where = join(path, field)
    if secret.has(field):
        yield OptionError(where, "services do not return secrets, so they cannot find an object; use another field")
    elif value is None or value in ([], {}) or (isinstance(value, str) and not value.strip()):
        yield OptionError(where, f"is empty, so it would match objects without it; {UNSET_VARIABLE}")
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from _find_by_field_errors(join(field, str(name)), member, path, secret)
    elif isinstance(value, list):
        for member in value:
            yield from _find_by_field_errors(field, member, path, secret)


def vague_errors(find_by: Any, path: str) -> OptionErrors:
    """Yield the error in values that would find any object without these fields, such as one that is misspelled."""
    fields = declared_fields(find_by) if isinstance(find_by, dict) else {}
    if fields and all(map(_is_vague, fields.values())):
        text = "false and 0 also match objects without these fields; set at least one field with another value"
        yield OptionError(path, text)


def _is_vague(value: Any) -> bool:
    """Return whether a value equals a missing one, or, in a list, whether its dictionaries equal any others."""
    if isinstance(value, dict):
        return bool(value) and all(map(_is_vague, value.values()))
    if isinstance(value, list):
        return bool(value) and all(isinstance(member, (dict, list)) and _is_vague(member) for member in value)
    return value is False or value == 0
