# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts put together: the API, the control calls, and the front door before them."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from . import control, event_sources, https_edges, routes, tls_edges, tunnels
from .answer_models import REFUSALS
from .front_door import FrontDoor
from .quotations import QUOTATION
from .refusals import Refusal, from_faults, no_such_operation
from .service import Service

_TITLE = "Tunnel, edge and event subscription management"


def api_app() -> FastAPI:
    """The operations alone; they find the state in `app.state.service`."""
    api = _bare_app(title=_TITLE, version="2")
    for part in (tunnels, tls_edges, https_edges, routes, event_sources):
        api.include_router(part.router, responses=REFUSALS)
    return api


def assembled(service: Service) -> FrontDoor:
    api, beside = api_app(), _with_router(_bare_app(), control.router)
    api.state.service = beside.state.service = service
    return FrontDoor(service, api, beside)


def _with_router(app: FastAPI, router: APIRouter) -> FastAPI:
    app.include_router(router)
    return app


def _bare_app(**about: Any) -> FastAPI:
    app = FastAPI(openapi_url=None, redirect_slashes=False, **about)
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(RequestValidationError, _faulty)
    app.add_exception_handler(HTTPException, _unknown)
    app.add_exception_handler(Exception, _broken)
    return app


async def _refused(request: Request, refusal: Exception) -> Response:
    assert isinstance(refusal, Refusal)
    return _answer(request, refusal)


async def _faulty(request: Request, faults: Exception) -> Response:
    assert isinstance(faults, RequestValidationError)
    return _answer(request, from_faults(faults))


async def _unknown(request: Request, fault: Exception) -> Response:
    """The framework's own refusals: no such path, or a method that the path has not."""
    return _answer(request, no_such_operation())


async def _broken(request: Request, fault: Exception) -> Response:
    return _answer(request, Refusal(500, "ERR_INTERNAL", "The service failed; its own output says how."))


def _answer(request: Request, refusal: Refusal) -> Response:
    """The front door leaves no quotation for control calls."""
    return refusal.response(request.scope.get(QUOTATION, ""))
