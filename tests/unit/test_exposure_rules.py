# SPDX-License-Identifier: GPL-3.0-or-later
"""Each rule with an estate that triggers it, the nearest one that does not, and one that cannot be judged."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.access import REQUIREMENTS
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.finding import SEVERITIES
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.judge import judge
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.rules import RULE_NAMES, RULES
from ansible_collections.edgeops.ingress.plugins.module_utils._model import schema
from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object
from collection_tree import CHECKOUT

Given = dict[str, Any]

PUBLIC: Given = {"backend": {"backend_id": "bk_app"}}
OFFICE = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}}
STAFF = {"oauth": {"provider": {"google": {"email_domains": ["example.com"]}}}}
EVERYBODY = {"oauth": {"provider": {"google": {}}}}
APP = {"client_id": "app", "client_secret": "words"}
SAML = {"saml": {"idp_metadata": "<x/>"}}
OIDC = {"oidc": {"issuer": "https://idp.example.com", "client_id": "app"}}
WEBHOOK = {"webhook_verification": {"provider": "github", "secret": "words"}}
CLIENTS = {"mutual_tls": {"certificate_authority_ids": ["ca_clients"]}}
ACTIONS = {"policy": {"inbound": [{"actions": [{"type": "deny"}]}]}}
NOTES = {"policy": {"outbound": [{"actions": [{"type": "deny"}]}]}}


def route(match: str, *modules: Given, match_type: str = "path_prefix", backend: str = "bk_app") -> Given:
    merged: Given = {"match_type": match_type, "match": match, "backend": {"backend_id": backend}}
    for one in modules:
        merged |= one
    return merged


def exact(match: str, *modules: Given) -> Given:
    return route(match, *modules, match_type="exact_path")


def edge(*routes: Given, host: str = "shop.example.com", **fields: Any) -> Given:
    return {"hostports": [f"{host}:443"], "routes": list(routes), **fields}


def edges(*all_edges: Given) -> Given:
    return {"https_edges": list(all_edges)}


def tls_edge(**modules: Any) -> Given:
    return {"tls_edges": [{"edge_id": "edgtls_vpn", **modules}]}


def tunnel(forwards_to: str, proto: str = "tcp", public_url: str = "tcp://1.tcp.example.net:4711") -> Given:
    return {"tunnels": [{"id": "tn_one", "proto": proto, "public_url": public_url, "forwards_to": forwards_to}]}


def disabled(module: Given) -> Given:
    return {name: {**value, "enabled": False} for name, value in module.items()}


def version(number: str) -> Given:
    return edges(edge(tls_termination={"min_version": number}))


def hears(*sources: str) -> Given:
    return {"event_subscriptions": [{"subscription_id": "esb_one", "sources": list(sources)}]}


def added(header: str, value: str = "words", where: str = "request_headers") -> Given:
    return {where: {"add": {header: value}}}


POLICY = {"name": "office", "collection": "ip_policies", "find_by": {"description": "Office"}}
BY_NAME = {"ip_restriction": {"ip_policy_ids": ["ref:office"]}}


def restricted(*rules: tuple[str, Any], policy: Given = POLICY, **more: Any) -> Given:
    """An estate with a route that is restricted by an IP policy with these rules, which are networks with actions."""
    objects = [
        {
            "name": f"rule{number}",
            "collection": "ip_policy_rules",
            "find_by": {"ip_policy_id": "ref:office", "cidr": cidr},
            "body": {"action": action},
        }
        for number, (cidr, action) in enumerate(rules)
    ]
    return {**edges(edge(route("/", BY_NAME))), "objects": [*objects, policy], **more}


EVERYWHERE = ("0.0.0.0/0", "allow")

ROUTE_0, ROUTE_1 = "https_edges[0].routes[0]", "https_edges[0].routes[1]"

TRIGGERED: list[tuple[str, str, Given]] = [
    ("hole_below_protected_prefix", ROUTE_1, edges(edge(route("/", STAFF), route("/admin")))),
    ("hole_below_protected_prefix", ROUTE_1, edges(edge(route("/", OFFICE), route("/admin", backend="bk_other")))),
    ("hole_below_protected_prefix", ROUTE_1, edges(edge(route("/admin", STAFF), exact("/admin")))),
    ("hole_below_protected_prefix", ROUTE_1, edges(edge(route("/", STAFF), route("/admin", disabled(STAFF))))),
    (
        "hole_below_protected_prefix",
        "https_edges[0].routes[2]",
        edges(edge(route("/", STAFF), {"match_type": "path_prefix", "match": "/a"}, route("/a/b"))),
    ),
    ("hole_below_protected_prefix", ROUTE_1, edges(edge(route("h.example.com/", STAFF), route("H.example.com/a")))),
    ("protection_disabled", f"{ROUTE_0}.oauth.enabled", edges(edge(route("/", disabled(STAFF))))),
    ("protection_disabled", f"{ROUTE_0}.webhook_verification.enabled", edges(edge(route("/", disabled(WEBHOOK))))),
    ("protection_disabled", "https_edges[0].mutual_tls.enabled", edges(edge(route("/"), **disabled(CLIENTS)))),
    ("protection_disabled", "tls_edges[0].ip_restriction.enabled", tls_edge(**disabled(OFFICE))),
    ("login_for_everyone", f"{ROUTE_0}.oauth.provider.google", edges(edge(route("/", EVERYBODY)))),
    (
        "login_for_everyone",
        f"{ROUTE_0}.oauth.provider.github",
        edges(edge(route("/", {"oauth": {"provider": {"google": {"email_domains": ["a.com"]}, "github": {}}}}))),
    ),
    (
        "login_for_everyone",
        f"{ROUTE_0}.oauth.provider.google",
        edges(edge(route("/", {"oauth": {"provider": {"google": {**APP, "scopes": ["email"]}}}}))),
    ),
    (
        "webhook_without_secret",
        f"{ROUTE_0}.webhook_verification.secret",
        edges(edge(route("/", {"webhook_verification": {"provider": "github", "secret": ""}}))),
    ),
    (
        "mutual_tls_without_authorities",
        "https_edges[0].mutual_tls.certificate_authority_ids",
        edges(edge(mutual_tls={"certificate_authority_ids": []})),
    ),
    (
        "restriction_without_policies",
        f"{ROUTE_0}.ip_restriction.ip_policy_ids",
        edges(edge(route("/", {"ip_restriction": {"ip_policy_ids": []}}))),
    ),
    (
        "restriction_without_policies",
        "tls_edges[0].ip_restriction.ip_policy_ids",
        tls_edge(ip_restriction={"ip_policy_ids": []}),
    ),
    *(
        ("policy_allows_everyone", f"{ROUTE_0}.ip_restriction.ip_policy_ids", restricted(*rules))
        for rules in (
            [EVERYWHERE],
            [("::/0", "ALLOW")],
            [("2000::/3", "allow")],
            [("0.0.0.0/1", "allow"), ("128.0.0.0/1", "allow")],
            [("0.0.0.0/1", "allow"), ("128.0.0.0/2", "allow"), ("192.0.2.0/24", "allow")],
            [EVERYWHERE, ("192.0.2.0/24", "deny"), ("192.0.2.0/25", "deny")],
            [EVERYWHERE, ("::/0", "deny")],
            [("192.0.2.1", "allow"), ("192.0.2.1/0", "allow")],
        )
    ),
    (
        "policy_allows_everyone",
        "tls_edges[0].ip_restriction.ip_policy_ids",
        {**restricted(EVERYWHERE), "https_edges": [], **tls_edge(**BY_NAME)},
    ),
    (
        "plain_http_issuer",
        f"{ROUTE_0}.oidc.issuer",
        edges(edge(route("/", {"oidc": {"issuer": "HTTP://idp.example.com", "client_id": "app"}}))),
    ),
    (
        "backend_open_elsewhere",
        "https_edges[1].routes[0]",
        edges(edge(route("/admin", STAFF)), edge(route("/"), host="old.example.com")),
    ),
    (
        "backend_open_elsewhere",
        "https_edges[1].routes[0]",
        edges(edge(route("/", STAFF)), edge(route("/admin/users"), host="old.example.com")),
    ),
    (
        "backend_open_elsewhere",
        ROUTE_1,
        edges(edge(route("a.example.com/admin", STAFF), route("b.example.com/"))),
    ),
    (
        "backend_open_elsewhere",
        "https_edges[1].routes[0]",
        edges(edge(route("/a", OFFICE), exact("/a", STAFF)), edge(exact("/a"), host="old.example.com")),
    ),
    (
        "backend_open_elsewhere",
        "https_edges[1].routes[0]",
        edges(edge(route("/status", OFFICE)), edge(route("/status"), host="old.example.com")),
    ),
    (
        "backend_open_elsewhere",
        "https_edges[1].routes[0]",
        edges(edge(route("/login", OFFICE)), edge(route("/"), host="old.example.com")),
    ),
    (
        "backend_open_elsewhere",  # the route for a host is on the same edge
        "https_edges[1].routes[0]",
        edges(edge(route("/x", STAFF), route("a.example.com/x")), edge(route("/x"), host="old.example.com")),
    ),
    *(
        ("old_tls", "https_edges[0].tls_termination.min_version", version(number))
        for number in ("1.0", "1.1", "TLSv1.1", "tls1_0", "tls10", "TLS 1.1", "1", "SSLv3")
    ),
    ("old_tls", "tls_edges[0].tls_termination.min_version", tls_edge(tls_termination={"min_version": "1.1"})),
    *(
        ("credential_in_header", f"{ROUTE_0}.request_headers.add.{name.lower()}", edges(edge(route("/", added(name)))))
        for name in ("Authorization", "X-Api-Key", "x-apikey", "X-Upstream-Token", "Cookie", "x-client-secret")
    ),
    (
        "credential_in_header",
        f"{ROUTE_0}.response_headers.add.x-api-key",
        edges(edge(route("/", STAFF, added("X-API-Key", where="response_headers")))),
    ),
    *(
        ("service_port_in_the_open", "tunnels[0].forwards_to", tunnel(address))
        for address in ("localhost:22", "tcp://10.0.0.5:3389", "[::1]:5432", "22", "postgres://u:p@db:5432/app")
    ),
    ("service_port_in_the_open", "tunnels[0].forwards_to", tunnel("http://localhost:2375", "http", "https://a.b")),
    ("any_user_of_idp", f"{ROUTE_0}.saml.authorized_groups", edges(edge(route("/", SAML)))),
    (
        "preflight_unauthenticated",
        f"{ROUTE_0}.oidc.options_passthrough",
        edges(edge(route("/", {"oidc": {**OIDC["oidc"], "options_passthrough": True}}))),
    ),
    ("route_without_backend", f"{ROUTE_0}.backend", edges(edge({"match_type": "path_prefix", "match": "/"}))),
    ("changes_without_subscription", "event_subscriptions", hears("http_request_complete.v0", "domain_created.v0")),
    ("changes_without_subscription", "event_subscriptions", hears()),
]

QUIET: list[tuple[str, Given]] = [
    ("hole_below_protected_prefix", edges(edge(route("/", STAFF), route("/admin", OFFICE)))),
    ("hole_below_protected_prefix", edges(edge(route("/"), route("/admin", STAFF)))),
    ("hole_below_protected_prefix", edges(edge(route("/", STAFF), route("/static"), route("/static/app")))),
    ("hole_below_protected_prefix", edges(edge(route("/", STAFF), exact("/app/favicon.ico"), exact("/")))),
    ("hole_below_protected_prefix", edges(edge(route("/admin", STAFF), route("/administrator")))),
    ("hole_below_protected_prefix", edges(edge(exact("/admin", STAFF), route("/admin/x")))),
    ("hole_below_protected_prefix", edges(edge(route("/", STAFF), route("/admin", disabled(PUBLIC))))),
    ("hole_below_protected_prefix", edges(edge(route("/", STAFF), route("/admin"), **CLIENTS))),
    ("hole_below_protected_prefix", edges(edge(route("/", disabled(STAFF)), route("/admin")))),
    ("hole_below_protected_prefix", edges(edge(route("/", STAFF)), edge(route("/admin"), host="b.example.com"))),
    ("protection_disabled", edges(edge(route("/", disabled(STAFF), OFFICE)))),
    ("protection_disabled", edges(edge(route("/", disabled(STAFF), disabled(PUBLIC))))),
    ("protection_disabled", edges(edge(route("/", disabled({"compression": {}}))))),
    ("protection_disabled", edges(edge(route("/", STAFF), **disabled(CLIENTS)))),
    ("protection_disabled", tls_edge(**OFFICE)),
    ("login_for_everyone", edges(edge(route("/", STAFF)))),
    ("login_for_everyone", edges(edge(route("/", {"oauth": {"provider": {"github": {"teams": ["org/web"]}}}})))),
    ("login_for_everyone", edges(edge(route("/", EVERYBODY, OFFICE)))),
    ("login_for_everyone", edges(edge(route("/", EVERYBODY), **CLIENTS))),
    ("login_for_everyone", edges(edge(route("/", disabled(EVERYBODY))))),
    ("webhook_without_secret", edges(edge(route("/", WEBHOOK)))),
    (
        "webhook_without_secret",
        edges(edge(route("/", {"webhook_verification": {"provider": "SNS", "secret": ""}}))),
    ),
    ("mutual_tls_without_authorities", edges(edge(**CLIENTS))),
    (
        "mutual_tls_without_authorities",
        edges(edge(mutual_tls={"enabled": False, "certificate_authority_ids": []})),
    ),
    ("restriction_without_policies", edges(edge(route("/", OFFICE)))),
    *(
        ("policy_allows_everyone", restricted(*rules))
        for rules in (
            [],
            [("192.0.2.0/24", "allow"), ("2001:db8::/32", "allow")],
            [("0.0.0.0/0", "deny")],
            [EVERYWHERE, ("0.0.0.0/0", "deny")],
            [EVERYWHERE, ("0.0.0.0/1", "deny")],
            [("10.0.0.0/8", "allow"), ("10.0.0.0/8", "allow")],
        )
    ),
    ("policy_allows_everyone", {**restricted(EVERYWHERE), **edges(edge(route("/", disabled(BY_NAME))))}),
    ("policy_allows_everyone", {**restricted(EVERYWHERE), **edges(edge(route("/", BY_NAME, disabled(PUBLIC))))}),
    ("policy_allows_everyone", restricted(EVERYWHERE, policy={**POLICY, "name": "home"})),
    ("plain_http_issuer", edges(edge(route("/", OIDC)))),
    ("backend_open_elsewhere", edges(edge(route("/"), route("/admin", STAFF)))),
    (
        "backend_open_elsewhere",
        edges(edge(route("/admin", STAFF)), edge(route("/"), route("/admin", OFFICE), host="b.example.com")),
    ),
    (
        "backend_open_elsewhere",
        edges(edge(route("/admin", STAFF)), edge(route("/", backend="bk_other"), host="b.example.com")),
    ),
    (
        "backend_open_elsewhere",
        edges(edge(route("/", STAFF)), edge(exact("/healthz"), route("/static"), host="b.example.com")),
    ),
    ("backend_open_elsewhere", edges(edge(route("/admin", STAFF)), edge(route("/blog"), host="b.example.com"))),
    *(("old_tls", version(number)) for number in ("1.2", "TLSv1.3", "tls12", "")),
    ("old_tls", edges(edge(tls_termination={"min_version": "1.0", "enabled": False}))),
    ("old_tls", tls_edge(tls_termination={"terminate_at": "upstream"})),
    (
        "credential_in_header",
        edges(edge(route("/", added("X-Request-Id"), added("Set-Cookie", where="response_headers")))),
    ),
    ("credential_in_header", edges(edge(route("/", added("X-CSRF-Token"))))),
    ("credential_in_header", edges(edge(route("/", added("Authorization", "Bearer ${token}"))))),
    ("credential_in_header", edges(edge(route("/", disabled(added("Authorization")))))),
    ("service_port_in_the_open", tunnel("localhost:8080")),
    ("service_port_in_the_open", tunnel("localhost:22", public_url="")),
    ("service_port_in_the_open", tunnel("http://localhost:3000", "http", "https://a.b")),
    ("service_port_in_the_open", tunnel("http://localhost:22", "http", "https://a.b")),
    ("any_user_of_idp", edges(edge(route("/", {"saml": {"idp_metadata": "<x/>", "authorized_groups": ["web"]}})))),
    ("preflight_unauthenticated", edges(edge(route("/", OIDC)))),
    (
        "preflight_unauthenticated",
        edges(edge(route("/", OFFICE, {"oidc": {**OIDC["oidc"], "options_passthrough": True}}))),
    ),
    ("route_without_backend", edges(edge(route("/", disabled(PUBLIC))))),
    ("route_without_backend", edges(edge({"match_type": "path_prefix", "match": "/", **ACTIONS}))),
    ("changes_without_subscription", hears("http_request_complete.v0", "ip_policy_updated.v0")),
]

NOT_JUDGED: list[tuple[str, str, Given]] = [
    ("hole_below_protected_prefix", f"{ROUTE_1}.policy", edges(edge(route("/", STAFF), route("/admin", ACTIONS)))),
    ("hole_below_protected_prefix", f"{ROUTE_1}.match", edges(edge(route("/", STAFF), route("h.example.com/admin")))),
    ("hole_below_protected_prefix", f"{ROUTE_1}.match", edges(edge(route("/", STAFF), route("/admin/*")))),
    *(
        (
            "hole_below_protected_prefix",
            f"{ROUTE_1}.match",
            edges(edge(route("/admin", STAFF), route(f"/{spelled}"), route("/"))),
        )
        for spelled in ("%61dmin", "admi%6E", "%41dmin", "admin%2Dtools", "admin%7e", "v%31")
    ),
    ("hole_below_protected_prefix", "https_edges[0].routes", edges({"hostports": ["shop.example.com:443"]})),
    ("protection_disabled", f"{ROUTE_0}.policy", edges(edge(route("/", disabled(STAFF), ACTIONS)))),
    ("login_for_everyone", f"{ROUTE_0}.policy", edges(edge(route("/", EVERYBODY, ACTIONS)))),
    ("any_user_of_idp", f"{ROUTE_0}.policy", edges(edge(route("/", SAML, ACTIONS)))),
    (
        "webhook_without_secret",
        f"{ROUTE_0}.webhook_verification.secret",
        edges(edge(route("/", {"webhook_verification": {"provider": "github"}}))),
    ),
    (
        "webhook_without_secret",
        f"{ROUTE_0}.webhook_verification.secret",
        edges(edge(route("/", {"webhook_verification": {"provider": "github", "secret": "********"}}))),
    ),
    (
        "backend_open_elsewhere",
        f"{ROUTE_1}.match",
        edges(edge(route("/admin", STAFF), route("h.example.com/"))),
    ),
    *(
        ("policy_allows_everyone", "objects", given)
        for given in (
            edges(edge(route("/", OFFICE))),
            restricted(EVERYWHERE, policy={"name": "office", "collection": "ip_policies", "id": "ipp_office"}),
            restricted(("the office", "allow")),
            restricted(("192.0.2.0/24", "block")),
            restricted(("192.0.2.0/24", None)),
        )
    ),
    ("old_tls", "https_edges[0].tls_termination.min_version", version("modern")),
    ("service_port_in_the_open", "tunnels[0].forwards_to", tunnel("localhost")),
    ("service_port_in_the_open", "tunnels[0].forwards_to", tunnel("fe80::22")),
    ("route_without_backend", "https_edges", edges(edge(route("/"), route("/a")))),
    ("changes_without_subscription", "event_subscriptions", edges()),
]


def judged(given: Given) -> dict[str, Any]:
    return judge(given, given.get("tunnels")).result()


def found(given: Given, rule: str) -> list[dict[str, Any]]:
    return [one for one in judged(given)["findings"] if one["rule"] == rule]


@pytest.mark.parametrize(("rule", "path", "given"), TRIGGERED)
def test_triggered(rule: str, path: str, given: Given) -> None:
    assert [one["path"] for one in found(given, rule)] == [path]


@pytest.mark.parametrize(("rule", "given"), QUIET)
def test_not_triggered(rule: str, given: Given) -> None:
    assert found(given, rule) == []


@pytest.mark.parametrize(("rule", "path", "given"), NOT_JUDGED)
def test_not_judged(rule: str, path: str, given: Given) -> None:
    assert found(given, rule) == []
    assert path in {one["path"] for one in judged(given)["not_judged"]}


ABOUT_PLANS = {"protected_route_deleted"}
"""Rules about what a plan does, which the tests of `reject_findings` cover."""


def test_every_rule_has_cases() -> None:
    covered = {rule for rule, _path, _given in TRIGGERED}
    assert covered == {rule for rule, _given in QUIET} == set(RULE_NAMES) - ABOUT_PLANS


def test_each_ip_policy_that_is_not_known_is_named_once() -> None:
    given = edges(edge(*(route(f"/{number}", OFFICE) for number in range(3)), route("/", BY_NAME)))
    named = [one["object"] for one in judged(given)["not_judged"] if one["path"] == "objects"]
    assert named == ["IP policy ipp_office", "IP policy ref:office"]
    assert not [one for one in judged(restricted(("192.0.2.0/24", "allow")))["not_judged"] if one["path"] == "objects"]


def test_a_policy_on_responses_causes_no_doubt() -> None:
    given = edges(edge(route("/", STAFF), route("/admin", NOTES)))
    assert found(given, "hole_below_protected_prefix")
    assert not [one for one in judged(given)["not_judged"] if one["path"].endswith("policy")]


def test_a_policy_of_a_closed_route_causes_no_doubt() -> None:
    given = edges(edge(route("/", ACTIONS, disabled(PUBLIC))))
    assert not [one for one in judged(given)["not_judged"] if one["path"].endswith("policy")]


def test_only_what_alone_protects_the_prefix_is_a_fix() -> None:
    """The login of the prefix cannot be declared without its secrets, and its network alone would not be enough."""
    [finding] = found(edges(edge(route("/", OFFICE, STAFF), route("/a"))), "hole_below_protected_prefix")
    assert finding["fix_options"] == {}


def test_a_finding_names_a_limited_number_of_other_objects() -> None:
    inside = [route(f"/{number}", STAFF) for number in range(30)]
    given = edges(edge(*inside), edge(route("/"), host="old.example.com"))
    [finding] = found(given, "backend_open_elsewhere")
    assert finding["also"] == [f"https_edges[0].routes[{number}]" for number in range(10)]
    assert "and 29 more" in finding["message"]


def test_a_finding_about_no_single_object_names_all_of_them() -> None:
    [finding] = found(hears(), "changes_without_subscription")
    assert finding["object"] == "event subscriptions"


def test_declared_ids_are_returned() -> None:
    given = edges({"id": "edghts_one", **edge({"id": "edghtsrt_one", **route("/")})})
    [shown] = judged(given)["exposure"]
    assert (shown["id"], shown["edge"]["id"]) == ("edghtsrt_one", "edghts_one")
    assert shown["object"].endswith("(edghtsrt_one)")


def merged(declared: Given, more: Given) -> Given:
    return {
        **declared,
        **{
            name: merged(declared.get(name) or {}, value) if isinstance(value, dict) else value
            for name, value in more.items()
        },
    }


def at(given: Given, path: str) -> Any:
    place: Any = given
    for part in path.replace("]", "").replace("[", ".").split("."):
        place = place[int(part)] if part.isdigit() else place[part]
    return place


def test_declaring_the_fix_removes_the_finding() -> None:
    """The options are relative to the object of the finding, so they are merged into its declaration."""
    fixed = set()
    for rule, path, given in TRIGGERED:
        [finding] = found(given, rule)
        if finding["fix_options"]:
            changed = deepcopy(given)
            [place] = re.findall(r"^\w+\[\d+\](?:\.routes\[\d+\])?", path)
            declared = at(changed, place)
            declared.update(merged(declared, finding["fix_options"]))
            assert found(changed, rule) == []
            fixed.add(rule)
    assert fixed == {"hole_below_protected_prefix", "protection_disabled", "old_tls", "preflight_unauthenticated"}


def test_every_file_of_rules_is_listed() -> None:
    files = (CHECKOUT / "plugins" / "module_utils" / "_exposure").glob("rules_of_*.py")
    assert sum(file.read_text(encoding="utf-8").count("\n@rule(") for file in files) == len(RULES)


def test_the_rules_are_in_the_order_of_severity() -> None:
    order = [SEVERITIES.index(rule.severity) for rule in RULES]
    assert order == sorted(order)
    assert len(set(RULE_NAMES)) == len(RULES)


def test_every_kind_of_protection_is_an_access() -> None:
    kinds = [schema.HTTPS_EDGE, schema.HTTPS_EDGE_ROUTE]
    protects = {f.kind.protects for kind in kinds for f in kind.fields if isinstance(f.kind, Object)} - {""}
    assert protects == set(REQUIREMENTS)
