# SPDX-License-Identifier: GPL-3.0-or-later
"""A terminal obeys control characters, so messages, plans, and diffs contain none from the strings of a service."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from module_task import Tasks
from places import EDGE, HOSTPORT, KEY, seed_edge
from scripted_service import as_json, scripted_service

ERASING = "\x1b[1A\x1b[2K\x1b[8m"
FORGING = "\n- delete https_edge harmless.example.com:443"
MIRRORING = "\u202e\u2066"
HOSTILE = [ERASING, FORGING, MIRRORING, "\r", "\x9b2K"]


def shown(result: dict[str, Any]) -> Iterator[str]:
    """The strings of a result that Ansible or this collection prints as they are."""
    yield from (result.get("msg", ""), *result.get("warnings", ()))
    yield from (entry["object"] for entry in (*result.get("plan", ()), *result.get("undeclared", ())))
    yield from (opened["text"] for entry in result.get("plan", ()) for opened in entry["opens"])
    yield from (str(one[name]) for one in result.get("diff", ()) for name in ("before_header", "after_header"))


@pytest.mark.parametrize("hostile", HOSTILE, ids=ascii)
@pytest.mark.parametrize("routes", [[], [KEY]], ids=["purged", "one of them declared"])
@pytest.mark.parametrize("most", [0, 9], ids=["rejected", "planned"])
def test_names_of_routes_are_visible(tasks: Tasks, hostile: str, routes: list[dict[str, Any]], most: int) -> None:
    saml = {"idp_metadata": "<xml/>"}
    seed_edge(
        tasks, routes=[{**KEY, "saml": saml}, {"match_type": "exact_path", "match": f"/z{hostile}", "saml": saml}]
    )
    options = {"hostports": [HOSTPORT], "routes": [*routes, {**KEY, "match": "/new"}]}
    result = tasks.run("estate", check=True, https_edges=[options], purge=["routes", "modules"], max_deletions=most)
    assert bool(result.get("failed")) == (most == 0)
    printed = list(shown(result))
    assert any("/z\\u" in text for text in printed)
    lines = [line for text in printed for line in text.split("\n")]
    assert [line for line in lines if not line.isprintable()] == []
    assert [line for line in lines if line.startswith("- delete https_edge harmless")] == []


@pytest.mark.parametrize("hostile", HOSTILE, ids=ascii)
def test_what_takes_the_requests_of_a_deleted_route_is_visible(tasks: Tasks, hostile: str) -> None:
    backend = {"match_type": "path_prefix", "backend": {"backend_id": "bkdhr_a"}}
    public = {**backend, "match": f"/z{hostile}"}
    guarded = {**backend, "match": f"/z{hostile}/a", "ip_restriction": {"ip_policy_ids": ["ipp_1"]}}
    seed_edge(tasks, routes=[public, guarded])
    estate = {"https_edges": [{"id": EDGE, "routes": [public]}], "purge": ["routes"]}
    for more in ({}, {"reject_findings": "low"}):
        printed = list(shown(tasks.run("estate", check=True, **estate, **more)))
        assert any("takes it from" in text for text in printed)
        assert [line for text in printed for line in text.split("\n") if not line.isprintable()] == []


@pytest.mark.parametrize("hostile", HOSTILE, ids=ascii)
def test_errors_of_a_service_are_visible(tasks: Tasks, hostile: str) -> None:
    error = as_json({"error_code": f"ERR{hostile}", "msg": f"no{hostile}\nway"}, 400)
    with scripted_service(lambda _request: error) as service:
        msg = tasks.failed("https_edge", base_url=service.base_url, id=EDGE, description="new")["msg"]
    assert msg.isprintable()
    assert "way" in msg


def test_text_of_people_stays_as_it_is(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[{"match_type": "exact_path", "match": "/größe/日本/🙂"}])
    result = tasks.done("estate", check=True, https_edges=[{"hostports": [HOSTPORT], "routes": []}])
    assert next(one["object"] for one in result["undeclared"]).startswith(
        "https_edge_route exact_path /größe/日本/🙂 of"
    )


@pytest.mark.parametrize("module", ["https_edge", "estate"])
def test_the_name_of_an_edge_with_many_hostports_is_short(tasks: Tasks, module: str) -> None:
    hostports = [f"shop{number}.example.com:443" for number in range(1000)]
    seed_edge(tasks, hostports=hostports, routes=[KEY])
    edge = {"id": EDGE, "description": "new", **({"routes": [KEY]} if module == "estate" else {})}
    done = tasks.done(module, True, **({"https_edges": [edge]} if module == "estate" else edge))
    [diff] = done["diff"] if module == "estate" else [done["diff"]]
    assert diff["after_header"].startswith("~ update https_edge shop0.example.com:443, shop1.example.com:443, ")
    assert diff["after_header"].endswith(f", and 980 more ({EDGE})")
