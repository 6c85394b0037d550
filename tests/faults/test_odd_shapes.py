# SPDX-License-Identifier: GPL-3.0-or-later
"""Responses that are nearly right: IDs that are dots, empty, not a string, or those of another object; routes,
sources, and modules of wrong shapes. Nothing is written to another path, nothing is deleted twice, and what cannot be
read is not taken for nothing.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from amount import so_many
from figures import Figures
from module_task import Given, applied
from scripted_service import Received, Response, ScriptedService, as_json

ODD = st.sampled_from([None, "", ".", "..", "a/../b", "a?b#c", "\ud800", 7, True, [], {}, ["x"], {"id": "x"}])
ONE_OF_FOUR = st.integers(0, 3).map(lambda number: number == 0)


def nearly(value: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Mostly what belongs there."""
    return ONE_OF_FOUR.flatmap(lambda is_odd: ODD if is_odd else value)


def objects(**members: st.SearchStrategy[Any]) -> st.SearchStrategy[Given]:
    return st.fixed_dictionaries({}, optional={name: nearly(value) for name, value in members.items()})


def lists(members: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return nearly(st.lists(nearly(members), max_size=3))


REFS = lists(objects(id=st.sampled_from(["ipp_one", "ipp_two"])))
PROVIDERS = objects(
    github=objects(email_domains=lists(st.just("example.com")), client_secret=st.sampled_from(["x", "***"])),
    google=st.just({}),
)
ROUTES = objects(
    id=st.sampled_from(["edghtsrt_one", "edghtsrt_two"]),
    match_type=st.sampled_from(["exact_path", "path_prefix"]),
    match=st.sampled_from(["/", "/other"]),
    backend=objects(enabled=st.booleans(), backend_id=st.just("bkd_one"), backend=objects(id=st.just("bkd_one"))),
    oauth=objects(provider=PROVIDERS),
    ip_restriction=objects(ip_policies=REFS),
    policy=objects(inbound=lists(objects(name=st.just("x"), actions=lists(st.just({}))))),
)
EDGES = objects(
    id=st.sampled_from(["edghts_one", "edghts_two"]),
    hostports=lists(st.sampled_from(["a.example.com:443", "b.example.com:443"])),
    metadata=st.just("m"),
    mutual_tls=objects(certificate_authorities=REFS),
    routes=lists(ROUTES),
)
SOURCES = objects(type=st.sampled_from(["ip_policy_created.v0", "domain_created.v0"]), uri=st.just("/x"))
RESPONSES = st.fixed_dictionaries(
    {"edges": lists(EDGES), "sources": lists(SOURCES), "module": objects(ip_policies=REFS)}
)

ROUTE = {"match_type": "exact_path", "match": "/", "oauth": {"provider": {"github": {}}}, "absent_modules": ["saml"]}
EVENTS = ["ip_policy_created.v0"]
TASKS: dict[str, Given] = {
    "estate": {
        "https_edges": [
            {"hostports": ["a.example.com:443"], "routes": [ROUTE]},
            {"find_by": "metadata", "metadata": "m", "absent_modules": ["mutual_tls"]},
        ],
        "tls_edges": [{"edge_id": "edgtls_one", "ip_restriction": {"ip_policy_ids": ["ipp_one"]}}],
        "event_subscriptions": [{"subscription_id": "esb_one", "sources": EVENTS}],
        "purge": ["edges", "routes", "modules", "sources"],
    },
    "estate_info": {"tls_edges": ["edgtls_one"], "event_subscriptions": ["esb_one"]},
    "https_edge": {"hostports": ["a.example.com:443"], "state": "absent"},
    "https_edge_route": {"edge_id": "edghts_one", **ROUTE},
    "https_edge_routes": {"edge_id": "edghts_one", "routes": [ROUTE], "purge": True},
    "event_sources": {"subscription_id": "esb_one", "types": EVENTS, "purge": True},
}


@pytest.mark.parametrize("module", TASKS)
def test_what_is_nearly_right_leads_nowhere_else(figures: Figures, responding: ScriptedService, module: str) -> None:
    @settings(max_examples=so_many(25, 500), suppress_health_check=list(HealthCheck))
    @given(RESPONSES, st.booleans())
    def check(responses: Given, is_rejected: bool) -> None:
        responding.received.clear()
        responding.script = lambda request: _response(request, responses, is_rejected)
        connection = {"base_url": responding.base_url, "api_key": "ak_of_a_test", "retries": 0, "timeout": 5.0}
        result = applied(module, {**connection, **TASKS[module], **({"concurrency": 1} if module == "estate" else {})})
        assert "option_errors" not in result
        assert isinstance(result["changed"], bool)
        assert not result.get("failed") or result["msg"]
        assert _complaints(responding, responses["edges"]) == []
        figures.tried("responses that are almost correct")

    check()


def _response(request: Received, responses: Given, is_rejected: bool) -> Response:
    path = request.path.split("?")[0]
    if request.method != "GET":
        if is_rejected:
            return Response(403)
        return Response(204) if request.method == "DELETE" else as_json(_first(responses["edges"]))
    if path.endswith("/sources"):
        return as_json({"sources": responses["sources"], "uri": None})
    if path == "/edges/https":
        return as_json({"https_edges": responses["edges"]})
    return as_json(_first(responses["edges"]) if path.startswith("/edges/https/") else responses["module"])


def _first(edges: Any) -> Any:
    return edges[0] if isinstance(edges, list) and edges else edges


def _complaints(responding: ScriptedService, edges: Any) -> list[str]:
    paths = [(one.method, one.path) for one in responding.received if one.method != "GET"]
    found = [f"{method} {path}" for method, path in paths if {"", ".", ".."} & set(path[1:].split("/"))]
    deleted = [path for method, path in paths if method == "DELETE"]
    found += [f"deleted twice: {path}" for path in set(deleted) if deleted.count(path) > 1]
    for edge in edges if isinstance(edges, list) else ():
        routes = edge.get("routes") if isinstance(edge, dict) else None
        if edge is _first(edges) and not isinstance(routes, (list, type(None))):
            below = f"/edges/https/{json.dumps(edge.get('id'))[1:-1]}/routes"
            found += [
                f"{method} {path}, though its routes are {routes}" for method, path in paths if path.startswith(below)
            ]
    return found
