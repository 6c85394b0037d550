# SPDX-License-Identifier: GPL-3.0-or-later
"""The event catalog, compared with a second transcription of section 6 of the API reference."""

from __future__ import annotations

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._model.event_catalog import (
    EVENT_TYPES,
    event_type_errors,
)
from ansible_collections.edgeops.ingress.plugins.module_utils._model.option_error import InvalidOptions
from ansible_collections.edgeops.ingress.plugins.plugin_utils._event_types.fields import fields_of
from ansible_collections.edgeops.ingress.plugins.plugin_utils._event_types.selection import (
    RESOURCES,
    lookup_option_errors,
    matching_event_types,
    terms_of,
)

pytestmark = pytest.mark.every_python

NAMES = [
    "http_request_complete.v0",
    "tcp_connection_closed.v0",
    "agent_session_start.v0",
    "agent_session_stop.v0",
    "api_key_created.v0",
    "api_key_updated.v0",
    "api_key_deleted.v0",
    "certificate_authority_created.v0",
    "certificate_authority_updated.v0",
    "certificate_authority_deleted.v0",
    "domain_created.v0",
    "domain_updated.v0",
    "domain_deleted.v0",
    "event_destination_created.v0",
    "event_destination_updated.v0",
    "event_destination_deleted.v0",
    "event_subscription_created.v0",
    "event_subscription_updated.v0",
    "event_subscription_deleted.v0",
    "ip_policy_created.v0",
    "ip_policy_updated.v0",
    "ip_policy_deleted.v0",
    "ip_policy_rule_created.v0",
    "ip_policy_rule_updated.v0",
    "ip_policy_rule_deleted.v0",
    "ip_restriction_created.v0",
    "ip_restriction_updated.v0",
    "ip_restriction_deleted.v0",
    "ssh_certificate_authority_created.v0",
    "ssh_certificate_authority_updated.v0",
    "ssh_certificate_authority_deleted.v0",
    "ssh_host_certificate_created.v0",
    "ssh_host_certificate_updated.v0",
    "ssh_host_certificate_deleted.v0",
    "ssh_public_key_created.v0",
    "ssh_public_key_updated.v0",
    "ssh_public_key_deleted.v0",
    "ssh_user_certificate_created.v0",
    "ssh_user_certificate_updated.v0",
    "ssh_user_certificate_deleted.v0",
    "tcp_address_created.v0",
    "tcp_address_updated.v0",
    "tcp_address_deleted.v0",
    "tls_certificate_created.v0",
    "tls_certificate_updated.v0",
    "tls_certificate_deleted.v0",
    "tunnel_credential_created.v0",
    "tunnel_credential_updated.v0",
    "tunnel_credential_deleted.v0",
]


def test_the_catalog_contains_each_documented_event_type_once() -> None:
    assert len(NAMES) == 49
    assert sorted(EVENT_TYPES) == sorted(NAMES)
    assert len(set(EVENT_TYPES)) == len(EVENT_TYPES)


def test_the_two_families() -> None:
    assert [event.name for event in matching_event_types([], "traffic")] == NAMES[:2]
    assert [event.name for event in matching_event_types([], "audit")] == NAMES[2:]


def test_every_event_is_of_one_resource() -> None:
    assert sorted(event.name for one in RESOURCES for event in matching_event_types([], resource=one)) == sorted(NAMES)
    assert all(event.name.startswith(event.resource) for event in matching_event_types([]))


@pytest.mark.parametrize(
    ("patterns", "number"),
    [
        ([], 49),
        (["*"], 49),
        (["*_deleted.v0"], 15),
        (["ip_policy_*"], 6),
        (["*start.v0", NAMES[0]], 2),
    ],
)
def test_patterns_match_this_number_of_event_types(patterns: list[str], number: int) -> None:
    assert len(matching_event_types(patterns)) == number


