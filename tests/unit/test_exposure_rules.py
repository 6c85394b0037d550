# SPDX-License-Identifier: GPL-3.0-or-later
"""Each rule with estates that trigger it, the nearest ones that do not, and doubtful ones; and its fix.

What looks protected or closed, but is not for sure, never counts as such, and it is said.

`-> path`: found there; `->`: nothing is found; `-> path?`: nothing is found, because this cannot be judged. `unsure`:
it is found, and so is a doubt about its match. `!`: nothing is doubtful about a match, a policy, or its rules.
`routes[1]` is `https_edges[0].routes[1]`; a path with a dot in front belongs to the first route. `with` names what the
fix declares: what protects elsewhere, unless some of that needs a secret, is a second login, or protects an edge.
"""

from __future__ import annotations

import json
import re
from copy import deepcopy
from datetime import date
from itertools import product
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._access.routing import prefixes_of
from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure import shown_access
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.declared import declared_estate
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.finding import SEVERITIES
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.judge import (
    ACCEPTABLE,
    RULES,
    judge,
    judgement_of,
)
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.judged import Estate, https_edge
from ansible_collections.edgeops.ingress.plugins.module_utils._model import schema
from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object
from ansible_collections.edgeops.ingress.plugins.module_utils._model.protection import CHECKS
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.estate import DEFINITION as ESTATE
from ansible_collections.edgeops.ingress.plugins.module_utils._values.patterns import covers
from collection_tree import CHECKOUT
from estates_to_judge import WORDS, Given, estate, found, judged

