# SPDX-License-Identifier: GPL-3.0-or-later
"""Each rule with an estate that triggers it, the nearest one that does not, and one that cannot be judged."""

from __future__ import annotations

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.finding import SEVERITIES
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.rules import ACCEPTABLE, RULES
from ansible_collections.edgeops.ingress.plugins.module_utils._model import schema
from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object
from ansible_collections.edgeops.ingress.plugins.module_utils._model.protection import CHECKS
from collection_tree import CHECKOUT
from estates_to_judge import (
    ACTIONS,
    BY_NAME,
    CLIENTS,
    EVERYBODY,
    EVERYWHERE,
    HALF,
    NOTES,
    OFFICE,
    OIDC,
    OTHER_HALF,
    POLICY,
    PUBLIC,
    ROUTE_0,
    ROUTE_1,
    SAML,
    STAFF,
    TRIGGERED,
    WEBHOOK,
    Given,
    added,
    disabled,
    edge,
    edges,
    exact,
    found,
    hears,
    judged,
    restricted,
    restricted_together,
    route,
    tls_edge,
    tunnel,
    version,
)

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
    ("restriction_without_entries", edges(edge(**CLIENTS))),
    (
        "restriction_without_entries",
        edges(edge(mutual_tls={"enabled": False, "certificate_authority_ids": []})),
    ),
    ("restriction_without_entries", edges(edge(route("/", OFFICE)))),
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
    *(
        ("policy_allows_everyone", restricted_together(*rules))
        for rules in (
            ([HALF], [HALF]),
            ([HALF], [("2000::/4", "allow")]),
            ([HALF], [OTHER_HALF, ("0.0.0.0/1", "deny")]),
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
    assert covered == {rule for rule, _given in QUIET} == set(ACCEPTABLE) - ABOUT_PLANS


def test_each_ip_policy_that_is_not_known_is_named_once() -> None:
    given = edges(edge(*(route(f"/{number}", OFFICE) for number in range(3)), route("/", BY_NAME)))
    named = [one["object"] for one in judged(given)["not_judged"] if one["path"] == "objects"]
    assert named == ["IP policy ipp_office", "IP policy ref:office"]
    assert not [one for one in judged(restricted(("192.0.2.0/24", "allow")))["not_judged"] if one["path"] == "objects"]


def test_ip_policies_that_admit_everyone_together_are_named() -> None:
    [one] = found(restricted_together([HALF], [OTHER_HALF]), "policy_allows_everyone")
    assert one["message"] == "The rules of the IP policies ref:home and ref:office let almost everyone through."


def test_a_policy_on_responses_causes_no_doubt() -> None:
    given = edges(edge(route("/", STAFF), route("/admin", NOTES)))
    assert found(given, "hole_below_protected_prefix")
    assert not [one for one in judged(given)["not_judged"] if one["path"].endswith("policy")]


def test_a_policy_of_a_closed_route_causes_no_doubt() -> None:
    given = edges(edge(route("/", ACTIONS, disabled(PUBLIC))))
    assert not [one for one in judged(given)["not_judged"] if one["path"].endswith("policy")]


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


def test_every_file_of_rules_is_listed() -> None:
    files = (CHECKOUT / "plugins" / "module_utils" / "_exposure").glob("rules_of_*.py")
    assert sum(file.read_text(encoding="utf-8").count("\n@rule(") for file in files) == len(RULES)


def test_the_rules_are_in_the_order_of_severity() -> None:
    order = [SEVERITIES.index(rule.severity) for rule in RULES]
    assert order == sorted(order)
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_every_kind_of_protection_is_an_access() -> None:
    kinds = [schema.HTTPS_EDGE, schema.HTTPS_EDGE_ROUTE]
    protects = {f.kind.protects for kind in kinds for f in kind.fields if isinstance(f.kind, Object)} - {""}
    assert protects == {*CHECKS, "policy"}
