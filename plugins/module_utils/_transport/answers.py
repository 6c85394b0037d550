# SPDX-License-Identifier: GPL-3.0-or-later
"""What an answer looks like that the service itself would not give: a login page, a proxy's error page. Pure."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

_LONGEST = 120
_HTML = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
_TITLE = re.compile(r"<title\b[^>]*>(.*?)</title\s*>", re.IGNORECASE | re.DOTALL)
_WANTS_TLS = re.compile(r"\b(?:https|ssl|tls)\b", re.IGNORECASE)


def appearance(headers: Mapping[str, str], text: str) -> str:
    """What people call the content that begins with `text`: a page with its title, a text, or content of a type.

    Nothing if that is not known either.
    """
    kind = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if kind in ("text/html", "application/xhtml+xml") or _HTML.match(text):
        title = _TITLE.search(text)
        words = one_line(html.unescape(title[1])) if title else ""
        return f'an HTML page with the title "{words}"' if words else "an HTML page"
    words = one_line(text) if kind == "text/plain" else ""
    if words:
        return f'the text "{words}"'
    return f"content of the type {kind}" if kind and "json" not in kind else ""


def asks_for_tls(status: int, text: str) -> bool:
    """Whether a server says that it was spoken to without TLS, where it expects that."""
    return status == 400 and _WANTS_TLS.search(text) is not None  # noqa: PLR2004


def target_of_redirect(location: str) -> str:
    """Where a redirect leads, without what may be secret in the address: a user, a query."""
    try:
        parts = urlsplit(location)
    except ValueError:
        return ""
    host = parts.netloc.rpartition("@")[2]
    return one_line(f"{parts.scheme}://{host}{parts.path}" if host else parts.path)


def one_line(text: str, longest: int = _LONGEST) -> str:
    """The beginning of a text on one line, without anything that would not be printed."""
    words = " ".join(text.split())
    shown = "".join(char if char.isprintable() else "?" for char in words)
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}\N{HORIZONTAL ELLIPSIS}"
