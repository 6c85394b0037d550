# SPDX-License-Identifier: GPL-3.0-or-later
"""The OpenAPI document: complete, and valid for the running service."""

from __future__ import annotations

import json

import hypothesis
import pytest
import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

from amount import WHOLE, so_many
from real_collections import SAMPLES, with_id
from reference_fields import ROUTE
from reference_service.models.collections_table import BY_PATH
from reference_service.serving.openapi_document import document
from running_service import HEADERS, Running, ended

OTHERS = (
    r"/edges/https/\{edge_id\}/routes/\{id\}/(?!backend|oidc)"
    rf"|/({'|'.join(name for name in SAMPLES if name != 'ip_policy_rules')})(/\{{id\}})?$"
)
"""The traffic modules of a route, and the plain collections, that `make test` has no time for. They differ in their
fields alone. Nor has it time for updates, whose fields are those of creations.
"""

schema = schemathesis.openapi.from_dict(document("Svc-Version"))


def test_the_command_prints_the_document_with_the_name_of_the_header() -> None:
    done = ended("openapi", "--version-header", "Acme-Version")
    assert json.loads(done.stdout) == document("Acme-Version")
    assert "Svc-Version" not in done.stdout


def test_document_has_every_operation() -> None:
    operations = [operation.ok() for operation in schema.get_all_operations()]
    extensions = [each for each in operations if each.definition.raw.get("x-extension-operation")]
    assert len(extensions) == 3 + 3 * 2 + 3 * len(ROUTE) + 5 * len(SAMPLES)
    assert len(operations) - len(extensions) == 2 + 6 + 4 + 2 + 5


@pytest.mark.parametrize("collection", SAMPLES)
def test_a_new_object_conforms_to_the_document(service: Running, collection: str) -> None:
    service.switches(unknown_references="accepted")
    sample = SAMPLES[collection]
    whole = with_id(sample.whole, "ipp_1")
    operation = schema[f"/{collection}"]["POST"]
    for body in ({name: whole[name] for name in BY_PATH[collection].required}, whole):
        operation.validate_response(service.send("POST", f"/{collection}", body))


OWN_ID = "plain_1"

OBJECTS = {
    "tunnels": [{"id": "tn_1", "public_url": "https://a.example", "proto": "https"}],
    "tls_edges": [{"id": "edgtls_1"}],
    "https_edges": [{"id": "edghts_1", "routes": [{"id": "edghtsrt_1", "match_type": "exact_path", "match": "/"}]}],
    "event_subscriptions": [{"id": "esb_1", "sources": ["domain_created.v0"]}],
}
SEEDED_ELSEWHERE = ("edges/tls", "event_subscriptions")
CHECKS = [
    *(not_a_server_error, checks.status_code_conformance, checks.content_type_conformance),
    *(checks.response_schema_conformance, checks.negative_data_rejection),
]


@(schema if WHOLE else schema.exclude(path_regex=OTHERS).exclude(method="PATCH")).parametrize()
@hypothesis.settings(
    max_examples=so_many(2, 2),
    phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(hypothesis.HealthCheck),
)
def test_the_service_conforms_to_the_document(case: schemathesis.Case, service: Running) -> None:
    service.reset()
    service.seed(**OBJECTS)
    ids = {"/tunnels": "tn_1", "/edges/tls": "edgtls_1", "/edges/https": "edghts_1", "/event_subscriptions": "esb_1"}
    for collection, sample in SAMPLES.items():
        if case.path.startswith(f"/{collection}") and collection not in SEEDED_ELSEWHERE:
            service.seed(objects={collection: [{"id": OWN_ID, **with_id(sample.whole, "ipp_1")}]})
            ids[f"/{collection}/"] = OWN_ID
    if "/routes/" in case.path:
        ids["/edges/https"] = "edghtsrt_1"
    own = next((identifier for start, identifier in ids.items() if case.path.startswith(start)), "")
    known = {"id": own, "edge_id": "edghts_1", "subscription_id": "esb_1", "type": "domain_created.v0"}
    case.path_parameters = {name: known[name] for name in case.path_parameters or {}}
    key = {"Authorization": HEADERS["Authorization"]}
    case.call_and_validate(base_url=service.base_url, headers=key, checks=CHECKS)
