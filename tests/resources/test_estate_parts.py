# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of an estate: a declaration without edges, and the IDs that an export needs or does not need."""

from __future__ import annotations

from datetime import datetime, timezone

from convergence import converges
from module_task import Tasks, methods
from places import HOSTPORT, KEY, SOURCE, SUBSCRIPTION, TLS_EDGE, seed_subscription, seed_tls_edge
from scripted_service import as_json, scripted_service

ALL = ["edges", "routes", "modules"]


def test_an_estate_without_edges(tasks: Tasks) -> None:
    tasks.service.seed(https_edges=[{"id": "edghts_other", "hostports": ["other.example.com:443"]}])
    seed_tls_edge(tasks, tls_termination={"terminate_at": "upstream"})
    seed_subscription(tasks, "ip_policy_created.v0")
    declared = {
        "tls_edges": [{"edge_id": TLS_EDGE, "ip_restriction": {"ip_policy_ids": ["ipp_one"]}}],
        "event_subscriptions": [{"subscription_id": SUBSCRIPTION, "sources": [SOURCE]}],
        "purge": ["modules", "sources"],
    }
    result = converges(tasks, "estate", **declared, concurrency=1)
    assert [(one["method"], one["path"].rsplit("/", 1)[1]) for one in result["operations"]] == [
        ("PUT", "ip_restriction"),
        ("DELETE", "tls_termination"),
        ("POST", "sources"),
        ("DELETE", "ip_policy_created.v0"),
    ]
    assert result["https_edges"] == []
    # Edges are not even read.
    assert not [request for request in result["sent"] if request["path"].startswith("/edges/https")]
    assert methods(tasks.done("estate", **declared)) == ["GET"] * 3


def test_the_results_of_reading_say_when_it_began(tasks: Tasks) -> None:
    began = datetime.now(timezone.utc).replace(microsecond=0)
    for module in ("estate_info", "exposure_info"):
        found = datetime.strptime(tasks.done(module)["collected_at"], "%Y-%m-%dT%H:%M:%S%z")
        assert began <= found <= datetime.now(timezone.utc)
    assert "collected_at" not in tasks.done("exposure_info", estate={"https_edges": []})


def test_an_export_has_no_ids_that_are_not_needed(tasks: Tasks) -> None:
    routes = [KEY, {**KEY, "match": "/other"}, {**KEY, "match_type": "exact_path"}]
    edges = [{"hostports": [hostport], "routes": routes} for hostport in ("a.example.com:443", "b.example.com:443")]
    tasks.service.seed(https_edges=edges)
    live = tasks.done("estate_info")["estate"]["https_edges"]
    assert len(live) == 2
    assert not any("id" in one for edge in live for one in (edge, *edge["routes"]))


def edge_id(name: str) -> str:
    return f"edghts_{name}"


def test_an_export_has_the_ids_that_nothing_else_can_replace(tasks: Tasks) -> None:
    routes = [{"id": f"edghtsrt_{name}", **KEY} for name in ("first", "second")]
    edges = [
        {"id": edge_id("bare"), "hostports": []},
        {"id": edge_id("alone"), "hostports": ["alone.example.com:443"]},
        {"id": edge_id("second"), "hostports": [HOSTPORT.upper()]},
        {
            "id": edge_id("first"),
            "hostports": [HOSTPORT, "first.example.com:443"],
            "routes": [*routes, {"id": "edghtsrt_third", **KEY, "match": "/third"}],
        },
    ]
    by_path = {f"/edges/https/{edge['id']}": edge for edge in edges}
    with scripted_service(lambda request: as_json(by_path.get(request.path, {"https_edges": edges}))) as service:
        live = tasks.run("estate_info", base_url=service.base_url)["estate"]["https_edges"]
        assert [edge.get("id") for edge in live] == [edge_id("first"), edge_id("second"), None, edge_id("bare")]
        assert [route.get("id") for route in live[0]["routes"]] == ["edghtsrt_first", "edghtsrt_second", None]
        result = tasks.run("estate", base_url=service.base_url, https_edges=live, purge=ALL, max_deletions=0)
        assert not service.writes()
    assert not result.get("failed"), result["msg"]
    assert (result["changed"], result["summary"]["unchanged"]) == (False, 7)
