# SPDX-License-Identifier: GPL-3.0-or-later
"""Quotes responses with all secrets masked, such as the error page of a proxy. Pure."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from .._model.escapes import visible
from .._model.masking import Masks

_LONGEST = 120
_LONGEST_MESSAGE = 2000
_MOST_LOOKED_AT = 2**13
_HTML = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
_TITLE = re.compile(r"<title\b[^>]*>(.*?)</title\s*>", re.IGNORECASE | re.DOTALL)
_WANTS_TLS = re.compile(r"\b(?:https|ssl|tls)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    content: bytes


def appearance(response: Response, masks: Masks) -> str:
    """Return a description of a response that is not the service's own, empty if there is nothing to say.

    It is an HTML page with its title, a line of plain text, or a type.
    """
    text = beginning(response, masks)
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    found = "" if "json" in kind else kind
    if kind in ("text/html", "application/xhtml+xml") or _HTML.match(text):
        title = _TITLE.search(text)
        words = one_line(html.unescape(title[1])) if title else ""
        found = f'an HTML page with the title "{words}"' if words else "an HTML page"
    elif kind == "text/plain" and (words := one_line(text)):
        found = f'the text "{words}"'
    return masks.text(found)


def beginning(response: Response, masks: Masks) -> str:
    """Return the beginning of the content, which is masked before it is cut."""
    length = min(len(response.content), _MOST_LOOKED_AT)
    return masks.beginning(response.content[: 2 * _MOST_LOOKED_AT].decode("utf-8", "replace"), length)


def field(body: Mapping[str, Any], name: str, masks: Masks) -> str | None:
    """Return a field of the service's error, None if it is not set."""
    text = masks.beginning(str(body[name]), _LONGEST_MESSAGE) if body.get(name) else ""
    return one_line(text, _LONGEST_MESSAGE) or None


def asks_for_tls(status: int, text: str) -> bool:
    return status == 400 and _WANTS_TLS.search(text) is not None  # noqa: PLR2004


def target_of_redirect(location: str) -> str:
    """Return the target of a redirect without the parts of the URL that may be secret: user information and query."""
    try:
        parts = urlsplit(location)
    except ValueError:
        return ""
    host = parts.netloc.rpartition("@")[2]
    return one_line(f"{parts.scheme}://{host}{parts.path}" if host else parts.path)


def one_line(text: str, longest: int = _LONGEST) -> str:
    """Return the beginning of a string on one line, with escape sequences for unprintable characters."""
    words = " ".join(text.split())
    shown = visible(words)
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}\N{HORIZONTAL ELLIPSIS}"
