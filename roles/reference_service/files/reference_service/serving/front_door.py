# SPDX-License-Identifier: GPL-3.0-or-later
"""The entry of all requests. Checks the API key, the version header, the rate limit, and the senders of control calls.

It also writes the request log, and delays responses of the API. It is implemented with plain ASGI, because it must
process a request before all other code and a response after all other code.
"""

import asyncio
import hmac
import re

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..operations.service import Service
from ..options import CONTROL
from ..values.rejection_codes import Code
from ..values.rejections import Rejection, no_such_operation
from .raw_bodies import QUOTATION, quotation, replayed, whole_body

API_VERSION = "2"
_LOOPBACK = re.compile(r"(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])(?::[0-9]{1,5})?", re.ASCII | re.IGNORECASE)
_OWN_SITES = ("same-origin", "none")
"""`none` is a URL that somebody typed. `same-site` includes other ports of the same machine."""


class FrontDoor:
    def __init__(self, service: Service, api: ASGIApp, control: ASGIApp) -> None:
        self._service = service
        self._api = api
        self._control = control

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._control(scope, receive, send)
        elif scope["path"].startswith(CONTROL):
            await self._control_call(scope, receive, send)
        else:
            await self._api_request(scope, receive, send)

    async def _control_call(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        try:
            _check_caller(headers)
            body = await whole_body(headers, receive)
        except Rejection as rejection:
            await rejection.response()(scope, receive, send)
            return
        if body is not None:
            await self._control(scope, replayed(body, receive), send)

    async def _api_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        rejection = self._key_rejection(headers)
        body: bytes | None = b""
        # Do not read the body of a request without a valid key, unless a switch asks to quote it.
        if rejection is None or self._service.switches.error_quotes_request != "none":
            try:
                body = await whole_body(headers, receive)
            except Rejection as too_large:
                rejection = rejection or too_large
        if body is None:
            return
        number = self._service.store.log(
            scope["method"],
            scope["raw_path"].decode("latin-1"),
            scope["query_string"].decode("latin-1"),
            scope["headers"],
            body,
        )

        async def respond(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._service.store.log_status(number, message["status"])
                # The delay follows the operation, so that a client that times out has still changed something.
                await asyncio.sleep(self._service.switches.response_delay_ms / 1000)
            await send(message)

        again = replayed(body, receive)
        scope[QUOTATION] = quotation(self._service.switches, body)
        try:
            if rejection is not None:
                raise rejection
            name = self._service.version_header
            if headers.get(name) != API_VERSION:
                raise Rejection(400, Code.API_VERSION, f"The header {name} must be given, with the value 2.")
            self._service.rate_limit.admit(self._service.switches)
            await self._api(self._below_base_path(scope), again, respond)
        except Rejection as error:
            await error.response(scope[QUOTATION])(scope, again, respond)

    def _key_rejection(self, headers: Headers) -> Rejection | None:
        switches = self._service.switches
        scheme, _blank, key = headers.get("authorization", "").partition(" ")
        own_keys = self._service.api_keys
        if scheme == "Bearer" and any(hmac.compare_digest(key.encode(), each.encode()) for each in own_keys):
            return None
        quoted = f" {key!r}" if key and switches.rejection_quotes_key else ""
        message = f"The API key{quoted} is missing, unknown or revoked."
        return Rejection(switches.rejection_status, Code.API_KEY, message)

    def _below_base_path(self, scope: Scope) -> Scope:
        base = self._service.base_path
        if not scope["path"].startswith(f"{base}/"):
            raise no_such_operation()
        return {**scope, "path": scope["path"][len(base) :]}


def _check_caller(headers: Headers) -> None:
    """Raise `Rejection` (403) if a control call might come from a web page in a browser on this machine.

    Control calls need no key. A browser would send them for any page, and would let the page read the responses if the
    name of its host resolves to a loopback address. The Host header identifies such a page, and the Origin header all
    others.
    """
    hosts = headers.getlist("host")
    problem = ""
    if len(hosts) != 1 or not _LOOPBACK.fullmatch(hosts[0]):
        problem = "Host must name a loopback address, such as 127.0.0.1 or localhost"
    elif any(origin.lower() != f"http://{hosts[0]}".lower() for origin in headers.getlist("origin")):
        problem = "Origin must be the service itself, or omitted"
    elif any(site not in _OWN_SITES for site in headers.getlist("sec-fetch-site")):
        problem = "Sec-Fetch-Site must be same-origin or none, or omitted"
    if problem:
        raise Rejection(403, Code.FOREIGN_CALLER, f"The header {problem}. Web pages cannot send control calls.")
