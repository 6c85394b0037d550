# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of fields: what is declared whole, what is kept, and what goes along."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils.errors import Contradiction, WrongShape
from ansible_collections.edgeops.ingress.plugins.module_utils.fields import MASK, Mark
from ansible_collections.edgeops.ingress.plugins.module_utils.schema import (
    HTTPS_EDGE,
    HTTPS_EDGE_ROUTE,
    ROUTE_MODULES,
    TLS_EDGE_MODULES,
)

KEEP, UNKNOWN = Mark.KEEP, Mark.UNKNOWN
OAUTH, OIDC, SAML = (ROUTE_MODULES[name] for name in ("oauth", "oidc", "saml"))
BREAKER, BACKEND, HEADERS = (ROUTE_MODULES[name] for name in ("circuit_breaker", "backend", "request_headers"))
TERMINATION = TLS_EDGE_MODULES["tls_termination"]
UNSET_FORMS: list[Any] = [None, {}, {"internal": 1}]


@pytest.mark.parametrize("kind", ROUTE_MODULES.values(), ids=list(ROUTE_MODULES))
@pytest.mark.parametrize("wire", UNSET_FORMS, ids=str)
def test_an_unset_module_is_none_in_any_form(kind: Any, wire: Any) -> None:
    assert kind.read(wire, "") is None


@pytest.mark.parametrize("kind", ROUTE_MODULES.values(), ids=list(ROUTE_MODULES))
def test_a_module_that_is_disabled_is_not_unset(kind: Any) -> None:
    assert kind.read({"enabled": False}, "")["enabled"] is False


@pytest.mark.parametrize("name", ROUTE_MODULES)
def test_enabled_is_true_where_it_is_left_out(name: str) -> None:
    kind = ROUTE_MODULES[name]
    declared = next((f.name for f in kind.declarable if f.name != "enabled"), None)
    if declared is None:
        assert kind.normal({"enabled": True})["enabled"] is True
        return
    given = {f.name: None for f in kind.declarable} | {declared: kind.named[declared].kind.empty or {}}
    assert kind.normal(given)["enabled"] is True
    assert kind.body(given, None, "")["enabled"] is True


def test_keys_that_the_table_does_not_know_are_left_out() -> None:
    state = BACKEND.read({"enabled": True, "backend": {"id": "bkd_a", "uri": "u", "extra": 1}, "extra": {"a": 1}}, "")
    assert state == {"enabled": True, "backend_id": "bkd_a"}


def test_an_answer_that_is_no_object() -> None:
    with pytest.raises(WrongShape, match=r"compression"):
        HTTPS_EDGE_ROUTE.read({"id": "edghtsrt_a", "compression": [True]}, "")
    oauth = {"enabled": True, "provider": {"github": {"scopes": "all"}}}
    with pytest.raises(WrongShape, match=r"routes\[0\]\.oauth\.provider\.github\.scopes"):
        HTTPS_EDGE.read({"routes": [{"oauth": oauth}]}, "")


@pytest.mark.parametrize("name", ["policy", "traffic_policy"])
def test_the_policy_has_two_names(name: str) -> None:
    state = HTTPS_EDGE_ROUTE.read({name: {"enabled": True, "inbound": [{"name": "r"}]}}, "")
    assert state["policy"]["inbound"][0]["name"] == "r"


# What a module is declared as, and what that means for its other options.
WANTED: list[tuple[Any, dict[str, Any], dict[str, Any]]] = [
    (HEADERS, {"add": {"A": "1"}}, {"enabled": True, "add": {"a": "1"}, "remove": []}),
    (
        BREAKER,
        {"num_buckets": 0},
        {"enabled": True, "num_buckets": 0, "rolling_window": KEEP, "tripped_duration": KEEP},
    ),
    (BACKEND, {"enabled": False}, {"enabled": False, "backend_id": KEEP}),
    (
        OIDC,
        {"issuer": "i"},
        {"issuer": "i", "client_id": KEEP, "client_secret": KEEP, "scopes": [], "cookie_prefix": KEEP},
    ),
    (OIDC, {"client_secret": MASK}, {"client_secret": KEEP}),
    (SAML, {"idp_metadata": "<x/>"}, {"authorized_groups": [], "nameid_format": KEEP, "allow_idp_initiated": KEEP}),
    (TERMINATION, {"terminate_at": "upstream"}, {"terminate_at": "upstream", "min_version": ""}),
    (TERMINATION, {"terminate_at": "edge"}, {"terminate_at": "edge", "min_version": KEEP}),
]