CASES = """

hole_below_protected_prefix
/ staff, /admin -> routes[1]
h.example.com staff, H.example.com/a -> routes[1]
/ staff, /admin notes -> routes[1]!
/ office teams, /a -> routes[1] with ip_restriction oauth
/ office oidc, /a -> routes[1] with nothing
/ office github-hook, /a -> routes[1] with nothing
/ office own-app-staff, /a -> routes[1] with nothing
/ staff, /a -oidc -> routes[1] with nothing
/ staff, /static, /static/app ->
/ staff, =/app/favicon.ico, =/ ->
/ staff | /admin ->
/ staff, /admin actions -> routes[1].policy?
/ staff, h.example.com/admin -> routes[1].match?
[host=shop.example.com+a.b] / staff, shop.example.com/admin -> routes[1].match?
/ staff, /admin/* -> routes[1].match?
/admin staff, /admi%6E, / -> routes[1].match?
/admin staff, /admin%2Dtools, / -> routes[1].match?
/admin staff, /admin%7e, / -> routes[1].match?
/admin staff, /v%31, / -> routes[1].match?
/ staff, /static/../admin -> routes[1] unsure
/ staff, /public//admin -> routes[1] unsure
/ staff, /static\\..\\admin -> routes[1] unsure
/ staff, Shop.example.com/admin -> routes[1]!
/ staff, /.well-known/acme, /static/caf%C3%A9, /static/, /static/... -> !
/ staff, /, /admin -> routes[0].match?
/admin, /, / staff -> routes[2].match?
protection_disabled
/ -staff -> .oauth.enabled
/ -github-hook -> .webhook_verification.enabled
[-clients] / -> https_edges[0].mutual_tls.enabled
tls: -office -> tls_edges[0].ip_restriction.enabled
/ -staff office ->
/ -staff -backend ->
/ -actions ->
/ -gzip ->
[-clients] / staff ->
login_for_everyone
/ everybody -> .oauth.provider.google
/ half-open -> .oauth.provider.github
/ own-app -> .oauth.provider.google
/ empty-domain -> .oauth.provider.google
[no-clients] / everybody -> .oauth.provider.google
/ staff ->
/ teams ->
/ everybody office ->
[clients] / everybody ->
/ -everybody ->
any_user_of_idp
/ saml -> .saml.authorized_groups
/ saml=<x/>+ -> .saml.authorized_groups
/ saml=<x/>+web ->
webhook_without_secret
/ empty-hook -> .webhook_verification.secret
/ github-hook ->
/ sns-hook ->
/ unset-hook -> .webhook_verification.secret?
/ masked-hook -> .webhook_verification.secret?
restriction_without_entries
[no-clients] -> https_edges[0].mutual_tls.certificate_authority_ids
[clients] ->
[-no-clients] ->
[no-clients] / everybody -> https_edges[0].mutual_tls.certificate_authority_ids
/ no-policies -> .ip_restriction.ip_policy_ids
tls: no-policies -> tls_edges[0].ip_restriction.ip_policy_ids
/ office ->
policy_allows_everyone
allowed: 0.0.0.0/0 allow -> .ip_restriction.ip_policy_ids
allowed: ::/0 ALLOW -> .ip_restriction.ip_policy_ids
allowed: 2000::/3 allow -> .ip_restriction.ip_policy_ids
allowed: 0.0.0.0/1 allow, 128.0.0.0/1 allow -> .ip_restriction.ip_policy_ids
allowed: 0.0.0.0/1 allow, 128.0.0.0/2 allow, 192.0.2.0/24 allow -> .ip_restriction.ip_policy_ids
allowed: 0.0.0.0/0 allow, 192.0.2.0/24 deny, 192.0.2.0/25 deny -> .ip_restriction.ip_policy_ids
allowed: 0.0.0.0/0 allow, ::/0 deny -> .ip_restriction.ip_policy_ids
allowed: 192.0.2.1 allow, 192.0.2.1/0 allow -> .ip_restriction.ip_policy_ids
allowed: 0.0.0.0/1 allow + 128.0.0.0/1 allow -> .ip_restriction.ip_policy_ids
allowed: 0.0.0.0/1 allow + 192.0.2.0/24 deny, 128.0.0.0/1 allow -> .ip_restriction.ip_policy_ids
allowed: 0.0.0.0/0 allow + 0.0.0.0/0 deny -> .ip_restriction.ip_policy_ids
allowed: 0.0.0.0/0 allow for tls: by-name -> tls_edges[0].ip_restriction.ip_policy_ids
allowed: ->
allowed: 0.0.0.0/0 allow, 0.0.0.0/0 deny ->
allowed: 0.0.0.0/0 allow, 0.0.0.0/1 deny ->
allowed: 10.0.0.0/8 allow, 10.0.0.0/8 allow -> !
allowed: 0.0.0.0/1 allow + 2000::/4 allow ->
allowed: 0.0.0.0/1 allow + 128.0.0.0/1 allow, 0.0.0.0/1 deny ->
allowed: 0.0.0.0/0 allow for / office ->
allowed: 0.0.0.0/0 allow for / by-name -backend ->
allowed by a policy with an ID: 0.0.0.0/0 allow -> objects?
allowed: the office allow -> objects?
allowed: 192.0.2.0/24 block -> objects?
allowed: 192.0.2.0/24 -> objects?
plain_http_issuer
/ issuer=HTTP://idp.example.com -> .oidc.issuer
/ oidc ->
backend_open_elsewhere
/admin staff | / -> https_edges[1].routes[0]
a.example.com/admin staff, b.example.com/ -> routes[1]
[clients] / | / -> https_edges[1].routes[0] with nothing
/a office, =/a staff | =/a -> https_edges[1].routes[0]
/status office | /status -> https_edges[1].routes[0]
/login office | / -> https_edges[1].routes[0]
/x staff, a.example.com/x | /x -> https_edges[1].routes[0]
/ staff | =/healthz, /static ->
/admin staff, h.example.com/ -> routes[1].match?
old_tls
[tls=1.0] -> https_edges[0].tls_termination.min_version
[tls=TLSv1.1] -> https_edges[0].tls_termination.min_version
[tls=tls1_0] -> https_edges[0].tls_termination.min_version
[tls=TLS~1.1] -> https_edges[0].tls_termination.min_version
[tls=1] -> https_edges[0].tls_termination.min_version
[tls=sslv3.0] -> https_edges[0].tls_termination.min_version
tls: tls=1.1 -> tls_edges[0].tls_termination.min_version
[tls=1.2] ->
[tls=tls12] ->
[tls=] ->
[-tls=1.0] ->
tls: upstream ->
[tls=modern] -> https_edges[0].tls_termination.min_version?
credential_in_header
/ adds=Authorization -> .request_headers.add.authorization
/ adds=x-apikey -> .request_headers.add.x-apikey
/ staff answers=X-API-Key -> .response_headers.add.x-api-key
/ adds=X-Request-Id answers=Set-Cookie ->
/ adds=X-CSRF-Token ->
/ adds=Authorization:Bearer~${token} ->
/ -adds=Authorization ->
service_port_in_the_open
tunnel: localhost:22 -> tunnels[0].forwards_to
tunnel: [::1]:5432 -> tunnels[0].forwards_to
tunnel: localhost:2375 at tls://a.b:443 ->
tunnel: 22 -> tunnels[0].forwards_to
tunnel: postgres://u:p@db:5432/app -> tunnels[0].forwards_to
tunnel: http://localhost:2375 at https://a.b -> tunnels[0].forwards_to
tunnel: localhost:8080 ->
tunnel: http://localhost:22 at https://a.b ->
tunnel: localhost -> tunnels[0].forwards_to?
tunnel: fe80::22 -> tunnels[0].forwards_to?
preflight_unauthenticated
/ preflight -> .oidc.options_passthrough
/ oidc ->
/ office preflight ->
route_without_backend
/ no-backend -> .backend
/ -backend ->
/ no-backend actions ->
/ actions -backend -> !
/, /a -> https_edges?
changes_without_subscription
events: http_request_complete.v0 domain_created.v0 -> event_subscriptions
events: -> event_subscriptions
events: http_request_complete.v0 ip_policy_updated.v0 ->
/ -> event_subscriptions?
"""


