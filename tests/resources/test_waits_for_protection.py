# SPDX-License-Identifier: GPL-3.0-or-later
"""What lets people in waits for what keeps them out, and is not done if that fails: the order of the requests, and what
is said of those that are withheld. That nothing is open for a moment is tested with all changes of small accounts.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from cases import cases
from estates_to_judge import Given, estate, route
from module_task import WRITES, Tasks, accepted_writes, received
from places import EDGE, in_each_module, is_active, seed_edges, seed_route, seed_tls_edge
from scripted_service import Instead, Received, Response, as_json, dropping, forwarding


def rejecting(rejected: str, status: int = 400) -> Instead:
    """Reject requests such as `PATCH edghts_place` or `POST /admin`, of which the latter creates a route."""
    method, end = rejected.split()

    def instead(request: Received) -> Response | None:
        is_it = request.path.endswith(end) or json.loads(request.body or b"{}").get("match") == end
        return Response(status) if is_it and request.method == method else None

    return instead


def whole(text: str, module: str = "estate", *, is_new: bool = False) -> Given:
    """The options that declare an edge and its routes, and remove everything else of them."""
    [edge] = estate(text)["https_edges"]
    if module == "https_edge_routes":
        routes = [{**one, "purge_modules": True} for one in edge["routes"]]
        return {"edge_id": EDGE, "routes": routes, "purge": True, "allow_empty": True}
    own = edge if is_new else {"id": EDGE, **edge}
    return {"https_edges": [own], "purge": ["routes", "modules"], "allow_empty": True, "max_deletions": 100}


def of_each_module(found: dict[str, tuple[Any, ...]]) -> dict[str, tuple[Any, ...]]:
    """The cases, which begin with what is live and what is declared, of each module. A set leaves the edge as it is."""
    return {
        f"{name}, {module}": (module, *case)
        for name, case in found.items()
        for module in ("estate", "https_edge_routes")
        if module == "estate" or not ("[" in case[0] + case[1] or case[0] == "none")
    }


def in_short(result: Given) -> list[str]:
    """The accepted requests that write, such as `PATCH edge` and `DELETE admin/oauth`."""
    short = (re.sub("/edges/https/[^/]+", "edge", one) for one in accepted_writes(result))
    return [one.replace("edge/routes/edghtsrt_", "") for one in short]


# What is live, what is declared, the request that is rejected, and the objects that are withheld because of another.
FAILING = cases("""
    a new route, certificates        | "" | '[clients] /admin' | PATCH edghts_place | '/admin because https_edge'
    a reopened route, certificates   | /admin -backend | '[clients] /admin'
        | PATCH edghts_place | '/admin because https_edge'
    another backend, certificates    | /admin | '[clients] /admin >bk_internal'
        | PATCH edghts_place | '/admin because https_edge'
    several routes, certificates     | "" | '[clients] /0, /1, /2' | PATCH edghts_place | '/0 /1 /2 because https_edge'
    purged routes, a new one
        | /old, /older | /admin office no-backend | POST /admin | /old /older because /admin
    a public route, one below it     | ""     | /, /admin office      | POST /admin | / because /admin
    a public route, one before it    | ""     | /admin office, /      | POST /admin | / because /admin
    the same of a new edge           | none   | /, /admin office      | POST /admin | / because /admin
    a wide route, a narrow one       | / office | /, /admin office    | POST /admin | / because /admin
    a public route, an object        | none   | /, /admin by-name     | POST /ip_policies | / /admin because object
