# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of fields: against a second reading of the API reference, sections 2.1 to 2.6, against the limits that
users read, and against each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml

import reference_fields
from ansible_collections.edgeops.ingress.plugins.doc_fragments import _edge, _route
from ansible_collections.edgeops.ingress.plugins.doc_fragments._nesting import in_brief
from ansible_collections.edgeops.ingress.plugins.module_utils._model import schema
from ansible_collections.edgeops.ingress.plugins.module_utils._model.named_secrets import is_secret_name
from ansible_collections.edgeops.ingress.plugins.module_utils._model.named_strings import Secret
from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object
from ansible_collections.edgeops.ingress.plugins.module_utils._model.references import Listing
from ansible_collections.edgeops.ingress.plugins.module_utils._values import identifiers
from ansible_collections.edgeops.ingress.plugins.module_utils._values.kinds import Integer
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
    (schema.ROUTE_MODULES, reference_fields.ROUTE),
    (schema.EDGE_MODULES, reference_fields.EDGE),
    (schema.TLS_EDGE_MODULES, reference_fields.TLS_EDGE),
]


@pytest.mark.parametrize(("modules", "described"), TABLES)
def test_traffic_modules_have_the_documented_options(modules: dict[str, Object], described: dict[str, Fields]) -> None:
    assert list(modules) == list(described)
    for name, kind in modules.items():
        assert options_of(kind) == described_options(described[name]), name


def test_identity_providers_have_the_documented_options() -> None:
    provider: Any = schema.ROUTE_MODULES["oauth"].named["provider"].kind
    assert set(provider.options()) == PROVIDERS
    for name in PROVIDERS:
        more = "teams:list organizations:list" if name == "github" else ""
        assert options_of(provider.named[name].kind) == {*PROVIDER.split(), *more.split()}


def test_resources_have_the_documented_options() -> None:
    edge, route = schema.HTTPS_EDGE, schema.HTTPS_EDGE_ROUTE
    for kind, itself, modules, others in (
        (edge, reference_fields.EDGE_ITSELF, reference_fields.EDGE, {"hostports:list"}),
        (route, reference_fields.ROUTE_ITSELF, reference_fields.ROUTE, {"match_type:str", "match:str"}),
    ):
        assert options_of(kind) == described_options(itself) | others | {f"{name}:dict" for name in modules}
    for kind, own in ((edge, "routes"), (route, "edge_id")):
        assert {f.name for f in kind.fields} - set(kind.options()) == {"id", "uri", "created_at", own}
    assert options_of(schema.TUNNEL) == set()


def test_what_only_the_service_writes_of_saml() -> None:
    saml = schema.ROUTE_MODULES["saml"]
    urls = {"assertion_consumer_service_url", "single_logout_url", "metadata_url"}
    assert {f.name for f in saml.fields if f.read_only} == {"entity_id", *urls, "request_signing_certificate_pem"}


def objects_in(path: str, kind: object) -> Iterator[tuple[str, Object]]:
    """Yield an object and those inside of it, each with its path."""
    if isinstance(kind, Listing):
        yield from objects_in(path, kind.of)
    elif isinstance(kind, Object):
        yield path, kind
        for f in kind.fields:
            yield from objects_in(f"{path}.{f.name}", f.kind)


NAMED = {**vars(schema), **{f"tls_edges.{name}": kind for name, kind in schema.TLS_EDGE_MODULES.items()}}
OBJECTS = dict(pair for name, kind in NAMED.items() for pair in objects_in(name, kind))
FIELDS = {f"{path}.{f.name}": (f, kind) for path, kind in OBJECTS.items() for f in kind.fields}


@pytest.mark.parametrize("path", FIELDS)
def test_the_facts_about_a_field_are_about_others_of_its_object(path: str) -> None:
    f, kind = FIELDS[path]
    others = [*f.needs, *(fact[0] for fact in (f.forbidden_when, f.required_unless) if fact)]
    assert set(others) <= kind.named.keys() - {f.name}
    assert len(set(f.needs)) == len(f.needs)


