# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of fields: what is declared whole, what is kept, what else is sent, and how they could be declared."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._errors import Contradiction, UnexpectedType
from ansible_collections.edgeops.ingress.plugins.module_utils._model import schema
from ansible_collections.edgeops.ingress.plugins.module_utils._model.declaration import NEW_SECRET, declaration
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.plan import Plan, Target
from ansible_collections.edgeops.ingress.plugins.module_utils._values import identifiers
from ansible_collections.edgeops.ingress.plugins.module_utils._values.kinds import MASK, Mark

pytestmark = pytest.mark.every_core

Given = dict[str, Any]
KEEP, UNKNOWN = Mark.KEEP, Mark.UNKNOWN
ROUTE, ROUTE_MODULES = schema.HTTPS_EDGE_ROUTE, schema.ROUTE_MODULES
OAUTH, OIDC, SAML = (ROUTE_MODULES[name] for name in ("oauth", "oidc", "saml"))
BREAKER, BACKEND, HEADERS = (ROUTE_MODULES[name] for name in ("circuit_breaker", "backend", "request_headers"))
TERMINATION = schema.TLS_EDGE_MODULES["tls_termination"]
UNSET_FORMS: list[Any] = [None, {}, {"internal": 1}]


@pytest.mark.parametrize("name", ROUTE_MODULES)
def test_an_unset_module_is_none_in_any_form_and_a_disabled_one_is_not(name: str) -> None:
    kind = ROUTE_MODULES[name]
    assert [kind.read(wire, "") for wire in UNSET_FORMS] == [None] * len(UNSET_FORMS)
    assert kind.read({"enabled": False}, "")["enabled"] is False


def test_a_response_may_have_unknown_keys_but_no_other_types() -> None:
    wire = {"enabled": True, "backend": {"id": "bkd_a", "uri": "u", "extra": 1}, "extra": {"a": 1}}
    for each in (wire, {"backend_id": "bkd_a"}, {"id": "bkd_a", "uri": "u"}):
        assert BACKEND.read(each, "") == {"enabled": True, "backend_id": "bkd_a"}
    with pytest.raises(UnexpectedType, match=r"compression"):
        ROUTE.read({"id": "edghtsrt_a", "compression": [True]}, "")
    oauth = {"enabled": True, "provider": {"github": {"scopes": "all"}}}
    with pytest.raises(UnexpectedType, match=r"routes\[0\]\.oauth\.provider\.github\.scopes"):
        schema.HTTPS_EDGE.read({"routes": [{"oauth": oauth}]}, "")


RULES = {"enabled": True, "inbound": [{"name": "r"}]}


@pytest.mark.parametrize("unset", UNSET_FORMS, ids=str)
def test_the_policy_has_two_names(unset: Any) -> None:
    """A service uses either of them, or both, of which one may be unset."""
    for wire in ({}, {"policy": unset}, {"traffic_policy": unset}):
        for names in (("policy",), ("traffic_policy",), ("policy", "traffic_policy")):
            state = ROUTE.read({**wire, **dict.fromkeys(names, RULES)}, "")
            assert state["policy"]["inbound"][0]["name"] == "r"
    assert ROUTE.read({"policy": unset, "traffic_policy": unset}, "")["policy"] is None


PROVIDERS = ("github", "facebook", "microsoft", "google", "linkedin", "gitlab", "twitch", "amazon")
LISTS = ("scopes", "email_addresses", "email_domains", "organizations")
TEAM = {"client_id": "", "client_secret": "", **{name: [] for name in LISTS}, "teams": ["o/x"]}
# What a module is declared as, and what that means for its other options.
WANTED: list[tuple[Any, Given, Given]] = [
    (HEADERS, {"add": {"A": "1"}}, {"enabled": True, "add": {"a": "1"}, "remove": []}),
    (BREAKER, {"num_buckets": 0}, {"enabled": True, "num_buckets": 0, "rolling_window": KEEP}),
    (BACKEND, {"enabled": False}, {"enabled": False, "backend_id": KEEP}),
    (OIDC, {"issuer": "i"}, {"issuer": "i", "client_id": KEEP, "client_secret": KEEP, "scopes": []}),
    (OIDC, {"client_secret": MASK}, {"client_secret": KEEP, "cookie_prefix": KEEP}),
    (SAML, {"idp_metadata": "<x/>"}, {"authorized_groups": [], "nameid_format": KEEP, "allow_idp_initiated": KEEP}),
    (TERMINATION, {"terminate_at": "upstream"}, {"terminate_at": "upstream", "min_version": ""}),
    (TERMINATION, {"terminate_at": "edge"}, {"terminate_at": "edge", "min_version": KEEP}),
    (OAUTH, {"maximum_duration": 5}, {"provider": KEEP}),
    (OAUTH, {"provider": {"github": {"teams": ["o/x"]}}}, {"provider": {**dict.fromkeys(PROVIDERS), "github": TEAM}}),
    (schema.HTTPS_EDGE, {"hostports": []}, {**dict.fromkeys(schema.HTTPS_EDGE.options(), KEEP), "hostports": []}),
]


