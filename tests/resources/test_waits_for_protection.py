# SPDX-License-Identifier: GPL-3.0-or-later
"""What lets people in waits for what keeps them out, and is not done if that fails: on an edge and on its routes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.rules import ACCEPTABLE
from module_task import Tasks, accepted_writes
from open_paths import Instead, Open, open_to_all, rejecting, watched
from places import EDGE, HOSTPORT, seed_edge
from rich_world import FIRST
from scripted_service import scripted_service

ADMIN = {"id": "edghtsrt_admin", "match_type": "path_prefix", "match": "/admin"}
EXACT_ADMIN = {**ADMIN, "match_type": "exact_path"}
PUB = {"id": "edghtsrt_pub", "match_type": "path_prefix", "match": "/pub"}
ROOT = {"id": "edghtsrt_root", "match_type": "path_prefix", "match": "/"}
NEW_ADMIN, NEW_ROOT = ({name: value for name, value in one.items() if name != "id"} for one in (ADMIN, ROOT))
BACKEND = {"backend": {"backend_id": "bkd_one"}}
CLOSED = {"backend": {"backend_id": "bkd_one", "enabled": False}}
OIDC = {"oidc": FIRST["oidc"]}
RESTRICTION = {"ip_restriction": FIRST["ip_restriction"]}
MUTUAL_TLS = {"mutual_tls": {"certificate_authority_ids": ["ca_one"]}}
ACTIONS = {"inbound": [{"expressions": [], "actions": [{"type": "deny"}]}]}
NO_ACTIONS = {"inbound": [{"expressions": ["true"], "actions": []}]}
OTHER = "inside.example.com:443"
PATHS = ("/", "/admin", "/pub")
EDGE_SUBJECT = f"https_edge {HOSTPORT} ({EDGE})"
ADMIN_SUBJECT = f"https_edge_route path_prefix /admin of {HOSTPORT}"
JUDGED = {
    "reject_findings": "low",
    "accept": [{"rule": rule, "object": "*", "reason": "Not what this is about."} for rule in ACCEPTABLE],
}

Given = dict[str, Any]


def estate(*routes: Given, **edge: Any) -> Given:
    return {"https_edges": [{"id": EDGE, "routes": list(routes), **edge}]}


def new_edge(*routes: Given) -> Given:
    return {"https_edges": [{"hostports": [HOSTPORT], "routes": list(routes)}]}


def approved(tasks: Tasks, module: str, options: Given) -> Given:
    """The options, with the digest of their plan."""
    return {**options, "expect_plan": tasks.done(module, True, **options)["plan_digest"]}


def attempted(tasks: Tasks, module: str, options: Given, instead: Instead) -> Given:
    """The result of a task that fails, and during which nothing is open that was not open before."""
    seen: list[Open] = []
    before = open_to_all(tasks.service.state(), PATHS)
    with scripted_service(watched(tasks, seen, PATHS, instead)) as between:
        result = tasks.failed(module, base_url=between.base_url, **options)
    assert frozenset().union(*seen) <= before
    return result


def assert_withheld(result: Given, prefix: str, cause: str) -> None:
    """Assert that what starts with this was left undone, because of the object that failed."""
    messages = [one["msg"] for one in result["failures"] if one["object"].startswith(prefix)]
    assert messages, result["failures"]
    assert all(f"because {cause} failed" in message for message in messages), messages
    assert result["msg"].count(f"because {cause} failed") == 1, result["msg"]


# What is live of the route, and what is declared of it.
OPENING_ROUTES: dict[str, tuple[list[Given], Given]] = {
    "a new route": ([], {**NEW_ADMIN, **BACKEND}),
    "a route that is opened again": ([{**ADMIN, **CLOSED}], {**NEW_ADMIN, **BACKEND}),
    "another backend": ([{**ADMIN, **BACKEND}], {**NEW_ADMIN, "backend": {"backend_id": "bkd_internal"}}),
}


@pytest.mark.parametrize("more", [{}, JUDGED], ids=["", "judged"])
@pytest.mark.parametrize(("live", "declared"), OPENING_ROUTES.values(), ids=OPENING_ROUTES)
def test_a_route_waits_for_the_certificates_of_its_edge(
    tasks: Tasks, live: list[Given], declared: Given, more: Given
) -> None:
    seed_edge(tasks, routes=live)
    options = {**estate(declared, **MUTUAL_TLS), **more}
    rejected = approved(tasks, "estate", options)
    result = attempted(tasks, "estate", rejected, rejecting("PATCH", EDGE))
    assert_withheld(result, "https_edge_route", EDGE_SUBJECT)
    assert (result["operations"], result["changed"]) == ([], False)
    # Nothing was changed, so the plan that was approved is still the plan.
    dry, real = (tasks.done("estate", check, **rejected, concurrency=1) for check in (True, False))
    assert dry["operations"] == real["operations"]
    assert accepted_writes(real)[0] == PATCH_EDGE
    assert not tasks.done("estate", **options)["changed"]


def test_a_cause_is_named_once_and_what_waits_is_counted(tasks: Tasks) -> None:
    seed_edge(tasks)
    routes = [{**NEW_ADMIN, "match": f"/{number}", **BACKEND} for number in range(3)]
    result = attempted(tasks, "estate", estate(*routes, **MUTUAL_TLS), rejecting("PATCH", EDGE))
    assert_withheld(result, "https_edge_route", EDGE_SUBJECT)
    counts = {name: number for name, number in result["summary"].items() if number}
    assert counts == {"failed": 1, "withheld": 3}
    assert len(result["failures"]) == 4
    assert tasks.service.state()["https_edges"][0]["routes"] == []


def test_what_is_not_purged_names_its_cause_as_well(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[{**NEW_ADMIN, **BACKEND, "match": f"/{name}"} for name in ("old", "older")])
    options = {"edge_id": EDGE, "routes": [{**NEW_ADMIN, **RESTRICTION}], "purge": True}
    result = attempted(tasks, "https_edge_routes", options, rejecting("POST", "/routes"))
    assert_withheld(result, "https_edge_route path_prefix /old", ADMIN_SUBJECT)
    assert f"because {ADMIN_SUBJECT} failed" in result["msg"]
    counts = {name: number for name, number in result["summary"].items() if number}
    assert counts == {"failed": 1, "withheld": 2}


# The module, and whether the edge is there already.
PARENTS: dict[str, tuple[str, bool]] = {
    "a new edge": ("estate", False),
    "a live edge": ("estate", True),
    "a set": ("https_edge_routes", True),
}


def also_judged(cases: dict[str, Any]) -> dict[str, Any]:
    """The cases, and those of an estate once more with options that judge its plan. A set has no such options."""
    judged = {f"{name}, judged": (*case, JUDGED) for name, case in cases.items() if "estate" in case}
    return {**{name: (*case, {}) for name, case in cases.items()}, **judged}


def of_parent(module: str, is_live: bool, *routes: Given) -> Given:
    """The options of a task that declares routes of a new or of a live edge."""
    if module == "https_edge_routes":
        return {"edge_id": EDGE, "routes": list(routes)}
    return estate(*routes) if is_live else new_edge(*routes)


@pytest.mark.parametrize("turned", [True, False])
@pytest.mark.parametrize("status", [400, 500])
@pytest.mark.parametrize(("module", "is_live", "more"), also_judged(PARENTS).values(), ids=also_judged(PARENTS))
def test_a_new_public_route_waits_for_the_protected_one_below_it(
    tasks: Tasks, module: str, is_live: bool, status: int, turned: bool, more: Given
) -> None:
    if is_live:
        seed_edge(tasks)
    routes = [{**NEW_ROOT, **BACKEND}, {**NEW_ADMIN, **BACKEND, **RESTRICTION}]
    options = {**of_parent(module, is_live, *(routes[::-1] if turned else routes)), **more}
    instead = rejecting("POST", "/routes", "/admin", status=status)
    result = attempted(tasks, module, approved(tasks, module, options), instead)
    assert_withheld(result, f"https_edge_route path_prefix / of {HOSTPORT}", ADMIN_SUBJECT)
    assert [held["routes"] for held in tasks.service.state()["https_edges"]] == [[]]
    assert tasks.done(module, **options)["changed"]
    assert not tasks.done(module, **options)["changed"]


@pytest.mark.parametrize("turned", [True, False])
def test_a_public_route_waits_for_the_object_that_the_protected_one_needs(tasks: Tasks, turned: bool) -> None:
    office = {"name": "office", "collection": "ip_policies", "find_by": {"description": "Office"}}
    protected = {**NEW_ADMIN, **BACKEND, "ip_restriction": {"ip_policy_ids": ["ref:office"]}}
    routes = [protected, {**NEW_ROOT, **BACKEND}]
    options = {**new_edge(*(routes[::-1] if turned else routes)), "objects": [office]}
    result = attempted(tasks, "estate", approved(tasks, "estate", options), rejecting("POST", "/ip_policies"))
    [cause] = [one["object"] for one in result["failures"] if one["object"].startswith("object ")]
    assert_withheld(result, f"https_edge_route path_prefix / of {HOSTPORT}", cause)
    assert not any(held["routes"] for held in tasks.service.state()["https_edges"])
    assert tasks.done("estate", **options)["changed"]


def edge_case(live: Given, declared: Given, *order: str) -> tuple[Given, str, Given, list[str]]:
    return live, "estate", declared, list(order)


def both(live: list[Given], declared: list[Given], *order: str, **more: Any) -> dict[str, Any]:
    """The same routes in an estate and as a set."""
    purge = {"purge": ["routes"], "allow_empty": True} if more.get("purge") else {}
    return {
        "in an estate": ({"routes": live}, "estate", {**estate(*declared), **purge}, list(order)),
        "in a set": ({"routes": live}, "https_edge_routes", {"edge_id": EDGE, "routes": declared, **more}, list(order)),
    }


DELETE_ADMIN = f"DELETE /edges/https/{EDGE}/routes/edghtsrt_admin"
DELETE_ROOT = f"DELETE /edges/https/{EDGE}/routes/edghtsrt_root"
DELETE_MUTUAL_TLS = f"DELETE /edges/https/{EDGE}/mutual_tls"
PATCH_EDGE = f"PATCH /edges/https/{EDGE}"
PATCH_ADMIN = f"PATCH /edges/https/{EDGE}/routes/edghtsrt_admin"
PATCH_ROOT = f"PATCH /edges/https/{EDGE}/routes/edghtsrt_root"
POST_ROUTE = f"POST /edges/https/{EDGE}/routes"
BEHIND_CERTIFICATES = {**MUTUAL_TLS, "routes": [{**ADMIN, **BACKEND}, {**PUB, **BACKEND, **OIDC}]}
PURGE_ROUTES = {"purge": ["routes"]}

# What is live of the edge, the module, what is declared, and the requests in their order.
SUCCEEDING: dict[str, tuple[Given, str, Given, list[str]]] = {
    "certificates go after the route that has nothing else": edge_case(
        BEHIND_CERTIFICATES,
        {**estate(PUB, absent_modules=["mutual_tls"]), **PURGE_ROUTES},
        DELETE_ADMIN,
        DELETE_MUTUAL_TLS,
    ),
    "certificates go after the route is closed that has nothing else": edge_case(
        BEHIND_CERTIFICATES,
        estate(PUB, {**ADMIN, **CLOSED}, absent_modules=["mutual_tls"]),
        PATCH_ADMIN,
        DELETE_MUTUAL_TLS,
    ),
    "certificates are disabled after the route is gone": edge_case(
        BEHIND_CERTIFICATES,
        {**estate(PUB, mutual_tls={**MUTUAL_TLS["mutual_tls"], "enabled": False}), **PURGE_ROUTES},
        DELETE_ADMIN,
        PATCH_EDGE,
    ),
    "the first hostport comes after the open route is gone": edge_case(
        {"hostports": [], "routes": [{**ADMIN, **BACKEND}, {**PUB, **BACKEND, **OIDC}]},
        {**estate(PUB, hostports=[HOSTPORT]), **PURGE_ROUTES},
        DELETE_ADMIN,
        PATCH_EDGE,
    ),
    "another hostport comes after the open route is gone": edge_case(
        {"hostports": [OTHER], "routes": [{**ADMIN, **BACKEND}, {**PUB, **BACKEND, **OIDC}]},
        {**estate(PUB, hostports=[OTHER, HOSTPORT]), **PURGE_ROUTES},
        DELETE_ADMIN,
        PATCH_EDGE,
    ),
    "a route is closed while its edge hands its hostport over, and it gets other networks": edge_case(
        {"hostports": [OTHER], "routes": [{**ADMIN, **BACKEND, "ip_restriction": {"ip_policy_ids": ["ipp_three"]}}]},
        {
            "https_edges": [
                {"hostports": [OTHER]},
                {"id": EDGE, "hostports": [HOSTPORT], "routes": [{**ADMIN, **RESTRICTION}]},
            ]
        },
        PATCH_ADMIN,
        PATCH_EDGE,
        "POST /edges/https",
        PATCH_ADMIN,
        PATCH_ADMIN,
    ),
    **{
        f"{case} {where}": each
        for case, cases in {
            "a protected route goes after the public one": both(
                [{**ADMIN, **BACKEND, **OIDC}, {**ROOT, **BACKEND}],
                [],
                DELETE_ROOT,
                DELETE_ADMIN,
                purge=True,
                allow_empty=True,
            ),
            "a public route comes after the protected one": both(
                [],
                [{**NEW_ROOT, **BACKEND}, {**NEW_ADMIN, **BACKEND, **OIDC}],
                POST_ROUTE,
                POST_ROUTE,
            ),
            "a public route is opened again after the protected one is there": both(
                [{**ROOT, **CLOSED}],
                [{**ROOT, **BACKEND}, {**NEW_ADMIN, **BACKEND, **OIDC}],
                POST_ROUTE,
                PATCH_ROOT,
            ),
            "what lets more through comes after what lets less through": both(
                [{**ADMIN, **BACKEND, **OIDC}, {**PUB, **BACKEND}],
                [{**ADMIN, "absent_modules": ["oidc"]}, {**PUB, **RESTRICTION}],
                f"PATCH /edges/https/{EDGE}/routes/edghtsrt_pub",
                f"{DELETE_ADMIN}/oidc",
            ),
            "purges come after what is declared": both(
                [{**ROOT, **BACKEND}, {**PUB, "match": "/admin/pub"}, {**EXACT_ADMIN, **OIDC}],
                [{**EXACT_ADMIN, "absent_modules": ["oidc"]}],
                f"{DELETE_ADMIN}/oidc",
                DELETE_ROOT,
                f"DELETE /edges/https/{EDGE}/routes/edghtsrt_pub",
                purge=True,
            ),
            "a public route is opened again after the one is there whose policy may deny something": both(
                [{**ROOT, **CLOSED}],
                [{**ROOT, **BACKEND}, {**NEW_ADMIN, **BACKEND, "policy": ACTIONS}],
                POST_ROUTE,
                PATCH_ROOT,
            ),
            "a public route does not wait for one whose policy does nothing": both(
                [{**ROOT, **CLOSED}],
                [{**ROOT, **BACKEND}, {**NEW_ADMIN, **BACKEND, "policy": NO_ACTIONS}],
                POST_ROUTE,
                PATCH_ROOT,
            ),
            "a public route does not wait for one whose policy is disabled": both(
                [{**ROOT, **CLOSED}],
                [{**ROOT, **BACKEND}, {**NEW_ADMIN, **BACKEND, "policy": {**ACTIONS, "enabled": False}}],
                POST_ROUTE,
                PATCH_ROOT,
            ),
        }.items()
        for where, each in cases.items()
    },
}


@pytest.mark.parametrize(
    ("live", "module", "options", "order", "more"), also_judged(SUCCEEDING).values(), ids=also_judged(SUCCEEDING)
)
def test_nothing_is_open_for_a_moment(
    tasks: Tasks, live: Given, module: str, options: Given, order: list[str], more: Given
) -> None:
    seed_edge(tasks, **live)
    options = {**options, **more, **({"concurrency": 1} if module == "estate" else {})}
    dry = tasks.done(module, True, **options)
    result, seen = watched_success(tasks, module, {**options, "expect_plan": dry["plan_digest"]})
    ends = {open_to_all({"https_edges": [{"hostports": [HOSTPORT], **live}]}, PATHS), seen[-1]}
    assert frozenset().union(*seen) <= frozenset().union(*ends)
    assert accepted_writes(result) == order
    assert dry["operations"] == result["operations"]
    assert not tasks.done(module, **options)["changed"]


def watched_success(tasks: Tasks, module: str, options: Given) -> tuple[Given, list[Open]]:
    """The result of a task, and what was open after each of its requests."""
    seen: list[Open] = []
    with scripted_service(watched(tasks, seen, PATHS)) as between:
        result = tasks.done(module, base_url=between.base_url, **options)
    return result, seen


@pytest.mark.parametrize("concurrency", [1, 4])
def test_the_routes_of_a_new_edge_are_created_in_a_safe_order(tasks: Tasks, concurrency: int) -> None:
    options = new_edge({**NEW_ROOT, **BACKEND}, {**NEW_ADMIN, **BACKEND, **OIDC})
    dry = tasks.done("estate", True, **options, concurrency=1)
    result, seen = watched_success(tasks, "estate", {**options, "concurrency": concurrency})
    assert frozenset().union(*seen) <= seen[-1]
    reasons = [[one["reason"] for one in each["operations"]] for each in (dry, result)]
    assert reasons[0] == reasons[1]


def test_a_set_takes_a_concurrency(tasks: Tasks) -> None:
    """With one request at a time, a set sends them in the order that check mode shows."""
    seed_edge(tasks)
    routes = [{**NEW_ROOT, **BACKEND}, *({**NEW_ADMIN, "match": f"/admin/{number}", **OIDC} for number in range(5))]
    options = {"edge_id": EDGE, "routes": routes, "concurrency": 1}
    dry = tasks.done("https_edge_routes", True, **options)
    result, seen = watched_success(tasks, "https_edge_routes", options)
    assert dry["operations"] == result["operations"]
    assert frozenset().union(*seen) <= seen[-1]
    assert Counter(accepted_writes(result)) == {POST_ROUTE: 6}
