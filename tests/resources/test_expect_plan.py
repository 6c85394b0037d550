# SPDX-License-Identifier: GPL-3.0-or-later
"""A task that executes the plan that was approved, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._applying.permission import Permission
from ansible_collections.edgeops.ingress.plugins.module_utils._errors import ChangeWithheld
from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import HTTPS_EDGE, HTTPS_EDGE_ROUTE
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.plan import Operation, Plan, Target
from module_task import WRITES, Tasks, received, writes
from places import EDGE, HOSTPORT, KEY, ROUTE, SUBSCRIPTION, seed_edge, seed_subscription
from scripted_service import Received

ADMIN = {"match_type": "path_prefix", "match": "/admin"}
OTHER = "0123456789abcdef" * 2
DECLARED = {
    "https_edges": [{"hostports": [HOSTPORT], "description": "new", "routes": [KEY, ADMIN]}],
    "purge": ["routes"],
}

MODULES: dict[str, dict[str, Any]] = {
    "estate": DECLARED,
    "https_edge_routes": {"edge_id": EDGE, "routes": [ADMIN], "purge": True},
    "event_sources": {"subscription_id": SUBSCRIPTION, "types": ["domain_deleted.v0"], "purge": True},
}


@pytest.fixture
def there(tasks: Tasks) -> Tasks:
    seed_edge(tasks, description="old", routes=[{"id": ROUTE, **KEY, "description": "kept"}])
    seed_subscription(tasks, "domain_created.v0")
    return tasks


@pytest.mark.parametrize("module", MODULES)
def test_the_approved_plan_is_executed(there: Tasks, module: str) -> None:
    dry = there.done(module, True, **MODULES[module])
    real = there.done(module, **MODULES[module], expect_plan=dry["plan_digest"])
    assert real["operations"] == dry["operations"] != []
    assert real["plan"] == dry["plan"]


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("module", MODULES)
def test_another_plan_is_rejected_before_anything_is_written(there: Tasks, module: str, check: bool) -> None:
    result = there.failed(module, check, **MODULES[module], expect_plan=OTHER)
    assert (writes(result), result["changed"], result["expected_plan_digest"]) == ([], False, OTHER)
    approved = there.done(module, True, **MODULES[module])
    assert (result["plan"], result["plan_digest"]) == (approved["plan"], approved["plan_digest"])
    assert all(digest in result["msg"] for digest in (OTHER, approved["plan_digest"]))
    named = [f"- {one['object']}: {one['action']}" for one in approved["plan"]]
    assert result["msg"].splitlines()[1:] == named
    assert ("diff" in result) == check


WITH_ADMIN = {**DECLARED, "https_edges": [{**DECLARED["https_edges"][0], "routes": [ADMIN]}]}
NEWER = {**DECLARED, "https_edges": [{**DECLARED["https_edges"][0], "description": "newer"}]}
# What is done between the two runs: another task, or another declaration in the second one.
BETWEEN: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "a manual change": (
        "https_edge_route",
        {"edge_id": EDGE, "id": ROUTE, "compression": {"enabled": True}},
        WITH_ADMIN,
    ),
    "a deletion": ("https_edge", {"id": EDGE, "state": "absent"}, WITH_ADMIN),
    "the same change": ("estate", WITH_ADMIN, WITH_ADMIN),
    "another declaration": ("estate_info", {}, NEWER),
}


@pytest.mark.parametrize("change", BETWEEN)
def test_a_change_in_between_is_rejected(there: Tasks, change: str) -> None:
    module, options, declared = BETWEEN[change]
    digest = there.done("estate", True, **WITH_ADMIN)["plan_digest"]
    there.done(module, **options)
    result = there.failed("estate", **declared, expect_plan=digest)
    assert not writes(result)
    assert ("nothing is left to do" in result["msg"]) == (change == "the same change")


def test_an_incomplete_plan_is_rejected(there: Tasks) -> None:
    """In part, it could be the approved one, but nobody has seen the rest."""
    digest = there.done("estate", True, https_edges=[{"hostports": [HOSTPORT], "description": "new"}])["plan_digest"]
    edges = [{"hostports": [HOSTPORT], "description": "new"}, {"id": "edghts_missing"}]
    result = there.failed("estate", https_edges=edges, expect_plan=digest)
    assert (writes(result), result["plan_digest"], "edghts_missing" in result["msg"]) == ([], "", True)


def test_the_limit_on_deletions_holds_all_the_same(there: Tasks) -> None:
    options = {**DECLARED, "https_edges": [], "purge": ["edges"], "allow_empty": True}
    digest = there.done("estate", True, **options)["plan_digest"]
    result = there.failed("estate", **options, expect_plan=digest, max_deletions=0)
    assert (writes(result), result["plan_digest"], bool(result["planned_deletions"])) == ([], digest, True)


UNSET = "check whether the variable that it comes from is set"
NOT_A_DIGEST = (
    "not a digest; expected the `plan_digest` of an earlier run, which consists of 32 characters from 0 to 9 and a to f"
)
WRONG = {
    None: f"expect_plan: expected a string, got null; {UNSET}",
    **dict.fromkeys(("", "approved", OTHER.upper(), f"{OTHER}\n"), f"expect_plan: {NOT_A_DIGEST}; {UNSET}"),
}


@pytest.mark.parametrize("digest", WRONG)
@pytest.mark.parametrize("module", MODULES)
def test_what_is_not_a_digest_is_an_option_error(there: Tasks, module: str, digest: str | None) -> None:
    result = there.failed(module, **MODULES[module], expect_plan=digest)
    assert (result["sent"], result["option_errors"]) == ([], [WRONG[digest]])


def test_a_misplaced_secret_is_not_displayed(there: Tasks) -> None:
    """Not even in part: a part of a secret is not masked."""
    key = "canary-" * 10
    result = there.failed("estate", **DECLARED, api_key=key, expect_plan=key)
    assert "canary" not in str({name: value for name, value in result.items() if name != "sent"})


NEW_HOSTPORT = "new.example.com:443"


@pytest.mark.parametrize("option", ["expect_plan", "reject_findings", None])
def test_an_edge_that_somebody_else_creates_meanwhile_is_not_changed(tasks: Tasks, option: str | None) -> None:
    """The plan was to create it. Without an approval, the task continues from what it finds, and purges nothing new."""
    ours = {"hostports": [NEW_HOSTPORT], "description": "ours", "routes": [ADMIN]}
    options = {"https_edges": [ours], "purge": ["routes"]}
    digest = tasks.done("estate", True, **options)["plan_digest"]
    theirs = {"hostports": [NEW_HOSTPORT], "description": "theirs", "routes": [{"id": ROUTE, **KEY}]}

    def outrun(request: Received) -> None:
        if request.method == "POST" and not tasks.service.state()["https_edges"]:
            tasks.service.seed(https_edges=[{"id": EDGE, **theirs}])

    expected = {option: {"expect_plan": digest, "reject_findings": "high"}[option]} if option else {}
    result = tasks.run("estate", instead=outrun, **options, **expected)
    later = [write.partition(" ")[0] for write in received(result, *WRITES)[1:]]
    assert (result.get("failed", False), later) == (bool(option), [] if option else ["PATCH", "POST"])
    assert not option or f"not part of the plan that `{option}`" in result["msg"]


EDGE_PLAN = Plan(
    Target("e", HTTPS_EDGE, collection="/e"), operations=(Operation("PATCH", "/e/1", "r", {"description": "x"}),)
)
NEW_ROUTE = Plan(
    Target("r", HTTPS_EDGE_ROUTE, collection="/e/edghts_would-be-created/routes"),
    operations=(Operation("POST", "/e/edghts_would-be-created/routes", "r", {"match": "/"}),),
)
UNCHANGED_ROUTE = Plan(Target("u", HTTPS_EDGE_ROUTE, collection="/e/edghts_known/routes"))
LATER = [
    (EDGE_PLAN, Operation("PATCH", "/e/1", "another reason", {"description": "x"}), True),
    (NEW_ROUTE, Operation("POST", "/e/edghts_real/routes", "r", {"match": "/"}), True),
    (UNCHANGED_ROUTE, Operation("POST", "/e/edghts_known/routes", "r", {"match": "/"}), False),
    (EDGE_PLAN, Operation("PATCH", "/e/1", "r", {"description": "y"}), False),
    (EDGE_PLAN, Operation("PATCH", "/e/2", "r", {"description": "x"}), False),
    (EDGE_PLAN, Operation("DELETE", "/e/1", "r"), False),
    (EDGE_PLAN, Operation("POST", "/e", "r", {"match": "/"}), False),
    (NEW_ROUTE, Operation("POST", "/e/edghts_real/routes", "r", {"match": "/b"}), False),
]


@pytest.mark.parametrize(("plan", "operation", "is_approved"), LATER)
def test_what_is_planned_later_must_be_part_of_the_approved_plan(
    plan: Plan, operation: Operation, is_approved: bool
) -> None:
    plans = [EDGE_PLAN, NEW_ROUTE, UNCHANGED_ROUTE]
    ids = {"edghts_would-be-created": "edghts_real"} if plan is NEW_ROUTE else {}
    Permission(10, plans).check(plan, operation, ids)
    approved = Permission(10, plans, approval="`expect_plan` approves")
    if is_approved:
        approved.check(plan, operation, ids)
    else:
        with pytest.raises(ChangeWithheld, match="not part of the plan"):
            approved.check(plan, operation, ids)
