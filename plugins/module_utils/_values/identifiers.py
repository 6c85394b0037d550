# SPDX-License-Identifier: GPL-3.0-or-later
"""The IDs of the service's objects, whose prefixes identify the kind of object (section 2), and references. Pure.

In check mode, objects that a task would create have IDs as well, so that later tasks can plan what belongs to them. A
reference, such as `ref:office`, stands for the ID of an object with a name.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from .._errors import UNSET_VARIABLE
from .option_error import OptionError, OptionErrors

EDGE_PREFIX = "edghts_"
ROUTE_PREFIX = "edghtsrt_"
TLS_EDGE_PREFIX = "edgtls_"
SUBSCRIPTION_PREFIX = "esb_"
TUNNEL_PREFIX = "tn_"
IP_POLICY_PREFIX = "ipp_"


class ObjectKind(NamedTuple):
    """A kind of object that the API reference mentions. There are others.

    `collection` is its path, with * in place of the ID of another object. A kind with a `module` of its own is
    compared, ordered, and protected better by this module than by `object`.
    """

    prefix: str
    noun: str
    collection: str = ""
    module: str = ""


OBJECT_KINDS = (
    ObjectKind(EDGE_PREFIX, "an HTTPS edge", "edges/https", "https_edge"),
    ObjectKind(ROUTE_PREFIX, "a route of an HTTPS edge", "edges/https/*/routes", "https_edge_route"),
    ObjectKind(TLS_EDGE_PREFIX, "a TLS edge", "edges/tls"),
    ObjectKind(SUBSCRIPTION_PREFIX, "an event subscription", "event_subscriptions"),
    ObjectKind(TUNNEL_PREFIX, "a tunnel", "tunnels"),
    ObjectKind(IP_POLICY_PREFIX, "an IP policy", "ip_policies"),
    ObjectKind("ts_", "a tunnel session"),
    ObjectKind("ep_", "an endpoint", "endpoints"),
)

KINDS = {kind.prefix: kind.noun for kind in OBJECT_KINDS}

COLLECTIONS = {kind.collection: kind.prefix for kind in OBJECT_KINDS if kind.collection}
"""The prefixes of the IDs of the objects in these collections. Those of other collections are unknown."""

OWN_MODULES = {
    **{kind.collection: kind.module for kind in OBJECT_KINDS if kind.module},
    "edges/tls/*/ip_restriction": "tls_edge_ip_restriction",
    "edges/tls/*/tls_termination": "tls_edge_tls_termination",
    "event_subscriptions/*/sources": "event_source",
}

_UNUSABLE = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")
_ID_PREFIX = re.compile(r"[A-Za-z0-9]+_")
_MEANT_FOR_ADDRESSES = re.compile(r"[/\\?#%]")
_ONLY_DOTS = re.compile(r"[A-Za-z0-9]+_\.+")


def own_module(collection: str) -> str:
    found = (module for path, module in OWN_MODULES.items() if re.fullmatch(path.replace("*", "[^/]+"), collection))
    return next(found, "")


def id_errors(identifier: str, kind: str, path: str, *, is_addressed: bool = False) -> OptionErrors:
    """Yield the errors in the ID of an object of this kind, such as "an HTTPS edge".

    Prefixes that the API reference does not mention are accepted, because their meaning is unknown.

    An ID that `is_addressed` becomes part of a path. If it was pasted with other parts of a URL, it is rejected,
    because a server in between might decode it. Objects that the service returns with such an ID can still be read and
    purged.
    """
    own = next((prefix for prefix, noun in KINDS.items() if noun == kind), None)
    expected = f"expected the ID of {kind}" + (f", which starts with {own!r}" if own else "")
    found = _ID_PREFIX.match(identifier)
    prefix = found[0] if found else ""
    if not identifier:
        yield OptionError(path, f"is empty; {UNSET_VARIABLE}")
    elif WORD in identifier and (name := reference_in(identifier)):
        yield OptionError(path, f"{only_in_estates(name)}; {expected}")
    elif _UNUSABLE.search(identifier):
        problem = "contains a blank or a control character, such as a line break"
        yield OptionError(path, f"{identifier!r} {problem}; {expected}")
    elif prefix in KINDS and KINDS[prefix] != kind:
        yield OptionError(path, f"{identifier!r} is the ID of {KINDS[prefix]}; {expected}")
    elif (own and prefix in ("", identifier)) or (is_addressed and _ONLY_DOTS.fullmatch(identifier)):
        yield OptionError(path, f"{identifier!r} is not an ID; {expected}")
    elif is_addressed and (sign := _MEANT_FOR_ADDRESSES.search(identifier)):
        yield OptionError(path, f"{identifier!r} contains {sign[0]!r}, which has a special meaning in URLs; {expected}")


_SUFFIX = "would-be-created"

_DIGITS = 12
"""Of the part that distinguishes new objects. They are enough for millions of objects, and names stay readable."""

UNKNOWN_PREFIX = "new_"
"""The prefix of placeholders for objects whose kind the collection does not know."""


def placeholder(prefix: str, *identity: Any) -> str:
    """Return the ID of an object in check mode before it exists; `prefix` is that of its kind (section 2).

    `identity` is what finds the object later: later tasks would take two objects with the same ID for one.
    """
    if not identity:
        return prefix + _SUFFIX
    text = json.dumps(identity, sort_keys=True, default=str)
    return f"{prefix}{hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]}_{_SUFFIX}"


def is_placeholder(identifier: Any) -> bool:
    return isinstance(identifier, str) and identifier.endswith("_" + _SUFFIX)


def placeholders_in(values: Iterable[Any]) -> list[str]:
    return [one for value in values for one in strings_in(value) if is_placeholder(one)]


def strings_in(value: Any) -> Iterator[str]:
    """Yield all strings inside of a value, of which some may be IDs, also as the keys of a dictionary."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, (dict, list)):
            waiting += reversed([*one.values(), *one] if isinstance(one, dict) else one)