def test_all_unknown_names_are_reported_together() -> None:
    with pytest.raises(InvalidOptions) as caught:
        matching_event_types(["ip_policy_create.v0", "x*"], resource="ip_polcy")
    assert [error.split("; ")[0] for error in caught.value.option_errors] == [
        "_terms: unknown event type 'ip_policy_create.v0'",
        "_terms: 'x*' matches no event type",
        "resource: unknown resource 'ip_polcy'",
    ]
    assert "ip_policy" in caught.value.option_errors[2]


UNMATCHED: list[tuple[list[str], dict[str, str], str]] = [
    (["ip_polcy_*"], {}, "_terms: 'ip_polcy_*' matches no event type; did you mean `ip_policy_"),
    (["*_delted.v0"], {}, "_deleted.v0"),
    (["domain_[cu]*"], {}, "_terms: 'domain_[cu]*' matches no event type"),
    (["agent_session_sto?.v0"], {}, "_terms: unknown event type 'agent_session_sto?.v0'"),
    (["[!x]*"], {}, "_terms: '[!x]*' matches no event type"),
    (["IP_POLICY_*"], {}, "matches no event type"),
    ([""], {}, "_terms: the name of an event type is empty; check whether the variable"),
    (["*", "x*"], {}, "_terms: 'x*' matches no event type; omit the term to get all event types"),
    (["domian"], {}, "_terms: unknown event type 'domian'; omit the term to get all event types"),
    ([], {"resource": "zzz"}, "resource: unknown resource 'zzz'; the resources are "),
    (["ip_policy_*"], {"family": "traffic"}, "_terms: 'ip_policy_*' matches no event type of family traffic"),
    (
        ["domain_*", "ip_policy_created.v0"],
        {"family": "audit", "resource": "domain"},
        "_terms: 'ip_policy_created.v0' matches no event type of family audit, resource domain",
    ),
    ([], {"family": "traffic", "resource": "domain"}, "resource: domain has no event types of the family traffic"),
]


@pytest.mark.parametrize(("patterns", "among", "option_error"), UNMATCHED, ids=str)
def test_a_pattern_without_matches_is_an_error(patterns: list[str], among: dict[str, str], option_error: str) -> None:
    with pytest.raises(InvalidOptions) as caught:
        matching_event_types(patterns, **among)
    assert len(caught.value.option_errors) == 1
    assert option_error in caught.value.option_errors[0]


def test_a_list_is_replaced_by_its_members() -> None:
    assert terms_of([]) == []
    assert terms_of(["a", ["b", "c*"], ("d",)]) == ["a", "b", "c*", "d"]


def test_terms_that_are_not_strings_are_errors() -> None:
    with pytest.raises(InvalidOptions) as caught:
        terms_of(["a", [], 5, None, ["b", {"c": "d"}, ["e"]], True])
    assert [error.split(" ")[0] for error in caught.value.option_errors] == [
        f"_terms[{where}:" for where in ("1]", "2]", "3]", "4][1]", "4][2]", "5]")
    ]
    assert caught.value.option_errors[0].startswith("_terms[1]: the list is empty")
    assert caught.value.option_errors[1] == "_terms[2]: expected the name of an event type or a pattern, got a number"


def test_an_unknown_option_suggests_a_similar_one() -> None:
    assert lookup_option_errors({"family": "audit"}, ["family", "resource"]) == []
    assert list(map(str, lookup_option_errors({"familly": 1, "zzz": 2}, ["family", "resource"]))) == [
        "familly: unknown option; did you mean `family`?",
        "zzz: unknown option; the options are family, resource",
    ]


