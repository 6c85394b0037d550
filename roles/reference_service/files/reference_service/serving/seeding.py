# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that are added by a control call: those that no operation creates, and complete edges."""

from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from ..models.collections_table import BY_PATH, SEEDED_ELSEWHERE, PlainCollection
from ..models.objects import HTTPSEdgeFields, NewRoute
from ..operations.account_rules import claim
from ..operations.event_sources import check_event_types
from ..operations.routes import add_route
from ..operations.service import Service
from ..store import Document
from ..values.fields import Strict
from ..values.ids import new_id, now
from ..values.rejections import invalid, without_values

_Fields = dict[str, Any]


class _Ref(Strict):
    id: str
    uri: str | None = None


class _Tunnel(Strict):
    """The fields of the API reference, section 2.1. If omitted, required fields get a generated value."""

    id: Annotated[str, Field(pattern="^tn_.")] = Field(default_factory=lambda: new_id("tn_"))
    public_url: str | None = None
    started_at: str = Field(default_factory=now)
    metadata: str | None = None
    proto: Literal["http", "https", "tcp", "tls"] | None = None
    region: str | None = None
    tunnel_session: _Ref = Field(default_factory=lambda: _Ref(id=new_id("ts_")))
    endpoint: _Ref | None = None
    labels: dict[str, str] = Field(default_factory=dict)
    backends: list[_Ref] | _Ref = Field(default_factory=list)
    forwards_to: str | None = None


class _EventSubscription(Strict):
    id: Annotated[str, Field(pattern="^esb_.")] | None = None
    sources: list[str] = Field(default_factory=list)


class _Route(NewRoute):
    id: Annotated[str, Field(pattern="^edghtsrt_.")] | None = None


class _HTTPSEdge(HTTPSEdgeFields):
    id: Annotated[str, Field(pattern="^edghts_.")] | None = None
    routes: list[_Route] = Field(default_factory=list)


class Seed(Strict):
    tunnels: list[_Tunnel] = Field(default_factory=list)
    tls_edges: list[_Fields] = Field(default_factory=list)
    https_edges: list[_HTTPSEdge] = Field(default_factory=list)
    event_subscriptions: list[_EventSubscription] = Field(default_factory=list)
    objects: dict[str, list[_Fields]] = Field(default_factory=dict)
    """Objects of other collections, by the paths of these. They can refer to anything."""


def plant(service: Service, seed: Seed) -> dict[str, Any]:
    """Add all objects, or none. Return the IDs, in the order and with the names of the seed."""
    if wrong := [path for path in seed.objects if path not in BY_PATH or path in SEEDED_ELSEWHERE]:
        raise invalid(f"objects: {wrong[0]!r} is not a collection of plain objects")
    with service.store.writing():
        return {
            "tunnels": [{"id": _plant_tunnel(service, each)} for each in seed.tunnels],
            "tls_edges": [_plant_object(service, "edges/tls", each) for each in seed.tls_edges],
            "https_edges": [_plant_edge(service, each) for each in seed.https_edges],
            "event_subscriptions": [{"id": _plant_subscription(service, each)} for each in seed.event_subscriptions],
            "objects": {
                path: [_plant_object(service, path, each) for each in objects] for path, objects in seed.objects.items()
            },
        }


def _plant_tunnel(service: Service, tunnel: _Tunnel) -> str:
    document = tunnel.model_dump(exclude={"id"}, exclude_defaults=True)
    document |= tunnel.model_dump(include={"started_at", "tunnel_session"})
    if isinstance(tunnel.backends, _Ref):
        document["backends"] = [document["backends"]]
    if tunnel.public_url and tunnel.endpoint is None:
        document["endpoint"] = {"id": new_id("ep_")}
    return service.store.add("tunnel", document, tunnel.id).id


def _plant_subscription(service: Service, subscription: _EventSubscription) -> str:
    check_event_types(service.switches, subscription.sources)
    document = {"sources": list(dict.fromkeys(subscription.sources))}
    return _planted(service, BY_PATH["event_subscriptions"], document, subscription.id)


def _plant_object(service: Service, path: str, given: _Fields) -> dict[str, str]:
    of = BY_PATH[path]
    identifier = given.pop("id", None)
    if path in SEEDED_ELSEWHERE and not str(identifier or of.prefix).startswith(of.prefix):
        raise invalid(f"{path}: the ID {identifier!r} does not start with {of.prefix}")
    try:
        document = of.new.model_validate(given).model_dump(exclude_unset=True)
    except ValidationError as error:
        raise invalid(f"{path}: {without_values(error)}") from None
    return {"id": _planted(service, of, document, identifier)}


def _planted(service: Service, of: PlainCollection, document: Document, identifier: str | None) -> str:
    stored = service.store.add(of.kind, document, identifier or new_id(of.prefix))
    claim(service.store, stored)
    return stored.id


def _plant_edge(service: Service, edge: _HTTPSEdge) -> dict[str, Any]:
    document = edge.model_dump(exclude={"id", "routes"}, exclude_unset=True)
    edge_id = _planted(service, BY_PATH["edges/https"], document, edge.id)
    documents = [route.model_dump(exclude_unset=True) for route in edge.routes]
    routes = [add_route(service, edge_id, each, each.pop("id", None)) for each in documents]
    return {"id": edge_id, "routes": [{"id": route.id} for route in routes]}
