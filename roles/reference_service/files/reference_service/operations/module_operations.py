# SPDX-License-Identifier: GPL-3.0-or-later
"""PUT, GET, and DELETE of one traffic module, for edges and routes, and these operations of all edges (API reference,
sections 2.2, 2.5, and 4.2). Those of HTTPS edges are extensions.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace as with_changes
from typing import Any

from fastapi import APIRouter, Response

from ..models.modules import IPRestriction, Module, TLSTermination
from ..models.objects import HTTPSEdgeFields, modules_of
from ..models.response_models import module_response
from ..store import Stored
from ..values.rejection_codes import Code
from ..values.rejections import Rejection
from .account_rules import check_references
from .service import Call, ThisCall, as_json, no_content
from .strict_route import EXTENSION, StrictRoute

router = APIRouter(route_class=StrictRoute)

Check = Callable[[Call, Stored, Iterable[str]], None]
"""Raises `Rejection` if an object cannot have the traffic modules with these names, which a request changes."""


def add_module_operations(
    router: APIRouter,
    path: str,
    name: str,
    model: type[Module],
    owner: str,
    check: Check | None = None,
    **route_options: Any,
) -> None:
    """Add the operations. `owner` is the kind of the object that has the traffic module."""

    async def replace(call: ThisCall, body: Module) -> Response:
        with call.store.writing():
            held = call.held(owner)
            document = {**held.document, name: body.model_dump(exclude_unset=True)}
            check_references(call, model, document[name])
            if check:
                check(call, with_changes(held, document=document), [name])
            call.store.replace(held.id, document)
        return as_json(call.responses.module(model, document[name], held.id))

    async def read(call: ThisCall) -> Response:
        held = call.held(owner)
        if name not in held.document:
            return _unset(call, name)
        return as_json(call.responses.module(model, held.document[name], held.id))

    async def delete(call: ThisCall) -> Response:
        with call.store.writing():
            held = call.held(owner)
            if name not in held.document and call.switches.delete_unset_module == 404:
                raise _not_set(name)
            call.store.replace(held.id, {each: value for each, value in held.document.items() if each != name})
        return no_content()

    replace.__annotations__["body"] = model  # where the framework reads the type of a body
    response: Any = module_response(name, model)
    for operation, method, status, returned in (
        (replace, "PUT", 200, response),
        (read, "GET", 200, response | None),
        (delete, "DELETE", 204, None),
    ):
        named: dict[str, Any] = {"name": f"{operation.__name__}_{name}", "methods": [method], "status_code": status}
        router.add_api_route(path, operation, response_model=returned, **named, **route_options)


def _unset(call: Call, name: str) -> Response:
    match call.switches.unset_module:
        case "null":
            return as_json(None)
        case "empty_object":
            return as_json({})
        case "no_content":
            return no_content()
        case _:
            raise _not_set(name)


def _not_set(name: str) -> Rejection:
    return Rejection(404, Code.MODULE_NOT_SET, f"The module {name} is not configured.")


for _name, _model in modules_of(HTTPSEdgeFields).items():
    _options: dict[str, Any] = {"openapi_extra": EXTENSION, "tags": ["HTTPS edges"]}
    add_module_operations(router, f"/edges/https/{{id}}/{_name}", _name, _model, "https_edge", **_options)
for _name, _model in (("ip_restriction", IPRestriction), ("tls_termination", TLSTermination)):
    add_module_operations(router, f"/edges/tls/{{id}}/{_name}", _name, _model, "tls_edge", tags=["TLS edges"])