def _cases() -> dict[str, tuple[str, Given, str, str, str]]:
    found, rule = {}, ""
    for line in CASES.strip().splitlines():
        if "->" not in line:
            rule = line
            continue
        text, _, expected = (part.strip() for part in line.rpartition("->"))
        path, _, fix = expected.partition(" with ")
        path, unsure, _ = path.partition(" unsure")
        certain = " certain" * path.endswith("!")
        path = path.removesuffix("!")
        verdict = "doubtful" if path.endswith("?") else "found" if path else "quiet"
        path = path.removesuffix("?")
        place = "https_edges[0].routes[0]" if path[:1] == "." else "https_edges[0]." if path[:7] == "routes[" else ""
        found[f"{rule}: {line}"] = rule, estate(text), verdict + unsure + certain, place + path, fix
    return found


ALL = _cases()
"""By name: the rule, the estate, the verdict, the path, and what fixes it if that is named."""

BY_PEOPLE = """
protected_route_deleted login_for_everyone webhook_without_secret restriction_without_entries any_user_of_idp
policy_allows_everyone credential_in_header route_without_backend service_port_in_the_open
"""
"""What only people can fix, because they know a secret, or who may get in."""


@pytest.mark.parametrize("name", ALL)
def test_what_a_rule_finds(name: str) -> None:
    rule, given, verdict, path, fix = ALL[name]
    findings = found(given, rule)
    assert [one["path"] for one in findings] == [path] * verdict.startswith("found")
    assert not fix or fix == (" ".join(findings[0]["fix_options"]) or "nothing")
    doubt = {"doubtful": path, "found unsure": f"{path}.match"}.get(verdict)
    doubts = {one["path"] for one in judged(given)["not_judged"]}
    assert doubt is None or doubt in doubts
    assert not verdict.endswith("certain") or not any(one.endswith(("policy", "objects", "match")) for one in doubts)


def test_options_as_ansible_completes_them_are_judged_like_the_declaration() -> None:
    """Ansible adds every suboption that is omitted, as null. Only services have what some of the estates contain."""
    accepted = 0
    for _rule, given, *_expected in ALL.values():
        declared = {name: value for name, value in given.items() if name != "tunnels"}
        arguments = checked(ESTATE, {"base_url": "http://127.0.0.1", "api_key": "key", **declared})
        if not [*arguments.option_errors, *ESTATE.option_errors(arguments.options, False)]:
            accepted += 1
            result = judge(arguments.options, given.get("tunnels")).result()
            assert result == judged(given)
            assert "words" not in json.dumps(result), "a secret is shown"
    assert accepted > 100


