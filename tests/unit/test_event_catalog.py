# SPDX-License-Identifier: GPL-3.0-or-later
"""The event catalog, compared with a second transcription of section 6 of the API reference."""

from __future__ import annotations

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._values import event_catalog
from ansible_collections.edgeops.ingress.plugins.module_utils._values.option_error import InvalidOptions
from ansible_collections.edgeops.ingress.plugins.plugin_utils._event_types.fields import fields_of
from ansible_collections.edgeops.ingress.plugins.plugin_utils._event_types.selection import (
    RESOURCES,
    matching_event_types,
    terms_of,
)

pytestmark = pytest.mark.every_core

TRAFFIC = ["http_request_complete.v0", "tcp_connection_closed.v0"]
CHANGED = """
api_key certificate_authority domain event_destination event_subscription ip_policy ip_policy_rule ip_restriction
ssh_certificate_authority ssh_host_certificate ssh_public_key ssh_user_certificate tcp_address tls_certificate
tunnel_credential
"""
NAMES = [
    *TRAFFIC,
    *("agent_session_start.v0", "agent_session_stop.v0"),
    *(f"{name}_{what}.v0" for name in CHANGED.split() for what in ("created", "updated", "deleted")),
]


def test_the_catalog_contains_each_documented_event_type_once() -> None:
    assert len(NAMES) == 49
    assert sorted(event_catalog.EVENT_TYPES) == sorted(NAMES)
    assert [one for name in NAMES for one in event_catalog.event_type_errors(name, "type")] == []


NUMBERS = {
    **dict.fromkeys(["", "*"], 49),
    "*_deleted.v0": 15,
    "ip_policy_*": 6,
    f"*start.v0 {NAMES[0]}": 2,
    "domain_* domain_created.v0": 3,
}


def test_patterns_families_and_resources_select_event_types() -> None:
    assert {patterns: len(matching_event_types(patterns.split())) for patterns in NUMBERS} == NUMBERS
    assert [event.name for event in matching_event_types([], "traffic")] == NAMES[:2]
    assert [event.name for event in matching_event_types([], "audit")] == NAMES[2:]
    assert sorted(event.name for one in RESOURCES for event in matching_event_types([], resource=one)) == sorted(NAMES)
    assert all(event.name.startswith(event.resource) for event in matching_event_types([]))
    assert [event.name for event in matching_event_types(["*_created.v0"], "audit", "domain")] == ["domain_created.v0"]


def errors_of(*patterns: str, **among: str) -> list[str]:
    with pytest.raises(InvalidOptions) as caught:
        matching_event_types(patterns, **among)
    return caught.value.option_errors


def test_all_unknown_names_are_reported_together() -> None:
    """An empty name is a variable that is not set."""
    found = errors_of("", "ip_policy_create.v0", "x*", resource="ip_polcy")
    assert found[0].startswith("_terms: the name of an event type is empty; check whether the variable")
    assert [error.split("; ")[0] for error in found[1:]] == [
        "_terms: unknown event type 'ip_policy_create.v0'",
        "_terms: 'x*' matches no event type",
        "resource: unknown resource 'ip_polcy'",
    ]


NO_MATCH = "matches no event type"
DOMAIN = {"family": "audit", "resource": "domain"}
# Patterns, what they are looked up among, and a part of the only error.
UNMATCHED: list[tuple[str, dict[str, str], str]] = [
    ("ip_polcy_*", {}, f"_terms: 'ip_polcy_*' {NO_MATCH}; did you mean `ip_policy_"),
    ("agent_session_sto?.v0", {}, "_terms: unknown event type 'agent_session_sto?.v0'"),
    ("IP_POLICY_*", {}, NO_MATCH),
    ("* x*", {}, f"_terms: 'x*' {NO_MATCH}; omit the term to get all event types"),
    ("domian", {}, "_terms: unknown event type 'domian'; omit the term to get all event types"),
    ("domain_*", {"resource": "domains"}, "resource: unknown resource 'domains'"),
    ("ip_policy_*", {"family": "traffic"}, f"_terms: 'ip_policy_*' {NO_MATCH} of family traffic"),
    ("domain_* api_key_created.v0", DOMAIN, f"'api_key_created.v0' {NO_MATCH} of family audit, resource d"),
    ("", {**DOMAIN, "family": "traffic"}, "resource: domain has no event types of the family traffic"),
]


