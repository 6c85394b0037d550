# SPDX-License-Identifier: GPL-3.0-or-later
"""What lets people in waits for what keeps them out, and is not done if that fails: on an edge and on its routes, at
no moment is there neither.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.rules import ACCEPTABLE
from estates_to_judge import Given, estate, route
from module_task import Tasks, accepted_writes, writes
from places import EDGE
from reachability import PUBLIC, Probe, Reachability
from scripted_service import Instead, Received, Response, Script, as_json, forwarding

SHOP = "shop.example.com:443"
PATHS = ("/", "/admin", "/pub")
EDGE_SUBJECT = f"https_edge {SHOP} ({EDGE})"
ROOT_SUBJECT, ADMIN_SUBJECT = (f"https_edge_route path_prefix {match} of {SHOP}" for match in ("/", "/admin"))
JUDGED = {
    "reject_findings": "low",
    "accept": [{"rule": rule, "object": "*", "reason": "Not what this is about."} for rule in ACCEPTABLE],
}

Open = frozenset[tuple[str, str, str]]
"""Hostport, path, and backend of what everybody gets through to."""


def open_to_all(state: Mapping[str, Any]) -> Open:
    """What everybody reaches of the paths, in the state of a service."""
    seen = Reachability(state)
    ways = {(hostport, path): seen.way(Probe(hostport, path)) for hostport in seen.hostports for path in PATHS}
    return frozenset((*place, way.backend) for place, way in ways.items() if way.access == PUBLIC)


def seed(tasks: Tasks, text: str) -> Open:
    """Put in an edge with routes whose IDs end with their paths, and return what is open to all."""
    for edge in estate(text)["https_edges"]:
        for number, one in enumerate(edge["routes"]):
            route_id = f"edghtsrt_{one['match'].strip('/').replace('/', '_') or 'root'}"
            edge["routes"][number] = {
                "id": route_id,
                **{name: value for name, value in one.items() if value is not None},
            }
        tasks.service.seed(https_edges=[{"id": EDGE, **edge}])
    return open_to_all(tasks.service.state())


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


def whole(text: str, module: str = "estate", *, is_new: bool = False) -> Given:
    """The options that declare an edge and its routes, and remove everything else of them."""
    [edge] = estate(text)["https_edges"]
    if module == "https_edge_routes":
        routes = [{**one, "purge_modules": True} for one in edge["routes"]]
        return {"edge_id": EDGE, "routes": routes, "purge": True, "allow_empty": True}
    own = edge if is_new else {"id": EDGE, **edge}
    return {"https_edges": [own], "purge": ["routes", "modules"], "allow_empty": True, "max_deletions": 100}


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


# What is live, and what is declared.
OPENING_ROUTES = {
    "a new route": ("", "[clients] /admin"),
    "a route that is opened again": ("/admin -backend", "[clients] /admin"),
    "another backend": ("/admin", "[clients] /admin >bk_internal"),
}


@pytest.mark.parametrize("more", [{}, JUDGED], ids=["", "judged"])
@pytest.mark.parametrize(("live", "declared"), OPENING_ROUTES.values(), ids=OPENING_ROUTES)
def test_a_route_waits_for_the_certificates_of_its_edge(tasks: Tasks, live: str, declared: str, more: Given) -> None:
    seed(tasks, live)
    options = {**whole(declared), **more}
    rejected = approved(tasks, "estate", options)
    result = attempted(tasks, "estate", rejected, rejecting("PATCH", EDGE))
    assert_withheld(result, "https_edge_route", EDGE_SUBJECT)
    assert (result["operations"], result["changed"]) == ([], False)
    # Nothing was changed, so the plan that was approved is still the plan.
    dry, real = (tasks.done("estate", check, **rejected, concurrency=1) for check in (True, False))
    assert dry["operations"] == real["operations"]
    assert in_short(real)[0] == "PATCH edge"
    assert not tasks.done("estate", **options)["changed"]


def test_a_cause_is_named_once_and_what_waits_is_counted(tasks: Tasks) -> None:
    seed(tasks, "")
    result = attempted(tasks, "estate", whole("[clients] /0, /1, /2"), rejecting("PATCH", EDGE))
    assert_withheld(result, "https_edge_route", EDGE_SUBJECT)
    counts = {name: number for name, number in result["summary"].items() if number}
    assert counts == {"failed": 1, "withheld": 3}
    assert len(result["failures"]) == 4
    assert tasks.service.state()["https_edges"][0]["routes"] == []


def test_what_is_not_purged_names_its_cause_as_well(tasks: Tasks) -> None:
    seed(tasks, "/old, /older")
    options = whole("/admin office no-backend", "https_edge_routes")
    result = attempted(tasks, "https_edge_routes", options, rejecting("POST", "/routes"))
    assert_withheld(result, "https_edge_route path_prefix /old", ADMIN_SUBJECT)
    assert f"because {ADMIN_SUBJECT} failed" in result["msg"]
    counts = {name: number for name, number in result["summary"].items() if number}
    assert counts == {"failed": 1, "withheld": 2}


# The module, whether the edge is there already, and more options.
PARENTS: dict[str, tuple[str, bool, Given]] = {
    "a new edge": ("estate", False, {}),
    "a new edge, judged": ("estate", False, JUDGED),
    "a live edge": ("estate", True, {}),
    "a live edge, judged": ("estate", True, JUDGED),
    "a set": ("https_edge_routes", True, {}),
}
TURNED = ["/, /admin office", "/admin office, /"]


@pytest.mark.parametrize("declared", TURNED)
@pytest.mark.parametrize("status", [400, 500])
@pytest.mark.parametrize(("module", "is_live", "more"), PARENTS.values(), ids=PARENTS)
def test_a_new_public_route_waits_for_the_protected_one_below_it(
    tasks: Tasks, module: str, is_live: bool, status: int, declared: str, more: Given
) -> None:
    if is_live:
        seed(tasks, "")
    options = {**whole(declared, module, is_new=not is_live), **more}
    instead = rejecting("POST", "/routes", "/admin", status=status)
    result = attempted(tasks, module, approved(tasks, module, options), instead)
    assert_withheld(result, ROOT_SUBJECT, ADMIN_SUBJECT)
    assert [held["routes"] for held in tasks.service.state()["https_edges"]] == [[]]
    assert tasks.done(module, **options)["changed"]
    assert not tasks.done(module, **options)["changed"]


@pytest.mark.parametrize("declared", ["/, /admin by-name", "/admin by-name, /"])
def test_a_public_route_waits_for_the_object_that_the_protected_one_needs(tasks: Tasks, declared: str) -> None:
    office = {"name": "office", "collection": "ip_policies", "find_by": {"description": "Office"}}
    options = {**whole(declared, is_new=True), "objects": [office]}
    result = attempted(tasks, "estate", approved(tasks, "estate", options), rejecting("POST", "/ip_policies"))
    [cause] = [one["object"] for one in result["failures"] if one["object"].startswith("object ")]
    assert_withheld(result, ROOT_SUBJECT, cause)
    assert not any(held["routes"] for held in tasks.service.state()["https_edges"])
    assert tasks.done("estate", **options)["changed"]


def in_short(result: Given) -> list[str]:
    """The accepted requests that write, such as `PATCH edge` and `DELETE admin/oauth`."""
    edge = f"/edges/https/{EDGE}"
    return [one.replace(f"{edge}/routes/edghtsrt_", "").replace(edge, "edge") for one in accepted_writes(result)]


# What is live, what is declared, and the requests in their order; in an estate and, of routes alone, as a set.
CERTIFICATES = "[clients] /admin, /pub staff"
SUCCEEDING: dict[str, tuple[str, str, str]] = {
    "certificates go after the route that has nothing else": (
        *(CERTIFICATES, "/pub staff"),
        "DELETE admin, DELETE edge/mutual_tls",
    ),
    "certificates go after the route is closed that has nothing else": (
        *(CERTIFICATES, "/pub staff, /admin -backend"),
        "PATCH admin, DELETE edge/mutual_tls",
    ),
    "certificates are disabled after the route is gone": (
        *(CERTIFICATES, "[-clients] /pub staff"),
        "DELETE admin, PATCH edge",
    ),
    "the first hostport comes after the open route is gone": (
        *("[hostport=] /admin, /pub staff", "[host=shop.example.com] /pub staff"),
        "DELETE admin, PATCH edge",
    ),
    "another hostport comes after the open route is gone": (
        *("[host=inside] /admin, /pub staff", "[host=inside+shop.example.com] /pub staff"),
        "DELETE admin, PATCH edge",
    ),
    "a protected route goes after the public one": ("/admin staff, /", "", "DELETE root, DELETE admin"),
    "a public route comes after the protected one": ("", "/, /admin staff", "POST edge/routes, POST edge/routes"),
    "a public route is opened again after the protected one is there": (
        *("/ -backend", "/, /admin staff"),
        "POST edge/routes, PATCH root",
    ),
    "what lets more through comes after what lets less through": (
        *("/admin staff, /pub", "/admin, /pub office"),
        "PATCH pub, DELETE admin/oauth",
    ),
    "a wide route opens after the narrow one is there": (
        *("/ office", "/, /admin office"),
        "POST edge/routes, DELETE root/ip_restriction",
    ),
    "purges come after what is declared": (
        *("/, /admin/pub no-backend, =/admin staff no-backend", "=/admin no-backend"),
        "DELETE admin/oauth, DELETE root, DELETE admin_pub",
    ),
    **{
        f"a public route is opened again after the one is there whose policy {what}": (
            *("/ -backend", f"/, /admin {word}"),
            "POST edge/routes, PATCH root",
        )
        for what, word in {
            "may deny something": "actions",
            "does nothing": "no-limit",
            "is disabled": "-actions",
        }.items()
    },
}
WAYS = {"in an estate": ("estate", {}), "judged": ("estate", JUDGED), "as a set": ("https_edge_routes", {})}
RUNS = {
    f"{name}, {how}": (*case, *options)
    for name, case in SUCCEEDING.items()
    for how, options in WAYS.items()
    if options[0] == "estate" or "[" not in "".join(case)  # A set leaves the edge as it is.
}


@pytest.mark.parametrize(("live", "declared", "order", "module", "more"), RUNS.values(), ids=RUNS)
def test_nothing_is_open_for_a_moment(
    tasks: Tasks, live: str, declared: str, order: str, module: str, more: Given
) -> None:
    before = seed(tasks, live)
    options = {**whole(declared, module), **more, "concurrency": 1}
    dry = tasks.done(module, True, **options)
    result, seen = watched_success(tasks, module, {**options, "expect_plan": dry["plan_digest"]})
    assert frozenset().union(*seen) <= before | seen[-1]
    assert ", ".join(in_short(result)) == order
    assert dry["operations"] == result["operations"]
    assert not tasks.done(module, **options)["changed"]


def watched_success(tasks: Tasks, module: str, options: Given) -> tuple[Given, list[Open]]:
    """The result of a task, and what was open after each of its requests."""
    seen: list[Open] = []
    return tasks.done(module, instead=watched(tasks, seen), **options), seen


@pytest.mark.parametrize("more", [{}, JUDGED], ids=["", "judged"])
def test_a_route_is_closed_while_its_edge_hands_its_hostport_over(tasks: Tasks, more: Given) -> None:
    """And it gets other networks."""
    before = seed(tasks, "[host=inside] /admin networks=ipp_three")
    inside = {"hostports": ["inside:443"]}
    options = {"https_edges": [inside, *whole("/admin office")["https_edges"]], "concurrency": 1, **more}
    result, seen = watched_success(tasks, "estate", options)
    assert frozenset().union(*seen) <= before | seen[-1]
    assert in_short(result) == ["PATCH admin", "PATCH edge", "POST /edges/https", "PATCH admin", "PATCH admin"]


@pytest.mark.parametrize("concurrency", [1, 4])
def test_the_routes_of_a_new_edge_are_created_in_a_safe_order(tasks: Tasks, concurrency: int) -> None:
    options = whole("/, /admin staff", is_new=True)
    dry = tasks.done("estate", True, **options, concurrency=1)
    result, seen = watched_success(tasks, "estate", {**options, "concurrency": concurrency})
    assert frozenset().union(*seen) <= seen[-1]
    reasons = [[one["reason"] for one in each["operations"]] for each in (dry, result)]
    assert reasons[0] == reasons[1]


def test_a_set_takes_a_concurrency(tasks: Tasks) -> None:
    """With one request at a time, a set sends them in the order that check mode shows."""
    seed(tasks, "")
    options = whole(f"/, {', '.join(f'/admin/{number} staff' for number in range(5))}", "https_edge_routes")
    dry = tasks.done("https_edge_routes", True, **options, concurrency=1)
    result, seen = watched_success(tasks, "https_edge_routes", {**options, "concurrency": 1})
    assert dry["operations"] == result["operations"]
    assert frozenset().union(*seen) <= seen[-1]
    assert Counter(in_short(result)) == {"POST edge/routes": 6}


# What is live of an edge and its route, and what is declared of both.
EXCHANGES = {
    "certificates are replaced by a login": ("[clients] /", "/ staff"),
    "certificates are disabled for a login": ("[clients] /", "[-clients] / staff"),
    "a login is replaced by certificates": ("/ staff", "[clients] /"),
    "a hostport for a route that gets its login": ("[hostport=] /", "/ staff"),
}


@pytest.mark.parametrize("rejects", ["", EDGE, "edghtsrt_root"])
@pytest.mark.parametrize(("live", "declared"), EXCHANGES.values(), ids=EXCHANGES)
def test_an_edge_and_its_route_are_never_open(tasks: Tasks, live: str, declared: str, rejects: str) -> None:
    seed(tasks, live)
    options = whole(declared)
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


@pytest.mark.parametrize("declared", TURNED)
def test_a_wide_route_opens_only_if_the_narrow_one_is_there(tasks: Tasks, declared: str) -> None:
    seed(tasks, "/ office")
    options = whole(declared, "https_edge_routes")
    result = attempted(tasks, "https_edge_routes", options, rejecting("POST", "/routes"))
    assert_withheld(result, ROOT_SUBJECT, ADMIN_SUBJECT)
    assert accepted_writes(result) == []
    result = tasks.done("https_edge_routes", **options)
    assert [write.split()[0] for write in writes(result)] == ["POST", "DELETE"]
    assert not tasks.done("https_edge_routes", **options)["changed"]


def test_a_failure_does_not_stop_what_opens_nothing(tasks: Tasks) -> None:
    seed(tasks, "/ gzip")
    routes = [{"id": "edghtsrt_nowhere", "description": "x"}, {**route("/"), "absent_modules": ["compression"]}]
    result = tasks.failed("https_edge_routes", edge_id=EDGE, routes=routes)
    assert [write.split()[0] for write in writes(result)] == ["DELETE"]