def test_every_rule_has_cases_and_is_listed() -> None:
    """Only the tests of `reject_findings` can cover what is about a plan."""
    for verdict in ("found", "quiet"):
        assert {one[0] for one in ALL.values() if one[2] == verdict} == set(ACCEPTABLE) - {"protected_route_deleted"}
    files = (CHECKOUT / "plugins" / "module_utils" / "_exposure").glob("rules_of_*.py")
    assert sum(file.read_text(encoding="utf-8").count("\n@rule(") for file in files) == len(RULES)
    assert len({rule.name for rule in RULES}) == len(RULES)
    order = [SEVERITIES.index(rule.severity) for rule in RULES]
    assert order == sorted(order)


def test_every_kind_of_protection_is_an_access() -> None:
    kinds = [schema.HTTPS_EDGE, schema.HTTPS_EDGE_ROUTE]
    protects = {f.kind.protects for kind in kinds for f in kind.fields if isinstance(f.kind, Object)} - {""}
    assert protects == {*CHECKS, "policy"}


def test_ip_policies_that_are_not_known_and_those_that_admit_everyone_together_are_named() -> None:
    result = judged(estate("/0 office, /1 office, / by-name"))
    named = [one["object"] for one in result["not_judged"] if one["path"] == "objects"]
    assert named == ["IP policy ipp_office", "IP policy ref:office"]
    [one] = found(estate("allowed: 0.0.0.0/1 allow + 128.0.0.0/1 allow"), "policy_allows_everyone")
    assert one["message"] == "The rules of the IP policies ref:home and ref:office let almost everyone through."


def test_an_edge_without_a_list_of_routes_is_doubtful() -> None:
    result = judged({"https_edges": [{"hostports": ["shop.example.com:443"]}]})
    assert "https_edges[0].routes" in {one["path"] for one in result["not_judged"]}
    assert [one["rule"] for one in result["findings"]] == []


def test_a_module_of_an_unexpected_form_may_lead_somewhere_and_protects_nothing() -> None:
    body = {"hostports": ["shop.example.com:22"], "backend": "odd", "ip_restriction": ["odd"]}
    declared = {"objects": [{"name": "ssh", "collection": "edges/tcp", "find_by": {"metadata": "x"}, "body": body}]}
    result = judged(declared)
    assert [one["access"] for one in result["exposure"]] == [["public"]]
    assert [one["rule"] for one in result["findings"]] == ["service_port_in_the_open"]
    doubts = [one["path"] for one in result["not_judged"]]
    assert doubts[:2] == ["objects[0].backend", "objects[0].ip_restriction"]
    unsure = unsure_of(declared, "tls://shop.example.com:22")
    assert [one.partition(":")[0] for one in unsure] == ["backend", "ip_restriction"]


def test_a_request_to_an_object_with_a_policy_is_unsure() -> None:
    rules = {"inbound": [{"actions": [{"type": "deny"}]}]}
    body = {"hostports": ["shop.example.com:22"], "backend": {"backend_id": "bkd_one"}, "traffic_policy": rules}
    declared = {"objects": [{"name": "ssh", "collection": "edges/tcp", "find_by": {"metadata": "x"}, "body": body}]}
    [unsure] = unsure_of(declared, "tls://shop.example.com:22")
    assert unsure.startswith("The API does not define the actions of policies")


def unsure_of(declared: Given, url: str) -> list[str]:
    request = shown_access.request_of(url)
    assert request is not None
    unsure: list[str] = shown_access.traced(declared_estate(declared), url, request)["unsure"]
    return unsure


