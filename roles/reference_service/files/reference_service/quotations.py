# SPDX-License-Identifier: GPL-3.0-or-later
"""The request's body as refusals quote it, with whatever secrets it has."""

from __future__ import annotations

import json
from contextlib import suppress
from urllib.parse import quote

from .switches import Switches

QUOTATION = "reference_service.quotation"
"""Where the front door leaves it in the scope, for those who answer further in."""


def quotation(switches: Switches, body: bytes) -> str:
    """What a refusal's message gets at its end; nothing where nothing is quoted, or there was no body."""
    style = switches.error_quotes_request
    if style == "none" or not body:
        return ""
    text = body.decode(errors="replace")
    quoted = {"json": lambda: text, "escaped": lambda: _escaped(text), "urlencoded": lambda: quote(body, safe="")}
    return f" The request was: {quoted[style]()}"


def _escaped(text: str) -> str:
    """The body in ASCII, whichever way it came, and that again as a JSON string."""
    with suppress(ValueError, RecursionError):
        text = json.dumps(json.loads(text))
    return json.dumps(text)
