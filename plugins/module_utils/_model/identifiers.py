# SPDX-License-Identifier: GPL-3.0-or-later
"""The IDs of the service's objects, whose prefixes tell what they are the IDs of (section 2). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .._errors import UNSET_VARIABLE

EDGE_PREFIX = "edghts_"
ROUTE_PREFIX = "edghtsrt_"
TLS_EDGE_PREFIX = "edgtls_"
SUBSCRIPTION_PREFIX = "esb_"
TUNNEL_PREFIX = "tn_"
IP_POLICY_PREFIX = "ipp_"

KINDS = {
    EDGE_PREFIX: "an HTTPS edge",
    ROUTE_PREFIX: "a route of an HTTPS edge",
    TLS_EDGE_PREFIX: "a TLS edge",
    SUBSCRIPTION_PREFIX: "an event subscription",
    TUNNEL_PREFIX: "a tunnel",
    IP_POLICY_PREFIX: "an IP policy",
    "ts_": "a tunnel session",
    "ep_": "an endpoint",
}
"""What the IDs with these prefixes belong to. The description has seen these; there are others."""

_UNUSABLE = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")
_PREFIX = re.compile(r"[A-Za-z0-9]+_")
_MEANT_FOR_ADDRESSES = re.compile(r"[/\\?#%]")
_ONLY_DOTS = re.compile(r"[A-Za-z0-9]+_\.+")


def id_errors(identifier: str, kind: str, path: str) -> Iterator[str]:
    """What is wrong with the ID of an object of this kind, such as "an HTTPS edge".

    Prefixes that the description does not have are accepted: what they stand for is not known.
    """
    own, expected = _expected(kind)
    found = _PREFIX.match(identifier)
    prefix = found[0] if found else ""
    if not identifier:
        yield f"{path}: is empty; {UNSET_VARIABLE}"
    elif _UNUSABLE.search(identifier):
        yield f"{path}: {identifier!r} contains a blank or a control character, such as a line break; {expected}"
    elif prefix in KINDS and KINDS[prefix] != kind:
        yield f"{path}: {identifier!r} is the ID of {KINDS[prefix]}; {expected}"
    elif own and (not prefix or identifier == prefix):
        yield f"{path}: {identifier!r} is not an ID; {expected}"


def addressed_id_errors(identifier: str, kind: str, path: str) -> Iterator[str]:
    """What is wrong with an ID that requests are addressed to.

    What was pasted with more of an address than the ID, or spells another one, is told before a server on the way has
    undone its quoting. What the service shows with such an ID can still be read, and purged.
    """
    option_errors = list(id_errors(identifier, kind, path))
    yield from option_errors
    if option_errors:
        return
    expected = _expected(kind)[1]
    sign = _MEANT_FOR_ADDRESSES.search(identifier)
    if sign:
        yield f"{path}: {identifier!r} contains {sign[0]!r}, which has a meaning of its own in addresses; {expected}"
    elif _ONLY_DOTS.fullmatch(identifier):
        yield f"{path}: {identifier!r} is not an ID; {expected}"


def _expected(kind: str) -> tuple[str | None, str]:
    """The prefix of this kind's IDs, if it is known, and what a fault says to give."""
    own = next((prefix for prefix, noun in KINDS.items() if noun == kind), None)
    return own, f"expected the ID of {kind}" + (f", which starts with {own!r}" if own else "")
