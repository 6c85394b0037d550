# SPDX-License-Identifier: GPL-3.0-or-later
"""Collections of objects that the API reference only refers to, as plain stores. All of it is an extension."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel

from .answer_models import answer_of, list_of
from .collection_fields import (
    CertificateAuthority,
    EventDestination,
    EventSubscription,
    FailoverBackend,
    HTTPResponseBackend,
    IPPolicy,
    IPPolicyRule,
    NewCertificateAuthority,
    NewFailoverBackend,
    NewIPPolicyRule,
    NewStaticAddressBackend,
    StaticAddressBackend,
    TLSEdge,
    TunnelGroupBackend,
)
from .creations import check_creation, wait_to_create
from .event_sources import check_event_type
from .fields import Strict
from .json_response import as_json, no_content
from .paging import BeforeId, Limit, page_of
from .references import check_references, check_unused
from .refusals import invalid, not_found
from .service import Call, ThisCall
from .store import Document, Stored
from .strict_route import EXTENSION, StrictRoute

router = APIRouter(route_class=StrictRoute)

_Id = Annotated[str, Path(alias="id")]


@dataclass(frozen=True)
class PlainCollection:
    """A collection. `kind` is that of its objects in the store, `members` the name of the list in responses.

    `new` are the fields of POST, and `fields` those of PATCH. Other objects are `called` so in messages.
    """

    path: str
    kind: str
    members: str
    called: str
    new: type[Strict]
    fields: type[Strict]

    @property
    def is_of_edges(self) -> bool:
        return self.kind == "tls_edge"

    def read(self, call: Call, identifier: str) -> Stored:
        """Return the current object. Raises `Refusal` (404) if it does not exist."""
        found = call.store.get(self.kind, identifier)
        if found is None:
            raise not_found(self.called, identifier)
        return found

    def document(self, call: Call, body: BaseModel) -> Document:
        """Return the document of a request. Raises `Refusal` if the service cannot store it."""
        document = body.model_dump(exclude_unset=True)
        check_references(call, self.new, document, of_edge=self.is_of_edges)
        if self.kind == "event_subscription" and "sources" in document:
            document["sources"] = [each["type"] for each in document["sources"]]
            for event_type in document["sources"]:
                check_event_type(call.switches, event_type)
        return document

    def claim(self, call: Call, stored: Stored) -> None:
        """Raise `Refusal` if a TLS edge has a hostport of another edge."""
        hostports, slow = stored.document.get("hostports", ()), call.switches.slow_releases
        taken = call.store.claim_hostports(stored.id, hostports, slow) if self.is_of_edges else None
        if taken is not None:
            raise invalid(f"hostports: {taken!r} belongs to another edge", "ERR_HOSTPORT_TAKEN")

    def answer(self, call: Call, stored: Stored) -> Document:
        if self.kind == "tls_edge":
            return call.answers.tls_edge(stored)
        if self.kind == "event_subscription":
            return call.answers.event_subscription(self.new, stored)
        return call.answers.plain(self.path, self.new, stored)


def _backends(name: str, called: str, new: type[Strict], fields: type[Strict]) -> PlainCollection:
    return PlainCollection(f"backends/{name}", f"{name}_backend", "backends", f"{called} backend", new, fields)


COLLECTIONS = (
    PlainCollection("ip_policies", "ip_policy", "ip_policies", "IP policy", IPPolicy, IPPolicy),
    PlainCollection(
        "ip_policy_rules", "ip_policy_rule", "ip_policy_rules", "IP policy rule", NewIPPolicyRule, IPPolicyRule
    ),
    _backends("http_response", "HTTP response", HTTPResponseBackend, HTTPResponseBackend),
    _backends("tunnel_group", "tunnel group", TunnelGroupBackend, TunnelGroupBackend),
    _backends("static_address", "static address", NewStaticAddressBackend, StaticAddressBackend),
    _backends("failover", "failover", NewFailoverBackend, FailoverBackend),
    PlainCollection(
        "certificate_authorities",
        "certificate_authority",
        "certificate_authorities",
        "certificate authority",
        NewCertificateAuthority,
        CertificateAuthority,
    ),
    PlainCollection("edges/tls", "tls_edge", "tls_edges", "TLS edge", TLSEdge, TLSEdge),
    PlainCollection(
        "event_destinations",
        "event_destination",
        "event_destinations",
        "event destination",
        EventDestination,
        EventDestination,
    ),
    PlainCollection(
        "event_subscriptions",
        "event_subscription",
        "event_subscriptions",
        "event subscription",
        EventSubscription,
        EventSubscription,
    ),
)
BY_PATH = {each.path: each for each in COLLECTIONS}


def _creation(of: PlainCollection) -> Callable[..., Any]:
    async def create(call: ThisCall, body: Any) -> Response:
        await wait_to_create(call)
        with call.store.writing():
            check_creation(call, "objects")
            document = of.document(call, body)
            if of.kind == "event_subscription":
                document.setdefault("sources", [])
            stored = call.store.add(of.kind, document)
            of.claim(call, stored)
        return as_json(of.answer(call, stored), 201)

    create.__annotations__["body"] = of.new
    return create


def _listing(of: PlainCollection) -> Callable[..., Any]:
    async def list_(call: ThisCall, before_id: BeforeId = None, limit: Limit = None) -> Response:
        path = f"/{of.path}"
        found, following = page_of(call, of.kind, path, before_id, limit)
        members = [of.answer(call, each) for each in found]
        return as_json(call.answers.listing(of.members, members, uri=call.answers.uri(path), next_page_uri=following))

    return list_


def _reading(of: PlainCollection) -> Callable[..., Any]:
    async def read(call: ThisCall, identifier: _Id) -> Response:
        return as_json(of.answer(call, of.read(call, identifier)))

    return read


def _update(of: PlainCollection) -> Callable[..., Any]:
    async def update(call: ThisCall, identifier: _Id, body: Any) -> Response:
        """Keep omitted fields, and replace the others as a whole."""
        with call.store.writing():
            held = of.read(call, identifier)
            held.document.update(of.document(call, body))
            of.claim(call, held)
            call.store.replace(held.id, held.document)
        return as_json(of.answer(call, held))

    update.__annotations__["body"] = of.fields
    return update


def _deletion(of: PlainCollection) -> Callable[..., Any]:
    async def delete(call: ThisCall, identifier: _Id) -> Response:
        """Delete an object to which no other object refers."""
        with call.store.writing():
            check_unused(call, of.read(call, identifier).id, of.called)
            call.store.remove(identifier)
        return no_content()

    return delete


def _add_operations(of: PlainCollection) -> None:
    answer = answer_of(of.kind, of.new)
    listed = list_of(of.kind, of.members, answer)
    for operation, verb, method, path, status, model in (
        (_creation(of), "create", "POST", "", 201, answer),
        (_listing(of), "list", "GET", "", 200, listed),
        (_reading(of), "read", "GET", "/{id}", 200, answer),
        (_update(of), "update", "PATCH", "/{id}", 200, answer),
        (_deletion(of), "delete", "DELETE", "/{id}", 204, None),
    ):
        router.add_api_route(
            f"/{of.path}{path}",
            operation,
            methods=[method],
            name=f"{verb}_{of.kind}",
            status_code=status,
            response_model=model,
            tags=[of.members.replace("_", " ")],
            openapi_extra=EXTENSION,
        )


for _collection in COLLECTIONS:
    _add_operations(_collection)
