# SPDX-License-Identifier: GPL-3.0-or-later
"""A request's body, read at the front door up to a limit, and handed on to those who answer further in."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import Message, Receive

from .refusals import Refusal

MAX_BODY_BYTES = 32 * 2**20
"""Enough for a seed of tens of thousands of objects."""


async def whole_body(headers: Headers, receive: Receive) -> bytes | None:
    """The body, or None when the caller went away in the middle of it. Raises Refusal (413) where it is too large.

    Nothing is waited for that the request itself says to be too large.
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
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again


def _too_large() -> Refusal:
    return Refusal(413, "ERR_BODY_TOO_LARGE", f"The body is larger than {MAX_BODY_BYTES} bytes, which is the limit.")
