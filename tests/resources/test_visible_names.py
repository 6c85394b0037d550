# SPDX-License-Identifier: GPL-3.0-or-later
"""A terminal obeys control characters, so messages, plans, and diffs contain none from the strings of a service."""

from __future__ import annotations

import pytest

from module_task import Given, Tasks
from places import EDGE, HOSTPORT, KEY, seed_edge
from scripted_service import as_json

FORGING = "\n- delete https_edge harmless.example.com:443"
HOSTILE = ["\x1b[1A\x1b[2K\x1b[8m", FORGING, "\u202e\u2066", "\r", "\x9b2K"]


def shown(result: Given) -> list[str]:
    """The strings of a result that Ansible or this collection prints as they are, of which all lines are printable."""
    entries = result.get("plan", ())
    printed = [result.get("msg", ""), *result.get("warnings", ())]
    printed += [entry["object"] for entry in (*entries, *result.get("undeclared", ()))]
    printed += [opened["text"] for entry in entries for opened in entry["opens"]]
    printed += [str(one[name]) for one in result.get("diff", ()) for name in ("before_header", "after_header")]
    assert [line for text in printed for line in text.split("\n") if not line.isprintable()] == []
    return printed


@pytest.mark.parametrize("hostile", HOSTILE, ids=ascii)
@pytest.mark.parametrize("routes", [[], [KEY]], ids=["purged", "one of them declared"])
@pytest.mark.parametrize("most", [0, 9], ids=["rejected", "planned"])
def test_names_of_routes_are_visible(tasks: Tasks, hostile: str, routes: list[Given], most: int) -> None:
    saml = {"saml": {"idp_metadata": "<xml/>"}}
    seed_edge(tasks, routes=[{**KEY, **saml}, {"match_type": "exact_path", "match": f"/z{hostile}", **saml}])
    options = {"hostports": [HOSTPORT], "routes": [*routes, {**KEY, "match": "/new"}]}
    result = tasks.run("estate", check=True, https_edges=[options], purge=["routes", "modules"], max_deletions=most)
    assert bool(result.get("failed")) == (most == 0)
    printed = shown(result)
    assert any("/z\\u" in text for text in printed)
    assert not any(FORGING in f"\n{text}" for text in printed)


@pytest.mark.parametrize("hostile", HOSTILE, ids=ascii)
def test_what_takes_requests_of_a_deleted_route_and_errors_of_a_service_are_visible(tasks: Tasks, hostile: str) -> None:
    public = {**KEY, "match": f"/z{hostile}", "backend": {"backend_id": "bkdhr_a"}}
    guarded = {**public, "match": f"/z{hostile}/a", "ip_restriction": {"ip_policy_ids": ["ipp_1"]}}
    seed_edge(tasks, routes=[public, guarded])
    estate = {"https_edges": [{"id": EDGE, "routes": [public]}], "purge": ["routes"]}
    error = as_json({"error_code": f"ERR{hostile}", "msg": f"no{hostile}\nway"}, 400)
    for result, text in (
        (tasks.run("estate", check=True, **estate), "takes it from"),
        (tasks.run("estate", check=True, **estate, reject_findings="low"), "takes it from"),
        (tasks.failed("https_edge", instead=lambda _request: error, id=EDGE, description="new"), "way"),
    ):
        assert any(text in one for one in shown(result))


def test_text_of_people_stays_as_it_is(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[{"match_type": "exact_path", "match": "/größe/日本/🙂"}])
    result = tasks.done("estate", check=True, https_edges=[{"hostports": [HOSTPORT], "routes": []}])
    assert result["undeclared"][0]["object"].startswith("https_edge_route exact_path /größe/日本/🙂 of")


def test_the_name_of_an_edge_with_many_hostports_is_short(tasks: Tasks) -> None:
    seed_edge(tasks, hostports=[f"shop{number}.example.com:443" for number in range(1000)])
    diff = tasks.done("https_edge", True, id=EDGE, description="new")["diff"]
    assert diff["after_header"].startswith("~ update https_edge shop0.example.com:443, shop1.example.com:443, ")
    assert diff["after_header"].endswith(f", and 980 more ({EDGE})")