# For each resource: the number of its fields, and the fields that are not strings.
FIELDS: dict[str, tuple[int, dict[str, str]]] = {
    "agent_session": (20, {}),
    "api_key": (6, {}),
    "certificate_authority": (11, {"key_usages": "List<string>", "extended_key_usages": "List<string>"}),
    "domain": (18, {}),
    "event_destination": (18, {}),
    "event_subscription": (9, {}),
    "ip_policy": (5, {}),
    "ssh_host_certificate": (2, {}),
    "ssh_user_certificate": (
        14,
        {
            "principals": "List<string>",
            "critical_options": "Map<string, string>",
            "extensions": "Map<string, string>",
        },
    ),
    "tcp_address": (7, {}),
    "tls_certificate": (
        22,
        {"subject_alternative_names.dns_names": "List<string>", "subject_alternative_names.ips": "List<string>"},
    ),
    "tunnel_credential": (7, {"acl": "List<string>"}),
}


@pytest.mark.parametrize("resource", [one for one in RESOURCES if one not in ("http_request", "tcp_connection")])
def test_fields_of_audit_events(resource: str) -> None:
    fields = fields_of(resource)
    if resource not in FIELDS:
        assert fields is None
        return
    assert fields is not None
    number, others = FIELDS[resource]
    assert len({field.name for field in fields}) == len(fields) == number
    assert {field.name: field.type for field in fields if field.type != "string"} == others
    assert not any(field.filterable for field in fields)


@pytest.mark.parametrize(("name", "number"), [("http_request_complete.v0", 35), ("tcp_connection_closed.v0", 10)])
def test_fields_of_traffic_events(name: str, number: int) -> None:
    [event] = matching_event_types([name])
    fields = fields_of(event.resource)
    assert fields is not None
    assert len({field.name for field in fields}) == len(fields) == number
    filterable = {field.name: field.type for field in fields if field.filterable}
    assert filterable == {
        "conn.client_ip": "string",
        "conn.server_ip": "string",
        "conn.server_name": "string",
        "conn.server_port": "int32",
    }
    types = {field.name: field.type for field in fields}
    assert types["traffic_policy.logs"] == "List<Map<string, any>>"
    assert types["conn.start_ts"] == "timestamp"


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_valid(name: str) -> None:
    assert list(event_type_errors(name, "type")) == []


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("http_request_complete", "http_request_complete.v0"),
        ("http_request_completed.v0", "http_request_complete.v0"),
        ("ip_policy_create.v0", "ip_policy_created.v0"),
        ("IP_policy_created.v0", "ip_policy_created.v0"),
        ("agent_session_started.v0", "agent_session_start.v0"),
        ("tls_certificate_removed.v0", "tls_certificate_created.v0"),
        ("domain_created.v1", "domain_created.v0"),
    ],
)
def test_an_unknown_name_suggests_similar_ones(name: str, near: str) -> None:
    [error] = map(str, event_type_errors(name, "sources[1].type"))
    assert error.startswith("sources[1].type: ")
    assert repr(name) in error
    assert near in error
    assert "allow_unknown_type" in error


@pytest.mark.parametrize("name", ["", "zzz", " ", "created"])
def test_an_unknown_name_without_similar_ones_is_an_error(name: str) -> None:
    assert len(list(event_type_errors(name, "type"))) == 1


def test_at_most_three_names_are_suggested() -> None:
    [error] = map(str, event_type_errors("ip_policy_create.v0", "type"))
    assert error.count(".v0") == 1 + 3
    [error] = map(str, event_type_errors("zzz", "type"))
    assert error == "type: unknown event type 'zzz'; to use it anyway, set `allow_unknown_type: true`"


def test_patterns_family_and_resource_are_combined() -> None:
    assert [event.name for event in matching_event_types(["*_created.v0"], "audit", "domain")] == ["domain_created.v0"]
    assert len(matching_event_types(["domain_*", "domain_created.v0"])) == 3


def test_an_unknown_resource_is_the_only_error() -> None:
    with pytest.raises(InvalidOptions) as caught:
        matching_event_types(["domain_*"], resource="domains")
    assert [error.split("; ")[0] for error in caught.value.option_errors] == ["resource: unknown resource 'domains'"]
