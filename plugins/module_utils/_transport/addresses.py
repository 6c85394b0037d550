# SPDX-License-Identifier: GPL-3.0-or-later
"""Where requests may go: to the service's own origin and nowhere else. Pure."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit, urlunsplit

from .._errors import UnusableIdentifier, json_kind

_PLAIN = re.compile(r"[A-Za-z0-9_.~-]+").fullmatch
_HALF_OF_A_CHARACTER = re.compile(r"[\ud800-\udfff]")
_UNCLEAR = re.compile(r"[^\x21-\x7e]|\\")
_HOST_NAME = re.compile(r"(?!.{254})\w([\w-]{0,61}\w)?(\.\w([\w-]{0,61}\w)?)*\.?", re.ASCII)
_DEFAULT_PORTS = {"https": 443, "http": 80}


def base_url_errors(base_url: str, allow_http: bool) -> Iterator[str]:
    """What is wrong with the service's address."""
    parts = _split(base_url)
    if parts is None or parts.scheme not in _DEFAULT_PORTS or not _is_host(parts.hostname or ""):
        yield "base_url: this is no address of a service; it looks like https://api.example.com or https://host:8443/base"
        return
    if parts.username is not None or parts.password is not None:
        yield "base_url: a user name or a password in the address is not used and would be shown; take it out"
    if parts.query or parts.fragment:
        yield "base_url: an address of a service has no query and no fragment"
    if parts.scheme == "http" and not allow_http and not names_loopback(base_url):
        yield (
            f"base_url: plain http to {parts.hostname} would send the key in the clear; use https, or say allow_http: "
            "true if the way there is safe"
        )


def tcp_address(url: str) -> tuple[str, int] | None:
    """The host and the port of an address such as tcp://1.tcp.example.net:12345; None for any other."""
    parts = _split(url)
    if parts is None or parts.scheme != "tcp" or parts.port is None or "@" in parts.netloc or parts.query:
        return None
    host = parts.hostname or ""
    # The zone of an address means something on the machine only that has it.
    return (host, parts.port) if _is_host(host) and "%" not in host and parts.path in ("", "/") else None


def path_of(*segments: object) -> str:
    """A path of the service from its segments, each quoted. Raises UnusableIdentifier for one that would be another
    path: nothing, or the dots that lead up.
    """
    for segment in segments:
        for option_error in segment_errors(segment):
            raise UnusableIdentifier(option_error)
    return "".join("/" + (segment if _PLAIN(segment) else quote(segment, safe="")) for segment in map(str, segments))


def segment_errors(segment: object) -> Iterator[str]:
    """What keeps this from being the name of something in a path."""
    if not isinstance(segment, str):
        yield f"expected an identifier, got {json_kind(segment)}"
    elif segment in ("", ".", ".."):
        yield f"expected an identifier, got {segment!r}, which would lead to another path"
    elif _HALF_OF_A_CHARACTER.search(segment):
        yield f"expected an identifier, got {segment!r}, which cannot be encoded"


def next_page(current: str, link: str, base_url: str) -> str | None:
    """The absolute address of a next-page link, which is absolute or a path; None where it leaves the service's origin.

    A path counts from the origin, or from the base address where it does not repeat that one's own path.
    """
    base = urlsplit(base_url)
    if link.startswith("/") and not link.startswith("//") and not _is_below(link, base.path):
        target = _split(base_url.rstrip("/") + link)
    else:
        target = _split(urljoin(current, link)) if _split(link) else None
    if target is None or "@" in target.netloc or _origin(target) != _origin(base):
        return None
    # From the service's own origin, and not from what the link has there: libraries read odd addresses differently.
    return urlunsplit((base.scheme, base.netloc, target.path, target.query, ""))


def is_same_page(current: str, link: str, base_url: str) -> bool:
    """Whether a link is the address of the very page that it is on, by whatever origin the service calls itself.

    Behind a gateway, a service may know neither that one's name nor the path that it puts before the service's own.
    """
    target, here = _split(link), urlsplit(current)
    if target is None or target.query != here.query:
        return False
    return unquote(target.path) in {unquote(here.path), unquote(here.path.removeprefix(urlsplit(base_url).path))}


def _split(address: str) -> SplitResult | None:
    """The parts of an address, None where it can't be one or could be read in more than one way."""
    try:
        parts = urlsplit(address)
        is_unclear = parts.port == 0 or _UNCLEAR.search(address)
    except ValueError:
        return None
    return None if is_unclear else parts


def _is_below(path: str, base_path: str) -> bool:
    return path.startswith(base_path.rstrip("/") + "/")


def _origin(parts: SplitResult) -> tuple[str, str | None, int | None]:
    return parts.scheme, parts.hostname, parts.port or _DEFAULT_PORTS.get(parts.scheme)


def _is_host(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return _HOST_NAME.fullmatch(host) is not None
    return True


def names_loopback(base_url: str) -> bool:
    """Whether an address names this machine: by number, or as `localhost` or a name below it.

    What a name really leads to is seen only once it is connected to. See `is_loopback`.
    """
    host = urlsplit(base_url).hostname or ""
    return host == "localhost" or host.endswith(".localhost") or is_loopback(host)


def is_loopback(host: str) -> bool:
    """Whether this is an address, in numbers, of this machine alone."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)  # versions of Python disagree about these
    return bool((mapped or address).is_loopback)
