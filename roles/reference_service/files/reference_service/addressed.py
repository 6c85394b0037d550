# SPDX-License-Identifier: GPL-3.0-or-later
"""The object in the path of a request. It is read inside the operation, so that no other write can come in between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Path

from .rejections import not_found
from .service import Call
from .store import Stored

_Id = Annotated[str, Path(alias="id")]


@dataclass(frozen=True)
class Addressed:
    """A reference to an object. `parent` is the edge of a route."""

    kind: str
    id: str
    parent: str | None = None

    def read(self, call: Call) -> Stored:
        """Return the current object. Raises `Rejection` (404) if it does not exist, or has another parent."""
        found = call.store.get(self.kind, self.id)
        if found is None or found.parent != self.parent:
            raise not_found(self.kind, self.id)
        return found


async def tunnel(identifier: _Id) -> Addressed:
    return Addressed("tunnel", identifier)


async def tls_edge(identifier: _Id) -> Addressed:
    return Addressed("tls_edge", identifier)


async def https_edge(identifier: _Id) -> Addressed:
    return Addressed("https_edge", identifier)


async def parent_edge(edge_id: str) -> Addressed:
    return Addressed("https_edge", edge_id)


async def route(edge_id: str, identifier: _Id) -> Addressed:
    return Addressed("route", identifier, edge_id)


async def subscription(subscription_id: str) -> Addressed:
    return Addressed("event_subscription", subscription_id)


ThisTunnel = Annotated[Addressed, Depends(tunnel)]
ThisHTTPSEdge = Annotated[Addressed, Depends(https_edge)]
ParentEdge = Annotated[Addressed, Depends(parent_edge)]
ThisRoute = Annotated[Addressed, Depends(route)]
ThisSubscription = Annotated[Addressed, Depends(subscription)]
