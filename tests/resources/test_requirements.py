# SPDX-License-Identifier: GPL-3.0-or-later
"""What somebody demands of requests to some hosts and paths: when it is met, and what happens if it is not."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._values.hostports import with_port
from convergence import rejected
from estates_to_judge import Given, estate, route
from module_task import Tasks, writes
from places import EDGE, KEY, TLS_EDGE, in_each_module, seed_edges, seed_tls_edge
from scripted_service import Received, Response, changing

REASON = "Only for our own people."
LOGIN_NEEDED: Given = {"needs": ["login"], "reason": REASON}
SHOP = "https://shop.example.com"
UNMET = "requirement_not_met"


def demanded(*needs: str, host: str = "", **more: Any) -> Given:
    return {"needs": list(needs), "reason": REASON, **({"hosts": [host]} if host else {}), **more}


def seed_policies(tasks: Tasks) -> None:
    cidrs = {"ipp_office": "10.0.0.0/8", "ipp_lower": "0.0.0.0/1", "ipp_upper": "128.0.0.0/1"}
    rules = [{"id": f"ipr_{one}", "ip_policy_id": one, "action": "allow", "cidr": cidrs[one]} for one in cidrs]
    tasks.service.seed(objects={"ip_policies": [{"id": one} for one in cidrs], "ip_policy_rules": rules})


def proofs(result: Given) -> set[str]:
    """The requests that prove that a requirement is not met."""
    messages = [one["message"] for one in result["findings"] if one["rule"] == UNMET]
    return {re.split(r" (?:requires only|lets everyone)", message)[0] for message in messages}


def reasons(result: Given) -> set[str]:
    return {one["requirement"] for one in result["findings"] if one["rule"] == UNMET}


# The edges, what is demanded of all requests to some hosts and paths, and the requests that prove that it is not met.
ADMIN = demanded("login", paths=["/admin"])
CASES = f"""
/ -> login of blog.example.com, shop.example.com -> {SHOP}/
/ -> login of SHOP.Example.com -> {SHOP}/
/ -> login of *.example.com -> {SHOP}/
[host=example.com] / -> login of *.example.com ->
[host=shop.myexample.com] / -> login of *.example.com ->
/ -> login of * -> {SHOP}/
[host=*.example.com] / -> login of shop.example.com -> {SHOP}/
[host=*.example.com] / -> login of *.eu.example.com -> https://any-other.eu.example.com/
[host=*.example.com] shop.example.com/ -> login of *.example.com -> {SHOP}/
[host=shop.example.com.] / -> login of shop.example.com -> {SHOP}./
/ oidc | [host=*.example.com.] / -> login of shop.example.com. -> {SHOP}./
/ | [host=shop.example.com.] / oidc -> login of shop.example.com -> {SHOP}/
[host=*] shop.example.com/ oidc, / -> login of shop.example.com ->
[hostport=shop.example.com:8443] / -> login -> {SHOP}:8443/
/ -> login of /admin -> {SHOP}/admin
/ oidc, /admin/open -> login of /admin -> {SHOP}/admin/open
/ oidc, =/admin/open -> login of /admin -> {SHOP}/admin/open
/admin oidc, /administrator -> login of /admin ->
/admin oidc, / -> login of /admin ->
[clients] / -> certificate ->
[clients] / -> login -> {SHOP}/
/ office, /b oidc, /c github-hook, /d -> login, network -> {SHOP}/c, {SHOP}/d
/ office oidc -> network ->
/ office oidc -> closed -> {SHOP}/
/ -backend | [host=blog.example.com] -> closed ->
/ -backend -> login ->
/ networks=ipp_lower+ipp_upper -> network -> {SHOP}/
/ actions -> login, network -> {SHOP}/
/ -oidc -> login -> {SHOP}/
/ preflight -> login -> OPTIONS {SHOP}/
[id={EDGE} hostport=] / -> login ->
/ oidc, /adm -> login of /admin -> {SHOP}/admin
/ oidc, /%61dmin -> login of /admin -> {SHOP}/%61dmin
/ oidc, /admin/* -> login of /pub -> path_prefix /admin/*
/ oidc, shop.example.com./admin -> login of /pub -> path_prefix shop.example.com./admin
shop.example.com/pub oidc, SHOP.example.com/pub -> login of /pub -> {SHOP}/pub
"""


@pytest.mark.parametrize("case", CASES.strip().splitlines())
def test_what_does_not_meet_a_requirement(tasks: Tasks, case: str) -> None:
    edges, given, proven = (part.strip() for part in case.split("->"))
    needs, _of, places = given.partition(" of ")
    hosts_or_paths = {"paths" if places[:1] == "/" else "hosts": places.split(", ")} if places else {}
    requirement, expected = demanded(*needs.split(", "), **hosts_or_paths), {*filter(None, proven.split(", "))}
    tasks.service.seed(**estate(edges))
    seed_policies(tasks)
    live = tasks.done("exposure_info", requirements=[requirement])
    reason = {requirement["reason"]} if expected else set()
    assert (proofs(live), reasons(live)) == (expected, reason)
    assert tasks.run("exposure_info", requirements=[requirement], fail_on="high").get("failed", False) >= bool(expected)
    # Of the edges that are not declared, nothing is different.
    options = {"https_edges": estate(edges)["https_edges"][:1], "requirements": [requirement]}
    for check in (True, False):
        result = tasks.run("estate", check, **options)
        assert bool(result.get("failed")) is bool(expected), result.get("msg")
        assert not expected or (proofs(result), reasons(result), writes(result)) == (expected, reason, [])


ROUTE = "https_edge_route path_prefix /admin of shop.example.com:443"
AT_ADMIN = {**KEY, "match": "/admin"}


def test_a_plan_that_would_not_meet_it_is_rejected(tasks: Tasks) -> None:
    seed_edges(tasks, "/admin oidc")
    for module, options in in_each_module({**AT_ADMIN, "absent_modules": ["oidc"]}).items():
        if module != "https_edge_route":
            result = rejected(tasks, module, **options, requirements=[ADMIN])
            assert f"{SHOP}/admin lets everyone through, but requirements[0] demands a login: {REASON}" in result["msg"]
            assert "already" not in result["msg"]
            [finding] = result["findings"]
            assert (finding["rule"], finding["severity"], finding["created"]) == (UNMET, "high", True)
            assert finding["object"].startswith(ROUTE)
            assert tasks.done(module, True, **options)["changed"]


def test_the_message_names_the_reading_with_which_it_is_not_met(tasks: Tasks) -> None:
    seed_edges(tasks, "/ oidc, /adm")
    [finding] = tasks.done("exposure_info", requirements=[demanded("login", paths=["/admin"])])["findings"][:1]
    only_then = "if prefixes also match paths that only begin like them"
    assert f"{SHOP}/admin lets everyone through {only_then}, but requirements[0] demands" in finding["message"]


def test_what_was_unmet_before_is_rejected_and_said_until_it_is_met(tasks: Tasks) -> None:
    seed_edges(tasks, "/admin")
    changes = in_each_module({**AT_ADMIN, "description": "The office"})
    for module, options in (
        ("https_edge_routes", changes["https_edge_routes"]),
        ("estate", changes["estate"]),
        ("estate", {"https_edges": [{"id": EDGE, "description": "The shop"}]}),
    ):
        result = rejected(tasks, module, **options, requirements=[ADMIN])
        assert "The plan does not cause this: it is so already." in result["msg"]
        assert [one["created"] for one in result["findings"]] == [False]
    done = tasks.done("https_edge_routes", edge_id=EDGE, routes=[route("/admin staff")], requirements=[ADMIN])
    assert (done["changed"], "findings" in done) == (True, False)


def test_what_is_not_declared_counts(tasks: Tasks) -> None:
    """The other routes of an edge, also of a declared one, and for the whole configuration the other edges."""
    seed_edges(tasks, "/ oidc, /admin")
    tasks.service.seed(**estate("[host=blog.example.com] /"), event_subscriptions=[{"id": "esb_one", "sources": []}])
    changes = in_each_module({"description": "The shop"})
    result = rejected(tasks, "https_edge_routes", **changes["https_edge_routes"], requirements=[LOGIN_NEEDED])
    assert proofs(result) == {f"{SHOP}/admin"}
    assert result["findings"][0]["object"].startswith(ROUTE)
    subscription = {"subscription_id": "esb_one", "sources": ["domain_created.v0"]}
    for options in (changes["estate"], {"event_subscriptions": [subscription]}):
        result = rejected(tasks, "estate", **options, requirements=[LOGIN_NEEDED])
        assert proofs(result) == {f"{SHOP}/admin", "https://blog.example.com/"}
        names = {one["object"].rpartition(" (")[0] for one in result["findings"]}
        assert names == {ROUTE, "https_edge_route path_prefix / of blog.example.com:443"}
    silent = {"https_edges": [{"hostports": ["shop.example.com:443"]}]}
    assert proofs(tasks.done("exposure_info", estate=silent, requirements=[ADMIN])) == {f"{SHOP}/admin"}


def test_exceptions_do_not_apply_to_it(tasks: Tasks) -> None:
    """The plan is rejected because of the requirement, also if the finding about the same route is accepted."""
    seed_edges(tasks, "/ office, /admin")
    accept = [{"rule": UNMET, "object": "*", "reason": "We do not care."}]
    result = tasks.failed("exposure_info", requirements=[ADMIN], accept=accept)
    assert f"accept[0].rule: '{UNMET}' is not allowed" in result["msg"]
    accept = [{"rule": "hole_below_protected_prefix", "object": "*", "reason": "It is a demo."}]
    options = {"https_edges": [{"id": EDGE}], "reject_findings": "low", "reject_existing": True, "accept": accept}
    result = rejected(tasks, "estate", **options, requirements=[ADMIN])
    assert [one["rule"] for one in result["findings"]] == [UNMET]


def test_a_requirement_about_no_host_is_warned_about(tasks: Tasks) -> None:
    seed_edges(tasks, "/ oidc")
    given = [LOGIN_NEEDED, demanded("login", host="shp.example.com")]
    expected = "requirements[1].hosts[0] is not the host of anything that was read; check its spelling."
    for module, options in (
        ("exposure_info", {}),
        ("estate", {"https_edges": [{"id": EDGE}]}),
        ("exposure_info", {"estate": estate("/ oidc")}),
    ):
        assert tasks.done(module, **options, requirements=given)["warnings"] == [expected]


def test_tunnels_count_for_exposure_info_and_a_tls_edge_is_protected_by_its_policies(tasks: Tasks) -> None:
    tunnels = [
        {"id": "tn_ssh", "proto": "tcp", "public_url": "tcp://1.tcp.example.net:12345"},
        {"id": "tn_backend", "backends": [{"id": "bkd_one"}]},
    ]
    restriction = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}}
    tasks.service.seed(tunnels=tunnels)
    seed_tls_edge(tasks, hostports=["vpn.example.com:443"], backend={"backend_id": "bkd_one"}, **restriction)
    seed_policies(tasks)
    result = tasks.done("exposure_info", tls_edges=[TLS_EDGE], requirements=[demanded("network")])
    unmet = [one["object"] for one in result["findings"] if one["rule"] == UNMET]
    assert unmet == ["tunnel tcp://1.tcp.example.net:12345 (tn_ssh)"]
    options = {"tls_edges": [{"edge_id": TLS_EDGE, "absent_modules": ["ip_restriction"]}]}
    result = rejected(tasks, "estate", **options, requirements=[demanded("network")])
    assert [(one["object"], one["created"]) for one in result["findings"]] == [(f"TLS edge {TLS_EDGE}", True)]


def test_each_tls_edge_counts_although_nobody_knows_its_hostports(tasks: Tasks) -> None:
    restriction = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}}
    ids = [TLS_EDGE, "edgtls_other"]
    names = [f"TLS edge {one}" for one in ids]
    tasks.service.seed(tls_edges=[{"id": one, **restriction} for one in ids])
    seed_policies(tasks)

    def undocumented(request: Received) -> Response | None:
        """A service without the operations that the API reference does not define."""
        is_edge = re.search(r"/edges/tls(/edgtls_\w+)?(\?|$)", request.path)
        return Response(404) if is_edge and request.method == "GET" else None

    find_by = {"ip_policy_id": "ipp_office", "cidr": "10.0.0.0/7", "action": "allow"}
    wider = {"name": "wider", "collection": "ip_policy_rules", "find_by": find_by}
    kept = [{"edge_id": one, **restriction} for one in ids]
    [entry] = tasks.done("estate", True, instead=undocumented, tls_edges=kept, objects=[wider])["plan"]
    assert [one["request"] for one in entry["opens"]] == names
    options = {"tls_edges": [{"edge_id": one, "absent_modules": ["ip_restriction"]} for one in ids]}
    plan = tasks.done("estate", True, **options)["plan"]
    assert [[one["request"] for one in entry["opens"]] for entry in plan] == [[one] for one in names]
    result = tasks.failed("estate", True, instead=undocumented, **options, requirements=[demanded("network")])
    assert [one["object"] for one in result["findings"]] == names


@pytest.mark.parametrize(
    "hostport",
    ["*:443", "*example.com:443", "**.example.com:443", "*.example.com", "a.example.com", "a.example.com:8443"],
)
def test_an_edge_counts_whatever_its_hostports_look_like(tasks: Tasks, hostport: str) -> None:
    """A service may leave out the default port."""
    held = with_port(hostport)
    restricted = {**KEY, "backend": {"backend_id": "bkd_one"}, "ip_restriction": {"ip_policy_ids": ["ipp_office"]}}
    tasks.service.seed(https_edges=[{"id": EDGE, "hostports": [held], "routes": [restricted]}])
    seed_policies(tasks)
    url = tasks.service.base_url
    shown = changing(url, lambda _request, found: json.loads(json.dumps(found).replace(f'"{held}"', f'"{hostport}"')))
    options = {"edge_id": EDGE, "routes": [{**KEY, "absent_modules": ["ip_restriction"]}]}
    for more in ({"reject_openings": True}, {"requirements": [demanded("network")]}):
        result = tasks.failed("https_edge_routes", instead=shown, **options, **more)
        assert (writes(result), "example.com" in result["msg"] or "any-other" in result["msg"]) == ([], True)
