# SPDX-License-Identifier: GPL-3.0-or-later
"""What lets people in waits for what keeps them out, and is not done if that fails: on an edge and on its routes, at
no moment is there neither.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.rules import ACCEPTABLE
from module_task import Tasks, accepted_writes, writes
from places import EDGE, HOSTPORT, is_active, seed_edge
from rich_world import FIRST
from scripted_service import Instead, Received, Response, Script, as_json, forwarding

Given = dict[str, Any]

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
GUARDS = ("oauth", "oidc", "saml", "ip_restriction", "webhook_verification")
EDGE_SUBJECT = f"https_edge {HOSTPORT} ({EDGE})"
ADMIN_SUBJECT = f"https_edge_route path_prefix /admin of {HOSTPORT}"
JUDGED = {
    "reject_findings": "low",
    "accept": [{"rule": rule, "object": "*", "reason": "Not what this is about."} for rule in ACCEPTABLE],
}


Open = frozenset[tuple[str, str, str]]
"""Hostport, path, and backend of what everybody gets through to."""


def open_to_all(state: Mapping[str, Any]) -> Open:
    """What everybody reaches of the paths, in the state of a service. The route with the longest match decides."""
    return frozenset(
        (hostport, path, route["backend"]["backend_id"])
        for edge in state["https_edges"]
        for hostport in edge["hostports"]
        for path in PATHS
        for route in _deciding(edge["routes"], path)
        if not is_active(edge, "mutual_tls") and _is_open(route)
    )


def _deciding(routes: Iterable[Given], path: str) -> list[Given]:
    """Return the route that a request for the path takes, if there is any."""
    matching = [route for route in routes if path.startswith(route["match"])]
    return sorted(matching, key=lambda route: len(route["match"]))[-1:]


def _is_open(route: Given) -> bool:
    return is_active(route, "backend") and not any(is_active(route, guard) for guard in GUARDS)


def watched(tasks: Tasks, seen: list[Open], instead: Instead = lambda request: None) -> Script:
    """The service of the tasks, but for the responses `instead`. `seen` is what was open after each request."""
    to_the_service = forwarding(tasks.service.base_url)

    def script(request: Received) -> Response:
        response = instead(request) or to_the_service(request)
        seen.append(open_to_all(tasks.service.state()))
        return response

    return script


def rejecting(method: str, path: str, match: str = "", status: int = 400) -> Instead:
    """Reject the requests with this method whose path ends like this and, if given, that are about this match."""
    rejected = {"error_code": "ERR_REJECTED", "status_code": status, "msg": "Rejected for the test.", "details": {}}

    def instead(request: Received) -> Response | None:
        is_it = request.method == method and request.path.endswith(path)
        is_it = is_it and (not match or json.loads(request.body)["match"] == match)
        return as_json(rejected, status) if is_it else None

    return instead


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
    before = open_to_all(tasks.service.state())
    result = tasks.failed(module, instead=watched(tasks, seen, instead), **options)
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
        *(DELETE_ADMIN, DELETE_MUTUAL_TLS),
    ),
    "certificates go after the route is closed that has nothing else": edge_case(
        BEHIND_CERTIFICATES,
        estate(PUB, {**ADMIN, **CLOSED}, absent_modules=["mutual_tls"]),
        *(PATCH_ADMIN, DELETE_MUTUAL_TLS),
    ),
    "certificates are disabled after the route is gone": edge_case(
        BEHIND_CERTIFICATES,
        {**estate(PUB, mutual_tls={**MUTUAL_TLS["mutual_tls"], "enabled": False}), **PURGE_ROUTES},
        *(DELETE_ADMIN, PATCH_EDGE),
    ),
    **{
        f"{name} comes after the open route is gone": edge_case(
            {"hostports": hostports, "routes": BEHIND_CERTIFICATES["routes"]},
            {**estate(PUB, hostports=[*hostports, HOSTPORT]), **PURGE_ROUTES},
            *(DELETE_ADMIN, PATCH_EDGE),
        )
        for name, hostports in (("the first hostport", []), ("another hostport", [OTHER]))
    },
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
                [], [{**NEW_ROOT, **BACKEND}, {**NEW_ADMIN, **BACKEND, **OIDC}], POST_ROUTE, POST_ROUTE
            ),
            "a public route is opened again after the protected one is there": both(
                [{**ROOT, **CLOSED}], [{**ROOT, **BACKEND}, {**NEW_ADMIN, **BACKEND, **OIDC}], POST_ROUTE, PATCH_ROOT
            ),
            "what lets more through comes after what lets less through": both(
                [{**ADMIN, **BACKEND, **OIDC}, {**PUB, **BACKEND}],
                [{**ADMIN, "absent_modules": ["oidc"]}, {**PUB, **RESTRICTION}],
                f"PATCH /edges/https/{EDGE}/routes/edghtsrt_pub",
                f"{DELETE_ADMIN}/oidc",
            ),
            "a wide route opens after the narrow one is there": both(
                [{**ROOT, **BACKEND, **RESTRICTION}],
                [{**ROOT, "absent_modules": ["ip_restriction"]}, {**NEW_ADMIN, **BACKEND, **RESTRICTION}],
                *(POST_ROUTE, f"{DELETE_ROOT}/ip_restriction"),
            ),
            "purges come after what is declared": both(
                [{**ROOT, **BACKEND}, {**PUB, "match": "/admin/pub"}, {**EXACT_ADMIN, **OIDC}],
                [{**EXACT_ADMIN, "absent_modules": ["oidc"]}],
                f"{DELETE_ADMIN}/oidc",
                DELETE_ROOT,
                f"DELETE /edges/https/{EDGE}/routes/edghtsrt_pub",
                purge=True,
            ),
            **{
                f"a public route is opened again after the one is there whose policy {what}": both(
                    [{**ROOT, **CLOSED}],
                    [{**ROOT, **BACKEND}, {**NEW_ADMIN, **BACKEND, "policy": policy}],
                    *(POST_ROUTE, PATCH_ROOT),
                )
                for what, policy in {
                    "may deny something": ACTIONS,
                    "does nothing": NO_ACTIONS,
                    "is disabled": {**ACTIONS, "enabled": False},
                }.items()
            },
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
    ends = {open_to_all({"https_edges": [{"hostports": [HOSTPORT], **live}]}), seen[-1]}
    assert frozenset().union(*seen) <= frozenset().union(*ends)
    assert accepted_writes(result) == order
    assert dry["operations"] == result["operations"]
    assert not tasks.done(module, **options)["changed"]


def watched_success(tasks: Tasks, module: str, options: Given) -> tuple[Given, list[Open]]:
    """The result of a task, and what was open after each of its requests."""
    seen: list[Open] = []
    return tasks.done(module, instead=watched(tasks, seen), **options), seen


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


# What is live of the edge and of its route, and what is declared of both.
EXCHANGES: dict[str, tuple[Given, Given, Given, Given]] = {
    "certificates are replaced by a login": (MUTUAL_TLS, BACKEND, {"absent_modules": ["mutual_tls"]}, OIDC),
    "certificates are disabled for a login": (
        *(MUTUAL_TLS, BACKEND),
        *({"mutual_tls": {"enabled": False, "certificate_authority_ids": ["ca_one"]}}, OIDC),
    ),
    "a login is replaced by certificates": ({}, {**BACKEND, **OIDC}, MUTUAL_TLS, {"absent_modules": ["oidc"]}),
    "a hostport for a route that gets its login": ({"hostports": []}, BACKEND, {"hostports": [HOSTPORT]}, OIDC),
}


@pytest.mark.parametrize("rejects", ["", EDGE, ROOT["id"]])
@pytest.mark.parametrize(("edge", "route", "declared_edge", "declared_route"), EXCHANGES.values(), ids=EXCHANGES)
def test_an_edge_and_its_route_are_never_open(
    tasks: Tasks, edge: Given, route: Given, declared_edge: Given, declared_route: Given, rejects: str
) -> None:
    seed_edge(tasks, **{**edge, "routes": [{**ROOT, **route}]})
    options = estate({**ROOT, **declared_route}, **declared_edge)
    dry = tasks.done("estate", check=True, **options)
    seen: list[Open] = []
    rejection = rejecting("PATCH", rejects, status=403) if rejects else lambda request: None
    result = tasks.run("estate", instead=watched(tasks, seen, rejection), **options)
    assert not any(seen)
    if not rejects:
        assert [one["reason"] for one in dry["operations"]] == [one["reason"] for one in result["operations"]]
        assert [f"{one['method']} {one['path']}" for one in result["operations"]] == writes(result)
    if result.get("failed"):
        assert "Not changed, because " in result["msg"] or len(result["failures"]) == 1
    assert not tasks.run("estate", **options).get("failed")
    assert not tasks.done("estate", **options)["changed"]


@pytest.mark.parametrize("turned", [True, False])
def test_a_wide_route_opens_only_if_the_narrow_one_is_there(tasks: Tasks, turned: bool) -> None:
    seed_edge(tasks, routes=[{**ROOT, **BACKEND, **RESTRICTION}])
    routes = [{**ROOT, "absent_modules": ["ip_restriction"]}, {**NEW_ADMIN, **BACKEND, **RESTRICTION}]
    options = {"edge_id": EDGE, "routes": routes[::-1] if turned else routes}
    result = attempted(tasks, "https_edge_routes", options, rejecting("POST", "/routes"))
    assert_withheld(result, f"https_edge_route path_prefix / of {HOSTPORT}", ADMIN_SUBJECT)
    assert accepted_writes(result) == []
    result = tasks.done("https_edge_routes", **options)
    assert [write.split()[0] for write in writes(result)] == ["POST", "DELETE"]
    assert not tasks.done("https_edge_routes", **options)["changed"]


def test_a_failure_does_not_stop_what_opens_nothing(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[{**ROOT, "compression": {"enabled": True}}])
    routes = [{"id": "edghtsrt_nowhere", "description": "x"}, {**ROOT, "absent_modules": ["compression"]}]
    result = tasks.failed("https_edge_routes", edge_id=EDGE, routes=routes)
    assert [write.split()[0] for write in writes(result)] == ["DELETE"]
