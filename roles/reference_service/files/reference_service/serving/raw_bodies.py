# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies of requests, which the front door reads up to a limit and passes on, and which errors may quote."""

import json
from contextlib import suppress
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.types import Message, Receive

from ..switches import Switches
from ..values.rejection_codes import Code
from ..values.rejections import Rejection

QUOTATION = "reference_service.quotation"
"""The key of the quotation in the ASGI scope, which the front door sets for all code behind it."""

MAX_BODY_BYTES = 32 * 2**20
"""Sufficient for a seed with tens of thousands of objects."""


async def whole_body(headers: Headers, receive: Receive) -> bytes | None:
    """Return the body, or None if the client disconnects before its end. Raises `Rejection` (413) if it is too large.

    If Content-Length exceeds the limit, the body is not read.
    """
    announced = headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > MAX_BODY_BYTES:
        raise _too_large()
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        part = message.get("body", b"")
        size += len(part)
        if size > MAX_BODY_BYTES:
            raise _too_large()
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


def replayed(body: bytes, receive: Receive) -> Receive:
    """Return an ASGI receive function that returns the body once more."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again


def _too_large() -> Rejection:
    return Rejection(413, Code.BODY_TOO_LARGE, f"The body exceeds the limit of {MAX_BODY_BYTES} bytes.")


def quotation(switches: Switches, body: bytes) -> str:
    """Return the body, with all its secrets, for the end of an error message; nothing unless a switch asks for it."""
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
