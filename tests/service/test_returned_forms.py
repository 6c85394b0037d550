# SPDX-License-Identifier: GPL-3.0-or-later
"""Switches that choose the form in which values are returned: whatever the form, what was sent is stored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from running_service import Running

Fields = dict[str, Any]

MISSING = object()
PROVIDERS = ("github", "facebook", "microsoft", "linkedin", "gitlab", "twitch", "amazon")
SECRETS = {
    "webhook_verification": {"provider": "github", "secret": "s1"},
    "oidc": {"client_id": "c", "client_secret": "s2"},
    "oauth": {"provider": {"google": {"client_id": "c", "client_secret": "s3"}}},
}
ANY_VALUES = {"big": 2**63, "deep": [[{}]], "text": "\x00\u2028😀", "none": None, "real": 1e308}
RULE = {"name": "r", "expressions": [], "actions": {"type": "x", "config": ANY_VALUES}}
LISTED = [{**RULE, "actions": [RULE["actions"]]}]
IN_PUNYCODE = {
    "Bücher.Example:443": "xn--bcher-kva.example:443",
    "*.straße.example:443": "*.xn--strae-oqa.example:443",
    "ПРИМЕР.РФ:8443": "xn--e1afmkfd.xn--p1ai:8443",
    "A.Example:443": "a.example:443",
    "[2001:DB8::1]:443": "[2001:db8::1]:443",
}
TIMEOUTS = {"inactivity_timeout": 0, "maximum_duration": 0}
SIGN_IN = {"enabled": True, "options_passthrough": False, "cookie_prefix": "svc.", **TIMEOUTS}
BREAKER = ("tripped_duration", "rolling_window", "num_buckets", "volume_threshold", "error_threshold_percentage")
OF_OAUTH = ("options_passthrough", "cookie_prefix", *TIMEOUTS, "auth_check_interval", "provider")
DEFAULTS = (
    *(f"oauth.{name}" for name in OF_OAUTH),
    *(f"saml.{name}" for name in ("force_authn", "allow_idp_initiated", "nameid_format", "cookie_prefix")),
    *(f"circuit_breaker.{name}" for name in BREAKER),
    "user_agent_filter.enabled",
)
EMPTY_PROVIDER = {"client_id": "", "client_secret": "", "scopes": [], "email_addresses": [], "email_domains": []}
TEAMS = {"github": {"teams": ["a/b"]}, "google": {}}


def under(prefix: str, fields: Fields) -> Fields:
    return {f"{prefix}.{name}": value for name, value in fields.items()}


def providers(others: Any, **returned: Any) -> Fields:
    """The providers of `oauth` without Google, of which those that are not named are all returned as `others`."""
    return under("oauth.provider", {**dict.fromkeys(PROVIDERS, others), **returned})


def route_forms() -> Iterator[tuple[Fields, Fields, Fields]]:
    """Switches, what is sent of a route, and what is returned of it, by the path in the response."""
    for form, name in (("kept", "x-REQUEST-id"), ("lower", "x-request-id"), ("canonical", "X-Request-Id")):
        sent = {"request_headers": {"add": {"x-REQUEST-id": "Value"}, "remove": ["x-REQUEST-id"]}}
        returned = {"enabled": True, "add": {name: "Value"}, "remove": [name]}
        yield {"header_names": form}, sent, {"request_headers": returned}
    own = '{"b":1, "a":2}'
    for switches, text, shown in (
        ({}, " x\n", " x\n"),
        ({"metadata": "trimmed"}, own, own),
        ({"metadata": "trimmed"}, " x\n", "x"),
        ({"metadata": "rewritten"}, own, '{"a": 2, "b": 1}'),
        ({"metadata": "rewritten"}, " x\n", "x"),
        ({"changed_identity": "metadata"}, own, '{"B":1, "A":2}'),
    ):
        yield switches, {"metadata": text}, {"metadata": shown}
    secrets = ("webhook_verification.secret", "oidc.client_secret", "oauth.provider.google.client_secret")
    for form, values in (("echoed", ("s1", "s2", "s3")), ("redacted", ["********"] * 3), ("emptied", [""] * 3)):
        yield {"secrets": form}, SECRETS, dict(zip(secrets, values, strict=True))
    yield {"secrets": "left_out"}, SECRETS, dict.fromkeys(secrets, MISSING)
    policy = {"policy": {"inbound": RULE, "outbound": [RULE]}}
    yield {}, policy, under("policy", {"enabled": True, "inbound": RULE, "outbound": [RULE]})
    yield {"policy_rules": "lists"}, policy, under("policy", {"enabled": True, "inbound": LISTED, "outbound": LISTED})
    for form, text, items in (("empty", "", []), ("null", None, None), ("missing", MISSING, MISSING)):
        empty = {"description": text, "metadata": text, "saml.idp_metadata": text, "saml.cookie_prefix": "svc."}
        yield {"empty_text": form}, {"saml": {}}, empty
        added = {} if items == [] else items
        yield {"empty_lists": form}, {"request_headers": {}}, under("request_headers", {"add": added, "remove": items})
    filled = {**under("oauth", {**SIGN_IN, "auth_check_interval": 0}), **providers(None, google=None)}
    filled |= under("saml", {**SIGN_IN, "force_authn": False, "allow_idp_initiated": True})
    filled |= {"policy": {"enabled": True, "inbound": None, "outbound": None}}
    yield {}, {"oauth": {"provider": {}}, "saml": {}, "policy": {}}, filled
    for form, value in (("null", None), ("missing", MISSING)):
        switches = {"defaults": "omitted", "unset_values": form, "empty_text": form}
        sent = {"oauth": {}, "saml": {}, "circuit_breaker": {}, "user_agent_filter": {}}
        enabled = {f"{name}.enabled": True for name in ("oauth", "saml", "circuit_breaker")}
        yield switches, sent, {**dict.fromkeys(DEFAULTS, value), **enabled}
    yield from provider_forms()
    for form, prefix in (("filled", "svc."), ("filled_for_oauth", "")):
        returned = {"oauth.cookie_prefix": "svc.", "saml.cookie_prefix": prefix, "oidc.cookie_prefix": "own."}
        yield {"cookie_prefix": form}, {"oauth": {}, "saml": {}, "oidc": {"cookie_prefix": "own."}}, returned


def provider_forms() -> Iterator[tuple[Fields, Fields, Fields]]:
    used = {"oauth": {"provider": {"google": {"email_domains": ["example.com"]}}}}
    google = {"oauth.provider.google.email_domains": ["example.com"]}
    # By default, they are null or missing like other values.
    for form, others, unset in (("null", None, MISSING), ("empty_object", {}, {}), ("missing", MISSING, MISSING)):
        switches: Fields = {"unused_providers": form}
        yield switches, used, {**providers(others), **google}
        yield {**switches, "defaults": "omitted", "unset_values": "missing"}, used, providers(unset)
    github = {**EMPTY_PROVIDER, "teams": ["a/b"], "organizations": []}
    yield {}, {"oauth": {"provider": TEAMS}}, providers(None, github=github, google=EMPTY_PROVIDER)
    yield {"provider_content": "left_out"}, {"oauth": {"provider": TEAMS}}, providers(None, **TEAMS)
    unused = {"unused_providers": "empty_object"}
    yield {**unused, "extra_keys": True}, {"oauth": {"provider": {}}}, providers({"internal_revision": 7})
    yield {**unused, "provider_content": "left_out"}, {"oauth": {"provider": {"google": {}}}}, providers({})


def edge_forms() -> Iterator[tuple[str, Fields, Fields, Fields]]:
    """What creates an edge, switches, what is sent of the edge, and what is returned of it."""
    yield "new_edge", {"hostports": "lower"}, {"hostports": ["A.Example:443"]}, {"hostports": ["a.example:443"]}
    hostports = {"hostports": list(IN_PUNYCODE)}
    yield "new_edge", {}, hostports, hostports
    yield "new_edge", {"hostports": "punycode"}, hostports, {"hostports": list(IN_PUNYCODE.values())}
    authorities = "mutual_tls.certificate_authorities"
    two = {"mutual_tls": {"certificate_authority_ids": ["c1", "c2"]}}
    yield "new_edge", {"references": "single"}, two, {f"{authorities}.id": "c1"}
    yield "new_edge", {"references": "ids"}, two, {authorities: ["c1", "c2"]}
    yield "new_edge", {"references": "single"}, {"mutual_tls": {}}, {authorities: None}
    restricted = {"ip_restriction": {"ip_policy_ids": ["ipp_1", "ipp_2"]}}
    yield "new_tls_edge", {"references": "single"}, restricted, {"ip_restriction.ip_policies.id": "ipp_1"}
    for form, value in (("empty", []), ("null", None), ("missing", MISSING)):
        lists = dict.fromkeys(("hostports", "routes", "mutual_tls.certificate_authorities"), value)
        yield "new_edge", {"empty_lists": form}, {"mutual_tls": {}}, lists
        restriction = {"ip_restriction": {"ip_policy_ids": []}}
        yield "new_tls_edge", {"empty_lists": form}, restriction, {"ip_restriction.ip_policies": value}
    for form, value in (("null", None), ("missing", MISSING)):
        switches = {"defaults": "omitted", "unset_values": form, "empty_text": form}
        termination = under("tls_termination", {"enabled": True, "terminate_at": value, "min_version": value})
        yield "new_edge", switches, {"tls_termination": {}}, termination
        upstream = {"terminate_at": "upstream"}
        returned = {**termination, **under("tls_termination", upstream)}
        yield "new_tls_edge", switches, {"tls_termination": upstream}, returned


def at(found: Any, path: str) -> Any:
    for step in path.split("."):
        if not isinstance(found, dict) or step not in found:
            return MISSING
        found = found[step]
    return found


FORMS = [*(("new_route", *form) for form in route_forms()), *edge_forms()]


@pytest.mark.parametrize(("create", "switches", "sent", "returned"), FORMS)
def test_values_are_returned_in_the_chosen_form_and_stored_as_they_were_sent(
    service: Running, create: str, switches: Fields, sent: Fields, returned: Fields
) -> None:
    service.switches(**switches)
    found = service.done("GET", getattr(service, create)(**sent))
    assert {path: at(found, path) for path in returned} == returned
    state = service.control("GET", "state")
    [held] = state["tls_edges"] or state["https_edges"]
    if create == "new_route":
        [held] = held["routes"]
    assert sent.items() <= held.items()
