# SPDX-License-Identifier: GPL-3.0-or-later
"""Online tunnels (API reference, sections 2.1 and 4.1)."""

from fastapi import APIRouter, Response

from ..models.response_models import TunnelList, TunnelResponse
from .paging import BeforeId, Limit, page_of
from .service import ThisCall, as_json
from .strict_route import StrictRoute

router = APIRouter(route_class=StrictRoute, tags=["tunnels"])


@router.get("/tunnels", response_model=TunnelList)
async def list_tunnels(call: ThisCall, before_id: BeforeId = None, limit: Limit = None) -> Response:
    return page_of(call, "tunnel", "/tunnels", "tunnels", call.responses.tunnel, before_id, limit)


@router.get("/tunnels/{id}", response_model=TunnelResponse)
async def read_tunnel(call: ThisCall) -> Response:
    return as_json(call.responses.tunnel(call.held("tunnel")))