@pytest.mark.parametrize(("kind", "given", "wanted"), WANTED)
def test_what_an_omitted_option_means(kind: Any, given: dict[str, Any], wanted: dict[str, Any]) -> None:
    normal = kind.normal(given)
    assert {**normal, **wanted} == normal


def test_an_identity_provider_is_declared_whole() -> None:
    wanted = OAUTH.normal({"provider": {"github": {"teams": ["o/x"]}}})["provider"]
    assert wanted["google"] is None
    assert wanted["github"]["client_id"] == wanted["github"]["client_secret"] == ""
    assert wanted["github"]["scopes"] == wanted["github"]["organizations"] == []
    assert OAUTH.normal({"maximum_duration": 5})["provider"] is KEEP


def test_a_resource_keeps_what_is_not_declared() -> None:
    wanted = HTTPS_EDGE.normal({"description": "", "hostports": []})
    assert wanted == {
        "description": "",
        "metadata": KEEP,
        "hostports": [],
        "mutual_tls": KEEP,
        "tls_termination": KEEP,
    }


@pytest.mark.parametrize("given", [{}, {"enabled": None, "provider": None}])
def test_an_empty_dictionary_takes_a_module_off(given: dict[str, Any]) -> None:
    assert OAUTH.normal(given) is None


GITHUB = {"client_id": "c", "client_secret": "s", "scopes": ["a"]}

# A module, what the service holds of it, what is declared, and what is sent.
BODIES: list[tuple[Any, Any, dict[str, Any], dict[str, Any]]] = [
    (
        BREAKER,
        {"num_buckets": 1, "rolling_window": 0},
        {"num_buckets": 2},
        {"enabled": True, "num_buckets": 2, "rolling_window": 0},
    ),
    (BREAKER, None, {"num_buckets": 2}, {"enabled": True, "num_buckets": 2}),
    (HEADERS, {"add": {"A": "1"}, "remove": ["B"]}, {"remove": ["C"]}, {"enabled": True, "remove": ["C"]}),
    (OAUTH, {"provider": {"github": GITHUB}}, {"enabled": False}, {"enabled": False, "provider": {"github": GITHUB}}),
    (
        OAUTH,
        {"provider": {"github": GITHUB}},
        {"provider": {"github": {"client_id": "d", "client_secret": MASK}}},
        {"enabled": True, "provider": {"github": {"client_id": "d", "client_secret": "s"}}},
    ),
    (
        OAUTH,
        {"provider": {"github": GITHUB}},
        {"provider": {"google": {}}},
        {"enabled": True, "provider": {"google": {}}},
    ),
    (
        SAML,
        {"idp_metadata": "<x/>", "entity_id": "https://sp", "authorized_groups": ["g"], "force_authn": False},
        {"idp_metadata": "<y/>"},
        {"enabled": True, "idp_metadata": "<y/>", "force_authn": False},
    ),
    (
        TERMINATION,
        {"terminate_at": "edge", "min_version": "1.3"},
        {"terminate_at": "upstream"},
        {"terminate_at": "upstream"},
    ),
    (TERMINATION, {"terminate_at": "upstream", "min_version": "1.3"}, {"enabled": False}, {"terminate_at": "upstream"}),
    (TERMINATION, None, {"terminate_at": "upstream", "min_version": ""}, {"terminate_at": "upstream"}),
    (
        TERMINATION,
        {"terminate_at": "edge", "min_version": "1.3"},
        {"enabled": False},
        {"terminate_at": "edge", "min_version": "1.3"},
    ),
]


