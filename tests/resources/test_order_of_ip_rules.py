# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of IP policies take part in the protection: whom they let in waits for what protects otherwise."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import pytest

from module_task import Tasks, writes
from places import EDGE, seed_edge
from rich_world import FIRST
from scripted_service import Received, Response, ScriptedService, forwarding, scripted_service

Given = dict[str, Any]

ROOT: Given = {"match_type": "path_prefix", "match": "/"}
BACKEND: Given = {"backend": {"backend_id": "bkd_one"}}
OFFICE: Given = {"name": "office", "collection": "ip_policies", "find_by": {"description": "office"}}
RESTRICTED: Given = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}}


def rule(cidr: str, action: str = "allow", policy: str = "ref:office", **more: Any) -> Given:
    found = {"ip_policy_id": policy, "action": action, "cidr": cidr}
    name = f"{action} {cidr.partition('/')[0]}"
    return {"name": name, "collection": "ip_policy_rules", "find_by": found, **more}


def live_rule(cidr: str, action: str = "allow") -> Given:
    identifier = f"ipr_{action}_{cidr.partition('.')[0]}"
    return {"id": identifier, "ip_policy_id": "ipp_office", "action": action, "cidr": cidr}


def rejecting(tasks: Tasks, method: str, text: str) -> AbstractContextManager[ScriptedService]:
    """A service that rejects such requests if their path or body contains the text."""
    to_the_service = forwarding(tasks.service.base_url)

    def respond(got: Received) -> Response:
        is_meant = got.method == method and text in got.path + got.body.decode()
        return Response(403) if is_meant else to_the_service(got)

    return scripted_service(respond)


def seed(tasks: Tasks, *rules: Given, **route: Any) -> None:
    policies = [{"id": "ipp_office", "description": "office"}, {"id": "ipp_other", "description": "other"}]
    tasks.service.seed(objects={"ip_policies": policies, "ip_policy_rules": list(rules)})
    seed_edge(tasks, routes=[{"id": "edghtsrt_root", **ROOT, **BACKEND, **route}] if route else [])


def estate(objects: list[Given], *routes: Given, purge: tuple[str, ...] = ()) -> Given:
    return {"objects": objects, "https_edges": [{"id": EDGE, "routes": list(routes)}], "purge": list(purge)}


EVERYWHERE = rule("0.0.0.0/0")
LOGIN = {"oidc": FIRST["oidc"]}
OTHER = {"ip_restriction": {"ip_policy_ids": ["ipp_other"]}}
CLOSED = {"backend": {"backend_id": "bkd_one", "enabled": False}}


@pytest.mark.parametrize("change", [LOGIN, OTHER, CLOSED], ids=["a login", "another policy", "closed"])
def test_a_rule_that_lets_others_in_waits_for_the_route_that_is_protected_otherwise(
    tasks: Tasks, change: Given
) -> None:
    seed(tasks, live_rule("10.0.0.0/8"), **RESTRICTED)
    options = estate([OFFICE, EVERYWHERE], {**ROOT, **change})
    done = tasks.done("estate", **options)
    assert [one.split()[0] for one in writes(done)] == ["PATCH", "POST"]
    assert not tasks.done("estate", **options)["changed"]


def test_a_rule_that_lets_others_in_is_withheld_if_the_login_fails(tasks: Tasks) -> None:
    seed(tasks, live_rule("10.0.0.0/8"), **RESTRICTED)
    wrong = {**ROOT, "id": "edghtsrt_nowhere", **LOGIN}
    result = tasks.failed("estate", **estate([OFFICE, EVERYWHERE], wrong))
    assert writes(result) == []


def test_a_rule_goes_before_a_route_gets_its_policy(tasks: Tasks) -> None:
    seed(tasks, live_rule("10.0.0.0/8"), live_rule("192.0.0.0/8"), **OTHER)
    options = estate([OFFICE, rule("192.0.0.0/8", state="absent")], {**ROOT, **RESTRICTED})
    assert [one.split()[0] for one in writes(tasks.done("estate", **options))] == ["DELETE", "PATCH"]


def test_a_new_route_waits_for_all_rules_of_its_policy_in_a_second_run_too(tasks: Tasks) -> None:
    seed(tasks)
    tasks.service.seed(objects={"ip_policies": [], "ip_policy_rules": []})
    denied = rule("10.2.0.0/16", "deny")
    new = {**ROOT, **BACKEND, "ip_restriction": {"ip_policy_ids": ["ref:office"]}}
    options = estate([OFFICE, EVERYWHERE, denied], new)
    with rejecting(tasks, "POST", "10.2.0.0/16") as between:
        for _run in range(2):
            result = tasks.failed("estate", **options, base_url=between.base_url)
            assert not [one for one in writes(result) if one.endswith("/routes")]
    assert writes(tasks.done("estate", **options))[-1].endswith("/routes")


@pytest.mark.parametrize("by_id", [False, True])
def test_the_rules_of_a_purged_route_stay_if_the_route_stays(tasks: Tasks, by_id: bool) -> None:
    live = [live_rule("0.0.0.0/0"), live_rule("10.0.0.0/8", "deny")]
    seed(tasks, *live, **RESTRICTED)
    gone = [{**one, "state": "absent"} for one in (rule("10.0.0.0/8", "deny"), EVERYWHERE)]
    ids = [{"name": one["id"], "collection": "ip_policy_rules", "id": one["id"], "state": "absent"} for one in live]
    objects = [*(ids[::-1] if by_id else gone), {**OFFICE, "state": "absent"}]
    with rejecting(tasks, "DELETE", "/routes/") as between:
        tasks.failed("estate", **estate(objects, purge=("routes",)), base_url=between.base_url)
    assert [one["cidr"] for one in tasks.service.state()["objects"]["ip_policy_rules"]] == ["0.0.0.0/0", "10.0.0.0/8"]
