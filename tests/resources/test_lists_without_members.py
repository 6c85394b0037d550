# SPDX-License-Identifier: GPL-3.0-or-later
"""A response to a list request without the list: what the service has is unknown, so nothing is written."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks, writes
from places import HOSTPORT, KEY, SOURCE, SUBSCRIPTION
from scripted_service import as_json, scripted_service

BROKEN: list[dict[str, Any]] = [
    {},
    {"uri": "/somewhere"},
    {"uri": "/somewhere", "next_page_uri": None},
    {"next_page_uri": None},
    {"uri": "/somewhere", "error_code": "ERR_1"},
    {"uri": "/somewhere", "error_code": None},
    {"uri": "/somewhere", "error_code": "ERR_1", "details": []},
    {"https_edges": [], "ip_policies": None, "sources": [], "tunnels": [], "tls_edges": [], "error_code": "ERR_1"},
]
POLICY = {"collection": "ip_policies", "find_by": {"description": "office"}}
TASKS: list[tuple[str, dict[str, Any]]] = [
    ("https_edge", {"hostports": [HOSTPORT]}),
    ("https_edge", {"hostports": [HOSTPORT], "state": "absent"}),
    ("https_edge_info", {}),
    ("estate", {"https_edges": [{"hostports": [HOSTPORT], "routes": [KEY]}], "purge": ["edges"]}),
    ("estate", {"event_subscriptions": [{"subscription_id": SUBSCRIPTION, "sources": [SOURCE]}]}),
    ("event_sources", {"subscription_id": SUBSCRIPTION, "types": [SOURCE]}),
    ("estate", {"objects": [{"name": "office", **POLICY}]}),
    ("object", POLICY),
    ("object", {**POLICY, "state": "absent"}),
    ("object_info", {"collection": "ip_policies"}),
    ("estate_info", {}),
    ("estate_info", {"https_edges": False, "objects": ["edges/tls"]}),
    ("exposure_info", {"tunnels": False}),
    ("tunnel_info", {}),
]


@pytest.mark.parametrize("page", BROKEN, ids=str)
@pytest.mark.parametrize(("module", "options"), TASKS, ids=str)
def test_a_page_without_its_list_is_not_empty(
    tasks: Tasks, module: str, options: dict[str, Any], page: dict[str, Any]
) -> None:
    with scripted_service(lambda request: as_json(page)) as broken:
        result = tasks.failed(module, base_url=broken.base_url, **options)
        assert broken.writes() == []
    assert "expected a list of" in result["msg"]


@pytest.mark.parametrize(
    ("path", "key"),
    [("ip_policies", "ip_policies"), ("edges/tls", "tls_edges"), ("backends/http_response", "backends")],
)
@pytest.mark.parametrize("value", [None, []])
def test_an_empty_list_may_be_null(tasks: Tasks, path: str, key: str, value: Any) -> None:
    page = {key: value, "uri": "/somewhere", "next_page_uri": None}
    with scripted_service(lambda request: as_json(page)) as empty:
        assert tasks.done("object_info", base_url=empty.base_url, collection=path)["objects"] == []


@pytest.mark.parametrize("value", ["null", "missing"])
def test_pages_of_an_empty_account(tasks: Tasks, value: str) -> None:
    tasks.service.switches(empty_pages=value)
    for module, options in (TASKS[0], TASKS[3], TASKS[6]):
        result = tasks.run(module, **options)
        assert bool(writes(result)) == (value == "null")
        assert result.get("failed", False) == (value == "missing")
