# SPDX-License-Identifier: GPL-3.0-or-later
"""The application: the API, the control calls, and the front door before both."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from . import control, event_sources, https_edges, plain_collections, routes, tls_edges, tunnels
from .front_door import FrontDoor
from .quotations import QUOTATION
from .rejection_codes import Code
from .rejections import Rejection, from_validation, no_such_operation
from .response_models import REJECTIONS
from .service import Service

_TITLE = "Tunnel, edge and event subscription management"


def api_app() -> FastAPI:
    """Return the API. Its operations find the state in `app.state.service`."""
    api = _bare_app(title=_TITLE, version="2")
    for part in (tunnels, tls_edges, https_edges, routes, event_sources, plain_collections):
        api.include_router(part.router, responses=REJECTIONS)
    return api


def assembled(service: Service) -> FrontDoor:
    api, control_calls = api_app(), _with_router(_bare_app(), control.router)
    api.state.service = control_calls.state.service = service
    return FrontDoor(service, api, control_calls)


def _with_router(app: FastAPI, router: APIRouter) -> FastAPI:
    app.include_router(router)
    return app


def _bare_app(**about: Any) -> FastAPI:
    app = FastAPI(openapi_url=None, redirect_slashes=False, **about)
    app.add_exception_handler(Rejection, _rejected)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _unknown)
    app.add_exception_handler(Exception, _broken)
    return app


async def _rejected(request: Request, rejection: Exception) -> Response:
    assert isinstance(rejection, Rejection)
    return _response(request, rejection)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return _response(request, from_validation(error))


async def _unknown(request: Request, error: Exception) -> Response:
    """Respond to paths and methods that do not exist, which the framework rejects."""
    return _response(request, no_such_operation())


async def _broken(request: Request, error: Exception) -> Response:
    return _response(request, Rejection(500, Code.INTERNAL, "The service failed. See its output for the error."))


def _response(request: Request, rejection: Rejection) -> Response:
    """Return the response with the quotation of the request, which control calls do not have."""
    return rejection.response(request.scope.get(QUOTATION, ""))
