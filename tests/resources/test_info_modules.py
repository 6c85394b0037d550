# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading edges, TLS edges, event sources, and online tunnels: what matches, in the form of the options."""

from __future__ import annotations

from typing import Any

import pytest

from cases import cases
from module_task import Given, Tasks, methods
from scripted_service import as_json, in_turn

EDGES: list[Given] = [
    {"id": "edghts_one", "hostports": ["One.example.com:443"], "description": "first", "metadata": '{"a":1,"b":[2]}'},
    {"id": "edghts_two", "hostports": ["two.example.com:443", "two.example.com:8443"], "metadata": "text"},
    {"id": "edghts_three", "hostports": ["three.example.com:443"], "description": "first"},
]
RESTRICTION = {"enabled": True, "ip_policy_ids": ["ipp_one"]}
AGENT: Given = {"id": "tn_agent", "public_url": "tcp://1.tcp.example.net:12345", "proto": "tcp", "region": "us"}
AGENT |= {"metadata": '{"app":"shop"}', "endpoint": {"id": "ep_a"}, "forwards_to": "localhost:22"}
LABELS = {"app": "shop", "env": "live", "size": "7", "live": "true", "old": "false", "share": "1.5"}
BACKEND: Given = {"id": "tn_backend", "labels": LABELS, "backends": [{"id": "bkd_a"}], "region": "eu"}
SEED: Given = {
    "https_edges": EDGES,
    "tls_edges": [{"id": "edgtls_one", "ip_restriction": RESTRICTION}],
    "event_subscriptions": [{"id": "esb_one", "sources": ["ip_policy_created.v0", "ip_policy_deleted.v0"]}],
    "tunnels": [AGENT, BACKEND, {"id": "tn_bare", "proto": "https", "region": "us"}],
}
FIELDS = {
    *("id", "public_url", "started_at", "metadata", "proto", "region", "tunnel_session", "endpoint", "labels"),
    *("backends", "forwards_to"),
}


@pytest.fixture(autouse=True)
def _live(tasks: Tasks) -> None:
    tasks.service.seed(**SEED)


# What is asked for, and what matches.
SELECTED = cases("""
    edges: all | {} | [one, three, two]
    edges: an ID | {id: edghts_two} | [two]
    edges: an ID that does not exist | {id: edghts_four} | []
    edges: one of its hostports | {hostports: ['TWO.example.com:8443', 'x:1']} | [two]
    edges: those of two edges | {hostports: ['one.example.com:443', 'three.example.com:443']} | [one, three]
    edges: a description | {description: first} | [one, three]
    edges: no description | {description: ''} | [two]
    edges: metadata as a dictionary | {metadata: {b: [2], a: 1}} | [one]
    edges: metadata as a string | {metadata: text} | [two]
    edges: no metadata | {metadata: ''} | [three]
    edges: an empty dictionary as metadata | {metadata: {}} | [three]
    edges: two things together | {description: first, hostports: ['three.example.com:443']} | [three]
    edges: an ID, and what does not match | {id: edghts_one, description: other} | []
    tunnels: all | {} | [agent, backend, bare]
    tunnels: an ID | {id: tn_bare} | [bare]
    tunnels: an ID that does not exist | {id: tn_unknown} | []
    tunnels: a protocol | {proto: tcp} | [agent]
    tunnels: two fields | {region: us, proto: https} | [bare]
    tunnels: metadata | {metadata: '{"app":"shop"}'} | [agent]
    tunnels: no metadata | {metadata: ''} | [backend, bare]
    tunnels: two labels | {labels: {env: live, app: shop}} | [backend]
    tunnels: no labels | {labels: {}} | [agent, backend, bare]
    tunnels: labels with booleans and numbers | {labels: {live: true, old: false, size: 7, share: 1.5}} | [backend]
    tunnels: a label with another letter case | {labels: {live: 'True'}} | []
    tunnels: a label that no tunnel has | {labels: {other: None}} | []
    sources: all | {} | [created, deleted]
    sources: a type | {type: ip_policy_created.v0} | [created]
    sources: a type of an unknown subscription | {subscription_id: esb_two, type: ip_policy_updated.v0} | []
""")
RETURNED = {
    "edges": ("https_edge_info", "https_edges"),
    "tunnels": ("tunnel_info", "tunnels"),
    "sources": ("event_source_info", "event_sources"),
}


@pytest.mark.parametrize(
    "switches", [{}, {"page_size": 1}, {"page_size": 1, "next_page": "relative"}, {"extra_keys": True}], ids=str
)
@pytest.mark.parametrize("name", SELECTED)
def test_what_matches_is_returned(tasks: Tasks, name: str, switches: Given) -> None:
    (module, key), (options, names) = RETURNED[name.partition(":")[0]], SELECTED[name]
    if key == "event_sources":
        options = {"subscription_id": "esb_one", **options}
    tasks.service.switches(**switches)
    for check in (False, True):
        result = tasks.done(module, check, **options)
        words = [str(one.get("id") or one["type"]).partition(".")[0] for one in result[key]]
        assert sorted(word.rpartition("_")[2] for word in words) == names
        assert (result["changed"], set(methods(result)), "diff" in result) == (False, {"GET"}, False)
        if not switches:
            assert methods(result) == ["GET"]


def test_an_edge_that_is_read_can_be_declared(tasks: Tasks) -> None:
    [edge] = tasks.done("https_edge_info", description="first", metadata={"a": 1, "b": [2]})["https_edges"]
    declared = {name: edge[name] for name in ("id", "hostports", "description", "metadata", "mutual_tls")}
    assert not tasks.done("https_edge", **declared)["changed"]


def test_a_tls_edge(tasks: Tasks) -> None:
    result = tasks.done("tls_edge_info", id="edgtls_one")
    assert result["tls_edges"] == [
        {"id": "edgtls_one", "found": True, "ip_restriction": RESTRICTION, "tls_termination": None}
    ]
    assert ("warnings" in result, methods(result)) == (False, ["GET", "GET"])


@pytest.mark.parametrize("switches", [{}, {"references": "single"}, {"extra_keys": True}], ids=str)
def test_every_tunnel_has_every_field(tasks: Tasks, switches: Given) -> None:
    tasks.service.switches(**switches)
    tunnels = {tunnel["id"]: tunnel for tunnel in tasks.done("tunnel_info")["tunnels"]}
    assert all(set(tunnel) == FIELDS for tunnel in tunnels.values())
    agent, backend = tunnels["tn_agent"], tunnels["tn_backend"]
    assert (agent["endpoint"]["id"], agent["backends"], agent["labels"]) == ("ep_a", [], {})
    assert (backend["public_url"], backend["endpoint"]) == ("", None)
    assert [ref["id"] for ref in backend["backends"]] == ["bkd_a"]
    assert tunnels["tn_bare"]["tunnel_session"]["id"].startswith("ts_")


@pytest.mark.parametrize("labels", [[], "x", 5], ids=str)
def test_a_response_of_another_type_is_a_failure(tasks: Tasks, labels: Any) -> None:
    listed = in_turn(as_json({"tunnels": [{"id": "tn_a"}, {"id": "tn_b", "labels": labels}]}))
    result = tasks.failed("tunnel_info", instead=listed)
    assert ("tunnels[1].labels" in result["msg"], result["changed"]) == (True, False)
    assert (result["error"]["method"], result["error"]["path"]) == ("GET", "/tunnels")
    assert tasks.failed("tunnel_info", instead=in_turn(as_json(["tn_a"])), id="tn_a")["msg"]
