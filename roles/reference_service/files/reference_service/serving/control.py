# SPDX-License-Identifier: GPL-3.0-or-later
"""Control calls, which tests and the role use in addition to the API. They need no API key, and are not logged."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from ..models.collections_table import COLLECTIONS, SEEDED_ELSEWHERE
from ..operations.service import Service
from ..operations.strict_route import StrictRoute
from ..store import Document, Stored
from ..switches import Switches, from_values
from ..values.rejections import invalid
from .seeding import Seed, plant

LARGEST_NUMBER = 2**63 - 1
"""The largest number of a request in the request log, which is a limit of SQLite."""


class ControlRoute(StrictRoute):
    """Rejects undocumented parameters and bodies, so that none is silently ignored, whatever the switches are."""

    is_lenient = False


router = APIRouter(prefix="/_control", route_class=ControlRoute)


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


@router.get("/health")
async def health() -> dict[str, Any]:
    """Return the process ID, by which a client can recognize the service that it started."""
    return {"status": "ok", "service": "reference_service", "pid": os.getpid()}


@router.get("/journal")
async def read_journal(request: Request, after: Annotated[int, Query(ge=0, le=LARGEST_NUMBER)] = 0) -> dict[str, Any]:
    return {"requests": _service(request).store.logged_after(after)}


@router.delete("/journal", status_code=204)
async def clear_journal(request: Request) -> None:
    _service(request).store.clear_log()


@router.get("/switches")
async def read_switches(request: Request) -> Switches:
    return _service(request).switches


@router.put("/switches")
async def replace_switches(request: Request, given: dict[str, Any]) -> Switches:
    """Set these switches, and reset the others to their defaults."""
    return _set_switches(_service(request), given, None)


@router.patch("/switches")
async def change_switches(request: Request, given: dict[str, Any]) -> Switches:
    service = _service(request)
    return _set_switches(service, given, service.switches)


def _set_switches(service: Service, given: Mapping[str, Any], base: Switches | None) -> Switches:
    try:
        service.set_switches(from_values(given, base))
    except ValueError as error:
        raise invalid(str(error)) from None
    return service.switches


@router.post("/seed")
async def seed(request: Request, body: Seed) -> dict[str, Any]:
    return plant(_service(request), body)


@router.post("/reset", status_code=204)
async def reset(request: Request) -> None:
    _service(request).reset()


@router.get("/state")
async def state(request: Request) -> dict[str, Any]:
    """Return all objects as they are stored, in the format of requests and with secrets, oldest first."""
    store = _service(request).store

    def held(kind: str) -> list[Stored]:
        return store.newest_first(kind, None, -1)[::-1]

    edges = held("https_edge")
    routes = store.children(each.id for each in edges)
    return {
        "tunnels": [_raw(each) for each in held("tunnel")],
        "tls_edges": [_raw(each) for each in held("tls_edge")],
        "https_edges": [{**_raw(each), "routes": [_raw(route) for route in routes[each.id]]} for each in edges],
        "event_subscriptions": [_raw(each) for each in held("event_subscription")],
        "objects": {
            each.path: [_raw(one) for one in found]
            for each in COLLECTIONS
            if each.path not in SEEDED_ELSEWHERE and (found := held(each.kind))
        },
    }


def _raw(stored: Stored) -> Document:
    return {"id": stored.id, "created_at": stored.created_at, **stored.document}
