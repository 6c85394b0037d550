# SPDX-License-Identifier: GPL-3.0-or-later
"""What somebody demands of requests to some hosts and paths: when it is met, and what happens if it is not."""

from __future__ import annotations

import re
from typing import Any

import pytest

from module_task import Tasks, writes
from places import EDGE, TLS_EDGE, seed_tls_edge

Given = dict[str, Any]

BACKEND: Given = {"backend": {"backend_id": "bkd_one"}}
CLOSED: Given = {"backend": {"backend_id": "bkd_one", "enabled": False}}
OFFICE: Given = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}}
HALVES: Given = {"ip_restriction": {"ip_policy_ids": ["ipp_lower", "ipp_upper"]}}
LOGIN: Given = {"oidc": {"issuer": "https://login.example.com", "client_id": "shop", "client_secret": "words"}}
EXEMPT: Given = {"oidc": {**LOGIN["oidc"], "options_passthrough": True}}
GOOGLE: Given = {"oauth": {"provider": {"google": {"client_id": "shop", "client_secret": "words"}}}}
STAFF: Given = {
    "oauth": {"provider": {"google": {**GOOGLE["oauth"]["provider"]["google"], "email_domains": ["e.com"]}}}
}
WEBHOOK: Given = {"webhook_verification": {"provider": "slack", "secret": "words"}}
ACTIONS: Given = {"policy": {"inbound": [{"name": "all", "actions": [{"type": "deny", "config": {}}]}]}}
CERTIFICATE: Given = {"mutual_tls": {"certificate_authority_ids": ["ca_one"]}}
REASON = "Only for our own people."
LOGIN_NEEDED: Given = {"needs": ["login"], "reason": REASON}
SHOP = "https://shop.example.com"
UNMET = "requirement_not_met"


def route(match: str = "/", *modules: Given, match_type: str = "path_prefix", backend: Given = BACKEND) -> Given:
    found = {"match_type": match_type, "match": match, **backend}
    for one in modules:
        found |= one
    return found


def edge(*routes: Given, hosts: tuple[str, ...] = ("shop.example.com",), **more: Any) -> Given:
    return {"hostports": [f"{host}:443" if ":" not in host else host for host in hosts], "routes": list(routes), **more}


def demanded(*needs: str, hosts: list[str] | None = None, paths: list[str] | None = None) -> Given:
    found: Given = {"needs": list(needs), "reason": REASON}
    return found | ({"hosts": hosts} if hosts else {}) | ({"paths": paths} if paths else {})


def seed_policies(tasks: Tasks) -> None:
    cidrs = {"ipp_office": "10.0.0.0/8", "ipp_lower": "0.0.0.0/1", "ipp_upper": "128.0.0.0/1"}
    rules = [{"id": f"ipr_{one}", "ip_policy_id": one, "action": "allow", "cidr": cidrs[one]} for one in cidrs]
    tasks.service.seed(objects={"ip_policies": [{"id": one} for one in cidrs], "ip_policy_rules": rules})


def proofs(result: Given) -> set[str]:
    """The requests that prove that a requirement is not met."""
    messages = [one["message"] for one in result["findings"] if one["rule"] == UNMET]
    return {re.split(r" (?:requires only|lets everyone)", message)[0] for message in messages}


