# SPDX-License-Identifier: GPL-3.0-or-later
"""The event catalog: the event types of the service and their fields. API reference, section 6."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any

from .._errors import UNSET_VARIABLE
from .option_error import InvalidOptions, OptionError, OptionErrors
from .option_types import accepted_value
from .option_wording import did_you_mean, kind_of
from .unknown_options import unknown_option_error

_ANYTHING = "*"
"""The only special character in a pattern of event types."""

_ALSO_SPECIAL = re.compile(r"[?\[]")
"""Characters that are special only to fnmatch."""


@dataclass(frozen=True)
class EventField:
    """A field of an event. `type` is spelled as in the API reference; a `filterable` field can be used in a filter."""

    name: str
    type: str
    filterable: bool


@dataclass(frozen=True)
class EventType:
    """An event type. `fields` is None if the API reference does not list them."""

    name: str
    family: str
    resource: str
    fields: list[EventField] | None


def _fields(lines: str) -> list[EventField]:
    """Return the fields in lines of a type and the names of its fields; an asterisk marks filterable fields."""
    fields = []
    for line in filter(None, map(str.strip, lines.splitlines())):
        kind, _colon, names = line.partition(": ")
        fields += [EventField(name.rstrip("*"), kind, name.endswith("*")) for name in names.split()]
    return sorted(fields, key=lambda field: field.name)


_HTTP_REQUEST = _fields(
    """
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
    """
)
_TCP_CONNECTION = _fields(
    """
    string: conn.client_ip* conn.server_ip* conn.server_name* ip_policy.decision
    int32: conn.server_port*
    int64: conn.bytes_in conn.bytes_out
    timestamp: conn.start_ts conn.end_ts
    List<Map<string, any>>: traffic_policy.logs
    """
)
_AGENT_SESSION = _fields(
    """
    string: session.id session.uri credential.id credential.uri agent_ip ingress_server_ip region ingress_hostname
    string: user_agent metadata os arch transport started_at expires_at stopped_at error
    string: deprecated.upcoming_minimum_version deprecated.upcoming_enforcement_date deprecated.message
    """
)

_COMMON = "string: id uri created_at description metadata"
_JOB = "certificate_management_status.provisioning_job"
_TARGETS = {"firehose": "delivery_stream_arn", "kinesis": "stream_arn", "cloudwatch_logs": "log_group_arn"}
_CREDENTIALS = ("auth.role.role_arn", "auth.creds.aws_access_key_id", "auth.creds.aws_secret_access_key")

# The fields of the audit events of each resource, or None if the API reference does not list them.
_AUDITED = {
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
    "ip_policy_rule": None,
    "ip_restriction": None,
    "ssh_certificate_authority": None,
    "ssh_host_certificate": "string: valid_until certificate",
    "ssh_public_key": None,
    "ssh_user_certificate": f"{_COMMON} public_key key_type ssh_certificate_authority_id valid_after valid_until "
    "certificate\nList<string>: principals\nMap<string, string>: critical_options extensions",
    "tcp_address": f"{_COMMON} addr region",
    "tls_certificate": f"{_COMMON} certificate_pem subject_common_name issued_at not_before not_after private_key_type "
    "issuer_common_name serial_number subject_organization subject_organizational_unit subject_locality "
    "subject_province subject_country key_usages extended_key_usages\n"
    "List<string>: subject_alternative_names.dns_names subject_alternative_names.ips",
    "tunnel_credential": f"{_COMMON} token\nList<string>: acl",
}

EVENT_CATALOG = (
    EventType("http_request_complete.v0", "traffic", "http_request", _HTTP_REQUEST),
    EventType("tcp_connection_closed.v0", "traffic", "tcp_connection", _TCP_CONNECTION),
    EventType("agent_session_start.v0", "audit", "agent_session", _AGENT_SESSION),
    EventType("agent_session_stop.v0", "audit", "agent_session", _AGENT_SESSION),
    *(
        EventType(f"{resource}_{happening}.v0", "audit", resource, None if lines is None else _fields(lines))
        for resource, lines in _AUDITED.items()
        for happening in ("created", "updated", "deleted")
    ),
)

EVENT_TYPES = tuple(event.name for event in EVENT_CATALOG)


RESOURCES = tuple(dict.fromkeys(event.resource for event in EVENT_CATALOG))


def event_type_errors(name: str, path: str) -> OptionErrors:
    """Return the option errors of the name of an event type, which suggest similar names."""
    if not name:
        yield OptionError(path, f"is empty; {UNSET_VARIABLE}")
    elif name not in EVENT_TYPES:
        error = _unknown(name, "event type", EVENT_TYPES)
        link = " To" if error.endswith("?") else "; to"
        yield OptionError(path, f"{error}{link} use it anyway, set `allow_unknown_type: true`")


def terms_of(given: Sequence[Any]) -> list[str]:
    """Return the names and patterns among the terms of a lookup, with lists replaced by their members.

    Raises InvalidOptions for an empty list, which differs from having no terms, and for terms that are not strings.
    """
    terms: list[str] = []
    option_errors: list[OptionError] = []
    for number, term in enumerate(given):
        where = f"_terms[{number}]"
        if isinstance(term, (list, tuple)):
            if not term:
                advice = "add names or patterns, or omit the term to get all event types"
                option_errors.append(OptionError(where, f"the list is empty; {advice}"))
            for inner, member in enumerate(term):
                _add_term(member, f"{where}[{inner}]", terms, option_errors)
        else:
            _add_term(term, where, terms, option_errors)
    if option_errors:
        raise InvalidOptions(option_errors)
    return terms


def _add_term(term: Any, where: str, terms: list[str], option_errors: list[OptionError]) -> None:
    if isinstance(term, str):
        terms.append(term)
    else:
        option_errors.append(
            OptionError(where, f"expected the name of an event type or a pattern, got {kind_of(term)}")
        )


def lookup_option_errors(
    given: Mapping[str, Any], known: Sequence[str], booleans: Sequence[str] = ()
) -> list[OptionError]:
    """Return the option errors of a lookup: unknown options, and values that are not booleans."""
    spec: dict[str, dict[str, Any]] = {option: {} for option in known}
    option_errors = [unknown_option_error(name, spec) for name in given if name not in known]
    for name in booleans:
        if given.get(name) is not None:
            accepted_value({"type": "bool"}, given[name], name, option_errors)
    return option_errors


def matching_event_types(
    patterns: Sequence[str], family: str | None = None, resource: str | None = None
) -> list[EventType]:
    """Return the event types of the family and the resource that match one of the patterns, or all without patterns.

    Raises InvalidOptions for a name or a pattern that no event type matches. Otherwise, a task that declares the result
    and purges would delete everything because of a typing error.
    """
    option_errors = [
        OptionError("_terms", _unmatched(pattern)) for pattern in patterns if not _matching(EVENT_CATALOG, [pattern])
    ]
    if resource is not None and resource not in RESOURCES:
        error = _with_advice(_unknown(resource, "resource", RESOURCES), f"the resources are {', '.join(RESOURCES)}")
        option_errors.append(OptionError("resource", error))
    if option_errors:
        raise InvalidOptions(option_errors)
    among = [event for event in EVENT_CATALOG if family in (None, event.family) and resource in (None, event.resource)]
    if not among:
        problem = f"{resource} has no event types of the family {family}; omit one of the two options"
        raise InvalidOptions([OptionError("resource", problem)])
    selected = ", ".join(f"{name} {value}" for name, value in (("family", family), ("resource", resource)) if value)
    option_errors = [
        OptionError("_terms", f"{pattern!r} matches no event type of {selected}")
        for pattern in patterns
        if not _matching(among, [pattern])
    ]
    if option_errors:
        raise InvalidOptions(option_errors)
    return _matching(among, patterns) if patterns else among


def _matching(events: Iterable[EventType], patterns: Sequence[str]) -> list[EventType]:
    literal = [_ALSO_SPECIAL.sub(r"[\g<0>]", pattern) for pattern in patterns]
    return [event for event in events if any(fnmatchcase(event.name, pattern) for pattern in literal)]


def _unmatched(pattern: str) -> str:
    if not pattern:
        return f"the name of an event type is empty; {UNSET_VARIABLE}"
    if _ANYTHING in pattern:
        bare = pattern.replace(_ANYTHING, "")
        error = f"{pattern!r} matches no event type{_suggestion(bare, EVENT_TYPES)}"
    else:
        error = _unknown(pattern, "event type", EVENT_TYPES)
    return _with_advice(error, "omit the term to get all event types")


def _with_advice(error: str, advice: str) -> str:
    """Return the error with what to do about it, unless it suggests similar names."""
    return error if error.endswith("?") else f"{error}; {advice}"


def _unknown(name: str, noun: str, known: Sequence[str]) -> str:
    return f"unknown {noun} {name!r}{_suggestion(name, known)}"


def _suggestion(name: str, known: Sequence[str]) -> str:
    return did_you_mean(get_close_matches(name, known, n=3, cutoff=0.5))
