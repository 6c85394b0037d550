# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks before each operation: whether it exists, whether the account is allowed to use it, and its request."""

from collections.abc import Callable, Coroutine
from itertools import chain
from typing import Any

import orjson
from fastapi import Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.types import Message

from ..models.lenient_requests import strict_form
from ..options import CONTROL
from ..switches import Switches
from ..values.fields import model_in
from ..values.rejection_codes import Code
from ..values.rejections import Rejection, invalid, no_such_operation
from .service import Service

EXTENSION = {"x-extension-operation": True}
MAX_DEPTH = 200
"""The maximum nesting of lists and objects. Validation and responses cannot process much more."""


class JSONRequest(Request):
    """Rejects JSON that a response could not contain: NaN, halves of surrogate pairs, and deep nesting."""

    model: type[BaseModel] | None = None
    """The model of the body, or None if the operation has no body."""

    async def json(self) -> Any:
        given = orjson.loads(await self.body())
        if _is_deeper(given, MAX_DEPTH):
            raise orjson.JSONDecodeError(f"more than {MAX_DEPTH} nested lists and objects", "", 0)
        return strict_form(self.model, given, self.app.state.service.switches) if self.model else given

    def with_empty_object(self) -> "JSONRequest":
        """Return the same request with the body `{}`."""

        async def receive() -> Message:
            return {"type": "http.request", "body": b"{}", "more_body": False}

        others = [each for each in self.scope["headers"] if each[0] != b"content-type"]
        headers = [*others, (b"content-type", b"application/json")]
        return JSONRequest({**self.scope, "headers": headers}, receive)


class StrictRoute(APIRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        process = super().get_route_handler()
        known = {parameter.alias for parameter in self.dependant.query_params}
        model = model_in(self.body_field.field_info.annotation) if self.body_field else None
        is_extension = bool(self.openapi_extra and EXTENSION.items() <= self.openapi_extra.items())

        async def strictly(incoming: Request) -> Response:
            request = JSONRequest(incoming.scope, incoming.receive)
            service: Service = request.app.state.service
            if is_extension:
                _check_operation(self.path, service.switches)
            _check_account(request, service.switches)
            _check_query(request, known)
            await _check_body(request, expected=self.body_field is not None)
            if model and not model.model_fields and service.switches.source_patch_without_body:
                request = request if await request.body() else request.with_empty_object()
            # No switch lets control calls contain what their models reject.
            request.model = None if self.path.startswith(CONTROL) else model
            return await process(request)

        return strictly


def _is_deeper(value: Any, levels: int) -> bool:
    layer = [value]
    for _level in range(levels + 1):
        layer = [each for each in layer if isinstance(each, dict | list)]
        if not layer:
            return False
        layer = list(chain.from_iterable(each.values() if isinstance(each, dict) else each for each in layer))
    return True


def _check_operation(path: str, switches: Switches) -> None:
    last = path.rpartition("/")[2]
    name = "traffic_policy" if switches.policy_name == "value" else switches.policy_name
    absent = last in ("policy", "traffic_policy") and name not in (last, "both")
    if absent or switches.operations == "documented":
        raise no_such_operation(switches.missing_operation)


def _check_account(request: Request, switches: Switches) -> None:
    if not request.url.path.startswith("/edges/"):
        return
    if switches.account == "edges_off":
        raise Rejection(403, Code.EDGES_OFF, "Edges are disabled for this account. Ask its owner to enable them.")
    if switches.account == "read_only" and request.method != "GET":
        raise Rejection(403, Code.EDGES_READ_ONLY, "The edges of this account are read-only during a migration.")


def _check_query(request: Request, known: set[str]) -> None:
    given = [name for name, _value in request.query_params.multi_items()]
    for name in given:
        if name not in known:
            raise invalid(f"{name}: is not a known query parameter")
        if given.count(name) > 1:
            raise invalid(f"{name}: the query parameter is repeated")


async def _check_body(request: Request, *, expected: bool) -> None:
    body = await request.body()
    if body and not expected:
        raise invalid(f"{request.method} does not accept a body")
    if body and request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise invalid("Content-Type must be application/json")
