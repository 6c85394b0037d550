# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan that is not the approved one, that deletes too much, or that empties a list is stopped as a whole. Deletions
are shown and counted with what is deleted with them.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._applying.failures import listed
from ansible_collections.edgeops.ingress.plugins.module_utils._applying.permission import Limits, Permission
from ansible_collections.edgeops.ingress.plugins.module_utils._errors import ChangeWithheld
from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import HTTPS_EDGE, HTTPS_EDGE_ROUTE
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.plan import Operation, Plan, Target
from module_task import WRITES, Given, Tasks, received, writes
from places import EDGE, FILLED_EDGE, HOSTPORT, KEY, ROUTE, SUBSCRIPTION, seed_edge, seed_subscription
from scripted_service import Received

ADMIN = {"match_type": "path_prefix", "match": "/admin"}
SOURCES = ["domain_created.v0", "domain_deleted.v0", "domain_updated.v0"]
AUDIT = {"subscription_id": SUBSCRIPTION}
OTHER = "0123456789abcdef" * 2
SECRET, MASK = "canary-of-the-webhook", "********"


def guarded(secret: str, **more: Any) -> Given:
    """A route with secrets, as it is seeded, or with more in it as it is shown."""
    actions = [{"type": "custom", "config": {"password": secret}}]
    policy = {**more, "inbound": [{"name": "", "expressions": [], "actions": actions}]}
    return {**KEY, "webhook_verification": {**more, "provider": "github", "secret": secret}, "policy": policy}


@pytest.fixture
def there(tasks: Tasks) -> Tasks:
    """Tasks on a service with an edge of two routes, and a subscription of three sources."""
    seed_edge(tasks, description="old", routes=[{"id": ROUTE, **guarded(SECRET)}, ADMIN])
    seed_subscription(tasks, *SOURCES)
    return tasks


def an_edge(*routes: Given, **more: Any) -> Given:
    return {"https_edges": [{"hostports": [HOSTPORT], "routes": list(routes), **more}]}


ROUTES, EDGES = {"edge_id": EDGE, "purge": True}, {"https_edges": [], "purge": ["edges"]}
NO_SOURCES = {"event_subscriptions": [{**AUDIT, "sources": []}], "purge": ["sources"]}
NEW = {**an_edge(KEY, {**KEY, "match": "/new"}, description="new"), "purge": ["routes"]}
EMPTY = {"allow_empty": True}
NOT_APPROVED = "The plan is not the one that was approved. Nothing was changed."


def most(number: int, text: str) -> tuple[Given, Given, str]:
    limit = f"The plan contains {text}, but `max_deletions` is {number - 1}. Nothing was changed."
    return {**EMPTY, "max_deletions": number - 1}, {**EMPTY, "max_deletions": number}, limit


