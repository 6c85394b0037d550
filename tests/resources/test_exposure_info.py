# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets in, read from the service or judged from a declaration, and the way of one request: what takes it, what a
visitor must have, where it leads, and what is not sure about that.
"""

from __future__ import annotations

import json
import re
from datetime import date
from itertools import zip_longest
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked, masked
from ansible_collections.edgeops.ingress.plugins.module_utils._objects import rejection
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.exposure_info import DEFINITION
from estates_to_judge import Given, estate, route
from module_task import Tasks, applied, methods
from places import SUBSCRIPTION, TLS_EDGE, seed_edge, seed_edges, seed_subscription, seed_tls_edge

LIVE = estate("""
    / office, /a >other | [host=old.example.com] / >old -staff | [host=spare.example.com]
    tls: branches upstream
    events: api_key_created.v0
    tunnel: localhost:22
""")
FOUND = {"high hole_below_protected_prefix", "high protection_disabled", "medium service_port_in_the_open"}
HOLE = estate("/ office, /a")
ACCEPTED = {
    "rule": "hole_below_protected_prefix",
    "object": "https_edge_route path_prefix /a of shop.example.com:443",
    "reason": "It is meant to be open.",
}
NOBODY = {"base_url": "http://127.0.0.1:9", "api_key": "k"}
RENAMED = {"edge_id": "id", "subscription_id": "id"}


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rejection, "today", lambda: date(2027, 3, 31))


def paths(result: dict[str, Any], key: str = "not_judged") -> set[str]:
    return {one["path"] for one in result[key]}


def test_the_live_configuration_is_judged_like_its_declaration(tasks: Tasks) -> None:
    live = {kind: [{RENAMED.get(name, name): one[name] for name in one} for one in LIVE[kind]] for kind in LIVE}
    tasks.service.seed(**live)
    result = tasks.done("exposure_info", tls_edges=["edgtls_vpn"], event_subscriptions=["esb_one"])
    assert {f"{one['severity']} {one['rule']}" for one in result["findings"]} == FOUND
    assert [one["kind"] for one in result["exposure"]].count("https_edge_route") == result["summary"]["routes"] == 3
    assert all(one["id"] for one in result["exposure"])
    assert (methods(result), result["changed"], "operations" in result) == (["GET"] * 5, False, False)
    declared = tasks.done("exposure_info", estate={kind: LIVE[kind] for kind in LIVE if kind != "tunnels"})
    assert declared["sent"] == []
    by_route = [
        {(one["edge"]["hostports"][0], str(one["route"])): one["access"] for one in each["exposure"] if one["route"]}
        for each in (result, declared)
    ]
    assert by_route[0] == by_route[1]
    exported = tasks.done("estate_info")["estate"]["https_edges"]
    for one in tasks.done("exposure_info", tunnels=False)["exposure"]:
        assert exported[int(one["path"].split("[")[1].split("]")[0])]["hostports"] == one["edge"]["hostports"]


def test_only_what_is_asked_for_is_read_and_what_is_not_known_is_said(tasks: Tasks) -> None:
    """An object that exists keeps its settings, and declarations contain no tunnels."""
    result = tasks.done("exposure_info", https_edges=False, tunnels=False)
    assert (result["sent"], paths(result)) == ([], {"https_edges", "tls_edges", "event_subscriptions", "tunnels"})
    unknown = paths(tasks.done("exposure_info", estate=HOLE))
    assert unknown >= {"estate", "tls_edges", "event_subscriptions", "tunnels"}
    assert "https_edges[0]" not in unknown


def test_what_may_not_exist_or_not_be_used_is_not_judged(tasks: Tasks) -> None:
    seed_tls_edge(tasks)
    seed_subscription(tasks)
    tasks.service.switches(
        unset_module="not_found", unused_providers="empty_object", empty_lists="missing", empty_text="missing"
    )
    result = tasks.done("exposure_info", https_edges=False, tunnels=False, tls_edges=[TLS_EDGE])
    assert result["exposure"] == []
    assert any("404" in one["why"] for one in result["not_judged"])
    seed_edge(tasks, routes=[route("/ everybody")])
    result = tasks.done("exposure_info")
    assert (result["findings"], any(one.endswith("oauth.provider") for one in paths(result))) == ([], True)
    assert "esb_other" in tasks.failed("exposure_info", event_subscriptions=["esb_other"])["msg"]


@pytest.mark.parametrize("secrets", ["echoed", "redacted", "emptied", "left_out"])
def test_secrets_and_values_of_headers_are_not_returned(tasks: Tasks, secrets: str) -> None:
    tasks.service.switches(secrets=secrets)
    modules = {
        "webhook_verification": {"provider": "github", "secret": "canary-webhook"},
        "oidc": {"issuer": "http://id.example.com", "client_id": "app", "client_secret": "canary-oidc"},
        "request_headers": {"add": {"Authorization": "Bearer canary-header"}},
        "policy": {"inbound": [{"actions": [{"type": "x", "config": {"token": "canary-policy"}}]}]},
    }
    declared = {"https_edges": [{"hostports": ["a.example.com:443"], "routes": [{**route("/"), **modules}]}]}
    tasks.service.seed(**declared)
    for options in ({}, {"fail_on": "low"}, {"estate": declared}):
        result = tasks.run("exposure_info", **options)
        assert result.get("failed", False) == ("fail_on" in options)
        assert {one["rule"] for one in result["findings"]} == {"plain_http_issuer", "credential_in_header"}
        del result["sent"]
        assert "canary" not in json.dumps(result)
        assert secrets != "echoed" or not any(one.endswith("webhook_verification.secret") for one in paths(result))
    shown = masked(
        {"quoted": "not canary-webhook, not canary-policy"}, DEFINITION, checked(DEFINITION, {"estate": declared})
    )
    assert shown == {"quoted": "not ********, not ********"}
    assert [*DEFINITION.secrets({"estate": None}), *DEFINITION.secrets({"estate": "x"})] == []


@pytest.mark.parametrize("severity", ["high", "medium", "low"])
def test_findings_of_a_severity_fail_the_task(tasks: Tasks, severity: str) -> None:
    result = tasks.failed("exposure_info", estate=HOLE, fail_on=severity)
    assert result["summary"]["findings"] == {"high": 1, "medium": 0, "low": 0}
    head, line = result["msg"].splitlines()
    assert head == f"1 finding of severity {severity}{' or higher' * (severity != 'high')}:"
    assert line.startswith(f"- {ACCEPTED['object']}: Everyone can reach")
    low = {"event_subscriptions": [{"subscription_id": SUBSCRIPTION, "sources": []}]}
    assert tasks.run("exposure_info", estate=low, fail_on=severity).get("failed", False) == (severity == "low")


MATCHES_NOTHING = "accept[0]: no finding of {} matches '{}'; remove it."
EXCEPTIONS: list[tuple[dict[str, Any], str | None]] = [  # and why they accept nothing, or what is warned about
    ({}, None),
    ({"until": "2027-03-31"}, None),
    ({"until": "2027-03-30"}, "accept[0]: expired on 2027-03-30, so its findings count again."),
    ({"object": "*path_prefix /a of*"}, None),
    ({"object": "https_edge_route"}, MATCHES_NOTHING.format(ACCEPTED["rule"], "https_edge_route")),
    ({"rule": "old_tls"}, MATCHES_NOTHING.format("old_tls", ACCEPTED["object"])),
    ({"rule": "service_port_in_the_open"}, ""),  # tunnels are not part of a declaration, so it is not useless
]


@pytest.mark.parametrize(("exception", "warning"), EXCEPTIONS)
def test_exceptions(tasks: Tasks, exception: dict[str, Any], warning: str | None) -> None:
    result = tasks.run("exposure_info", estate=HOLE, fail_on="high", accept=[{**ACCEPTED, **exception}])
    assert (result.get("failed", False), result["summary"]["accepted"]) == (warning is not None, warning is None)
    assert result.get("warnings", []) == ([warning] if warning else [])
    accepted = {"reason": ACCEPTED["reason"], "until": exception.get("until")}
    assert [one["accepted"] for one in result["findings"]] == [None if warning is not None else accepted]


UNSET = "check whether the variable that it comes from is set"
BAD_FILTER = "estate.https_edges[0].routes[0].user_agent_filter"
NO_REQUEST = "cannot be traced; expected one such as 'https://shop.example.com/admin'"
NO_REQUESTS = ("shop.example.com", "/admin", "ftp://a.b/", "tcp://a.b", "https://", "https://a:b/", "")
OPTION_ERRORS: list[tuple[dict[str, Any], str]] = [
    ({"fail_on": ""}, "fail_on: '' is not allowed; expected high, medium, or low"),
    ({"accept": [{**ACCEPTED, "rule": "old_tsl"}]}, "accept[0].rule: 'old_tsl' is not allowed"),
    ({"accept": [{**ACCEPTED, "until": "2027-02-29"}]}, "accept[0].until: '2027-02-29' is not a date; expected"),
    ({"accept": [{**ACCEPTED, "reason": " "}]}, f"accept[0].reason: is empty; {UNSET}"),
    ({"accept": [{**ACCEPTED, "object": ""}]}, f"accept[0].object: is empty; {UNSET}"),
    ({"estate": {}}, "estate: nothing is declared; set objects, https_edges, tls_edges, or event_subscriptions"),
    ({"estate": {"https_edge": []}}, "estate.https_edge: unknown option; did you mean `https_edges`?"),
    ({"estate": {"purge": [], **HOLE}}, "estate.purge: unknown option"),
    ({"estate": HOLE, "tls_edges": [TLS_EDGE]}, "tls_edges: has no effect with `estate`, which is judged without"),
    (
        {"estate": {"https_edges": [{"hostports": ["a:443"], "routes": [{**route("/"), "user_agent_filter": {}}]}]}},
        f"{BAD_FILTER}.allow or {BAD_FILTER}.deny: required (an empty list is allowed); set one of them",
    ),
    ({"tls_edges": ["esb_x"]}, "tls_edges[0]: "),
    *(({"requests": [one]}, f"requests[0]: {one!r} {NO_REQUEST}") for one in NO_REQUESTS),
]


@pytest.mark.parametrize(("options", "option_error"), OPTION_ERRORS)
def test_option_errors_come_before_any_request(tasks: Tasks, options: dict[str, Any], option_error: str) -> None:
    result = tasks.failed("exposure_info", **options)
    assert (result["sent"], len(result["option_errors"])) == ([], 1)
    assert result["option_errors"][0].startswith(option_error)


def test_words_for_booleans_are_understood_inside_of_a_declaration(tasks: Tasks) -> None:
    """A template returns a string on old versions of Ansible. Every string is true in Python."""
    declared = estate("/")
    declared["https_edges"][0]["routes"][0]["ip_restriction"] = {"enabled": "False", "ip_policy_ids": "ipp_office"}
    assert tasks.done("exposure_info", estate=declared)["exposure"][0]["access"] == ["public"]


SHOP = "https://shop.example.com"


def traced(tasks: Tasks, request: str, text: str, **options: Any) -> Given:
    seed_edges(tasks, text)
    [way] = tasks.done("exposure_info", requests=[request], **options)["requests"]
    return dict(way)


SEVERAL = "/ branches oidc, /admin staff, /admin/open, /off -backend"
WILD = "[host=*.example.com] /"
NAMING = "[host=shop.example.com+b.example.com] shop.example.com/ oidc, /a"
ALL = "mutual_tls ip_restriction webhook_verification oidc"
BEGIN = "only begin like them, https_edge_route path_prefix /admin of shop."

# The edges, the request, the edge that serves it and the route that takes it, the traffic modules, the access, and how
# what is not sure about that begins.
RESOLVES = "The API does not define how it resolves empty segments, dots, and encoded characters"
FIRST = "If a wildcard comes before an exact host,"
WAYS = f"""
[clients] / gzip oidc github-hook office => /x => place / [{ALL}] certificate network signature login
{SEVERAL} => /admin/x => place /admin [oauth] login
{SEVERAL} => /admin?next=/off => place /admin [oauth] login
{SEVERAL} => /admin/open => place /admin/open [] public
{SEVERAL} => /off/x => place /off [] closed
{SEVERAL} => {SHOP} => place / [ip_restriction oidc] network login
/ oidc, =/a => /a => place /a [] public
/ oidc, =/a => /a/b => place / [oidc] login
/ => HTTPS://Shop.Example.com/ => place / [] public
/ everybody => / => place / [oauth] public
/ -oidc => / => place / [oidc] public
/ preflight office => OPTIONS / => place / [ip_restriction] network
/ preflight => / => place / [oidc] login
/ saml => / => place / [saml] login
/ oidc => OPTIONS / => place / [oidc] login
/a => /b => place None [] closed
[clients] /a => /b => place None [mutual_tls] closed
/ => https://nowhere.example.com/ => None None [] closed => Nothing that was read serves this host and port.
/ => http://shop.example.com/ => None None [] closed => Nothing that was read
[hostport=a.b:8443] / => https://a.b:8443/ => place / [] public
/ | {WILD} => https://any.example.com/ => place1 / [] public
{WILD} => https://a.b.example.com/ => place / [] public
/ oidc | {WILD} => / => place / [oidc] login => {FIRST} https_edge_route path_prefix / of *.example.com:443
/ oidc | [host=*.example.com] => / => place / [oidc] login => {FIRST} nothing takes it.
{SEVERAL} => /administrator => place / [ip_restriction oidc] network login => If prefixes also match paths that {BEGIN}
{NAMING} => /a/b => place /a [] public => If a match that names the host comes before a longer one,
/ oidc, /a => /a/../b => place /a [] public => {RESOLVES}
{SEVERAL} => /%61dmin => place / [ip_restriction oidc] network login => {RESOLVES}
/ actions => / => place / [policy] public => The API does not define the actions of policies
[no-clients] / oidc => / => place / [mutual_tls oidc] login => mutual_tls: It is enabled, but lacks what it checks
"""


@pytest.mark.parametrize("case", WAYS.strip().splitlines())
def test_the_way_of_a_request(tasks: Tasks, case: str) -> None:
    edges, request, expected, *unsure = case.split(" => ")
    request = re.sub("^(OPTIONS )?/", rf"\1{SHOP}/", request)
    way = traced(tasks, request, edges)
    edge_id, match = way["edge"] and way["edge"]["id"].partition("_")[2], way["route"] and way["route"]["match"]
    locks = " ".join(one["module"] for one in way["locks"])
    assert f"{edge_id} {match} [{locks}] {' '.join(way['access'])}" == expected
    assert [reason[: len(text)] for reason, text in zip_longest(way["unsure"], unsure, fillvalue="")] == unsure
    assert way["request"] == request
    assert way["backend_id"] == (None if match is None else "bk_app")
    assert "words" not in json.dumps(way), "a secret is shown"


@pytest.mark.parametrize("url", ["tcp://1.tcp.example.net:12345", "tcp://[2001:db8::1]:12345"])
def test_a_tunnel_with_a_public_address(tasks: Tasks, url: str) -> None:
    tasks.service.seed(tunnels=[{"id": "tn_ssh", "proto": "tcp", "public_url": url}])
    way = traced(tasks, url, "")
    assert (way["object"], way["edge"], way["access"]) == (f"tunnel {url} (tn_ssh)", None, ["public"])
    [way] = tasks.done("exposure_info", requests=[url], tunnels=False)["requests"]
    assert way["object"] is None


def test_several_requests_are_answered_in_their_order(tasks: Tasks) -> None:
    seed_edges(tasks, SEVERAL)
    requests = [f"{SHOP}/off", f"{SHOP}/admin", f"{SHOP}/off"]
    assert [one["request"] for one in tasks.done("exposure_info", requests=requests)["requests"]] == requests
    assert tasks.done("exposure_info")["requests"] == []


def test_secrets_in_requests_are_not_displayed(tasks: Tasks) -> None:
    query, fragment = f"{SHOP}/x?token=canary&a=b", f"{SHOP}/@me#access_token=canary"
    result = applied("exposure_info", {**NOBODY, "estate": estate("/"), "requests": [query, fragment]})
    shown = [one["request"] for one in result["requests"]]
    assert shown == [f"{SHOP}/x?token=********&a=b", f"{SHOP}/@me#access_token=********"]
    long = f"https://{'me' * 40}:canary@h/"
    for url in ("https://me:canary@h/", "OPTIONS https://canary@h", "https:me:canary@h", long, "x?token=canary"):
        result = applied("exposure_info", {**NOBODY, "requests": [url]})
        assert result["option_errors"][0].startswith("requests[0]: ")
        assert "canary" not in str(result)
    nested = f"{SHOP}/x?next=https%3A%2F%2Fu%3Acanary%40h"
    assert "canary" not in str(applied("exposure_info", {**NOBODY, "estate": estate("/"), "requests": [nested]}))


def test_a_declaration_is_traced_without_a_request(tasks: Tasks) -> None:
    declared = estate("/ staff")
    for identifier in (None, "edghts_shop"):
        declared["https_edges"][0]["id"] = identifier
        result = tasks.done("exposure_info", estate=declared, requests=[f"{SHOP}/x"])
        [way] = result["requests"]
        assert (way["access"], way["edge"]["id"], way["unsure"], result["sent"]) == (["login"], identifier, [], [])
    silent = {"https_edges": [{"hostports": ["shop.example.com:443"]}]}
    [way] = tasks.done("exposure_info", estate=silent, requests=[f"{SHOP}/x"])["requests"]
    assert way["unsure"] == ["Not all routes of this edge are known."]