def with_ids(value: Any, ids: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {ids.get(name, name): with_ids(member, ids) for name, member in value.items()}
    if isinstance(value, list):
        return [with_ids(member, ids) for member in value]
    return ids.get(value, value) if isinstance(value, str) else value


def placeholder_errors(value: Any, path: str, check_mode: bool) -> OptionErrors:
    """Yield an error for a value that is a placeholder outside check mode, and for each one inside of the value."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield from placeholder_errors(name, f"{path}.{name}", check_mode)
            yield from placeholder_errors(member, f"{path}.{name}", check_mode)
    elif isinstance(value, list):
        for number, member in enumerate(value):
            yield from placeholder_errors(member, f"{path}[{number}]", check_mode)
    elif is_placeholder(value) and not check_mode:
        yield OptionError(path, f"{value} is a check-mode placeholder; outside check mode, set a real ID")


WORD = "ref"
PREFIX = f"{WORD}:"

_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9_. -]*[A-Za-z0-9])?"
_REFERENCE = re.compile(rf"\s*{WORD}\s*:\s*({_NAME})\s*")
"""Includes references with blanks, which are errors of their own: no string with blanks is an ID."""


def is_name(text: str) -> bool:
    return re.fullmatch(_NAME, text) is not None


def reference_in(text: str) -> str | None:
    """Return what a reference contains after its prefix, None if the string is not a reference."""
    found = _REFERENCE.fullmatch(text)
    return found[1] if found else None


def only_in_estates(name: str) -> str:
    return f"{PREFIX}{name} refers to an object by its name, which only the module `estate` supports"


def blank_problem(value: Any) -> str:
    """Return what to write in place of a reference with blanks, of which YAML makes a dictionary without quotes."""
    reference = value.get(WORD) if isinstance(value, Mapping) and len(value) == 1 else None
    if isinstance(value, str):
        reference = reference_in(value)
    is_meant = isinstance(reference, str) and value != f"{PREFIX}{reference}"
    return f"write {PREFIX}{reference} without blanks around the colon" if is_meant else ""
