# SPDX-License-Identifier: GPL-3.0-or-later
"""The application: the API, the control calls, and the front door before both."""

from collections.abc import Callable
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from ..models.response_models import REJECTIONS
from ..operations import event_sources, module_operations, plain_collections, routes, tunnels
from ..operations.service import Service
from ..values.rejection_codes import Code
from ..values.rejections import Rejection, from_validation, no_such_operation
from . import control
from .front_door import FrontDoor
from .raw_bodies import QUOTATION


def api_app() -> FastAPI:
    """Return the API. Its operations find the state in `app.state.service`."""
    api = _bare_app(title="Tunnel, edge and event subscription management", version="2")
    parts = [part.router for part in (tunnels, module_operations, routes, event_sources)]
    for router in (*plain_collections.routers, *parts):
        api.include_router(router, responses=REJECTIONS)
    return api


def assembled(service: Service) -> FrontDoor:
    api, control_calls = api_app(), _bare_app()
    control_calls.include_router(control.router)
    api.state.service = control_calls.state.service = service
    return FrontDoor(service, api, control_calls)


def _bare_app(**about: Any) -> FastAPI:
    app = FastAPI(openapi_url=None, redirect_slashes=False, **about)
    for kind, rejection_of in _REJECTIONS_OF_ERRORS.items():
        app.add_exception_handler(kind, _handler(rejection_of))
    return app


_REJECTIONS_OF_ERRORS: dict[type[Exception], Callable[[Any], Rejection]] = {
    Rejection: lambda rejection: rejection,
    RequestValidationError: from_validation,
    HTTPException: lambda _error: no_such_operation(),  # a path or a method that does not exist
    Exception: lambda _error: Rejection(500, Code.INTERNAL, "The service failed. See its output for the error."),
}


def _handler(rejection_of: Callable[[Any], Rejection]) -> Callable[[Request, Exception], Response]:
    def handle(request: Request, error: Exception) -> Response:
        # Control calls have no quotation.
        return rejection_of(error).response(request.scope.get(QUOTATION, ""))

    return handle
