# SPDX-License-Identifier: GPL-3.0-or-later
"""The way of one request: what serves it, what it must pass, and where it gets. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from .access import Access
from .account import Account, Edge
from .probe import Request
from .probes import by_reading
from .routing import Area, condition
from .views import START, Part

_PORTS = {"https": 443, "http": 80, "tls": 443, "tcp": None}
_OPTIONS = "OPTIONS "


@dataclass(frozen=True)
class Way:
    """The way of a request. Without a `taker`, nothing takes it; without `access`, nobody gets through.

    The `edge` is the one that serves the host, if there is any. The `condition` says on which services the request goes
    that way; it is empty for the way that is assumed.
    """

    taker: tuple[Edge, Part] | None
    edge: Edge | None
    access: Access | None
    condition: str


def request_of(text: str) -> Request | None:
    """Return the request of a URL such as `https://shop.example.com/admin`, or with `OPTIONS ` before it."""
    try:
        url = urlsplit(text.removeprefix(_OPTIONS))
        port = url.port or _PORTS[url.scheme]
    except (ValueError, KeyError):
        return None
    if not url.hostname or not port:
        return None
    host = f"[{url.hostname}]" if ":" in url.hostname else url.hostname
    return Request(f"{host}:{port}", url.path or "/", text.startswith(_OPTIONS))


def is_settled(request: Request) -> bool:
    """Return whether each service understands the path of a request in the same way."""
    return Area("", request.path, is_exact=True).is_settled


def ways(account: Account, request: Request) -> Iterator[Way]:
    """Yield the way of a request as it is assumed, and then those that differ on services with other readings."""
    seen: list[tuple[Edge, Part] | None] = []
    for probe in by_reading(account, request):
        taker = probe.taker(START)
        if taker not in seen:
            seen.append(taker)
            edge = next((one.edge for one in probe.servers if one.edge.serves(one.hostport, START)), None)
            yield Way(taker, edge, probe.access(START), condition(probe.reading))
