# SPDX-License-Identifier: GPL-3.0-or-later
"""Which edge and which route take a request. Pure.

The API does not define that. The documented assumption is that an exact host comes before a wildcard, an exact path
before the longest prefix, a match that names the host before one that does not, and that a prefix ends at a slash.
Services may decide otherwise: each way to do so is a `Reading`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from .._values.hostports import host_key

_EXACT, _PREFIX = "exact_path", "path_prefix"

_UNSETTLED = re.compile(
    r"//|\\|/\.\.?(?:/|$)|%(?:2[5def]|3[0-9]|4[1-9a-f]|5[0-9acf]|6[1-9a-f]|7[0-9ae])", re.IGNORECASE
)
"""What services resolve in different ways: empty segments, dots, and encoded characters that need no encoding."""

WILDCARD = "*"


class Reading(Enum):
    """What a service may do, in words; empty for what is assumed."""

    ASSUMED = ""
    HOSTS_FIRST = "if a match that names the host comes before a longer one"
    ANYWHERE = "if prefixes also match paths that only begin like them"
    LAST_TWIN = "if another route with the same match takes it"
    WILDCARDS_FIRST = "if a wildcard comes before an exact host"


ASSUMED = Reading.ASSUMED


@dataclass(frozen=True)
class Area:
    """The requests that a route matches. The `host` is empty if the match does not name one."""

    host: str
    path: str
    is_exact: bool

    @property
    def is_settled(self) -> bool:
        """Whether each service understands the path in the same way."""
        return not _UNSETTLED.search(self.path)

    def takes(self, host: str, path: str, reading: Reading = ASSUMED) -> bool:
        """Return whether a route with this area matches a path of a host, which has no port."""
        if self.host not in ("", host):
            return False
        if self.is_exact or path == self.path:
            return path == self.path
        if reading is Reading.ANYWHERE:
            return path.startswith(self.path)
        return path.startswith(self.path if self.path.endswith("/") else f"{self.path}/")

    def rank(self, reading: Reading = ASSUMED) -> tuple[bool | int, ...]:
        """Return what is higher for the area that takes a request which several areas match."""
        if reading is Reading.HOSTS_FIRST:
            return bool(self.host), self.is_exact, len(self.path)
        return self.is_exact, len(self.path), bool(self.host)


EVERYTHING = Area("", "/", is_exact=False)


def area_of_match(match_type: str, match: str) -> Area | None:
    """Return the requests that routes with this match take; None if the API does not define its form."""
    host, slash, rest = match.partition("/")
    is_exact = match_type == _EXACT
    is_odd = not match or WILDCARD in match or ":" in host or host.endswith(".") or (is_exact and not slash)
    if is_odd or match_type not in (_EXACT, _PREFIX):
        return None
    return Area(host_key(host), slash + rest or "/", is_exact)


def prefixes_of(path: str, reading: Reading = ASSUMED) -> Iterator[str]:
    """Yield the prefixes that contain a path, the most specific one first. Each of them ends where a slash is."""
    for end in range(len(path), -1, -1):
        if reading is Reading.ANYWHERE or end == len(path) or "/" in path[max(end - 1, 0) : end + 1]:
            yield path[:end]


_BELOW = "/.below"


def below(path: str) -> str:
    """Return a path below another one that no match names."""
    return path.rstrip("/") + _BELOW


def without_probe(path: str) -> str:
    """Return the path that one below it was made of."""
    return path.removesuffix(_BELOW) or "/"


@lru_cache(maxsize=10_000)
def hosts_around(hostport: str, reading: Reading = ASSUMED) -> Sequence[str]:
    """Return the hostports by which edges can serve one, the one that counts first: itself, and wildcards around it.

    Nothing says that a wildcard stands for whole labels, or that something follows it.
    """
    host, _colon, port = hostport.rpartition(":")
    wildcards = [f"{WILDCARD}{host[at:]}:{port}" for at in range(len(host) + 1)] if host else []
    return (*wildcards[::-1], hostport) if reading is Reading.WILDCARDS_FIRST else (hostport, *wildcards)


def covered_by(wildcard: str) -> str:
    """Return a hostport that a wildcard covers, and that nothing names."""
    return f"any-other{wildcard[1:]}" if wildcard.startswith(WILDCARD) else wildcard


def host_of(hostport: str) -> str:
    return hostport.rpartition(":")[0]


def covers(pattern: str, host: str) -> bool:
    """Return whether a pattern of hosts, such as `*.example.com`, covers a host."""
    return pattern == host or (pattern.startswith(WILDCARD) and host.endswith(pattern[1:]))
