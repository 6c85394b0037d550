# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of fields against a second reading of the API reference, sections 2.1 to 2.6."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import reference_fields
from ansible_collections.edgeops.ingress.plugins.module_utils._model import identifiers, schema
from ansible_collections.edgeops.ingress.plugins.module_utils._model.named_secrets import is_secret_name
from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object
from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import (
    EDGE_MODULES,
    HTTPS_EDGE,
    HTTPS_EDGE_ROUTE,
    ROUTE_MODULES,
    TLS_EDGE_MODULES,
    TUNNEL,
)
from ansible_collections.edgeops.ingress.plugins.module_utils._model.secret import Secret
from collection_tree import MODULES
from reference_fields import Fields

pytestmark = pytest.mark.every_core

PROVIDERS = {"github", "facebook", "microsoft", "google", "linkedin", "gitlab", "twitch", "amazon"}
PROVIDER = "client_id:str client_secret:str scopes:list email_addresses:list email_domains:list"


def options_of(kind: Object) -> set[str]:
    """The options of an object with their types."""
    return {f"{name}:{spec['type']}" for name, spec in kind.options().items()}


def described_options(fields: Fields) -> set[str]:
    """The same of a table."""
    return {f"{name}:{one.option_type}" for name, one in fields.items()}


TABLES = [
    (ROUTE_MODULES, reference_fields.ROUTE),
    (EDGE_MODULES, reference_fields.EDGE),
    (TLS_EDGE_MODULES, reference_fields.TLS_EDGE),
]


@pytest.mark.parametrize(("modules", "described"), TABLES)
def test_traffic_modules_have_the_documented_options(modules: dict[str, Object], described: dict[str, Fields]) -> None:
    assert list(modules) == list(described)
    for name, kind in modules.items():
        assert options_of(kind) == described_options(described[name]), name


def test_identity_providers_have_the_documented_options() -> None:
    provider = ROUTE_MODULES["oauth"].named["provider"].kind
    assert isinstance(provider, Object)
    assert set(provider.options()) == PROVIDERS
    for name in PROVIDERS:
        kind = provider.named[name].kind
        assert isinstance(kind, Object)
        more = "teams:list organizations:list" if name == "github" else ""
        assert options_of(kind) == {*PROVIDER.split(), *more.split()}


def test_resources_have_the_documented_options() -> None:
    for kind, itself, modules, others in (
        (HTTPS_EDGE, reference_fields.EDGE_ITSELF, reference_fields.EDGE, {"hostports:list"}),
        (HTTPS_EDGE_ROUTE, reference_fields.ROUTE_ITSELF, reference_fields.ROUTE, {"match_type:str", "match:str"}),
    ):
        assert options_of(kind) == described_options(itself) | others | {f"{name}:dict" for name in modules}
    for kind, own in ((HTTPS_EDGE, "routes"), (HTTPS_EDGE_ROUTE, "edge_id")):
        assert {f.name for f in kind.fields} - set(kind.options()) == {"id", "uri", "created_at", own}
    assert options_of(TUNNEL) == set()


def test_what_only_the_service_writes_of_saml() -> None:
    saml = ROUTE_MODULES["saml"]
    assert {f.name for f in saml.fields if f.read_only} == {
        *("entity_id", "assertion_consumer_service_url", "single_logout_url", "metadata_url"),
        "request_signing_certificate_pem",
    }


def fields_below(kind: Object, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every field of an object at any depth, with its path."""
    for f in kind.fields:
        where = f"{path}.{f.name}"
        yield where, f
        if isinstance(f.kind, Object):
            yield from fields_below(f.kind, where)


def test_every_secret_is_one_and_is_masked_by_ansible() -> None:
    for where, f in fields_below(HTTPS_EDGE_ROUTE):
        assert is_secret_name(f.name) == isinstance(f.kind, Secret), where
        if isinstance(f.kind, Secret):
            assert f.kind.argument()["no_log"] is True, where
    described = [one for fields in reference_fields.ROUTE.values() for one in fields.values() if one.type == "secret"]
    found = [path for path, f in fields_below(HTTPS_EDGE_ROUTE) if isinstance(f.kind, Secret)]
    assert len(found) == len(described) + len(PROVIDERS)


def test_each_resource_of_the_schema_has_a_collection_and_a_module() -> None:
    resources = {kind.name for kind in vars(schema).values() if isinstance(kind, Object) and kind.resource}
    assert resources
    assert resources <= set(identifiers.OWN_MODULES.values()) <= set(MODULES)


def test_prefixes_and_collections_belong_to_one_kind() -> None:
    collections = [kind.collection for kind in identifiers.OBJECT_KINDS if kind.collection]
    for values in ([kind.prefix for kind in identifiers.OBJECT_KINDS], collections):
        assert len(values) == len(set(values))


MODULE_OF = {
    "edges/https": "https_edge",
    "edges/https/edghts_1/routes": "https_edge_route",
    "edges/tls/edgtls_1/ip_restriction": "tls_edge_ip_restriction",
    "event_subscriptions/esb_1/sources": "event_source",
    **dict.fromkeys(["edges/https/edghts_1/routes/more", "edges/https/edghts_1/other", "edges/https//routes"], ""),
    **dict.fromkeys(["edges/https/edghts_1", "edges/tls", "ip_policies", ""], ""),
}


def test_the_module_of_a_collection() -> None:
    assert {collection: identifiers.own_module(collection) for collection in MODULE_OF} == MODULE_OF
