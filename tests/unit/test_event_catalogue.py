# SPDX-License-Identifier: GPL-3.0-or-later
"""The catalogue of events against a second reading of section 6 of the description."""

from __future__ import annotations

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils.event_catalogue import (
    AUDIT_EVENTS,
    EVENT_TYPES,
    TRAFFIC_EVENTS,
    event_type_faults,
)

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
    assert sorted(TRAFFIC_EVENTS) == sorted(CATALOGUE[:2])
    assert sorted(AUDIT_EVENTS) == sorted(CATALOGUE[2:])


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_name_passes(name: str) -> None:
    assert list(event_type_faults(name, "type")) == []


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
    [fault] = event_type_faults(name, "sources[1].type")
    assert fault.startswith("sources[1].type: ")
    assert repr(name) in fault
    assert near in fault
    assert "allow_unknown_type" in fault


@pytest.mark.parametrize("name", ["", "zzz", " ", "created"])
def test_what_is_near_to_nothing_is_a_fault_all_the_same(name: str) -> None:
    assert len(list(event_type_faults(name, "type"))) == 1
