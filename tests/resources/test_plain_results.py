# SPDX-License-Identifier: GPL-3.0-or-later
"""Results contain plain values only: ansible-core warns about anything else, and turns some of it into other values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from collection_tree import MODULES
from module_examples import plain_example
from module_task import Tasks

pytestmark = pytest.mark.every_core

PLAIN = (str, int, float, bool, list, dict, type(None))

SEED: dict[str, Any] = {
    "https_edges": [
        {
            "id": "edghts_one",
            "hostports": ["seeded.example.com:443"],
            "routes": [{"id": "edghtsrt_one", "match_type": "path_prefix", "match": "/"}],
        },
    ],
    "tls_edges": [{"id": "edgtls_one"}],
    "event_subscriptions": [{"id": "esb_one", "sources": ["http_request_complete.v0"]}],
    "tunnels": [{"id": "tn_one", "labels": {"service": "shop"}, "backends": [{"id": "bk_one"}]}],
}
ROUTE: dict[str, Any] = {
    "match_type": "exact_path",
    "match": "/shop",
    "backend": {"backend_id": "bk_one"},
    "ip_restriction": {"ip_policy_ids": ["ipp_two", "ipp_one"]},
    "oidc": {"issuer": "https://a.example", "client_id": "x", "client_secret": "canary", "scopes": ["b", "a"]},
}
POLICY = {"collection": "ip_policies", "find_by": {"description": "Offices"}, "body": {"metadata": {"a": [1, 0.5]}}}
EDGE = {"hostports": ["a.example.com:443"], "mutual_tls": {"certificate_authority_ids": ["ca_one"]}}
TASKS: dict[str, dict[str, Any]] = {
    "api": {"method": "GET", "path": "/tunnels"},
    "estate": {
        "objects": [{"name": "offices", **POLICY}],
        "https_edges": [{**EDGE, "routes": [ROUTE]}],
        "tls_edges": [{"edge_id": "edgtls_one", "ip_restriction": {"ip_policy_ids": ["ref:offices"]}}],
        "event_subscriptions": [{"subscription_id": "esb_one", "sources": ["ip_policy_created.v0"]}],
        "purge": ["edges", "sources"],
        "reject_findings": "high",
    },
    "estate_info": {"tls_edges": ["edgtls_one"], "event_subscriptions": ["esb_one"], "objects": ["ip_policies"]},
    "event_source": {"subscription_id": "esb_one", "type": "ip_policy_created.v0"},
    "event_source_info": {"subscription_id": "esb_one", "type": "http_request_complete.v0"},
    "event_sources": {"subscription_id": "esb_one", "types": ["ip_policy_created.v0"], "purge": True},
    "exposure_info": {"tls_edges": ["edgtls_one"], "event_subscriptions": ["esb_one"]},
    "https_edge": EDGE,
    "https_edge_info": {"hostports": ["seeded.example.com:443"]},
    "https_edge_route": {"edge_id": "edghts_one", **ROUTE},
    "https_edge_routes": {"edge_id": "edghts_one", "routes": [ROUTE], "purge": True},
    "object": POLICY,
    "object_info": {"collection": "ip_policies"},
    "objects": {"objects": [{"name": "offices", **POLICY}]},
    "tls_edge_info": {"id": "edgtls_one"},
    "tls_edge_ip_restriction": {"edge_id": "edgtls_one", "ip_policy_ids": ["ipp_one"]},
    "tls_edge_tls_termination": {"edge_id": "edgtls_one", "terminate_at": "edge", "min_version": "1.3"},
    "tunnel_info": {},
}


def task_of(module: str) -> dict[str, Any]:
    """Return the options of the task above, or those of the module's first example."""
    return TASKS[module] if module in TASKS else plain_example(module)


def not_plain(value: Any, path: str = "result") -> Iterator[str]:
    """Yield what is not exactly of a plain type, at any depth."""
    if type(value) not in PLAIN:
        yield f"{path}: {type(value).__name__}"
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from not_plain(name, f"the key {name!r} of {path}")
            yield from not_plain(member, f"{path}.{name}")
    elif isinstance(value, list):
        for number, member in enumerate(value):
            yield from not_plain(member, f"{path}[{number}]")


@pytest.mark.parametrize("module", MODULES)
def test_a_result_is_plain(tasks: Tasks, module: str) -> None:
    tasks.service.seed(**SEED)
    for check in (True, False, False):  # predicted, changed, and unchanged
        assert list(not_plain(tasks.done(module, check=check, **task_of(module)))) == []


@pytest.mark.parametrize("module", MODULES)
def test_the_result_of_a_failure_is_plain(tasks: Tasks, module: str) -> None:
    result = tasks.failed(module, **{**task_of(module), "api_key": "ak_of_nobody"})
    assert "option_errors" not in result
    assert list(not_plain(result)) == []


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("options", [{}, {"no_such_option": 1}], ids=["nothing", "unknown"])
def test_the_result_of_option_errors_is_plain(tasks: Tasks, module: str, options: dict[str, Any]) -> None:
    result = tasks.failed(module, **options, api_version="ü", ca_path=["x"])
    assert len(result["option_errors"]) > 1
    assert list(not_plain(result)) == []


@pytest.mark.parametrize(
    ("module", "options"),
    [
        ("estate", {"purge": ["edges"], "tls_edges": []}),
        ("exposure_info", {"estate": {}}),
        ("https_edge", {"find_by": "metadata"}),
        ("https_edge_route", {"edge_id": "edghts_one", "match": "/", "oauth": {}, "policy": {}}),
        ("object", {"collection": "ip_policies"}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_result_of_errors_that_follow_from_several_options_is_plain(
    tasks: Tasks, module: str, options: dict[str, Any]
) -> None:
    result = tasks.failed(module, **options)
    assert result["option_errors"]
    assert list(not_plain(result)) == []


def test_the_result_of_several_failures_is_plain(tasks: Tasks) -> None:
    unknown = [{"edge_id": f"edgtls_{name}", "ip_restriction": {"ip_policy_ids": ["ipp_one"]}} for name in "ab"]
    result = tasks.failed("estate", tls_edges=unknown, https_edges=[EDGE])
    assert len(result["failures"]) == 2
    assert list(not_plain(result)) == []
