# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans that would write different things look different and have different digests."""

from __future__ import annotations

import json
from typing import Any

import pytest

from module_task import Tasks, writes
from places import EDGE, HOSTPORT, KEY, ROUTE, TLS_EDGE, seed_edge, seed_tls_edge

OLD, NEW, NEWER = "the-old-credential", "a-new-credential", "a-newer-credential"


def planned(tasks: Tasks, **options: Any) -> dict[str, Any]:
    return tasks.done("estate", True, **options)


def edges(*routes: dict[str, Any], **edge: Any) -> dict[str, Any]:
    return {"https_edges": [{"hostports": [HOSTPORT], **edge, **({"routes": list(routes)} if routes else {})}]}


AUTHORITIES = [["ca_1", "ca_2"], ["ca_1", "ca_3"]]


@pytest.mark.parametrize("references", ["list", "single"])
def test_ids_that_the_service_does_not_return_are_planned(tasks: Tasks, references: str) -> None:
    """Otherwise, whoever approves one authority would approve any others along with it."""
    tasks.service.switches(references=references)
    seed_edge(tasks, mutual_tls={"enabled": False, "certificate_authority_ids": ["ca_1"]})
    plans = [
        planned(tasks, **edges(mutual_tls={"enabled": True, "certificate_authority_ids": ids})) for ids in AUTHORITIES
    ]
    shown = [plan["plan"][0]["after"]["mutual_tls"]["certificate_authority_ids"] for plan in plans]
    assert shown == AUTHORITIES
    assert plans[0]["plan_digest"] != plans[1]["plan_digest"]
    declared = edges(mutual_tls={"enabled": True, "certificate_authority_ids": AUTHORITIES[1]})
    assert not writes(tasks.failed("estate", **declared, expect_plan=plans[0]["plan_digest"]))


def test_ids_that_are_not_sent_are_not_planned(tasks: Tasks) -> None:
    tasks.service.switches(references="single")
    seed_edge(tasks, mutual_tls={"enabled": True, "certificate_authority_ids": ["ca_1", "ca_2"]})
    mutual_tls = {"enabled": True, "certificate_authority_ids": ["ca_1", "ca_2"]}
    [entry] = planned(tasks, **edges(mutual_tls=mutual_tls, description="new"))["plan"]
    assert entry["changes"] == ["description"]
    assert entry["before"]["mutual_tls"] == entry["after"]["mutual_tls"]


def test_ids_of_a_tls_edge_that_the_service_does_not_return_are_planned(tasks: Tasks) -> None:
    tasks.service.switches(references="single")
    seed_tls_edge(tasks, ip_restriction={"enabled": True, "ip_policy_ids": ["ipp_1"]})
    plans = [
        planned(tasks, tls_edges=[{"edge_id": TLS_EDGE, "ip_restriction": {"enabled": False, "ip_policy_ids": ids}}])
        for ids in (["ipp_1", "ipp_2"], ["ipp_1", "ipp_3"])
    ]
    assert plans[0]["plan_digest"] != plans[1]["plan_digest"]


def policy(name: str, **config: Any) -> dict[str, Any]:
    return {"inbound": [{"name": name, "expressions": [], "actions": [{"type": "custom", "config": config}]}]}


def test_a_secret_of_a_policy_that_changes_with_something_else_is_planned(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY, "policy": policy("old", token=OLD)}])
    kept, *changed = (
        planned(tasks, **edges({**KEY, "policy": policy("new", token=token)})) for token in (OLD, NEW, NEWER)
    )
    assert changed[0]["plan_digest"] == changed[1]["plan_digest"] != kept["plan_digest"]
    [shown, shown_changed] = [
        plan["plan"][0]["after"]["policy"]["inbound"][0]["actions"][0]["config"]["token"] for plan in (kept, changed[0])
    ]
    assert (shown, shown_changed) == ("********", "******** (a new value)")
    assert not any(secret in json.dumps([kept, *changed]) for secret in (OLD, NEW, NEWER))


def test_secrets_of_a_policy_that_change_places_are_new(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY, "policy": policy("a", token=OLD, api_key=NEW)}])
    [entry] = planned(tasks, **edges({**KEY, "policy": policy("a", token=NEW, api_key=OLD)}))["plan"]
    assert "(a new value)" in json.dumps(entry["after"])


CIRCLE = {"edghts_a": "a.example.com:443", "edghts_b": "b.example.com:443", "edghts_c": "c.example.com:443"}


@pytest.mark.parametrize("size", [2, 3])
def test_the_order_of_declaration_does_not_decide_who_gives_up_first(tasks: Tasks, size: int) -> None:
    ids = list(CIRCLE)[:size]
    tasks.service.seed(https_edges=[{"id": one, "hostports": [CIRCLE[one]]} for one in ids])
    declared = [{"id": one, "hostports": [CIRCLE[ids[number - 1]]]} for number, one in enumerate(ids)]
    orders = [declared[turn:] + declared[:turn] for turn in range(size)]
    digests = {planned(tasks, https_edges=order)["plan_digest"] for each in orders for order in (each, each[::-1])}
    assert len(digests) == 1


def test_the_order_of_declaration_does_not_decide_which_route_gives_up_first(tasks: Tasks) -> None:
    seed_edge(
        tasks,
        routes=[
            {"id": "edghtsrt_a", "match_type": "path_prefix", "match": "/a"},
            {"id": "edghtsrt_b", "match_type": "path_prefix", "match": "/b"},
        ],
    )
    routes = [
        {"id": "edghtsrt_a", "match_type": "path_prefix", "match": "/b"},
        {"id": "edghtsrt_b", "match_type": "path_prefix", "match": "/a"},
    ]
    digests = {
        tasks.done("https_edge_routes", True, edge_id=EDGE, routes=order)["plan_digest"]
        for order in (routes, routes[::-1])
    }
    assert len(digests) == 1