@pytest.mark.parametrize("path", OBJECTS)
def test_the_facts_about_an_object_are_possible_together(path: str) -> None:
    kind = OBJECTS[path]
    modules = {f.name: f.kind.protects for f in kind.declarable if isinstance(f.kind, Object) and f.kind.module}
    for names in ([n for f in kind.fields for n in {f.name, *f.aliases}], [f.response or f.name for f in kind.fields]):
        assert len(set(names)) == len(names)
    assert all(modules[name] for name in kind.exclusive)
    assert kind.closed_by == "" or modules[kind.closed_by] == ""
    assert {*kind.always_sent, *kind.cleared_by_some} <= {f.name for f in kind.declarable} - modules.keys()
    assert not (kind.resource and kind.module)


def test_every_secret_is_one_and_is_masked_by_ansible() -> None:
    found = {path: f for path, (f, _kind) in FIELDS.items() if path.startswith("HTTPS_EDGE_ROUTE.")}
    for where, f in found.items():
        assert is_secret_name(f.name) == isinstance(f.kind, Secret) == f.kind.argument().get("no_log", False), where
    described = [one for fields in reference_fields.ROUTE.values() for one in fields.values() if one.type == "secret"]
    assert len([f for f in found.values() if isinstance(f.kind, Secret)]) == len(described) + len(PROVIDERS)


def test_each_resource_has_a_collection_and_a_module_and_each_collection_and_prefix_one_kind() -> None:
    resources = {kind.name for kind in vars(schema).values() if isinstance(kind, Object) and kind.resource}
    assert set() < resources <= set(identifiers.OWN_MODULES.values()) <= set(MODULES)
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


# The smallest and the largest number of each field, by its path.
CHECKED = {
    f"{path}.{f.name}": (f.kind.minimum, f.kind.maximum)
    for name, module in schema.ROUTE_MODULES.items()
    for path, kind in objects_in(name, module)
    for f in kind.declarable
    if isinstance(f.kind, Integer)
}
DOCUMENTED = re.compile(r"From V\(([\d.]+)\) to V\(([\d.]+)\)")
REFERENCE = re.compile(r"See C\((\w+)\)\.")
OPTIONS = yaml.safe_load(_route.ModuleDocFragment.DOCUMENTATION)["options"]


def documented(options: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each option at any depth, with its path."""
    for name, option in options.items():
        yield f"{path}.{name}", option
        yield from documented(option.get("suboptions", {}), f"{path}.{name}")


def limits_in(module: str) -> Iterator[tuple[str, tuple[float, float]]]:
    for where, option in documented(OPTIONS[module]["suboptions"], module):
        if option["type"] in ("int", "float"):
            text = " ".join(option["description"])
            if other := REFERENCE.fullmatch(text):  # to the option of the same name in another traffic module
                text = " ".join(OPTIONS[other[1]]["suboptions"][where.rpartition(".")[2]]["description"])
            found = DOCUMENTED.search(text)
            assert found, f"{where}: expected a sentence such as: From V(0) to V(100)."
            yield where, (float(found[1]), float(found[2]))


@pytest.mark.parametrize("module", schema.ROUTE_MODULES)
def test_the_documentation_has_the_same_limits(module: str) -> None:
    """The reference service has its own test of them, with the same numbers."""
    own = {path: limits for path, limits in CHECKED.items() if path.startswith(f"{module}.")}
    assert own == dict(limits_in(module))


@pytest.mark.parametrize("options", [_edge.OPTIONS, _route.OPTIONS], ids=["edge", "route"])
def test_a_brief_description_is_the_first_entry_of_the_full_one_which_is_one_sentence(options: dict[str, Any]) -> None:
    full, brief = (dict(documented(one)) for one in (options, in_brief(options)))
    assert brief.keys() == full.keys()
    for path, option in full.items():
        [description] = brief[path]["description"]
        assert description == option["description"][0], path
        assert description.endswith("."), path
        assert ". " not in description, path
        assert brief[path].get("choices") == option.get("choices"), path
