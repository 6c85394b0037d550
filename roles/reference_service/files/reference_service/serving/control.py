# SPDX-License-Identifier: GPL-3.0-or-later
"""Control calls, which tests and the role use in addition to the API. They need no API key, and are not logged."""

import os
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query

from ..models.collections_table import COLLECTIONS, SEEDED_ELSEWHERE
from ..operations.service import Service, ThisService
from ..operations.strict_route import StrictRoute
from ..options import CONTROL
from ..store import Document, Stored
from ..switches import Switches, from_values
from ..values.rejections import invalid
from .seeding import Seed, plant

After = Annotated[int, Query(ge=0, le=2**63 - 1)]
"""A number of a request in the request log. The largest one is a limit of SQLite."""


router = APIRouter(prefix=CONTROL, route_class=StrictRoute)


@router.get("/health")
async def health() -> dict[str, Any]:
    """Return the process ID, by which a client can recognize the service that it started."""
    return {"status": "ok", "service": "reference_service", "pid": os.getpid()}


@router.get("/journal")
async def read_journal(service: ThisService, after: After = 0) -> dict[str, Any]:
    return {"requests": service.store.logged_after(after)}


@router.delete("/journal", status_code=204)
async def clear_journal(service: ThisService) -> None:
    service.store.clear_log()


@router.get("/switches")
async def read_switches(service: ThisService) -> Switches:
    return service.switches


@router.put("/switches")
async def replace_switches(service: ThisService, given: dict[str, Any]) -> Switches:
    """Set these switches, and reset the others to their defaults."""
    return _set_switches(service, given, None)


@router.patch("/switches")
async def change_switches(service: ThisService, given: dict[str, Any]) -> Switches:
    return _set_switches(service, given, service.switches)


def _set_switches(service: Service, given: Mapping[str, Any], base: Switches | None) -> Switches:
    try:
        service.set_switches(from_values(given, base))
    except ValueError as error:
        raise invalid(str(error)) from None
    return service.switches


@router.post("/seed")
async def seed(service: ThisService, body: Seed) -> dict[str, Any]:
    return plant(service, body)


@router.post("/reset", status_code=204)
async def reset(service: ThisService) -> None:
    service.reset()


@router.get("/state")
async def state(service: ThisService) -> dict[str, Any]:
    """Return all objects as they are stored, in the format of requests and with secrets, oldest first."""

    def held(kind: str) -> list[Document]:
        return [_raw(each) for each in reversed(service.store.newest_first(kind))]

    edges = held("https_edge")
    routes = service.store.children(each["id"] for each in edges)
    others = [each for each in COLLECTIONS if each.path not in SEEDED_ELSEWHERE]
    return {
        "tunnels": held("tunnel"),
        "tls_edges": held("tls_edge"),
        "https_edges": [{**each, "routes": [_raw(route) for route in routes[each["id"]]]} for each in edges],
        "event_subscriptions": held("event_subscription"),
        "objects": {each.path: found for each in others if (found := held(each.kind))},
    }


def _raw(stored: Stored) -> Document:
    return {"id": stored.id, "created_at": stored.created_at, **stored.document}
