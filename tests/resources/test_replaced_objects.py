# SPDX-License-Identifier: GPL-3.0-or-later
"""IP policies and rules that replace others: nobody relies on new ones that are not whole, or loses old ones before."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks, writes
from places import EDGE, KEY, ROUTE, ROUTE_PATH, held_route, seed_edge
from scripted_service import Received, Response, as_json, forwarding, scripted_service

RULES = "ip_policy_rules"
REJECTED = as_json({"msg": "no"}, 403)
OLD_RULE = {"id": "ipr_old", "ip_policy_id": "ipp_old", "cidr": "10.0.0.0/8", "action": "deny"}


def rule(policy: str, cidr: str, **more: Any) -> dict[str, Any]:
    find_by = {"ip_policy_id": policy, "cidr": cidr}
    return {"name": f"rule {cidr}".replace("/", "-").replace(" ", "-"), "collection": RULES, "find_by": find_by, **more}


def policy(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "collection": "ip_policies", "find_by": {"description": name}, **more}


def restricted_by(identifier: str) -> dict[str, Any]:
    return {"ip_restriction": {"ip_policy_ids": [identifier]}}


NEW_RULE = {"body": {"action": "deny"}}
ANOTHER_POLICY = {
    "objects": [
        policy("new"),
        rule("ref:new", "10.1.0.0/16", **NEW_RULE),
        policy("old", state="absent"),
        rule("ref:old", "10.0.0.0/8", state="absent"),
    ],
    "https_edges": [{"id": EDGE, "routes": [{**KEY, **restricted_by("ref:new")}]}],
}
ANOTHER_RULE = {
    "objects": [policy("old"), rule("ref:old", "10.0.0.0/8", state="absent"), rule("ref:old", "10.0.0.0/9", **NEW_RULE)]
}


@pytest.fixture
def seeded(tasks: Tasks) -> Tasks:
    live = {"ip_policies": [{"id": "ipp_old", "description": "old"}], RULES: [OLD_RULE]}
    tasks.service.seed(objects=live)
    route = {"id": ROUTE, **KEY, "backend": {"backend_id": "bkd_one"}, **restricted_by("ipp_old")}
    seed_edge(tasks, routes=[route])
    return tasks


def run(tasks: Tasks, options: dict[str, Any], method: str, path: str, response: Response) -> dict[str, Any]:
    """The result of a task, with this response to the requests with a method and a path; they have no effect."""
    to_the_service = forwarding(tasks.service.base_url)

    def script(request: Received) -> Response:
        return response if (request.method, request.path) == (method, path) else to_the_service(request)

    with scripted_service(script) as between:
        return tasks.run("estate", base_url=between.base_url, **options)


@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_rule_goes_when_the_one_in_its_place_is_there(seeded: Tasks, concurrency: int) -> None:
    seeded.service.switches(slow_creations_ms=100)
    result = seeded.done("estate", **ANOTHER_RULE, concurrency=concurrency)
    assert [write.partition("_rules")[0] for write in writes(result)] == ["POST /ip_policy", "DELETE /ip_policy"]


@pytest.mark.parametrize(
    ("options", "method", "path", "response", "cause"),
    [
        (ANOTHER_RULE, "POST", f"/{RULES}", REJECTED, "object ip_policy_rules rule-10.0.0.0-9"),
        (ANOTHER_POLICY, "POST", f"/{RULES}", REJECTED, "object ip_policy_rules rule-10.1.0.0-16"),
        (ANOTHER_POLICY, "PATCH", ROUTE_PATH, REJECTED, f"({ROUTE})"),
        (ANOTHER_POLICY, "PATCH", ROUTE_PATH, Response(204), f"({ROUTE})"),
    ],
    ids=["a rule", "a rule of a policy", "the user", "the user without a word"],
)
@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_failure_keeps_what_is_used(
    seeded: Tasks, options: dict[str, Any], method: str, path: str, response: Response, cause: str, concurrency: int
) -> None:
    result = run(seeded, {**options, "concurrency": concurrency}, method, path, response)
    assert result["failed"]
    assert cause in result["msg"]
    assert not [one for one in result["operations"] if one["method"] == "DELETE"]
    assert held_route(seeded)["ip_restriction"]["ip_policy_ids"] == ["ipp_old"]
    assert OLD_RULE["id"] in {one["id"] for one in seeded.service.state()["objects"][RULES]}
    seeded.done("estate", **options)
    assert not seeded.done("estate", **options)["changed"]


@pytest.mark.parametrize("members", ["whole", "without_parts"])
def test_what_is_deleted_together_goes_in_the_order_of_live_references(tasks: Tasks, members: str) -> None:
    """Neither the declarations of the deleted objects nor every list says what refers to what."""
    tasks.service.switches(list_members=members)
    page = {"name": "page", "collection": "backends/http_response", "find_by": {"description": "page"}}
    till = {"name": "till", "collection": "edges/tls", "find_by": {"description": "till"}}
    body = {"backend": {"backend_id": "ref:page"}, "hostports": ["till.example.com:443"]}
    tasks.done("estate", objects=[{**till, "body": body}, {**page, "body": {}}])
    result = tasks.done("estate", objects=[{**one, "state": "absent"} for one in (till, page)])
    assert [one["path"].rpartition("/")[0] for one in result["operations"]] == ["/edges/tls", "/backends/http_response"]


@pytest.mark.parametrize("names", [("audit", "stream"), ("stream", "audit")])
def test_an_object_is_deleted_after_those_that_refer_to_its_kind(tasks: Tasks, names: tuple[str, str]) -> None:
    """A service that shows only the first reference hides what else an object refers to."""
    tasks.service.switches(references="single")
    tasks.service.seed(objects={"event_destinations": [{"id": "ed_kept", "description": "kept"}]})
    find = {"audit": "event_subscriptions", "stream": "event_destinations"}
    one = {name: {"name": name, "collection": of, "find_by": {"description": name}} for name, of in find.items()}
    tasks.done(
        "estate", objects=[{**one["audit"], "body": {"destination_ids": ["ed_kept", "ref:stream"]}}, one["stream"]]
    )
    result = tasks.done("estate", objects=[{**one[name], "state": "absent"} for name in names])
    collections = [operation["path"].split("/")[1] for operation in result["operations"]]
    assert collections == ["event_subscriptions", "event_destinations"]
