# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists that move while their pages are read: what two pages show is one object, and is what the later page says."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks
from places import SOURCE, SUBSCRIPTION
from scripted_service import Received, Response, as_json, scripted_service

OTHER_SOURCE = "ip_policy_created.v0"
EDGE = {"id": "edghts_twice", "hostports": ["twice.example.com:443"], "description": "as it was"}
CHANGED = {**EDGE, "description": "as it is"}
OTHER_EDGE = {"id": "edghts_once", "hostports": ["once.example.com:443"]}
TUNNEL = {"id": "tn_twice", "public_url": "tcp://1.tcp.example.net:12345", "proto": "tcp"}


def shifting(path: str, key: str, *pages: list[dict[str, Any]], next_key: str = "next_page_uri") -> Any:
    """A script with these pages; a deletion returns 204, and every other write is rejected."""

    by_id = {member.get("id"): member for page in pages for member in page}

    def script(request: Received) -> Response:
        if request.method == "DELETE":
            return Response(204)
        if request.method != "GET":
            return as_json({"msg": "not expected"}, 400)
        if request.path.partition("?")[0] != path:  # the list leaves out some of it
            return as_json(by_id[request.path.rpartition("/")[2]])
        number = int(request.path.partition("page=")[2] or 0)
        following = f"{path}?page={number + 1}" if number + 1 < len(pages) else None
        return as_json({key: pages[number], next_key: following})

    return script


EDGES = shifting("/edges/https", "https_edges", [EDGE, OTHER_EDGE], [CHANGED])
TUNNELS = shifting("/tunnels", "tunnels", [TUNNEL], [{**TUNNEL, "region": "eu"}])
SOURCES = shifting(
    f"/event_subscriptions/{SUBSCRIPTION}/sources",
    "sources",
    [{"type": SOURCE}, {"type": OTHER_SOURCE}],
    [{"type": OTHER_SOURCE, "uri": "/later"}],
    next_key="uri",
)


def test_an_edge_is_found_once(tasks: Tasks) -> None:
    with scripted_service(EDGES) as service:
        options = {"base_url": service.base_url, "hostports": EDGE["hostports"]}
        result = tasks.run("https_edge", description="as it is", **options)
        assert not result.get("failed"), result["msg"]
        assert result["https_edge"]["id"] == EDGE["id"]
        assert not service.writes()


def test_an_edge_is_deleted_once(tasks: Tasks) -> None:
    with scripted_service(EDGES) as service:
        options = {"base_url": service.base_url, "hostports": EDGE["hostports"]}
        assert not tasks.run("https_edge", state="absent", **options).get("failed")
        assert service.writes() == [f"DELETE /edges/https/{EDGE['id']}"]


def test_an_edge_is_purged_and_counted_once(tasks: Tasks) -> None:
    with scripted_service(EDGES) as service:
        declared = {"https_edges": [{"hostports": OTHER_EDGE["hostports"]}], "purge": ["edges"], "max_deletions": 1}
        result = tasks.run("estate", base_url=service.base_url, **declared)
        assert not result.get("failed"), result["msg"]
        assert service.writes() == [f"DELETE /edges/https/{EDGE['id']}"]
    assert (result["summary"]["deleted"], result["summary"]["unchanged"]) == (1, 1)


def test_an_edge_is_read_and_exported_once(tasks: Tasks) -> None:
    with scripted_service(EDGES) as service:
        edges = tasks.run("https_edge_info", base_url=service.base_url)["https_edges"]
        assert [(edge["id"], edge["description"]) for edge in edges] == [
            (EDGE["id"], "as it is"),
            (OTHER_EDGE["id"], ""),
        ]
        exported = tasks.run("estate_info", base_url=service.base_url)["estate"]["https_edges"]
    assert exported == [
        {"hostports": OTHER_EDGE["hostports"], "routes": []},
        {"hostports": EDGE["hostports"], "description": "as it is", "routes": []},
    ]


def test_a_tunnel_is_listed_once(tasks: Tasks) -> None:
    with scripted_service(TUNNELS) as service:
        [tunnel] = tasks.run("tunnel_info", base_url=service.base_url)["tunnels"]
    assert (tunnel["id"], tunnel["region"]) == (TUNNEL["id"], "eu")


def test_a_source_is_listed_and_purged_once(tasks: Tasks) -> None:
    with scripted_service(SOURCES) as service:
        options = {"base_url": service.base_url, "subscription_id": SUBSCRIPTION}
        sources = tasks.run("event_source_info", **options)["event_sources"]
        assert [(source["type"], source["uri"]) for source in sources] == [(SOURCE, ""), (OTHER_SOURCE, "/later")]
        result = tasks.run("event_sources", types=[SOURCE], purge=True, **options)
        assert not result.get("failed"), result["msg"]
        assert service.writes() == [f"DELETE /event_subscriptions/{SUBSCRIPTION}/sources/{OTHER_SOURCE}"]


@pytest.mark.parametrize("identity", [None, "", 7])
def test_what_has_no_identity_is_not_taken_for_one_object(tasks: Tasks, identity: Any) -> None:
    nameless = [{"id": identity, "hostports": [f"{name}.example.com:443"]} for name in ("a", "b")]
    with scripted_service(shifting("/edges/https", "https_edges", nameless)) as service:
        result = tasks.run("https_edge_info", base_url=service.base_url)
    assert result.get("failed") or len(result["https_edges"]) == 2