# The edges, what is demanded, and the requests that prove that it is not met.
ADMIN = demanded("login", paths=["/admin"])
CASES: dict[str, tuple[list[Given], Given, set[str]]] = {
    "an exact host": ([edge(route())], demanded("login", hosts=["shop.example.com"]), {f"{SHOP}/"}),
    "another host": ([edge(route())], demanded("login", hosts=["blog.example.com", "shop.example.com"]), {f"{SHOP}/"}),
    "a host in upper case": ([edge(route())], demanded("login", hosts=["SHOP.Example.com"]), {f"{SHOP}/"}),
    "all hosts below one": ([edge(route())], demanded("login", hosts=["*.example.com"]), {f"{SHOP}/"}),
    "not the host itself": ([edge(route(), hosts=("example.com",))], demanded("login", hosts=["*.example.com"]), set()),
    "not a host that only ends alike": (
        [edge(route(), hosts=("shop.myexample.com",))],
        demanded("login", hosts=["*.example.com"]),
        set(),
    ),
    "all hosts": ([edge(route())], demanded("login", hosts=["*"]), {f"{SHOP}/"}),
    "a host below a wildcard": (
        [edge(route(), hosts=("*.example.com",))],
        demanded("login", hosts=["shop.example.com"]),
        {f"{SHOP}/"},
    ),
    "a wildcard below a wildcard": (
        [edge(route(), hosts=("*.example.com",))],
        demanded("login", hosts=["*.eu.example.com"]),
        {"https://any-other.eu.example.com/"},
    ),
    "a host that only a match names": (
        [edge(route("shop.example.com/"), hosts=("*.example.com",))],
        demanded("login", hosts=["*.example.com"]),
        {f"{SHOP}/"},
    ),
    "another port": ([edge(route(), hosts=("shop.example.com:8443",))], LOGIN_NEEDED, {f"{SHOP}:8443/"}),
    "a path that a wider route takes": ([edge(route())], ADMIN, {f"{SHOP}/admin"}),
    "below a path": ([edge(route("/", LOGIN), route("/admin/open"))], ADMIN, {f"{SHOP}/admin/open"}),
    "an exact path": (
        [edge(route("/", LOGIN), route("/admin/open", match_type="exact_path"))],
        ADMIN,
        {f"{SHOP}/admin/open"},
    ),
    "not a path that only begins alike": ([edge(route("/admin", LOGIN), route("/administrator"))], ADMIN, set()),
    "a wider route beside": ([edge(route("/admin", LOGIN), route("/"))], ADMIN, set()),
    "met by the edge": ([edge(route(), **CERTIFICATE)], demanded("certificate"), set()),
    "not met by the edge": ([edge(route(), **CERTIFICATE)], LOGIN_NEEDED, {f"{SHOP}/"}),
    "one of several classes": (
        [edge(route("/", OFFICE), route("/b", LOGIN), route("/c", WEBHOOK), route("/d"))],
        demanded("login", "network"),
        {f"{SHOP}/c", f"{SHOP}/d"},
    ),
    "more than one class": ([edge(route("/", OFFICE, LOGIN))], demanded("network"), set()),
    "nobody may get through": ([edge(route("/", OFFICE, LOGIN))], demanded("closed"), {f"{SHOP}/"}),
    "nobody gets through": (
        [edge(route(backend=CLOSED)), edge(hosts=("blog.example.com",))],
        demanded("closed"),
        set(),
    ),
    "closed is enough for all": ([edge(route(backend=CLOSED))], LOGIN_NEEDED, set()),
    "any account of Google": ([edge(route("/", GOOGLE))], LOGIN_NEEDED, {f"{SHOP}/"}),
    "some accounts of Google": ([edge(route("/", STAFF))], LOGIN_NEEDED, set()),
    "policies that together admit everyone": ([edge(route("/", HALVES))], demanded("network"), {f"{SHOP}/"}),
    "a traffic policy": ([edge(route("/", ACTIONS))], demanded("login", "network"), {f"{SHOP}/"}),
    "a disabled traffic module": (
        [edge(route("/", {"oidc": {**LOGIN["oidc"], "enabled": False}}))],
        LOGIN_NEEDED,
        {f"{SHOP}/"},
    ),
    "OPTIONS": ([edge(route("/", EXEMPT))], LOGIN_NEEDED, {f"OPTIONS {SHOP}/"}),
    "no hostports": ([edge(route(), hosts=(), id=EDGE)], LOGIN_NEEDED, set()),
    "a prefix that may end anywhere": ([edge(route("/", LOGIN), route("/adm"))], ADMIN, {f"{SHOP}/admin"}),
    "a path that may lead there": ([edge(route("/", LOGIN), route("/%61dmin"))], ADMIN, {f"{SHOP}/%61dmin"}),
}


