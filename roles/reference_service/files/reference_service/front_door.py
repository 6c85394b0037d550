# SPDX-License-Identifier: GPL-3.0-or-later
"""Where every API request comes in: journal, key, version, rate limit, then the API; and where its answer is held back.

Written against ASGI itself, since it must see a request before anything else does and an answer after everything else.
"""

from __future__ import annotations

import asyncio
import hmac

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .quotations import QUOTATION, quotation
from .refusals import Refusal, no_such_operation
from .service import Service

API_VERSION = "2"
CONTROL = "/_control"


class FrontDoor:
    def __init__(self, service: Service, api: ASGIApp, control: ASGIApp) -> None:
        self._service = service
        self._api = api
        self._control = control

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(CONTROL):
            await self._control(scope, receive, send)
            return
        body = await _whole_body(receive)
        if body is None:
            return
        number = self._service.journal.arrived(
            scope["method"],
            scope["raw_path"].decode("latin-1"),
            scope["query_string"].decode("latin-1"),
            scope["headers"],
            body,
        )

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._service.journal.answered(number, message["status"])
                # After the work, so that a caller who gives up waiting has still changed something.
                await asyncio.sleep(self._service.switches.answer_delay_ms / 1000)
            await send(message)

        again = _replay(body, receive)
        scope[QUOTATION] = quotation(self._service.switches, body)
        try:
            self._admit(Headers(scope=scope))
            await self._api(self._below_base_path(scope), again, answer)
        except Refusal as refusal:
            await refusal.response(scope[QUOTATION])(scope, again, answer)

    def _admit(self, headers: Headers) -> None:
        switches = self._service.switches
        scheme, _blank, key = headers.get("authorization", "").partition(" ")
        if scheme != "Bearer" or not any(
            hmac.compare_digest(key.encode(), each.encode()) for each in self._service.api_keys
        ):
            quoted = f" {key!r}" if key and switches.refusal_quotes_key else ""
            raise Refusal(
                switches.refusal_status, "ERR_API_KEY", f"The API key{quoted} is missing, unknown or revoked."
            )
        version = headers.get(self._service.version_header)
        if version != API_VERSION:
            raise Refusal(
                400, "ERR_API_VERSION", f"The header {self._service.version_header} must be given, with the value 2."
            )
        self._service.rate_limit.admit(switches)

    def _below_base_path(self, scope: Scope) -> Scope:
        base = self._service.base_path
        if not scope["path"].startswith(f"{base}/"):
            raise no_such_operation()
        return {**scope, "path": scope["path"][len(base) :]}


async def _whole_body(receive: Receive) -> bytes | None:
    """The body, or None when the caller went away in the middle of it."""
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again
