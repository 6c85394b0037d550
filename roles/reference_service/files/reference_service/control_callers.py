# SPDX-License-Identifier: GPL-3.0-or-later
"""The permission to send control calls: for programs on this machine, but not for web pages in a browser on it.

Control calls need no key. A browser would send them for any page, and would let the page read the responses if the name
of its host resolves to a loopback address. The Host header identifies such a page, and the Origin header all others.
"""

from __future__ import annotations

import re

from starlette.datastructures import Headers

from .rejection_codes import Code
from .rejections import Rejection

_LOOPBACK = re.compile(r"(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])(?::[0-9]{1,5})?", re.ASCII | re.IGNORECASE)
_OWN_SITES = ("same-origin", "none")
"""`none` is a URL that somebody typed. `same-site` includes other ports of the same machine."""


def check_caller(headers: Headers) -> None:
    """Raise `Rejection` (403) if a control call might come from a foreign web page."""
    hosts = headers.getlist("host")
    if len(hosts) != 1 or not _LOOPBACK.fullmatch(hosts[0]):
        raise _rejection("Host must name a loopback address, such as 127.0.0.1 or localhost")
    own = f"http://{hosts[0]}".lower()
    if any(origin.lower() != own for origin in headers.getlist("origin")):
        raise _rejection("Origin must be the service itself, or omitted")
    if any(site not in _OWN_SITES for site in headers.getlist("sec-fetch-site")):
        raise _rejection("Sec-Fetch-Site must be same-origin or none, or omitted")


def _rejection(problem: str) -> Rejection:
    return Rejection(403, Code.FOREIGN_CALLER, f"The header {problem}. Web pages cannot send control calls.")
