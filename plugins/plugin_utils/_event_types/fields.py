# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of events: API reference, section 6."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class EventField:
    """A field of an event. `type` is spelled as in the API reference; a `filterable` field can be used in a filter."""

    name: str
    type: str
    filterable: bool


def _listed(lines: str) -> list[EventField]:
    """Return the fields in lines of a type and the names of its fields; an asterisk marks filterable fields."""
    fields = []
    for line in filter(None, map(str.strip, lines.splitlines())):
        kind, _colon, names = line.partition(": ")
        fields += [EventField(name.rstrip("*"), kind, name.endswith("*")) for name in names.split()]
    return sorted(fields, key=lambda field: field.name)


_COMMON = "string: id uri created_at description metadata"
_JOB = "certificate_management_status.provisioning_job"
_TARGETS = {"firehose": "delivery_stream_arn", "kinesis": "stream_arn", "cloudwatch_logs": "log_group_arn"}
_CREDENTIALS = ("auth.role.role_arn", "auth.creds.aws_access_key_id", "auth.creds.aws_secret_access_key")

_LINES = {
    "http_request": """
    bool: backend.connection_reused
    string: basic_auth.decision basic_auth.username circuit_breaker.decision compression.algorithm
    string: conn.client_ip* conn.server_ip* conn.server_name*
    string: http.request.method http.request.url.host http.request.url.path http.request.url.query
    string: http.request.url.raw http.request.url.scheme http.request.user_agent
    string: ip_policy.decision oauth.app_client_id oauth.decision oauth.user.id oauth.user.name
    string: tls.cipher_suite tls.version tls.client_cert.serial_number tls.client_cert.subject.cn
    string: user_agent_filter.decision webhook_verification.decision
    int32: conn.server_port* http.response.status_code
    int64: compression.bytes_saved http.request.body_length http.response.body_length
    timestamp: conn.start_ts
    Map<string, List<string>>: http.request.headers http.response.headers
    List<Map<string, any>>: traffic_policy.logs
    """,
    "tcp_connection": """
    string: conn.client_ip* conn.server_ip* conn.server_name* ip_policy.decision
    int32: conn.server_port*
    int64: conn.bytes_in conn.bytes_out
    timestamp: conn.start_ts conn.end_ts
    List<Map<string, any>>: traffic_policy.logs
    """,
    "agent_session": """
    string: session.id session.uri credential.id credential.uri agent_ip ingress_server_ip region ingress_hostname
    string: user_agent metadata os arch transport started_at expires_at stopped_at error
    string: deprecated.upcoming_minimum_version deprecated.upcoming_enforcement_date deprecated.message
    """,
    # The resources of audit events.
    "api_key": f"{_COMMON} token",
    "certificate_authority": f"{_COMMON} ca_pem subject_common_name not_before not_after\n"
    "List<string>: key_usages extended_key_usages",
    "domain": f"{_COMMON} domain region cname_target acme_challenge_cname_target certificate.id certificate.uri "
    "certificate_management_policy.authority certificate_management_policy.private_key_type "
    f"certificate_management_status.renews_at {_JOB}.error_code {_JOB}.msg {_JOB}.started_at {_JOB}.retries_at",
    "event_destination": f"{_COMMON} format "
    + " ".join(f"target.{kind}.{name}" for kind, arn in _TARGETS.items() for name in (*_CREDENTIALS, arn)),
    "event_subscription": f"{_COMMON} sources.type sources.uri destinations.id destinations.uri",
    "ip_policy": _COMMON,
    "ssh_host_certificate": "string: valid_until certificate",
    "ssh_user_certificate": f"{_COMMON} public_key key_type ssh_certificate_authority_id valid_after valid_until "
    "certificate\nList<string>: principals\nMap<string, string>: critical_options extensions",
    "tcp_address": f"{_COMMON} addr region",
    "tls_certificate": f"{_COMMON} certificate_pem subject_common_name issued_at not_before not_after private_key_type "
    "issuer_common_name serial_number subject_organization subject_organizational_unit subject_locality "
    "subject_province subject_country key_usages extended_key_usages\n"
    "List<string>: subject_alternative_names.dns_names subject_alternative_names.ips",
    "tunnel_credential": f"{_COMMON} token\nList<string>: acl",
}

_FIELDS = {resource: _listed(lines) for resource, lines in _LINES.items()}


def fields_of(resource: str) -> list[EventField] | None:
    """Return the fields of the events of a resource; None if the API reference does not list them."""
    return _FIELDS.get(resource)