# The module and its options, those that stop the plan, those that permit it, and the message.
STOPPED: dict[str, tuple[str, Given, Given, Given, str]] = {
    "a source": ("event_sources", {**AUDIT, "types": SOURCES[:1], "purge": True}, *most(2, "2 deletions")),
    "routes": ("https_edge_routes", {**ROUTES, "routes": []}, *most(2, "2 deletions")),
    "an edge": ("estate", EDGES, *most(1, "1 deletion")),
    "modules": ("estate", an_edge({**KEY, "purge_modules": True}), *most(2, "2 deletions")),
    "no edges": ("estate", EDGES, {}, EMPTY, "purge: edges is listed, and https_edges is empty"),
    "no routes": ("estate", {**an_edge(), "purge": ["routes"]}, {}, EMPTY, "and all lists of routes are empty"),
    "no sources": ("estate", NO_SOURCES, {}, EMPTY, "and all lists of sources are empty"),
    "an empty set of routes": ("https_edge_routes", {**ROUTES, "routes": []}, {}, EMPTY, "routes: the list is empty"),
    "an empty set": ("event_sources", {**AUDIT, "types": [], "purge": True}, {}, EMPTY, "types: the list is empty"),
    **{
        f"another plan of {module}": (module, options, {"expect_plan": OTHER}, {}, NOT_APPROVED)
        for module, options in (
            ("estate", NEW),
            ("https_edge_routes", {**ROUTES, "routes": [ADMIN]}),
            ("event_sources", {**AUDIT, "types": SOURCES[1:], "purge": True}),
        )
    },
}


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(("module", "options", "limit", "permission", "text"), STOPPED.values(), ids=STOPPED)
def test_a_plan_is_stopped_as_a_whole(
    there: Tasks, module: str, options: Given, limit: Given, permission: Given, text: str, check: bool
) -> None:
    """Even if its digest is expected."""
    before = there.service.state()
    planned = there.done(module, True, **options, **permission)
    approved = {"expect_plan": planned["plan_digest"]}
    result = there.failed(module, check, **options, **{**approved, **limit})
    assert (result["changed"], result["operations"], writes(result)) == (False, [], [])
    assert (result["plan"], result["plan_digest"]) == (planned["plan"], planned["plan_digest"])
    first, *lines = result["msg"].splitlines()
    assert (text in first, "Nothing was changed." in first) == (True, True)
    if "expect_plan" in limit:
        assert result["expected_plan_digest"] == OTHER
        assert all(digest in first for digest in (OTHER, planned["plan_digest"]))
        assert lines == [f"- {one['object']}: {one['action']}" for one in planned["plan"]]
    else:
        deleted = [(one["object"], two["path"]) for one in planned["plan"] for two in one["operations"]]
        assert [(one["object"], one["path"]) for one in result["planned_deletions"]] == deleted
        assert lines == [f"- {one['object']}: {one['reason']}" for one in result["planned_deletions"]]
        assert ("allow_empty: true" in first) == (limit == {})
    # A diff in a real run would look as if all that had been done.
    assert result.get("diff") == (planned["diff"] if check else None)
    assert SECRET not in str({name: value for name, value in result.items() if name != "sent"})
    assert there.service.state() == before
    if not check:
        done = there.done(module, **options, **permission, **approved)
        assert (done["operations"], done["plan"]) == (planned["operations"], planned["plan"])
        assert done["operations"]


def test_a_long_list_is_cut() -> None:
    assert listed([str(number) for number in range(25)]).splitlines()[19:] == ["- 18", "- 19", "- and 5 more"]


DELETED: list[tuple[str, Given, str]] = [
    ("https_edge", {"state": "absent", "hostports": [HOSTPORT]}, "state is absent"),
    ("estate", {**EDGES, **EMPTY}, "not declared; purged"),
]


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(("module", "options", "why"), DELETED)
def test_routes_of_a_deleted_edge_are_shown(there: Tasks, module: str, options: Given, why: str, check: bool) -> None:
    assert "routes" not in there.done("https_edge", True, id=EDGE, description="new")["diff"]["before"]
    result = there.done(module, check, **options)
    reason = f"{why}; its 2 routes are deleted with it"
    assert result["operations"] == [{"method": "DELETE", "path": f"/edges/https/{EDGE}", "reason": reason}]
    [diff] = result["diff"] if isinstance(result["diff"], list) else [result["diff"]]
    routes = [guarded(MASK, enabled=True), ADMIN]
    assert diff["before"] == {**FILLED_EDGE, "description": "old", "hostports": [HOSTPORT], "routes": routes}
    assert diff["after"] is None


def test_few_routes_are_counted_as_people_do(tasks: Tasks) -> None:
    for routes, text in (([], "state is absent"), ([KEY], "state is absent; its 1 route is deleted with it")):
        seed_edge(tasks, routes=routes)
        assert tasks.done("https_edge", True, **DELETED[0][1])["operations"][0]["reason"] == text
        tasks.service.reset()


# What is done between the two runs: another task, or another declaration in the second one.
BETWEEN: dict[str, tuple[str, Given, Given]] = {
    "a manual change": ("https_edge_route", {"edge_id": EDGE, **ADMIN, "compression": {}}, NEW),
    "a deletion": ("https_edge", {"id": EDGE, "state": "absent"}, NEW),
    "the same change": ("estate", NEW, NEW),
    "another declaration": ("estate_info", {}, {**NEW, **an_edge(KEY, description="newer")}),
}


@pytest.mark.parametrize(("module", "options", "declared"), BETWEEN.values(), ids=BETWEEN)
def test_a_change_in_between_is_rejected(there: Tasks, module: str, options: Given, declared: Given) -> None:
    digest = there.done("estate", True, **NEW)["plan_digest"]
    there.done(module, **options)
    result = there.failed("estate", **declared, expect_plan=digest)
    assert (writes(result), "nothing is left to do" in result["msg"]) == ([], options is NEW)