@pytest.mark.parametrize(("kind", "wire", "given", "sent"), BODIES)
def test_body(kind: Any, wire: Any, given: dict[str, Any], sent: dict[str, Any]) -> None:
    body = kind.body(given, kind.read(wire, ""), "")
    assert body == {"enabled": given.get("enabled", True), **sent}


def test_differences_are_named_by_their_paths() -> None:
    have = HTTPS_EDGE_ROUTE.read(
        {"description": "d", "oauth": {"enabled": True, "provider": {"github": GITHUB}, "maximum_duration": 5}}, ""
    )
    want = HTTPS_EDGE_ROUTE.normal(
        {
            "description": "e",
            "metadata": "",
            "compression": {"enabled": True},
            "oauth": {"provider": {"github": {**GITHUB, "scopes": ["b"]}, "google": {}}, "maximum_duration": 6},
        }
    )
    assert sorted(HTTPS_EDGE_ROUTE.differs(have, want, "", resend_secrets=False)) == [
        "compression",
        "description",
        "oauth.maximum_duration",
        "oauth.provider.github.scopes",
        "oauth.provider.google",
    ]


EMPTY_PROVIDERS: list[Any] = [None, {}, {"client_id": "", "scopes": [], "teams": None}]


@pytest.mark.parametrize("empty", EMPTY_PROVIDERS, ids=str)
def test_a_provider_that_is_not_used_may_be_shown_empty(empty: Any) -> None:
    have = OAUTH.read({"enabled": True, "provider": {"google": {"email_domains": ["d"]}, "github": empty}}, "")
    assert OAUTH.same(have, OAUTH.normal({"provider": {"google": {"email_domains": ["d"]}}}))


def test_settled_foretells_what_will_be() -> None:
    have = BREAKER.read({"enabled": False, "num_buckets": 1, "rolling_window": 7}, "")
    after = BREAKER.settled(have, BREAKER.normal({"num_buckets": 0}))
    assert (after["enabled"], after["num_buckets"], after["rolling_window"]) == (True, 0, 7)
    new = BREAKER.settled(None, BREAKER.normal({"num_buckets": 0, "enabled": False}))
    assert (new["enabled"], new["num_buckets"]) == (False, 0)
    assert BREAKER.settled(have, None) is None
    assert set(SAML.settled(None, SAML.normal({"idp_metadata": "x"}))) == {f.name for f in SAML.fields}


def test_what_is_the_same_stays_spelled_as_the_service_has_it() -> None:
    have = HEADERS.read({"enabled": True, "remove": ["B", "A"]}, "")
    assert HEADERS.settled(have, HEADERS.normal({"remove": ["a", "b", "A"]})) == have


def test_a_secret_without_its_client_is_none() -> None:
    state = OAUTH.read({"enabled": True, "provider": {"google": {"email_domains": ["d"]}}}, "")
    assert state["provider"]["google"]["client_secret"] == ""
    state = OAUTH.read({"enabled": True, "provider": {"google": {"client_id": "c"}}}, "")
    assert state["provider"]["google"]["client_secret"] is UNKNOWN


def test_a_rule_that_depends_on_what_is_there() -> None:
    have = TERMINATION.read({"terminate_at": "upstream"}, "")
    with pytest.raises(Contradiction, match="min_version"):
        TERMINATION.check_against(have, {"min_version": "1.2"}, "")
    TERMINATION.check_against(have, {"min_version": "1.2", "terminate_at": "edge"}, "")
    TERMINATION.check_against(None, {"min_version": "1.2"}, "")


def test_what_is_shown_has_every_field_and_no_secret() -> None:
    for kind in ROUTE_MODULES.values():
        state = kind.settled(None, kind.normal({"enabled": False}))
        assert set(kind.shown(state)) == {f.name for f in kind.fields}
    shown = OAUTH.shown(OAUTH.read({"enabled": True, "provider": {"github": GITHUB}}, ""))
    assert shown["provider"]["github"]["client_secret"] == MASK
    assert shown["provider"]["facebook"] is None
