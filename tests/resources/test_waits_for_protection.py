# SPDX-License-Identifier: GPL-3.0-or-later
"""What lets people in waits for what keeps them out, and is not done if that fails: the order of the requests, and what
is said of those that are withheld. What is behind a backend counts for that as well. That nothing is open for a moment
is tested with all changes of small accounts.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from cases import cases
from estates_to_judge import Given, declared_object, estate, live_rule, modules, route
from module_task import WRITES, Tasks, accepted_writes, received, writes
from places import EDGE, TLS_EDGE, in_each_module, is_active, seed_edges, seed_route, seed_tls_edge
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
    return [re.sub("edge/routes/edghtsrt_|/backends/[a-z]+/|/edges/tls/", "", one) for one in short]


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


RESTRICTED = {"ip_policies": [{"id": "ipp_2", "uri": ""}], "enabled": True}


@pytest.mark.parametrize(
    ("response", "text"), [(RESTRICTED, "returned other values for ip_policy_ids, so"), ({}, "was to keep out gets in")]
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


PAGE, OTHER = "bkdst_page", "bkdst_other"


def seed_backends(tasks: Tasks, text: str) -> None:
    """Put in two backends, a weighted one that leads to the first, and an edge, or a TLS edge: `tls >bkdst_page`."""
    statics = [{"id": PAGE, "address": "a.internal:80"}, {"id": OTHER, "address": "b.internal:80"}]
    tasks.service.seed(objects={"backends/static": statics})
    tasks.service.seed(objects={"backends/weighted": [{"id": "bkdwd_split", "backends": {PAGE: 1}}]})
    if text.startswith("tls"):
        seed_tls_edge(tasks, hostports=["vpn.example.com:443"], **modules(text.removeprefix("tls ")))
    else:
        seed_edges(tasks, text)


ADDRESS = declared_object(PAGE, address="secret.internal:80")
SPLIT = declared_object("bkdwd_split", backends={PAGE: None, OTHER: 1})
VPN = declared_object(TLS_EDGE, backend={"backend_id": OTHER})
# What is live, the objects that change, the edge or the TLS edge as it is declared, and the requests in their order.
ORDERS = cases(
    """
    a login comes before the address | / >bkdst_page | [*ADDRESS] | / >bkdst_page staff | PATCH root, PATCH bkdst_page
    the address comes before a login goes
        | / >bkdst_page staff | [*ADDRESS] | / >bkdst_page | PATCH bkdst_page, DELETE root/oauth
    a login comes before the members | / >bkdwd_split | [*SPLIT] | / >bkdwd_split staff | PATCH root, PATCH bkdwd_split
    behind a weighted backend
        | / >bkdwd_split | [*ADDRESS, *KEPT] | / >bkdwd_split staff | PATCH root, PATCH bkdst_page
    a description has no order | / >bkdst_page | [*DESCRIBED] | / >bkdst_page staff | PATCH bkdst_page, PATCH root
    networks of a TLS edge of which nothing else is declared
        | tls >bkdst_page | [*ADDRESS] | edgtls_place | PUT edgtls_place/ip_restriction, PATCH bkdst_page
    networks of a TLS edge that leads elsewhere
        | tls >bkdst_page | [*VPN] | edgtls_place | PUT edgtls_place/ip_restriction, PATCH edgtls_place
    the same by name | tls >bkdst_page | [*VPN] | ref:edgtls_place | PUT edgtls_place/ip_restriction, PATCH edgtls_place
    """,
    ADDRESS=ADDRESS,
    SPLIT=SPLIT,
    KEPT=declared_object("bkdwd_split", backends={PAGE: 1}),
    DESCRIBED=declared_object(PAGE, description="new"),
    VPN=VPN,
)


def beside(objects: list[Given], text: str) -> Given:
    """The options that declare these objects, and an edge, or the networks of a TLS edge with this ID."""
    if text.startswith("/"):
        return {"objects": objects, **whole(text)}
    return {"objects": objects, "tls_edges": [{"edge_id": text, "ip_restriction": {"ip_policy_ids": ["ipp_a"]}}]}


@pytest.mark.parametrize(("live", "objects", "text", "order"), ORDERS.values(), ids=ORDERS)
def test_what_is_behind_a_backend_changes_while_it_is_protected(
    tasks: Tasks, live: str, objects: list[Given], text: str, order: str
) -> None:
    seed_backends(tasks, live)
    options = {**beside(objects, text), "concurrency": 1}
    result = tasks.done("estate", **options)
    assert in_short(result) == order.split(", ")
    assert not tasks.done("estate", **options)["changed"]


# What leads to the weighted backend, the backend that changes together with it, and which of them changes first.
LEADING = cases("""
    what it leads to then | / >bkdwd_split | bkdst_other | bkdst_other bkdwd_split
    what it led to, for an HTTPS edge | / >bkdwd_split | bkdst_page | bkdwd_split bkdst_page
    what it led to, for a TLS edge | tls >bkdwd_split | bkdst_page | bkdwd_split bkdst_page