@pytest.mark.parametrize("hostports", ["shop.example.com:22", {"items": []}, 7, [None, 7], [["a"]], [{"a": 1}]])
def test_an_object_whose_hostports_are_not_known_may_serve_any(hostports: Any) -> None:
    body = {"hostports": hostports, "backend": {"backend_id": "bkd_one"}}
    declared = {"objects": [{"name": "ssh", "collection": "edges/tcp", "find_by": {"metadata": "x"}, "body": body}]}
    result = judged(declared)
    assert [one["access"] for one in result["exposure"]] == [["public"]]
    assert result["not_judged"][0]["path"] == "objects[0].hostports"
    unsure = unsure_of(declared, "https://any.example.com/")
    assert "Object edges/tcp ssh may serve the host: its hostports have an unexpected form." in unsure


def test_a_finding_names_its_object_and_a_limited_number_of_others() -> None:
    inside = ", ".join(f"/{number} staff" for number in range(30))
    [finding] = found(estate(f"{inside} | /"), "backend_open_elsewhere")
    assert finding["also"] == [f"https_edges[0].routes[{number}]" for number in range(10)]
    assert "and 29 more" in finding["message"]
    [finding] = found(estate("events:"), "changes_without_subscription")
    assert finding["object"] == "event subscriptions"


def test_an_edge_with_an_id_keeps_the_hostports_that_are_not_declared() -> None:
    given = estate("[id=edghts_one] / id=edghtsrt_one")
    del given["https_edges"][0]["hostports"]
    [shown] = judged(given)["exposure"]
    assert (shown["id"], shown["edge"]["id"], shown["access"]) == ("edghtsrt_one", "edghts_one", ["public"])
    assert shown["object"].endswith("(edghtsrt_one)")


def test_with_several_subscriptions_people_choose_which_one_reports_changes() -> None:
    given = estate("events:")
    given["event_subscriptions"].append({"subscription_id": "esb_two", "sources": []})
    assert found(given, "changes_without_subscription")[0]["fix_options"] == {}


def test_declaring_the_fix_removes_the_finding() -> None:
    """The options are relative to the object of the finding, so they are merged into its declaration."""
    fixed = set()
    for rule, given, verdict, path, _fix in ALL.values():
        for finding in found(given, rule) if verdict.startswith("found") else ():
            if finding["fix_options"]:
                changed = deepcopy(given)
                place: Any = changed
                at = re.match(r"(\w+)\[(\d+)\](?:\.(routes)\[(\d+)\])?", path)
                for part in filter(None, at.groups() if at else ()):
                    place = place[int(part) if part.isdigit() else part]
                place.update(_merged(place, finding["fix_options"]))
                # A route that is protected now may show that yet another one is not.
                assert path not in [one["path"] for one in found(changed, rule)]
                fixed.add(rule)
    assert fixed == set(ACCEPTABLE) - set(BY_PEOPLE.split())
    assert all(re.fullmatch(r"[A-Z].+\.", one.fix) for one in RULES)


def _merged(declared: Given, more: Given) -> Given:
    inner = {name: _merged(declared.get(name) or {}, value) for name, value in more.items() if isinstance(value, dict)}
    return {**declared, **more, **inner}


HOLLOW = {
    "no-policies": ["restriction_without_entries"],
    "empty-hook": ["webhook_without_secret"],
    **{word: [] for word in ("bare-hook", "no-provider", "no-issuer", "no-idp")},
}


@pytest.mark.parametrize("word", HOLLOW)
def test_a_module_without_anything_to_check_with_protects_nothing(word: str) -> None:
    """Neither is it certain that everyone gets through, so no other rule says so. Nor is there a hole in it."""
    inside, outside, alone = (judged(estate(text.format(word))) for text in ("/ staff, /a {}", "/ {}, /a", "/ {}"))
    assert inside["exposure"][1]["access"] == ["public"]
    assert f"https_edges[0].routes[1].{next(iter(WORDS[word]))}" in {one["path"] for one in inside["not_judged"]}
    assert [[one["rule"] for one in result["findings"]] for result in (inside, outside)] == [HOLLOW[word]] * 2
    assert alone["exposure"][0]["by"] == {}