@pytest.mark.parametrize(("kind", "given", "wanted"), WANTED)
def test_what_an_omitted_option_means(kind: Any, given: Given, wanted: Given) -> None:
    normal = kind.normal(given)
    assert {**normal, **wanted} == normal


@pytest.mark.parametrize("name", ROUTE_MODULES)
def test_an_empty_dictionary_declares_a_module_with_its_defaults(name: str) -> None:
    kind = ROUTE_MODULES[name]
    for given in ({}, {f.name: None for f in kind.declarable}):
        normal = kind.normal(given)
        assert normal["enabled"] is True
        assert all(value is True or value is KEEP or value in ([], {}) for value in normal.values())


# What is declared of a module, the faults that are certain, and what is asked for where the module is not there yet.
OMITTED: list[tuple[str, Given, list[str], str]] = [
    ("compression", {}, [], ""),
    ("circuit_breaker", {}, [], ""),
    ("oauth", {}, ["m.provider: required; "], "m.provider"),
    ("oauth", {"enabled": True}, [], "m.provider"),
    ("oauth", {"enabled": False}, [], ""),
    ("oauth", {"provider": {}}, ["m.provider: must not be empty"], ""),
    ("oauth", {"provider": {"github": None, "google": None}}, ["m.provider: must not be empty"], ""),
    ("oauth", {"provider": {"github": {}}}, [], ""),
    ("oauth", {"maximum_duration": 5}, [], "m.provider"),
    ("webhook_verification", {}, ["m.provider: required"], "m.provider( and m.secret)?"),
    ("webhook_verification", {"secret": "s"}, [], "m.provider"),
    ("backend", {}, ["m.backend_id: required"], "m.backend_id"),
    ("backend", {"enabled": True}, [], "m.backend_id"),
    ("backend", {"backend_id": ""}, ["m.backend_id: must not be empty"], ""),
    ("backend", {"enabled": False, "backend_id": ""}, [], ""),
    ("oidc", {}, ["m.issuer: required", "m.client_id: required"], "m.issuer and m.client_id"),
    ("oidc", {"issuer": "i", "scopes": []}, [], "m.client_id"),
    ("saml", {"enabled": True}, ["m.idp_metadata: required"], "m.idp_metadata"),
    ("saml", {"authorized_groups": []}, [], "m.idp_metadata"),
    ("ip_restriction", {}, ["m.ip_policy_ids: required (an empty list"], ""),
    ("ip_restriction", {"enabled": True}, ["m.ip_policy_ids: required (an empty list"], ""),
    ("ip_restriction", {"enabled": False}, [], ""),
    ("ip_restriction", {"ip_policy_ids": []}, [], ""),
    ("request_headers", {}, ["m.add or m.remove: required"], ""),
    ("response_headers", {"add": {}}, [], ""),
    ("user_agent_filter", {}, ["m.allow or m.deny: required"], ""),
    ("policy", {}, ["m.inbound or m.outbound: required"], ""),
    ("policy", {"inbound": []}, [], ""),
    ("policy", {"inbuond": []}, [], ""),  # Ansible's own check reports that
]


@pytest.mark.parametrize(("name", "given", "option_errors", "asked"), OMITTED)
def test_required_settings_of_a_module(name: str, given: Given, option_errors: list[str], asked: str) -> None:
    kind = ROUTE_MODULES[name]
    for all_given in (given, {f.name: None for f in kind.declarable} | given):
        found = list(map(str, kind.option_errors(all_given, "m")))
        assert all(one.startswith(expected) for one, expected in zip(found, option_errors, strict=True))
        assert all("variable" in one for one in found)
        for have in (None, {**dict.fromkeys(kind.named), "enabled": False}):
            with pytest.raises(Contradiction, match=rf"^{asked}: required, because") if asked else nullcontext():
                kind.body(all_given, have, "m")
        kind.body(all_given, {**{f.name: f.kind.empty for f in kind.fields}, "enabled": True}, "m")