""")
FAILURES = of_each_module(FAILING)


@pytest.mark.parametrize("status", [400, 500])
@pytest.mark.parametrize(("module", "live", "declared", "rejected", "withheld"), FAILURES.values(), ids=FAILURES)
def test_what_waits_is_withheld_and_names_its_cause(
    tasks: Tasks, module: str, live: str, declared: str, rejected: str, withheld: str, status: int
) -> None:
    if live != "none":
        seed_edges(tasks, live)
    options = whole(declared, module, is_new=live == "none")
    if "by-name" in declared:
        options["objects"] = [{"name": "office", "collection": "ip_policies", "find_by": {"description": "Office"}}]
    digest = tasks.done(module, True, **options)["plan_digest"]
    result = tasks.failed(module, instead=rejecting(rejected, status), **options, expect_plan=digest)
    assert [one["method"] for one in result["operations"]] == ["POST"] * (live == "none")
    matches, _because, cause = withheld.rpartition(" because ")
    because = f"because {f'https_edge_route path_prefix {cause} of' if cause[0] == '/' else cause} "
    kept_back = [one["object"].split()[2] for one in result["failures"] if because in one["msg"]]
    assert (sorted(kept_back), result["summary"]["withheld"]) == (sorted(matches.split()), len(kept_back))
    assert (result["summary"]["failed"], result["msg"].count(because)) == (1, 1)
    # If nothing was changed, the plan that was approved is still the plan.
    assert tasks.done(module, **options, **({} if result["changed"] else {"expect_plan": digest}))["changed"]
    assert not tasks.done(module, **options)["changed"]


# What is live, what is declared, and the requests in their order.
SUCCEEDING = cases("""
    certificates go after the route that has nothing else
        | '[clients] /admin, /pub staff' | /pub staff | DELETE admin, DELETE edge/mutual_tls
    certificates go after the route is closed that has nothing else
        | '[clients] /admin, /pub staff' | /pub staff, /admin -backend | PATCH admin, DELETE edge/mutual_tls
    the first hostport comes after the open route is gone
        | '[hostport=] /admin, /pub staff' | '[host=shop.example.com] /pub staff' | DELETE admin, PATCH edge
    certificates are replaced by a login | '[clients] /' | / staff | PATCH root, DELETE edge/mutual_tls
    a login is replaced by certificates | / staff | '[clients] /' | PATCH edge, DELETE root/oauth
    a hostport for a route that gets its login | '[hostport=] /' | / staff | PATCH root, PATCH edge
    the routes of a new edge | none | /, /admin staff | POST /edges/https, POST edge/routes, POST edge/routes
    a protected route goes after the public one | /admin staff, / | "" | DELETE root, DELETE admin
    a public route comes after the protected one | "" | /, /admin staff | POST edge/routes, POST edge/routes
    a public route is opened again after the protected one is there
        | / -backend | /, /admin staff | POST edge/routes, PATCH root
    what lets more through comes after what lets less through
        | /admin staff, /pub | /admin, /pub office | PATCH pub, DELETE admin/oauth
    a wide route opens after the narrow one is there
        | / office | /, /admin office | POST edge/routes, DELETE root/ip_restriction
    purges come after what is declared
        | /, /admin/pub no-backend, =/admin staff no-backend | =/admin no-backend
        | DELETE exact_admin/oauth, DELETE root, DELETE admin_pub
    the other policy may deny something | / -backend | /, /admin actions | POST edge/routes, PATCH root
""")
RUNS = of_each_module(SUCCEEDING)


@pytest.mark.parametrize(("module", "live", "declared", "order"), RUNS.values(), ids=RUNS)
def test_what_opens_comes_after_what_protects(tasks: Tasks, module: str, live: str, declared: str, order: str) -> None:
    if live != "none":
        seed_edges(tasks, live)
    options = whole(declared, module, is_new=live == "none")
    dry = tasks.done(module, True, **options)
    result = tasks.done(module, **options, expect_plan=dry["plan_digest"])
    assert in_short(result) == order.split(", ")
    assert [one["reason"] for one in dry["operations"]] == [one["reason"] for one in result["operations"]]
    assert not tasks.done(module, **options)["changed"]


def test_a_route_is_closed_while_its_edge_hands_its_hostport_over(tasks: Tasks) -> None:
    """And it gets other networks."""
    seed_edges(tasks, "[host=inside] /admin networks=ipp_three")
    options = {"https_edges": [{"hostports": ["inside:443"]}, *whole("/admin office")["https_edges"]]}
    result = tasks.done("estate", **options)
    assert in_short(result) == ["PATCH admin", "PATCH edge", "POST /edges/https", "PATCH admin", "PATCH admin"]


@pytest.mark.parametrize(("is_enabled", "number"), [(False, 1), (True, 4)], ids=["closing", "reopening"])
def test_an_ignored_change_of_the_backend_is_noticed(tasks: Tasks, is_enabled: bool, number: int) -> None:
    """The message says whether the route is closed: it is if only the change that reopens it is ignored."""
    tasks.service.switches(one_auth_module=True)
    seed_edges(tasks, "/ oidc")

    def ignored(request: Received) -> Response | None:
        backend = (request.json() or {}).get("backend") or {}
        return Response(204) if request.method == "PATCH" and backend.get("enabled") is is_enabled else None

    result = tasks.failed("https_edge_route", False, ignored, edge_id=EDGE, **route("/ saml"), purge_modules=True)
    assert "returned other values for" in result["msg"]
    assert ("the route is closed" in result["msg"]) == result["changed"] == is_enabled
    assert len(received(result, *WRITES)) == number


# What is live and declared, the traffic module that the service ignores, and what it makes of it.
IGNORED = cases("""
    a login in place of another one | / oidc     | / saml         | saml           | null
    a login of a closed route       | / -backend | / saml         | saml           | null
    networks                        | /          | / office       | ip_restriction | null
    networks of a new route         | ""         | /admin office  | ip_restriction | null
    certificates                    | /          | '[clients] /'  | mutual_tls     | null
    no networks                     | /          | / office       | ip_restriction | {ip_policy_ids: []}
    other networks                  | /          | / office       | ip_restriction | {ip_policy_ids: [ipp_b]}
    a login for everyone            | /          | / staff        | oauth          | {provider: {google: {}}}
