# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths and URLs of the service, and whether requests to them are allowed: only its own origin is. Pure."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from itertools import islice
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit, urlunsplit

from .._errors import UnusableIdentifier, json_type
from .._model.named_secrets import BY_NAME, SecretFields, secrets_in
from .._values.escapes import encodable, unescaped

_PLAIN = re.compile(r"(?!\.\.?\Z)[A-Za-z0-9_.~-]+").fullmatch
is_harmless = re.compile(r"https?://[\w.-]*(?:\[[\w:.]*])?(?::\d+)?(?:/[\w.-]+)*/?|[\w-]*").fullmatch
"""Returns whether there is certainly nothing secret in a URL or a header, as in nearly all of them."""
_UNCLEAR = re.compile(r"[^\x21-\x7e]|\\")
_HOST_NAME = re.compile(r"(?!.{254})\w([\w-]{0,61}\w)?(\.\w([\w-]{0,61}\w)?)*\.?", re.ASCII)
_DEFAULT_PORTS = {"https": 443, "http": 80}

_USER_INFO = re.compile(r"(?s)(?=(?://|:|^(?!/))(.+)@)")
"""Whatever could be a user name or a password. In invalid URLs, nobody knows where they begin."""
_MOST_BEGINNINGS = 4
_AUTHORITY = re.compile(r"(?<!\w)//([^/?#\s]{1,1000})@")

_PARAMETER = re.compile(r"(?<![\w-])(?=([\w-]+)(?![\w-])(?:\[[^]=&]*])*\W{0,9}(?:=|:\s)\s*([^&]{0,4096}))")
"""A parameter in a query, a fragment, or a segment, such as `auth[token]=x`. It is limited: many may overlap."""
_HEADER = re.compile(r"([\w-]+)\s*:\s*(.+)", re.DOTALL)


def base_url_problems(base_url: str, allow_http: bool) -> Iterator[str]:
    parts = url_parts(base_url)
    if parts is None or parts.scheme not in _DEFAULT_PORTS or not is_host(parts.hostname or ""):
        yield "not a valid URL; expected a URL such as https://api.example.com or https://host:8443/base"
        return
    if parts.username is not None or parts.password is not None:
        yield "contains a user name or a password, which is not used and would be displayed; remove it"
    if parts.query or parts.fragment:
        yield "contains a query or a fragment, which the URL of a service cannot have; remove it"
    if parts.scheme == "http" and not allow_http and not names_loopback(base_url):
        yield (
            f"HTTP to {parts.hostname} would send the API key unencrypted; use https, or set `allow_http: true` if you "
            "trust the network"
        )


def path_of(*segments: object) -> str:
    """Return a path of the service with these segments, percent-encoded.

    Raises UnusableIdentifier for a segment that would address something else, such as an empty one or dots.
    """
    return "".join(f"/{_encoded(segment)}" for segment in segments)


def collection_path(collection: str) -> str:
    return path_of(*collection.split("/"))


def object_path(collection: str, identifier: object) -> str:
    return path_of(*collection.split("/"), identifier)


def _encoded(segment: object) -> str:
    if isinstance(segment, str) and _PLAIN(segment):
        return segment
    for problem in segment_problems(segment):
        raise UnusableIdentifier(f"{problem}. No request was sent with it.")
    return quote(str(segment), safe="")


def segment_problems(segment: object) -> Iterator[str]:
    if not isinstance(segment, str):
        yield f"expected an identifier, got {json_type(segment)}"
    elif segment in ("", ".", ".."):
        yield f"expected an identifier, got {segment!r}, which would lead to another path"
    elif encodable(segment) != segment:
        yield f"expected an identifier, got {segment!r}, which cannot be encoded"


def next_page(current: str, link: str, base_url: str) -> str | None:
    """Return the URL of a link to the next page; None if it leads to another origin.

    A link that is a path is relative to the origin, or to the base URL if it does not begin with the path of that.
    """
    base = urlsplit(base_url)
    if link.startswith("/") and not link.startswith("//") and not link.startswith(base.path.rstrip("/") + "/"):
        target = url_parts(base_url.rstrip("/") + link)
    else:
        target = url_parts(urljoin(current, link)) if url_parts(link) else None
    if target is None or "@" in target.netloc or _origin(target) != _origin(base):
        return None
    # Use the origin of the service instead of that in the link, because libraries parse unusual URLs differently.
    return urlunsplit((base.scheme, base.netloc, target.path, target.query, ""))


def is_same_page(current: str, link: str, base_url: str) -> bool:
    """Return whether a page links to itself, possibly with another origin or path prefix.

    Behind a gateway, a service may know neither the name of the gateway nor the prefix that it adds.
    """
    target, here = url_parts(link), urlsplit(current)
    if target is None or target.query != here.query:
        return False
    return unquote(target.path) in {unquote(here.path), unquote(here.path.removeprefix(urlsplit(base_url).path))}


def url_parts(address: str) -> SplitResult | None:
    """Return the parts of a URL, None if it is invalid or ambiguous."""
    try:
        parts = urlsplit(address)
        is_unclear = parts.port == 0 or _UNCLEAR.search(address)
    except ValueError:
        return None
    return None if is_unclear else parts


def secrets_in_address(address: str, secret: SecretFields = BY_NAME) -> Iterator[str]:
    """Yield whatever may be secret in a URL, a path, or a header, and in URLs in its parameters, even if it is invalid.

    What is valid has no user name, but its parameters may be URLs that have one.
    """
    parts = url_parts(address)
    is_url = parts is not None and parts.scheme in _DEFAULT_PORTS and bool(parts.hostname) and "@" not in parts.netloc
    is_valid = is_url or bool(re.match(r"/(?![/\\]|\w*:)", address))
    for reading in (address, *(plain for plain, _places in unescaped(address))):
        for user in _AUTHORITY.findall(reading):
            yield from filter(None, (user, user.partition(":")[2]))
        if "@" in reading and not is_valid:
            yield from (found[1] for found in islice(_USER_INFO.finditer(reading), _MOST_BEGINNINGS))
        for found in (*_PARAMETER.finditer(reading), _HEADER.fullmatch(reading)):
            yield from secrets_in({found[1]: found[2]}, secret) if found else ()


def _origin(parts: SplitResult) -> tuple[str, str | None, int | None]:
    return parts.scheme, parts.hostname, parts.port or _DEFAULT_PORTS.get(parts.scheme)


def is_host(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return _HOST_NAME.fullmatch(host) is not None
    return True


def names_loopback(base_url: str) -> bool:
    """Return whether the host of a URL is a loopback address, `localhost`, or a subdomain of it.

    What a name resolves to is known only once it is connected; see `is_loopback`.
    """
    host = urlsplit(base_url).hostname or ""
    return host == "localhost" or host.endswith(".localhost") or is_loopback(host)


def is_loopback(host: str) -> bool:
    """Return whether this is a numeric loopback address."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)  # versions of Python differ here
    return bool((mapped or address).is_loopback)