LIMITS: list[tuple[Given, str]] = [
    ({"expect_plan": OTHER}, ""),
    ({"reject_openings": True}, "incomplete"),
    ({"reject_findings": "high"}, "incomplete"),
    ({"requirements": [{"needs": ["login"], "reason": "Only our people."}]}, "nobody knows whether it meets `requirem"),
]


@pytest.mark.parametrize(("limit", "text"), LIMITS)
def test_an_incomplete_plan_is_rejected(there: Tasks, limit: Given, text: str) -> None:
    """In part, it could be the approved one, but nobody has seen the rest."""
    routes = [{**KEY, "description": "x"}, {**ADMIN, "id": "edghtsrt_nowhere"}]
    for module, options in (("estate", an_edge(*routes)), ("https_edge_routes", {"edge_id": EDGE, "routes": routes})):
        if module == "estate" or "reject_findings" not in limit:
            result = there.failed(module, **options, **limit)
            created = [one for one in result.get("findings", ()) if one["created"]]
            assert (writes(result), result["plan_digest"], created) == ([], "", [])
            assert all(part in result["msg"] for part in ("edghtsrt_nowhere", text))


def test_a_misplaced_secret_is_not_displayed(there: Tasks) -> None:
    """Not even in part: a part of a secret is not masked."""
    key = "canary-" * 10
    result = there.failed("estate", **NEW, api_key=key, expect_plan=key)
    assert "canary" not in str({name: value for name, value in result.items() if name != "sent"})


@pytest.mark.parametrize("option", ["expect_plan", "reject_findings", "reject_openings", None])
def test_an_edge_that_somebody_else_creates_meanwhile_is_not_changed(tasks: Tasks, option: str | None) -> None:
    """The plan was to create it. Without an approval, the task continues from what it finds, and purges nothing new."""
    ours = {"hostports": [HOSTPORT], "description": "ours", "routes": [ADMIN]}
    options = {"https_edges": [ours], "purge": ["routes"]}
    digest = tasks.done("estate", True, **options)["plan_digest"]
    theirs = {"hostports": [HOSTPORT], "description": "theirs", "routes": [{"id": ROUTE, **KEY}]}

    def outrun(request: Received) -> None:
        if request.method == "POST" and not tasks.service.state()["https_edges"]:
            tasks.service.seed(https_edges=[{"id": EDGE, **theirs}])

    values = {"expect_plan": digest, "reject_findings": "high", "reject_openings": True}
    expected = {option: values[option]} if option else {}
    result = tasks.run("estate", instead=outrun, **options, **expected)
    later = [write.partition(" ")[0] for write in received(result, *WRITES)[1:]]
    assert (result.get("failed", False), later) == (bool(option), [] if option else ["PATCH", "POST"])
    assert not option or f"not part of the plan that `{option}`" in result["msg"]


EDGE_PLAN = Plan(Target("e", HTTPS_EDGE), operations=(Operation("PATCH", "/e/1", "r", {"description": "x"}),))
POST = Operation("POST", "/e/edghts_would-be-created/routes", "r", {"match": "/"})
NEW_ROUTE = Plan(Target("r", HTTPS_EDGE_ROUTE), operations=(POST,))
CREATED = {"path": "/e/edghts_real/routes"}
# The plan, what is other in an operation that is planned later, and whether that is approved.
LATER: list[tuple[Plan, Given, bool]] = [
    (EDGE_PLAN, {"reason": "another reason"}, True),
    (NEW_ROUTE, CREATED, True),
    *((EDGE_PLAN, other, False) for other in ({"body": {"description": "y"}}, {"path": "/e/2"}, {"method": "PUT"})),
    (NEW_ROUTE, {**CREATED, "body": {"match": "/b"}}, False),
]


@pytest.mark.parametrize(("plan", "other", "is_approved"), LATER)
def test_what_is_planned_later_must_be_approved(plan: Plan, other: Given, is_approved: bool) -> None:
    plans, operation = [EDGE_PLAN, NEW_ROUTE], replace(plan.operations[0], **other)
    ids = {"edghts_would-be-created": "edghts_real"} if plan is NEW_ROUTE else {}
    Permission(Limits(10), plans).check(plan, operation, ids)
    approved = Permission(Limits(10, expect_plan=OTHER), plans)
    with nullcontext() if is_approved else pytest.raises(ChangeWithheld, match="not part of the plan"):
        approved.check(plan, operation, ids)