""")


@pytest.mark.parametrize(("live", "declared", "module", "made"), IGNORED.values(), ids=IGNORED)
def test_a_traffic_module_that_the_service_ignores_is_an_error(
    tasks: Tasks, live: str, declared: str, module: str, made: Given | None
) -> None:
    """Of the next run as well. A route that is closed is not opened. Otherwise, the error says who gets in."""
    seed_edges(tasks, live)
    for _run in range(2):
        result = tasks.failed("estate", instead=dropping(tasks.service.base_url, module, made), **whole(declared))
        assert f"returned other values for {module}" in result["msg"]
        [edge] = tasks.service.state()["https_edges"]
        is_open = is_active(edge["routes"][0], "backend")
        assert is_open == (f"Whoever {module} was to keep out gets in" in result["msg"]) == (module != "saml")


@pytest.mark.parametrize(
    "empty", [{"policy": {"inbound": [], "outbound": []}}, {"ip_restriction": {"ip_policy_ids": []}}]
)
def test_a_traffic_module_without_content_keeps_nobody_out(tasks: Tasks, empty: Given) -> None:
    place = seed_route(tasks, backend={"backend_id": "bkd_a"})
    ignoring = dropping(tasks.service.base_url, next(iter(empty)))
    assert tasks.done("https_edge_route", instead=ignoring, **place, **empty, allow_empty=True)["warnings"]


OTHER = {"ip_policies": [{"id": "ipp_2", "uri": ""}], "enabled": True}


@pytest.mark.parametrize(
    ("response", "text"), [(OTHER, "returned other values for ip_policy_ids, so"), ({}, "was to keep out gets in")]
)
def test_a_restriction_of_a_tls_edge_that_is_ignored_is_named_once(tasks: Tasks, response: Given, text: str) -> None:
    options = {"edge_id": seed_tls_edge(tasks), "ip_policy_ids": ["ipp_1"]}
    result = tasks.failed("tls_edge_ip_restriction", instead=lambda _request: as_json(response), **options)
    assert text in result["msg"]


NEW = {"description": "new"}


@pytest.mark.parametrize("is_silent", [False, True])
@pytest.mark.parametrize("declared", ["/", "/ office"])
@pytest.mark.parametrize("module", ["https_edge_route", "https_edge_routes", "estate"])
def test_an_update_after_which_a_restriction_is_gone_is_an_error(
    tasks: Tasks, module: str, declared: str, is_silent: bool
) -> None:
    """Some services replace an object although they should update it, and some of these do not say what is left."""
    seed_edges(tasks, "/ office")
    forward = forwarding(tasks.service.base_url)

    def instead(request: Received) -> Response | None:
        if request.method == "PATCH":
            headers = {name: request.headers[name] for name in ("Authorization", "Svc-Version")}
            forward(Received(request.number, "DELETE", f"{request.path}/ip_restriction", headers, b""))
            if is_silent:
                forward(request)
                return Response(204)
        return None

    result = tasks.failed(module, instead=instead, **in_each_module({**route(declared), **NEW})[module])
    assert "Whoever ip_restriction was to keep out gets in" in result["msg"]


def returning_null(tasks: Tasks, name: str) -> Instead:
    """Return null for a field after each update."""
    forward = forwarding(tasks.service.base_url)
    return lambda one: as_json({**json.loads(forward(one).body), name: None}) if one.method == "PATCH" else None


def test_a_service_may_remove_the_login_that_another_one_replaces(tasks: Tasks) -> None:
    seed_edges(tasks, "/ oidc")
    tasks.done("estate", instead=returning_null(tasks, "oidc"), **whole("/ saml"))
    assert not tasks.done("estate", **whole("/ saml"))["changed"]


@pytest.mark.parametrize("ids", [[], ["ipp_office"]], ids=["it keeps nobody out", "only what was sent is returned"])
def test_a_response_may_lack_a_restriction(tasks: Tasks, ids: list[str]) -> None:
    place = seed_route(tasks, backend={"backend_id": "bkd_a"}, ip_restriction={"ip_policy_ids": ids})
    tasks.done("https_edge_route", instead=returning_null(tasks, "ip_restriction"), **place, **NEW)


def test_another_program_may_change_whom_a_route_admits(tasks: Tasks) -> None:
    seed_edges(tasks, "/ office")
    forward = forwarding(tasks.service.base_url)

    def instead(request: Received) -> Response | None:
        wider = {**(request.json() or {}), "ip_restriction": {"ip_policy_ids": ["ipp_office", "ipp_b"]}}
        return forward(replace(request, body=json.dumps(wider).encode())) if request.method == "PATCH" else None

    tasks.done("https_edge_route", instead=instead, edge_id=EDGE, **route("/"), **NEW)
