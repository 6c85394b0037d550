# SPDX-License-Identifier: GPL-3.0-or-later
"""Online tunnels (API reference, sections 2.1 and 4.1)."""

from __future__ import annotations

from fastapi import APIRouter, Response

from ..models.response_models import TunnelList, TunnelResponse
from .paging import BeforeId, Limit, page_of
from .service import ThisCall, as_json
from .strict_route import StrictRoute

router = APIRouter(route_class=StrictRoute, tags=["tunnels"])


@router.get("/tunnels", response_model=TunnelList)
async def list_tunnels(call: ThisCall, before_id: BeforeId = None, limit: Limit = None) -> Response:
    found, following = page_of(call, "tunnel", "/tunnels", before_id, limit)
    tunnels = [call.responses.tunnel(each) for each in found]
    return as_json(
        call.responses.listing("tunnels", tunnels, uri=call.responses.uri("/tunnels"), next_page_uri=following)
    )


@router.get("/tunnels/{id}", response_model=TunnelResponse)
async def read_tunnel(call: ThisCall) -> Response:
    return as_json(call.responses.tunnel(call.held("tunnel")))