GITHUB = {"client_id": "c", "client_secret": "s", "scopes": ["a"]}
HELD = {"provider": {"github": GITHUB}}
OTHER_CLIENT = {"provider": {"github": {"client_id": "d", "client_secret": MASK}}}
NEWEST = {"terminate_at": "edge", "min_version": "1.3"}
SP = {"idp_metadata": "<x/>", "entity_id": "https://sp", "authorized_groups": ["g"], "force_authn": False}

# A module, what the service holds of it, what is declared, and what is sent besides `enabled`.
BODIES: list[tuple[Any, Any, Given, Given]] = [
    (BREAKER, {"num_buckets": 1, "rolling_window": 0}, {"num_buckets": 2}, {"num_buckets": 2, "rolling_window": 0}),
    (BREAKER, None, {"num_buckets": 2}, {"num_buckets": 2}),
    (BACKEND, {"enabled": False, "backend": {"id": "bkd_a"}}, {"enabled": True}, {"backend_id": "bkd_a"}),
    (HEADERS, {"add": {"A": "1"}, "remove": ["B"]}, {"remove": ["C"]}, {"remove": ["C"]}),
    (OAUTH, HELD, {"enabled": False}, HELD),
    (OAUTH, HELD, OTHER_CLIENT, {"provider": {"github": {"client_id": "d", "client_secret": "s"}}}),
    (OAUTH, HELD, {"provider": {"google": {}}}, {"provider": {"google": {}}}),
    (SAML, SP, {"idp_metadata": "<y/>"}, {"idp_metadata": "<y/>", "force_authn": False}),
    (TERMINATION, NEWEST, {"terminate_at": "upstream"}, {"terminate_at": "upstream"}),
    (TERMINATION, {**NEWEST, "terminate_at": "upstream"}, {"enabled": False}, {"terminate_at": "upstream"}),
    (TERMINATION, None, {"terminate_at": "upstream", "min_version": ""}, {"terminate_at": "upstream"}),
    (TERMINATION, NEWEST, {"enabled": False}, NEWEST),
]


@pytest.mark.parametrize(("kind", "wire", "given", "sent"), BODIES)
def test_what_is_sent_of_a_module(kind: Any, wire: Any, given: Given, sent: Given) -> None:
    body = kind.body(given, kind.read(wire, ""), "")
    assert body == {"enabled": given.get("enabled", True), **sent}


def test_differences_are_named_by_their_paths() -> None:
    have = ROUTE.read({"description": "d", "oauth": {"enabled": True, **HELD, "maximum_duration": 5}}, "")
    oauth = {"provider": {"github": {**GITHUB, "scopes": ["b"]}, "google": {}}, "maximum_duration": 6}
    declared = {"description": "e", "metadata": "", "compression": {"enabled": True}, "oauth": oauth}
    found = ROUTE.differs(have, ROUTE.normal(declared), "", resend_secrets=False)
    of_oauth = [f"oauth.{path}" for path in ("maximum_duration", "provider.github.scopes", "provider.google")]
    assert sorted(found) == ["compression", "description", *of_oauth]


def test_what_will_be_is_predicted_and_what_is_the_same_stays_spelled_as_the_service_has_it() -> None:
    have = BREAKER.read({"enabled": False, "num_buckets": 1, "rolling_window": 7}, "")
    after = BREAKER.predict(have, BREAKER.normal({"num_buckets": 0}))
    assert (after["enabled"], after["num_buckets"], after["rolling_window"]) == (True, 0, 7)
    new = BREAKER.predict(None, BREAKER.normal({"num_buckets": 0, "enabled": False}))
    assert (new["enabled"], new["num_buckets"]) == (False, 0)
    assert BREAKER.predict(have, None) is None
    assert set(SAML.predict(None, SAML.normal({"idp_metadata": "x"}))) == {f.name for f in SAML.fields}
    hook = ROUTE_MODULES["webhook_verification"]
    live = [hook.read({"provider": one, "secret": "s"}, "") for one in ("sns", "slack")]
    assert [hook.predict(one, hook.normal({"provider": "sns"}))["secret"] for one in live] == ["s", ""]
    have = HEADERS.read({"enabled": True, "remove": ["B", "A"]}, "")
    assert HEADERS.predict(have, HEADERS.normal({"remove": ["a", "b", "A"]})) == have