@pytest.mark.parametrize(("edges", "requirement", "expected"), CASES.values(), ids=CASES)
def test_what_does_not_meet_a_requirement(
    tasks: Tasks, edges: list[Given], requirement: Given, expected: set[str]
) -> None:
    tasks.service.seed(https_edges=edges)
    seed_policies(tasks)
    live = tasks.done("exposure_info", requirements=[requirement])
    assert proofs(live) == expected
    assert tasks.run("exposure_info", requirements=[requirement], fail_on="high").get("failed", False) >= bool(expected)
    # Of the edges that are not declared, nothing is different.
    options = {"https_edges": edges[:1], "requirements": [requirement]}
    for check in (True, False):
        result = tasks.run("estate", check, **options)
        assert bool(result.get("failed")) is bool(expected), result.get("msg")
        assert not expected or (proofs(result), writes(result)) == (expected, [])


def rejected(tasks: Tasks, module: str, **options: Any) -> Given:
    """The result of a task that is rejected, in check mode as in a real run, before a request that writes."""
    dry, real = (tasks.failed(module, check, **options) for check in (True, False))
    for result in (dry, real):
        assert (writes(result), result["operations"], result["changed"]) == ([], [], False)
        assert "Nothing was changed" in result["msg"]
    for name in ("msg", "plan", "plan_digest", "findings"):
        assert dry[name] == real[name]
    return real


def seed_live(tasks: Tasks, *routes: Given, **more: Any) -> None:
    tasks.service.seed(https_edges=[{"id": EDGE, **edge(*routes, **more)}])


def of_routes(*routes: Given, **more: Any) -> Given:
    return {"edge_id": EDGE, "routes": list(routes), **more}


ROUTE = "https_edge_route path_prefix /admin of shop.example.com:443"


def test_a_plan_that_would_not_meet_it_is_rejected(tasks: Tasks) -> None:
    seed_live(tasks, route("/admin", LOGIN, {"id": "edghtsrt_admin"}))
    change = {"match_type": "path_prefix", "match": "/admin", "absent_modules": ["oidc"]}
    for module, options in (
        ("https_edge_routes", of_routes(change)),
        ("estate", {"https_edges": [{"id": EDGE, "routes": [change]}]}),
    ):
        result = rejected(tasks, module, **options, requirements=[ADMIN])
        assert f"{SHOP}/admin lets everyone through, but requirements[0] demands a login: {REASON}" in result["msg"]
        assert "already" not in result["msg"]
        [finding] = result["findings"]
        assert (finding["rule"], finding["severity"], finding["created"]) == (UNMET, "high", True)
        assert finding["object"].startswith(ROUTE)
        assert tasks.done(module, True, **options)["changed"]


def test_what_was_unmet_before_is_rejected_and_said(tasks: Tasks) -> None:
    seed_live(tasks, route("/admin"))
    change = {"match_type": "path_prefix", "match": "/admin", "description": "The office"}
    for module, options in (
        ("https_edge_routes", of_routes(change)),
        ("estate", {"https_edges": [{"id": EDGE, "routes": [change]}]}),
        ("estate", {"https_edges": [{"id": EDGE, "description": "The shop"}]}),
    ):
        result = rejected(tasks, module, **options, requirements=[ADMIN])
        assert "The plan does not cause this: it is so already." in result["msg"]
        assert [one["created"] for one in result["findings"]] == [False]


def test_a_plan_that_meets_it_at_last_is_executed(tasks: Tasks) -> None:
    seed_live(tasks, route("/admin"))
    done = tasks.done("https_edge_routes", **of_routes(route("/admin", LOGIN)), requirements=[ADMIN])
    assert done["changed"]
    assert "findings" not in done


def test_what_is_not_declared_counts(tasks: Tasks) -> None:
    """The other routes of an edge, and for the whole configuration the other edges."""
    seed_live(tasks, route("/", LOGIN), route("/admin"))
    tasks.service.seed(https_edges=[edge(route(), hosts=("blog.example.com",))])
    declared = {"match_type": "path_prefix", "match": "/", "description": "The shop"}
    result = rejected(tasks, "https_edge_routes", **of_routes(declared), requirements=[LOGIN_NEEDED])
    assert proofs(result) == {f"{SHOP}/admin"}
    assert result["findings"][0]["object"].startswith(ROUTE)
    tasks.service.seed(event_subscriptions=[{"id": "esb_one", "sources": []}])
    for options in (
        {"https_edges": [{"id": EDGE, "routes": [declared]}]},
        {"event_subscriptions": [{"subscription_id": "esb_one", "sources": ["domain_created.v0"]}]},
    ):
        result = rejected(tasks, "estate", **options, requirements=[LOGIN_NEEDED])
        assert proofs(result) == {f"{SHOP}/admin", "https://blog.example.com/"}
        assert {one["object"].rpartition(" (")[0] for one in result["findings"]} == {
            ROUTE,
            "https_edge_route path_prefix / of blog.example.com:443",
        }


