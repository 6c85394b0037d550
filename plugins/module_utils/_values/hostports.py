# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostports: which of them are the same, whether one is a host with a port, and what to write if it is not. Pure."""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from .._errors import UNSET_VARIABLE
from .escapes import is_invisible
from .kinds import StringSet
from .option_error import OptionError, OptionErrors

LARGEST_PORT = 65_535

_EXAMPLE = "'shop.example.com:443'"
_EXPECTED = f"expected a host and a port, such as {_EXAMPLE}"
# Of ASCII, what is in host names somewhere. Which names outside ASCII are valid depends on the service.
_NAME = re.compile(r"(?:[A-Za-z0-9._*-]|[^\x00-\x7f])+")
_BRACKETED = re.compile(r"\[[0-9A-Fa-f:.]+\]")
_JOINERS = "\u200c\u200d"
"""Invisible characters that names in some scripts require."""


def hostport_errors(name: str, path: str) -> OptionErrors:
    if problem := next(_problems(name), ""):
        yield OptionError(path, problem)


def _problems(name: str) -> Iterator[str]:
    """Yield possible problems, of which the first is the right one: each check relies on those before it."""
    if not name:
        yield f"is empty; {UNSET_VARIABLE}"
    yield from _problems_of_characters(name)
    if url := re.fullmatch(r"([A-Za-z][A-Za-z0-9+.-]*)://(.*)", name, re.DOTALL):
        host, port = _split(re.split("[/?#]", url[2])[0])
        yield f"{name!r} is a URL; {_instead(host, port or ('443' if url[1].lower() == 'https' else ''))}"
    before_path = re.split("[/?#]", name)[0]
    if before_path != name:
        yield f"{name!r} contains a path, which belongs to a route; {_instead(*_split(before_path))}"
    if name.count(":") > 1 and "[" not in name:
        yield f"{name!r} has several colons; expected one, and an IPv6 address in brackets, as in '[2001:db8::1]:443'"
    host, port = _split(name)
    if not port and host.isdigit():
        yield f"{name!r} is a port without a host; {_EXPECTED}"
    if not port:
        yield f"{name!r} has no port; {_instead(host, '')}"
    if not host:
        yield f"{name!r} has no host; {_EXPECTED}"
    yield _problem_of_parts(name, host, port)


def _problems_of_characters(name: str) -> Iterator[str]:
    if any(is_invisible(letter) and letter not in _JOINERS for letter in name):
        yield f"{name!a} contains a space or an invisible character; {_EXPECTED}"
    plain = unicodedata.normalize("NFKC", name).replace("\u3002", ".")
    if "@" in plain:
        yield f"contains a user name, and possibly a password; {_EXPECTED}"  # which is not displayed
    if plain != unicodedata.normalize("NFC", name):
        advice = _EXPECTED if next(_problems(plain), "") else f"write {plain!r}"
        yield f"{name!r} contains full-width or similar characters; {advice}"


def _problem_of_parts(name: str, host: str, port: str) -> str:
    if not (_NAME.fullmatch(host) or _BRACKETED.fullmatch(host)):
        return f"{name!r} contains characters that are not allowed in a host; {_EXPECTED}"
    if host.startswith(".") or ".." in host:
        return f"{name!r} has nothing before a dot; {UNSET_VARIABLE}"
    if not (port.isascii() and port.isdigit()):
        return f"{port!r} is not a port; expected a number from 1 to {LARGEST_PORT}, as in {_EXAMPLE}"
    # Strip leading zeros, because int() rejects very long strings.
    bare = port.lstrip("0")
    if not bare or len(bare) > len(str(LARGEST_PORT)) or int(bare) > LARGEST_PORT:
        return f"the port {port!a} is out of range; expected a number from 1 to {LARGEST_PORT}"
    return "" if bare == port else f"{name!r} has a port with leading zeros; {_instead(host, bare)}"


def _split(name: str) -> tuple[str, str]:
    """Return the host and the port, which is empty if there is none."""
    if _BRACKETED.fullmatch(name):
        return name, ""
    host, colon, port = name.rpartition(":")
    return (host, port) if colon else (name, "")


def _instead(host: str, port: str) -> str:
    if _problem_of_parts("", host, port or "443"):
        return _EXPECTED
    more = "" if port else ", or the port that it serves"
    return f"write {f'{host}:{port or 443}'!r}{more}"


class Hostports(StringSet):
    """A set of host names with their ports. Names in other scripts are compared in their ASCII form."""

    def _member_errors(self, name: str, path: str) -> OptionErrors:
        yield from hostport_errors(name, path)

    def _key(self, name: str) -> str:
        return host_key(name)


_OWN_LETTERS = frozenset("ßς\u200c\u200d")


def host_key(name: str) -> str:
    """Return the normal form of a host, with or without a port: lowercase ASCII, `xn--bcher-kva.example:443`."""
    if name.isascii():
        return name.lower()
    host, port = _split(name)
    if not port.isdigit():
        host, port = name, ""
    try:
        return ".".join(_label_key(label) for label in re.split("[.\u3002\uff0e\uff61]", host)) + (port and f":{port}")
    except UnicodeError:
        return name.lower()


def host_keys(value: Any) -> set[str]:
    return {host_key(one) for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)}


_PORT = re.compile(r":[0-9]+$")
_LAST_DOT = re.compile(r"\.(?=:[0-9]+(?:/|$))")


def plain_hosts(text: str) -> str:
    """Return a string with its hosts in the form that services may give them.

    Hosts are without the dot at the end, which only says that they are complete, and IPv6 addresses are short.
    """
    return _BRACKETED.sub(_short_address, _LAST_DOT.sub("", text))


@lru_cache(maxsize=10_000)
def host_form(key: str) -> str:
    """Return what a host in its normal form has in common with those that a service may take for the same.

    A service may leave out the default port.
    """
    return with_port(plain_hosts(key).rstrip("."))


def with_port(hostport: str) -> str:
    """Return a hostport with the default port, which a service may leave out. One that is empty stays so."""
    return hostport if not hostport or _PORT.search(hostport) else f"{hostport}:443"


def _short_address(bracketed: re.Match[str]) -> str:
    try:
        return f"[{ipaddress.IPv6Address(bracketed[0][1:-1])}]"
    except ValueError:
        return bracketed[0]


def _label_key(label: str) -> str:
    lower = "".join(map(str.lower, label))  # by letter, because str.lower() treats a final sigma differently
    if lower.isascii():
        return lower
    if _OWN_LETTERS.isdisjoint(lower):
        return lower.encode("idna").decode("ascii")
    # Python implements the older IDNA, which turns ß into ss. Today these are two names, possibly of two owners.
    return "xn--" + unicodedata.normalize("NFC", lower).encode("punycode").decode("ascii")