def test_a_secret_without_its_client_is_none() -> None:
    for google, secret in (({"email_domains": ["d"]}, ""), ({"client_id": "c"}, UNKNOWN)):
        state = OAUTH.read({"enabled": True, "provider": {"google": google}}, "")
        assert state["provider"]["google"]["client_secret"] == secret


def test_a_rule_about_two_fields_applies_to_the_live_value_of_the_other_field() -> None:
    have = TERMINATION.read({"terminate_at": "upstream"}, "")
    with pytest.raises(Contradiction, match="min_version"):
        TERMINATION.check_against(have, {"min_version": "1.2"})
    TERMINATION.check_against(have, {"min_version": "1.2", "terminate_at": "edge"})
    TERMINATION.check_against(None, {"min_version": "1.2"})


OWN_CLIENT = {"client_id": "c", "client_secret": MASK}
# What the service shows of a module that has no content, and what declares it so that nothing looks forgotten.
WITHOUT_CONTENT: list[tuple[str, Given, Given]] = [
    ("ip_restriction", {"ip_policies": []}, {"ip_policy_ids": []}),
    ("request_headers", {}, {"add": {}, "remove": []}),
    ("policy", {"inbound": []}, {"inbound": [], "outbound": []}),
    ("oidc", {"client_secret": "***"}, {"scopes": []}),
    ("saml", {"authorized_groups": None}, {"authorized_groups": []}),
    ("saml", {"cookie_prefix": "c"}, {"cookie_prefix": "c"}),
    ("oauth", {"provider": {}}, {}),
    ("compression", {}, {}),
    ("oauth", {"provider": {"google": {"client_id": "c", "client_secret": "s"}}}, {"provider": {"google": OWN_CLIENT}}),
]


@pytest.mark.parametrize(("name", "wire", "declared"), WITHOUT_CONTENT)
def test_a_module_without_content_is_exported_as_it_can_be_declared(name: str, wire: Given, declared: Given) -> None:
    kind = ROUTE_MODULES[name]
    have = kind.read({"enabled": True, **wire}, "")
    exported = declaration(kind, have, with_secrets=False) or {}
    assert exported == {"enabled": True, **declared}
    assert list(kind.option_errors(exported, name)) == []
    assert kind.same(have, kind.normal(exported))


def test_what_is_shown_has_every_field_and_no_secret() -> None:
    for kind in ROUTE_MODULES.values():
        state = kind.predict(None, kind.normal({"enabled": False}))
        assert set(kind.shown(state)) == {f.name for f in kind.fields}
    shown = OAUTH.shown(OAUTH.read({"enabled": True, "provider": {"github": GITHUB}}, ""))
    assert (shown["provider"]["github"]["client_secret"], shown["provider"]["facebook"]) == (MASK, None)


ACME = {"organizations": ["acme"]}
EMPTY: Given = {"client_id": "", "client_secret": None, "scopes": [], "email_addresses": []}
BARE, KEYED, NULLS = (dict.fromkeys(PROVIDERS, unused) for unused in ({}, EMPTY, None))
EXTRA = {name: {"internal": 7} for name in PROVIDERS}

# What the service shows, what is declared, and whether that is the same.
RESPONSES: dict[str, tuple[Given, Given, bool]] = {
    "an open door next to it": ({"google": {}, "github": ACME}, {"github": ACME}, False),
    "an open door with a key of its own": ({"google": {"internal": 7}, "github": ACME}, {"github": ACME}, False),
    "missing": ({"github": ACME}, {"github": ACME}, True),
    "all are objects": ({**BARE, "github": ACME}, {"github": ACME}, True),
    "all are objects with other keys": ({**EXTRA, "github": ACME}, {"github": ACME}, True),
    "all are objects with empty values": ({**KEYED, "github": ACME}, {"github": ACME}, True),
    "one of all objects has empty values": ({**BARE, "google": EMPTY, "github": ACME}, {"github": ACME}, False),
    "all are objects, and one has to go": ({**BARE, "google": {"scopes": ["a"]}}, {"github": ACME}, False),
    "declared open, shown empty": ({"github": {}}, {"github": {}}, True),
    "declared open, shown with empty values": ({**NULLS, "github": EMPTY}, {"github": {}}, True),
    "declared open, not shown": (NULLS, {"github": {}}, False),
    "declared open, shown like all": (BARE, {"github": {}}, True),
    "declared open, shown like all with empty values": (KEYED, {"github": {}}, True),
    "declared open, shown like all of those not in use": ({**BARE, "github": {**EMPTY, **ACME}}, {"github": {}}, False),
    "declared open besides": ({**BARE, "google": {**EMPTY, **ACME}}, {"google": ACME, "github": {}}, False),
}