BACKEND = {"backend": {"enabled": True, "backend": {"id": "bk_app"}}}
EVERY_PROVIDER = {"github", "facebook", "microsoft", "google", "linkedin", "gitlab", "twitch", "amazon"}
LIVE: list[tuple[Given, str, str]] = [  # modules as a service returns them
    ({"ip_restriction": {"enabled": False, "ip_policies": []}}, "public", ""),
    ({"webhook_verification": {"enabled": False, "provider": "", "secret": ""}}, "public", ""),
    ({"oauth": {"enabled": False, "provider": None}}, "public", ""),
    ({"oauth": {"enabled": True, "provider": {name: {} for name in EVERY_PROVIDER}}}, "login", "oauth.provider"),
    ({"backend": {"enabled": True, "backend": None}}, "public", "backend"),
    ({"backend": {"enabled": True, "backend_id": "bk_app"}}, "public", ""),
    ({"backend": {"backend_id": "bk_app"}}, "public", ""),
]


@pytest.mark.parametrize(("wire", "access", "doubt"), LIVE)
def test_what_a_service_shows_of_unset_modules(wire: Given, access: str, doubt: str) -> None:
    route = {"match_type": "path_prefix", "match": "/", **BACKEND, **wire}
    state = schema.HTTPS_EDGE.read({"hostports": ["a.example.com:443"], "routes": [route]}, "")
    live = Estate([https_edge("https_edges[0]", state, state["routes"])])
    found = judgement_of(live, (), date(2027, 3, 31)).result()
    assert (found["exposure"][0]["access"], found["findings"]) == ([access], [])
    doubts = [one["path"] for one in found["not_judged"] if "routes" in one["path"]]
    assert doubts == ([f"https_edges[0].routes[0].{doubt}"] if doubt else [])


PORT = "service_port_in_the_open"
TUNNELS: list[tuple[Given, list[str] | None, list[str]]] = [
    ({"labels": {"app": "shop"}}, ["closed"], []),
    ({"proto": "tcp", "forwards_to": "localhost:22"}, None, []),
    ({"proto": "tcp", "forwards_to": "localhost:22", "public_url": ""}, None, []),
    ({"endpoint": {"id": "ep_one", "uri": ""}, "public_url": None}, None, []),
    ({"proto": "TCP", "public_url": "tcp://a:1", "forwards_to": "db:22"}, ["public"], [PORT]),
    ({"public_url": "tcp://a:1", "forwards_to": "db:22"}, ["public"], [PORT]),
]


@pytest.mark.parametrize(("tunnel", "access", "found"), TUNNELS)
def test_only_a_backend_tunnel_is_closed(tunnel: Given, access: list[str] | None, found: list[str]) -> None:
    result = judge({}, [{"id": "tn_one", **tunnel}]).result()
    assert [(one["access"], one["backend_id"]) for one in result["exposure"]] == ([(access, None)] if access else [])
    assert [one["rule"] for one in result["findings"]] == found
    assert ("tunnels[0].public_url" in {one["path"] for one in result["not_judged"]}) == (access is None)


def test_a_header_is_not_public_if_a_policy_may_restrict_access() -> None:
    [doubtful], [certain] = (judged(estate(f"/ adds=x-api-key {more}"))["findings"] for more in ("actions", ""))
    assert ("everyone" in doubtful["message"], "everyone" in certain["message"]) == (False, True)


def test_prefixes_end_at_slashes() -> None:
    paths = ["".join(letters) for length in range(6) for letters in product("/a", repeat=length)]
    for path in paths:
        found = list(prefixes_of(path))
        assert found == sorted(set(found), key=len, reverse=True)
        inside = {one for one in paths if path == one or path.startswith(one if one.endswith("/") else f"{one}/")}
        assert set(found) - {""} == inside - {""}


COVERED = [("*", ""), ("a*", "a"), ("a*b*c", "a\nbb c"), ("[a]?", "[a]?")]
NOT_COVERED = [("ab*ba", "aba"), ("*a*a*", "a"), ("a.c", "abc"), ("*a" * 30 + "b", "a" * 3000)]


def test_patterns() -> None:
    assert [covers(*one) for one in COVERED + NOT_COVERED] == [True] * 4 + [False] * 4
