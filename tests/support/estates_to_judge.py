# SPDX-License-Identifier: GPL-3.0-or-later
"""Estates, and for each rule those that trigger it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.judge import judge

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
    return {**edges(edge(route("/", BY_NAME))), "objects": [*_rules_of("office", rules), policy], **more}


def _rules_of(policy: str, rules: Iterable[tuple[str, Any]]) -> list[Given]:
    return [
        {
            "name": f"{policy}{number}",
            "collection": "ip_policy_rules",
            "find_by": {"ip_policy_id": f"ref:{policy}", "cidr": cidr},
            "body": {"action": action},
        }
        for number, (cidr, action) in enumerate(rules)
    ]


def restricted_together(office: Iterable[tuple[str, Any]], home: Iterable[tuple[str, Any]]) -> Given:
    """An estate with a route that is restricted by two IP policies with these rules."""
    given = restricted(*office)
    given["objects"] += [{**POLICY, "name": "home"}, *_rules_of("home", home)]
    return {**given, **edges(edge(route("/", {"ip_restriction": {"ip_policy_ids": ["ref:office", "ref:home"]}})))}


HALF, OTHER_HALF = ("0.0.0.0/1", "allow"), ("128.0.0.0/1", "allow")
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
        "restriction_without_entries",
        "https_edges[0].mutual_tls.certificate_authority_ids",
        edges(edge(mutual_tls={"certificate_authority_ids": []})),
    ),
    (
        "restriction_without_entries",
        f"{ROUTE_0}.ip_restriction.ip_policy_ids",
        edges(edge(route("/", {"ip_restriction": {"ip_policy_ids": []}}))),
    ),
    (
        "restriction_without_entries",
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
    *(
        ("policy_allows_everyone", f"{ROUTE_0}.ip_restriction.ip_policy_ids", restricted_together(*rules))
        for rules in (
            ([HALF], [OTHER_HALF]),
            ([HALF], [("192.0.2.0/24", "deny"), OTHER_HALF]),
            ([EVERYWHERE], [("0.0.0.0/0", "deny")]),
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


def judged(given: Given) -> dict[str, Any]:
    return judge(given, given.get("tunnels")).result()


def found(given: Given, rule: str) -> list[dict[str, Any]]:
    return [one for one in judged(given)["findings"] if one["rule"] == rule]