def read(providers: Given) -> Any:
    return OAUTH.read({"enabled": True, "provider": providers}, "")


@pytest.mark.parametrize(("shown", "declared", "same"), RESPONSES.values(), ids=RESPONSES)
def test_the_providers_in_use_are_recognized_in_a_response(shown: Any, declared: Any, same: bool) -> None:
    have, want = read(shown), OAUTH.normal({"provider": declared})
    assert OAUTH.same(have, want) is same
    assert (OAUTH.predict(have, want) == have) is same


@pytest.mark.parametrize("unused", [NULLS, {}])
def test_a_provider_without_restrictions_is_exported(unused: Given) -> None:
    exported = declaration(OAUTH, read({**unused, "github": {}}))
    assert exported == {"enabled": True, "provider": {"github": {}}}
    assert declaration(OAUTH, read(unused)) == {"enabled": True}


@pytest.mark.parametrize("shown", [BARE, KEYED])
def test_providers_that_a_service_hides_are_neither_exported_nor_sent_and_stay_as_they_were_sent(shown: Given) -> None:
    assert declaration(OAUTH, read(shown)) == {"enabled": True}
    body = OAUTH.body({"enabled": False}, read({**shown, "github": ACME}), "oauth")
    assert body == {"enabled": False, "provider": {"github": ACME}}
    with pytest.raises(Contradiction, match=r"^oauth\.provider: required, because"):
        OAUTH.body({"enabled": False}, read(shown), "oauth")
    want = OAUTH.normal({"provider": {"github": {}}})
    final = OAUTH.reconcile(read(shown), OAUTH.predict(None, want))
    assert (final["provider"]["github"] is None, final["provider"]["google"]) == (False, None)
    assert OAUTH.same(final, want)
    assert not OAUTH.same(final, OAUTH.normal({"provider": {"github": ACME}}))


KEY = {"match_type": "exact_path", "match": "/"}
WEBHOOK = {"webhook_verification": {"provider": "slack", "secret": "canary"}}


def route(**wire: Any) -> Given:
    """The normal form of a route that the service shows so."""
    read: Given = ROUTE.read({"id": "edghtsrt_a", **KEY, **wire}, "")
    return read


def test_empty_values_are_omitted_unless_they_say_something() -> None:
    assert declaration(ROUTE, None) is None
    assert declaration(ROUTE, route(description="", compression=None)) == KEY
    # Without content, headers say that they have none.
    fields = {"description": "d", "request_headers": {"enabled": True, "add": {}, "remove": []}}
    fields["compression"] = {"enabled": False}
    assert declaration(ROUTE, route(**fields)) == {**KEY, **fields}
    breaker = {"enabled": False, "num_buckets": 0, "error_threshold_percentage": 0}
    shown = declaration(ROUTE, route(circuit_breaker=breaker)) or {}
    assert shown["circuit_breaker"].items() >= breaker.items()


def test_a_diff_has_its_object_for_a_header_and_new_secrets_on_one_side() -> None:
    before, after = route(description="a", **WEBHOOK), route(description="b", **WEBHOOK)
    changes = ("description", "webhook_verification.secret")
    shown = Plan(Target("a", ROUTE), before, after, after, changes=changes).diff
    assert (shown["before_header"], shown["after_header"]) == ("~ update https_edge_route a",) * 2
    expected = declaration(ROUTE, before) or {}
    assert (shown["before"], expected["webhook_verification"]["secret"]) == (expected, MASK)
    new_secret = {**expected["webhook_verification"], "secret": NEW_SECRET}
    assert shown["after"] == {**expected, "description": "b", "webhook_verification": new_secret}


@pytest.mark.parametrize("one", ["before", "after"])
def test_a_diff_of_what_is_not_there_has_nothing_on_that_side(one: str) -> None:
    sides = {"before": route(), "after": route(), one: None}
    shown = Plan(Target("a", ROUTE), sides["before"], None, sides["after"]).diff
    assert {side: shown[side] is None for side in sides} == {side: side == one for side in sides}


def test_a_placeholder_is_distinguished_from_an_id() -> None:
    made = identifiers.placeholder("edghts_")
    assert made.startswith("edghts_")
    assert identifiers.is_placeholder(made)
    for other in ("", "edghts_a", made + "_", made.removeprefix("edghts_"), made.replace("_", "-"), None, 5, [made]):
        assert not identifiers.is_placeholder(other), other
