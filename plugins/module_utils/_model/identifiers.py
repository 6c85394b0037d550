# SPDX-License-Identifier: GPL-3.0-or-later
"""The IDs of the service's objects, whose prefixes identify the kind of object (section 2). Pure."""

from __future__ import annotations

import re

from .._errors import UNSET_VARIABLE
from .option_error import OptionError, OptionErrors

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
"""The kinds of objects by the prefixes of their IDs. The API reference mentions these; there are others."""

COLLECTIONS = {
    "edges/https": EDGE_PREFIX,
    "edges/tls": TLS_EDGE_PREFIX,
    "event_subscriptions": SUBSCRIPTION_PREFIX,
    "ip_policies": IP_POLICY_PREFIX,
    "tunnels": TUNNEL_PREFIX,
}
"""The prefixes of the IDs of the objects in these collections. Those of other collections are unknown."""

_UNUSABLE = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")
_PREFIX = re.compile(r"[A-Za-z0-9]+_")
_MEANT_FOR_ADDRESSES = re.compile(r"[/\\?#%]")
_ONLY_DOTS = re.compile(r"[A-Za-z0-9]+_\.+")


def id_errors(identifier: str, kind: str, path: str) -> OptionErrors:
    """Yield the errors in the ID of an object of this kind, such as "an HTTPS edge".

    Prefixes that the API reference does not mention are accepted, because their meaning is unknown.
    """
    own, expected = _expected(kind)
    found = _PREFIX.match(identifier)
    prefix = found[0] if found else ""
    if not identifier:
        yield OptionError(path, f"is empty; {UNSET_VARIABLE}")
    elif _UNUSABLE.search(identifier):
        problem = "contains a blank or a control character, such as a line break"
        yield OptionError(path, f"{identifier!r} {problem}; {expected}")
    elif prefix in KINDS and KINDS[prefix] != kind:
        yield OptionError(path, f"{identifier!r} is the ID of {KINDS[prefix]}; {expected}")
    elif own and (not prefix or identifier == prefix):
        yield OptionError(path, f"{identifier!r} is not an ID; {expected}")


def addressed_id_errors(identifier: str, kind: str, path: str) -> OptionErrors:
    """Yield the errors in an ID that becomes part of a path.

    An ID that was pasted with other parts of a URL is rejected, because a server in between might decode it. Objects
    that the service returns with such an ID can still be read and purged.
    """
    wrong = list(id_errors(identifier, kind, path))
    yield from wrong
    if wrong:
        return
    expected = _expected(kind)[1]
    if sign := _MEANT_FOR_ADDRESSES.search(identifier):
        yield OptionError(path, f"{identifier!r} contains {sign[0]!r}, which has a special meaning in URLs; {expected}")
    elif _ONLY_DOTS.fullmatch(identifier):
        yield OptionError(path, f"{identifier!r} is not an ID; {expected}")


def _expected(kind: str) -> tuple[str | None, str]:
    """Return the prefix of this kind's IDs, if it is known, and the expected value in words."""
    own = next((prefix for prefix, noun in KINDS.items() if noun == kind), None)
    return own, f"expected the ID of {kind}" + (f", which starts with {own!r}" if own else "")
