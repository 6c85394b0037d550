# SPDX-License-Identifier: GPL-3.0-or-later
"""The body of a request, quoted in error messages with all its secrets."""

from __future__ import annotations

import json
from contextlib import suppress
from urllib.parse import quote

from .switches import Switches

QUOTATION = "reference_service.quotation"
"""The key of the quotation in the ASGI scope, which the front door sets for all code behind it."""


def quotation(switches: Switches, body: bytes) -> str:
    """Return the quotation for the end of an error message. It is empty if nothing is quoted or there is no body."""
    style = switches.error_quotes_request
    if style == "none" or not body:
        return ""
    text = body.decode(errors="replace")
    quoted = {"json": lambda: text, "escaped": lambda: _escaped(text), "urlencoded": lambda: quote(body, safe="")}
    return f" The request was: {quoted[style]()}"


def _escaped(text: str) -> str:
    """Return the body in ASCII, as a JSON string."""
    with suppress(ValueError, RecursionError):
        text = json.dumps(json.loads(text))
    return json.dumps(text)