@pytest.mark.parametrize(("patterns", "among", "option_error"), UNMATCHED, ids=str)
def test_a_pattern_without_matches_is_an_error(patterns: str, among: dict[str, str], option_error: str) -> None:
    [found] = errors_of(*patterns.split(), **among)
    assert option_error in found


def test_terms_are_strings_or_lists_of_them() -> None:
    assert terms_of([]) == []
    assert terms_of(["a", ["b", "c*"], ("d",)]) == ["a", "b", "c*", "d"]
    with pytest.raises(InvalidOptions) as caught:
        terms_of(["a", [], 5, None, ["b", {"c": "d"}, ["e"]], True])
    found = caught.value.option_errors
    places = ("1]", "2]", "3]", "4][1]", "4][2]", "5]")
    assert [error.split(" ")[0] for error in found] == [f"_terms[{where}:" for where in places]
    assert found[0].startswith("_terms[1]: the list is empty")
    assert found[1] == "_terms[2]: expected the name of an event type or a pattern, got a number"


FIELDS = """
agent_session 20, api_key 6, certificate_authority 11, domain 18, event_destination 18, event_subscription 9,
http_request 35, ip_policy 5, ssh_host_certificate 2, ssh_user_certificate 14, tcp_address 7, tcp_connection 10,
tls_certificate 22, tunnel_credential 7
"""
NUMBER_OF_FIELDS = {name: int(number) for name, number in (one.split() for one in FIELDS.split(","))}
LIST, MAP = "List<string>", "Map<string, string>"
NOT_STRINGS: dict[str, dict[str, str]] = {
    "certificate_authority": {"key_usages": LIST, "extended_key_usages": LIST},
    "ssh_user_certificate": {"principals": LIST, "critical_options": MAP, "extensions": MAP},
    "tls_certificate": {f"subject_alternative_names.{name}": LIST for name in ("dns_names", "ips")},
    "tunnel_credential": {"acl": LIST},
}
OF_CONNECTIONS = {"conn.start_ts": "timestamp", "conn.server_port": "int32"}
FILTERABLE = {"conn.client_ip", "conn.server_ip", "conn.server_name", "conn.server_port"}


@pytest.mark.parametrize("resource", RESOURCES)
def test_fields_of_events(resource: str) -> None:
    fields = fields_of(resource)
    assert (fields is not None) == (resource in NUMBER_OF_FIELDS)
    types = {field.name: field.type for field in fields or ()}
    assert len(types) == len(fields or ()) == NUMBER_OF_FIELDS.get(resource, 0)
    is_of_traffic = resource in ("http_request", "tcp_connection")
    assert {field.name for field in fields or () if field.filterable} == (FILTERABLE if is_of_traffic else set())
    others = {name: kind for name, kind in types.items() if kind != "string"}
    if is_of_traffic:
        assert {**others, **OF_CONNECTIONS, "traffic_policy.logs": "List<Map<string, any>>"} == others
        assert FILTERABLE & others.keys() == {"conn.server_port"}
    else:
        assert others == NOT_STRINGS.get(resource, {})


SIMILAR = {
    "http_request_complete": "http_request_complete.v0",
    "ip_policy_create.v0": "ip_policy_created.v0",
    "IP_policy_created.v0": "ip_policy_created.v0",
    "tls_certificate_removed.v0": "tls_certificate_created.v0",
    **dict.fromkeys(["", "zzz", " ", "created"], ""),
}


@pytest.mark.parametrize("name", SIMILAR)
def test_an_unknown_name_is_an_error_that_suggests_similar_ones(name: str) -> None:
    [error] = map(str, event_catalog.event_type_errors(name, "sources[1].type"))
    assert error.startswith("sources[1].type: ")
    assert error.count(".v0") <= (".v0" in name) + 3
    if SIMILAR[name]:
        assert all(part in error for part in (repr(name), SIMILAR[name], "allow_unknown_type"))