def test_a_new_edge_counts(tasks: Tasks) -> None:
    new = {"https_edges": [edge(route("/", LOGIN), route("/admin"))]}
    result = rejected(tasks, "estate", **new, requirements=[ADMIN])
    assert [(one["object"], one["created"]) for one in result["findings"]] == [(ROUTE, True)]


def test_a_purge_can_meet_it(tasks: Tasks) -> None:
    seed_live(tasks, route("/", LOGIN), route("/admin"))
    purge = of_routes(route("/", LOGIN), purge=True)
    assert tasks.done("https_edge_routes", **purge, requirements=[ADMIN])["changed"]


def test_a_route_that_is_deleted_leaves_its_requests_to_another(tasks: Tasks) -> None:
    seed_live(tasks, route(), route("/admin", LOGIN))
    result = rejected(tasks, "https_edge_routes", **of_routes(route(), purge=True), requirements=[ADMIN])
    assert proofs(result) == {f"{SHOP}/admin"}


SERVED: Given = {"hostports": ["vpn.example.com:443"], "backend": {"backend_id": "bkd_one"}}


def test_a_tls_edge_counts(tasks: Tasks) -> None:
    seed_tls_edge(tasks, **SERVED, ip_restriction={"ip_policy_ids": ["ipp_office"]})
    options = {"tls_edges": [{"edge_id": TLS_EDGE, "absent_modules": ["ip_restriction"]}]}
    result = rejected(tasks, "estate", **options, requirements=[demanded("network")])
    assert [(one["object"], one["created"]) for one in result["findings"]] == [(f"TLS edge {TLS_EDGE}", True)]


def test_objects_that_serve_traffic_count(tasks: Tasks) -> None:
    shell = {"name": "shell", "collection": "edges/tcp", "find_by": {"hostports": ["shop.example.com:22"]}}
    body = {"backend": {"enabled": True, "backend_id": "bkd_one"}}
    options = {"objects": [{**shell, "body": body}]}
    result = rejected(tasks, "estate", **options, requirements=[demanded("network", hosts=["shop.example.com"])])
    assert proofs(result) == {"shop.example.com:22"}


def test_an_incomplete_plan_is_rejected(tasks: Tasks) -> None:
    seed_live(tasks, route("/", LOGIN))
    routes = [route("/", LOGIN, {"description": "x"}), route("/admin", LOGIN, {"id": "edghtsrt_nowhere"})]
    result = tasks.failed("https_edge_routes", **of_routes(*routes), requirements=[LOGIN_NEEDED])
    assert "The plan is incomplete, so nobody knows whether it meets `requirements`" in result["msg"]
    assert (writes(result), result["findings"]) == ([], [])


def test_an_exception_does_not_apply(tasks: Tasks) -> None:
    seed_live(tasks, route("/admin"))
    accept = [{"rule": UNMET, "object": "*", "reason": "We do not care."}]
    result = tasks.failed("exposure_info", requirements=[ADMIN], accept=accept)
    assert f"accept[0].rule: '{UNMET}' is not allowed" in result["msg"]


def test_other_findings_and_exceptions_stay_apart(tasks: Tasks) -> None:
    """The plan is rejected because of the requirement, also if the finding about the same route is accepted."""
    seed_live(tasks, route("/", OFFICE), route("/admin"))
    accept = [{"rule": "hole_below_protected_prefix", "object": "*", "reason": "It is a demo."}]
    options = {"https_edges": [{"id": EDGE}], "reject_findings": "low", "reject_existing": True, "accept": accept}
    result = rejected(tasks, "estate", **options, requirements=[ADMIN])
    assert [one["rule"] for one in result["findings"]] == [UNMET]


