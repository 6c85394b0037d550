# SPDX-License-Identifier: GPL-3.0-or-later
"""The catalogue of events against a second reading of section 6 of the description."""

from __future__ import annotations

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._errors import InvalidInput
from ansible_collections.edgeops.ingress.plugins.module_utils._model.event_catalog import (
    EVENT_TYPES,
    RESOURCES,
    event_type_errors,
    lookup_option_errors,
    matching_events,
    terms_of,
)

pytestmark = pytest.mark.every_python

CATALOGUE = [
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


def test_the_catalogue() -> None:
    assert len(CATALOGUE) == 49
    assert sorted(EVENT_TYPES) == sorted(CATALOGUE)
    assert len(set(EVENT_TYPES)) == len(EVENT_TYPES)


def test_the_two_families() -> None:
    assert [event.name for event in matching_events([], "traffic")] == CATALOGUE[:2]
    assert [event.name for event in matching_events([], "audit")] == CATALOGUE[2:]


def test_every_event_is_of_one_resource() -> None:
    assert sorted(event.name for one in RESOURCES for event in matching_events([], resource=one)) == sorted(CATALOGUE)
    assert all(event.name.startswith(event.resource) for event in matching_events([]))


@pytest.mark.parametrize(
    ("patterns", "number"),
    [
        ([], 49),
        (["*"], 49),
        (["*_deleted.v0"], 15),
        (["ip_policy_*"], 6),
        (["*start.v0", CATALOGUE[0]], 2),
    ],
)
def test_patterns(patterns: list[str], number: int) -> None:
    assert len(matching_events(patterns)) == number


def test_names_that_nothing_has_are_told_together() -> None:
    with pytest.raises(InvalidInput) as caught:
        matching_events(["ip_policy_create.v0", "x*"], resource="ip_polcy")
    assert [fault.split("; ")[0] for fault in caught.value.option_errors] == [
        "_terms: 'ip_policy_create.v0' is no event of the catalogue",
        "_terms: 'x*' matches no event of the catalogue",
        "resource: 'ip_polcy' is no resource of the catalogue",
    ]
    assert "ip_policy" in caught.value.option_errors[2]


UNMATCHED: list[tuple[list[str], dict[str, str], str]] = [
    (["ip_polcy_*"], {}, "_terms: 'ip_polcy_*' matches no event of the catalogue; near to it are ip_policy_"),
    (["*_delted.v0"], {}, "_deleted.v0"),
    (["domain_[cu]*"], {}, "_terms: 'domain_[cu]*' matches no event of the catalogue"),
    (["agent_session_sto?.v0"], {}, "_terms: 'agent_session_sto?.v0' is no event of the catalogue"),
    (["[!x]*"], {}, "_terms: '[!x]*' matches no event of the catalogue"),
    (["IP_POLICY_*"], {}, "matches no event of the catalogue"),
    ([""], {}, "_terms: '' is no event of the catalogue"),
    (["*", "x*"], {}, "_terms: 'x*' matches no event of the catalogue"),
    (["ip_policy_*"], {"family": "traffic"}, "_terms: 'ip_policy_*' matches no event of family traffic"),
    (
        ["domain_*", "ip_policy_created.v0"],
        {"family": "audit", "resource": "domain"},
        "_terms: 'ip_policy_created.v0' matches no event of family audit, resource domain",
    ),
    ([], {"family": "traffic", "resource": "domain"}, "resource: domain has no events of the family traffic"),
]


@pytest.mark.parametrize(("patterns", "among", "fault"), UNMATCHED, ids=str)
def test_what_matches_nothing_is_not_an_empty_list(patterns: list[str], among: dict[str, str], fault: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        matching_events(patterns, **among)
    assert len(caught.value.option_errors) == 1
    assert fault in caught.value.option_errors[0]


def test_a_list_stands_for_its_members() -> None:
    assert terms_of([]) == []
    assert terms_of(["a", ["b", "c*"], ("d",)]) == ["a", "b", "c*", "d"]


def test_what_is_no_name_is_no_term() -> None:
    with pytest.raises(InvalidInput) as caught:
        terms_of(["a", [], 5, None, ["b", {"c": "d"}, ["e"]], True])
    assert [fault.split(" ")[0] for fault in caught.value.option_errors] == [
        f"_terms[{where}:" for where in ("1]", "2]", "3]", "4][1]", "4][2]", "5]")
    ]
    assert caught.value.option_errors[0].startswith("_terms[1]: the list is empty")
    assert caught.value.option_errors[1] == "_terms[2]: expected the name of an event or a pattern, got a number"


def test_an_unknown_option_names_what_may_have_been_meant() -> None:
    assert lookup_option_errors({"family": "audit"}, ["family", "resource"]) == []
    assert lookup_option_errors({"familly": 1, "zzz": 2}, ["family", "resource"]) == [
        "familly: the lookup has no such option; near to it are family",
        "zzz: the lookup has no such option",
    ]


# Per resource: how many fields, and those that are not texts.
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
    for event in matching_events([], resource=resource):
        if resource not in FIELDS:
            assert event.fields is None
            continue
        assert event.fields is not None
        number, others = FIELDS[resource]
        assert len({field.name for field in event.fields}) == len(event.fields) == number
        assert {field.name: field.type for field in event.fields if field.type != "string"} == others
        assert not any(field.filterable for field in event.fields)


@pytest.mark.parametrize(("name", "number"), [("http_request_complete.v0", 35), ("tcp_connection_closed.v0", 10)])
def test_fields_of_traffic_events(name: str, number: int) -> None:
    [event] = matching_events([name])
    assert event.fields is not None
    assert len({field.name for field in event.fields}) == len(event.fields) == number
    filterable = {field.name: field.type for field in event.fields if field.filterable}
    assert filterable == {
        "conn.client_ip": "string",
        "conn.server_ip": "string",
        "conn.server_name": "string",
        "conn.server_port": "int32",
    }
    types = {field.name: field.type for field in event.fields}
    assert types["traffic_policy.logs"] == "List<Map<string, any>>"
    assert types["conn.start_ts"] == "timestamp"


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_name_passes(name: str) -> None:
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
def test_a_near_miss_names_what_may_have_been_meant(name: str, near: str) -> None:
    [fault] = event_type_errors(name, "sources[1].type")
    assert fault.startswith("sources[1].type: ")
    assert repr(name) in fault
    assert near in fault
    assert "allow_unknown_type" in fault


@pytest.mark.parametrize("name", ["", "zzz", " ", "created"])
def test_what_is_near_to_nothing_is_a_fault_all_the_same(name: str) -> None:
    assert len(list(event_type_errors(name, "type"))) == 1


def test_no_more_than_three_near_names_are_told() -> None:
    [fault] = event_type_errors("ip_policy_create.v0", "type")
    assert fault.count(".v0") == 1 + 3
    [fault] = event_type_errors("zzz", "type")
    assert fault == "type: 'zzz' is no event of the catalogue (allow_unknown_type lets any name pass)"


def test_what_is_asked_for_has_to_hold_together() -> None:
    assert [event.name for event in matching_events(["*_created.v0"], "audit", "domain")] == ["domain_created.v0"]
    assert len(matching_events(["domain_*", "domain_created.v0"])) == 3


def test_a_resource_that_nothing_has_is_told_alone() -> None:
    with pytest.raises(InvalidInput) as caught:
        matching_events(["domain_*"], resource="domains")
    assert [fault.split("; ")[0] for fault in caught.value.option_errors] == [
        "resource: 'domains' is no resource of the catalogue"
    ]