""")


@pytest.mark.parametrize(("live", "address", "order"), LEADING.values(), ids=LEADING)
def test_a_backend_changes_while_nothing_leads_to_it_whatever_undeclared_edge_does(
    tasks: Tasks, live: str, address: str, order: str
) -> None:
    seed_backends(tasks, live)
    options = {"objects": [SPLIT, declared_object(address, address="new.internal:80")], "concurrency": 1}
    first, then = order.split()
    assert accepted_writes(tasks.failed("estate", instead=rejecting(f"PATCH {first}"), **options)) == []
    assert in_short(tasks.done("estate", **options)) == [f"PATCH {first}", f"PATCH {then}"]


# What is live, why a backend is not known to lead elsewhere, how it is declared, and what the message contains.
UNCHANGED = cases(
    """
    its GET fails | / >bkdst_page staff | GET | [*ADDRESS] | *CAUSE
    it may be one that is not read
        | / >bkdst_page staff | GET | [{<<: *ADDRESS, id: null, find_by: {port: 80}}] | *CAUSE
    it is ignored, and a login goes | / >bkdst_page staff | PATCH | [*ADDRESS] | returned other values for address
    it is ignored, and a route moves to it | / >bkdst_other | PATCH | [*ADDRESS] | returned other values for address
    """,
    ADDRESS=ADDRESS,
    CAUSE="(edghtsrt_root): Not changed, because object backends/static bkdst_page",
)


@pytest.mark.parametrize(("live", "method", "objects", "message"), UNCHANGED.values(), ids=UNCHANGED)
def test_a_route_is_not_opened_to_a_backend_that_is_not_known_to_lead_elsewhere(
    tasks: Tasks, live: str, method: str, objects: list[Given], message: str
) -> None:
    seed_backends(tasks, live)
    instead = rejecting(f"{method} {PAGE}", 204 if method == "PATCH" else 403)
    result = tasks.failed("estate", instead=instead, **beside(objects, "/ >bkdst_page"))
    assert (writes(result), message in result["msg"]) == ([], True)


def test_a_description_that_is_ignored_stops_nothing(tasks: Tasks) -> None:
    seed_backends(tasks, "/ >bkdst_page staff")
    described = declared_object(PAGE, **ADDRESS["body"], description="New")
    ignoring = dropping(tasks.service.base_url, "description")
    result = tasks.done("estate", instead=ignoring, **beside([described], "/ >bkdst_page"))
    assert "description" in result["warnings"][0]
    assert in_short(result) == ["PATCH bkdst_page", "DELETE root/oauth"]


def test_a_backend_is_not_changed_without_the_login(tasks: Tasks) -> None:
    seed_backends(tasks, "/ >bkdst_page")
    ignoring = dropping(tasks.service.base_url, "oauth")
    result = tasks.failed("estate", instead=ignoring, **beside([ADDRESS], "/ >bkdst_page staff"))
    assert "object backends/static bkdst_page (bkdst_page): Not changed, because https_edge_route" in result["msg"]
    assert f"PATCH /backends/static/{PAGE}" not in accepted_writes(result)


def test_who_gets_to_a_backend_of_a_tls_edge_cannot_change_together_with_it(tasks: Tasks) -> None:
    seed_backends(tasks, "tls >bkdst_page")
    tasks.done("tls_edge_ip_restriction", edge_id=TLS_EDGE, ip_policy_ids=["ipp_b"])
    result = tasks.failed("estate", **beside([ADDRESS], TLS_EDGE))
    assert "Make the changes in two runs" in result["msg"]
    assert writes(result) == []
    # It does not lead to the other one.
    assert tasks.done("estate", True, **beside([declared_object(OTHER, address="new.internal:80")], TLS_EDGE))[
        "changed"
    ]
    assert in_short(tasks.done("estate", **beside([], TLS_EDGE))) == [f"PUT {TLS_EDGE}/ip_restriction"]
    assert in_short(tasks.done("estate", **beside([ADDRESS], TLS_EDGE))) == [f"PATCH {PAGE}"]


@pytest.mark.parametrize(("address", "is_changed"), [("a.internal:80", False), ("new.internal:80", True)])
def test_tls_edges_are_listed_only_if_a_backend_changes_beside_one(
    tasks: Tasks, address: str, is_changed: bool
) -> None:
    seed_backends(tasks, "tls >bkdst_other")
    result = tasks.done("estate", **beside([declared_object(PAGE, address=address)], TLS_EDGE))
    assert ("/edges/tls" in [one["path"] for one in result["sent"]]) == is_changed


@pytest.mark.parametrize("login", ["teams", "staff"], ids=["without a safe order", "with one"])
def test_what_refers_to_a_failed_object_is_withheld_whatever_has_no_safe_order_elsewhere(
    tasks: Tasks, login: str
) -> None:
    seed_backends(tasks, "/ >bkdst_page staff")
    tasks.service.seed(objects={"backends/static": [{"id": "bkdst_third", "address": "c.internal:80"}]})
    third = declared_object("bkdst_third", address="new.internal:80")
    to_third = declared_object("bkdwd_split", backends={"bkdst_third": 1})
    rejected = rejecting("PATCH bkdst_third", 402)
    result = tasks.failed("estate", instead=rejected, **beside([third, to_third, ADDRESS], f"/ >bkdst_page {login}"))
    assert "bkdwd_split): Not changed, because object backends/static bkdst_third (bkdst_third) failed" in result["msg"]
    assert any("closes" in one["reason"] for one in result["operations"]) == (login == "teams")


def test_rules_of_policies_that_two_tls_edges_exchange_have_no_safe_order(tasks: Tasks) -> None:
    rules = [{**live_rule("192.0.2.0/24"), "id": f"ipr_{one}", "ip_policy_id": f"ipp_{one}"} for one in "ab"]
    live = [{"id": f"edgtls_{one}", **modules(f"host={one}.example.com backend networks=ipp_{one}")} for one in "ab"]
    policies = [{"id": f"ipp_{one}"} for one in "ab"]
    tasks.service.seed(objects={"ip_policies": policies, "ip_policy_rules": rules}, tls_edges=live)
    objects = [declared_object(f"ipr_{one}", cidr=f"10.0.{number}.0/24") for number, one in enumerate("ab")]
    edges = [{"edge_id": f"edgtls_{one}", **modules(f"networks=ipp_{other}")} for one, other in ("ab", "ba")]
    result = tasks.failed("estate", objects=objects, tls_edges=edges)
    assert "No order of the changes keeps out in between whom object ip_policy_rules ipr_a" in result["msg"]
    assert writes(result) == []


# What a service ignores of the traffic modules of a TLS edge, and who gets in.
IGNORED_OF_TLS_EDGES = cases(
    """
    of an object | {objects: [*VPN]} | ip_restriction | null | ip_restriction
    of its own | {tls_edges: [{edge_id: edgtls_place, ip_restriction: *OFFICE}]} | enabled | false
        | ip_restriction of TLS edge edgtls_place
    """,
    OFFICE={"ip_policy_ids": ["ipp_a"]},
    VPN=declared_object(TLS_EDGE, ip_restriction={"ip_policy_ids": ["ipp_a"]}),
)


@pytest.mark.parametrize(("options", "field", "value", "who"), IGNORED_OF_TLS_EDGES.values(), ids=IGNORED_OF_TLS_EDGES)
def test_what_protects_a_tls_edge_must_not_be_ignored(
    tasks: Tasks, options: Given, field: str, value: Any, who: str
) -> None:
    seed_backends(tasks, "tls >bkdst_page")
    ignoring = dropping(tasks.service.base_url, field, value)
    assert f"Whoever {who} was to keep out gets in" in tasks.failed("estate", instead=ignoring, **options)["msg"]