def test_a_requirement_about_no_host_is_warned_about(tasks: Tasks) -> None:
    seed_live(tasks, route("/", LOGIN))
    given = [LOGIN_NEEDED, demanded("login", hosts=["shp.example.com"])]
    expected = "requirements[1].hosts[0] is not the host of anything that was read; check its spelling."
    for module, options in (("exposure_info", {}), ("estate", {"https_edges": [{"id": EDGE}]})):
        assert tasks.done(module, **options, requirements=given)["warnings"] == [expected]
    declared = {"https_edges": [edge(route("/", LOGIN))]}
    assert tasks.done("exposure_info", estate=declared, requirements=given)["warnings"] == [expected]


def test_tunnels_and_tls_edges_count_for_exposure_info(tasks: Tasks) -> None:
    tunnels = [
        {"id": "tn_ssh", "proto": "tcp", "public_url": "tcp://1.tcp.example.net:12345"},
        {"id": "tn_backend", "backends": [{"id": "bkd_one"}]},
    ]
    tasks.service.seed(tunnels=tunnels)
    seed_tls_edge(tasks, **SERVED)
    rule = {"id": "ipr_office", "ip_policy_id": "ipp_office", "action": "allow", "cidr": "10.0.0.0/8"}
    tasks.service.seed(objects={"ip_policies": [{"id": "ipp_office"}], "ip_policy_rules": [rule]})
    given = {"requirements": [demanded("network")]}
    result = tasks.done("exposure_info", tls_edges=[TLS_EDGE], **given)
    assert {one["object"] for one in result["findings"] if one["rule"] == UNMET} == {
        "tunnel tcp://1.tcp.example.net:12345 (tn_ssh)",
        f"object edges/tls {TLS_EDGE}",
    }
    tasks.done("tls_edge_ip_restriction", edge_id=TLS_EDGE, ip_policy_ids=["ipp_office"])
    result = tasks.done("exposure_info", tls_edges=[TLS_EDGE], tunnels=False, **given)
    assert proofs(result) == set()


ERRORS: dict[str, tuple[Given, str]] = {
    "no hosts": (demanded("login") | {"hosts": []}, "requirements[0].hosts: is empty; "),
    "no paths": (demanded("login") | {"paths": []}, "requirements[0].paths: is empty; "),
    "no needs": (demanded(), "requirements[0].needs: is empty; "),
    "no hosts at all": (demanded("login") | {"hosts": None}, "requirements[0].hosts: "),
    "a port": (
        demanded("login", hosts=["a.b:443"]),
        "requirements[0].hosts[0]: 'a.b:443' is not a host; expected a host",
    ),
    "a URL": (demanded("login", hosts=[SHOP]), f"requirements[0].hosts[0]: '{SHOP}' is not a host; expected a host"),
    "a star in a name": (demanded("login", hosts=["a*.b"]), "requirements[0].hosts[0]: 'a*.b' is not a host; expected"),
    "no slash": (demanded("login", paths=["admin"]), "requirements[0].paths[0]: 'admin' is not a path; expected "),
    "an unknown class": (
        demanded("logins"),
        "requirements[0].needs[0]: 'logins' is not allowed; expected certificate, ",
    ),
    "closed or a login": (
        demanded("closed", "login"),
        "requirements[0].needs: closed means that nobody may get through",
    ),
    "an empty reason": ({"needs": ["login"], "reason": " "}, "requirements[0].reason: is empty; "),
    "no reason": ({"needs": ["login"]}, "requirements[0].reason: "),
    "an unknown key": ({**LOGIN_NEEDED, "host": "a"}, "requirements[0].host: "),
}


@pytest.mark.parametrize(("requirement", "text"), ERRORS.values(), ids=ERRORS)
@pytest.mark.parametrize(
    ("module", "options"),
    [
        ("exposure_info", {}),
        ("estate", {"https_edges": [{"id": EDGE}]}),
        ("https_edge_routes", {"edge_id": EDGE, "routes": []}),
    ],
)
def test_what_is_no_requirement(tasks: Tasks, module: str, options: Given, requirement: Given, text: str) -> None:
    result = tasks.failed(module, **options, requirements=[requirement])
    assert any(one.startswith(text) for one in result["option_errors"]), result["msg"]
    assert result["sent"] == []
