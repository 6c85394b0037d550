# SPDX-License-Identifier: GPL-3.0-or-later
"""An object of each collection that the API reference only refers to, and a change of it that the service accepts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

OTHER = "{other}"
"""Stands for the ID of an object in the collection that a sample `needs`."""

NAMED = {"description": "The one"}
AUDIT = {"type": "domain_created.v0"}


@dataclass(frozen=True)
class Sample:
    """The fields of a new object, and those of an update. Its own fields `find` it.

    Options of the module `object` say what is `constant`, what is `hidden` in responses, and which lists are `sets`.
    """

    new: dict[str, Any] = field(default_factory=dict)
    changed: dict[str, Any] = field(default_factory=lambda: {"metadata": "two"})
    find: dict[str, Any] = field(default_factory=lambda: NAMED)
    needs: str = ""
    constant: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()

    @property
    def whole(self) -> dict[str, Any]:
        return {**self.find, **self.new}


_OWNED = Sample({"owner_id": "usr_one"}, constant=("owner_id",))
_OF_SSH = {"ssh_certificate_authority_id": OTHER, "public_key": "ssh-ed25519 AAAA", "principals": ["web"]}

SAMPLES = {
    "agent_ingresses": Sample(
        {"certificate_management_policy": {"authority": "letsencrypt", "private_key_type": "rsa"}},
        find={"domain": "agents.example.com"},
        constant=("domain",),
    ),
    "api_keys": _OWNED,
    "backends/failover": Sample({"backends": [OTHER]}, {"backends": []}, needs="backends/http_response"),
    "backends/http_response": Sample(
        {"body": "closed", "status_code": 503}, {"body": "open", "headers": {"Retry-After": "60"}}
    ),
    "backends/static": Sample(
        {"address": "shop.internal:443", "tls": {"enabled": True}}, {"address": "blog.internal:443"}
    ),
    "backends/tunnel_group": Sample({"labels": {"service": "shop"}}, {"labels": {"service": "blog"}}),
    "backends/weighted": Sample({"backends": {OTHER: 1}}, {"backends": {OTHER: 10_000}}, needs="backends/static"),
    "bot_users": Sample({"active": True}, {"active": False}, find={"name": "Robot"}),
    "certificate_authorities": Sample({"ca_pem": "-----BEGIN CERTIFICATE-----\n"}, constant=("ca_pem",)),
    "credentials": Sample({"acl": ["bind:a.example.com"], "owner_id": "usr_one"}, {"acl": []}, constant=("owner_id",)),
    "edges/tcp": Sample(
        {"hostports": ["1.tcp.example.io:20001"], "backend": {"backend_id": OTHER}},
        {"hostports": ["1.tcp.example.io:20002"], "traffic_policy": {"value": "on_tcp_connect: []"}},
        needs="backends/static",
        sets=("hostports",),
    ),
    "edges/tls": Sample(
        {"hostports": ["till.example.com:443"], "mutual_tls": {"certificate_authority_ids": [OTHER]}},
        {"hostports": ["till.example.com:8443"], "tls_termination": {"terminate_at": "edge"}},
        needs="certificate_authorities",
        sets=("hostports", "mutual_tls.certificate_authority_ids"),
    ),
    "endpoints": Sample(
        {"url": "https://shop.example.com", "type": "cloud", "traffic_policy": "on_http_request: []"},
        {"traffic_policy": "on_http_response: []", "bindings": ["public"], "pooling_enabled": True},
        constant=("type",),
    ),
    "event_destinations": Sample(
        {"format": "json", "target": {"firehose": {"delivery_stream_arn": "arn:one"}}},
        {"format": "JSON", "target": {"kinesis": {"stream_arn": "arn:two"}}},
    ),
    "event_subscriptions": Sample(
        {"sources": [AUDIT], "destination_ids": [OTHER]},
        {"sources": [{"type": "domain_deleted.v0"}]},
        needs="event_destinations",
        sets=("sources", "destination_ids"),
    ),
    "ip_policies": Sample(),
    "ip_policy_rules": Sample(
        {"action": "deny"},
        {"cidr": "198.51.100.0/24", "description": "Home", "metadata": "two"},
        find={"ip_policy_id": OTHER, "cidr": "192.0.2.0/24"},
        needs="ip_policies",
        constant=("action", "ip_policy_id"),
    ),
    "ip_restrictions": Sample(
        {"type": "dashboard", "ip_policy_ids": [OTHER], "enforced": True},
        {"enforced": False},
        needs="ip_policies",
        constant=("type",),
        sets=("ip_policy_ids",),
    ),
    "reserved_addrs": Sample({"region": "eu"}, constant=("region",)),
    "reserved_domains": Sample(
        {"region": "eu", "resolves_to": [{"value": "eu"}]},
        {"certificate_id": OTHER, "metadata": "two"},
        find={"domain": "shop.example.com"},
        needs="tls_certificates",
        constant=("domain", "region"),
    ),
    "service_users": Sample({"active": True}, {"active": False}, find={"name": "Robot"}),
    "ssh_certificate_authorities": Sample(
        {"private_key_type": "rsa", "key_size": 4096},
        constant=("private_key_type", "key_size"),
        hidden=("private_key_type", "key_size"),
    ),
    "ssh_credentials": Sample(
        {"public_key": "ssh-ed25519 AAAA", "acl": ["bind:a.example.com"]}, {"acl": []}, constant=("public_key",)
    ),
    "ssh_host_certificates": Sample(_OF_SSH, needs="ssh_certificate_authorities", constant=tuple(_OF_SSH)),
    "ssh_user_certificates": Sample(
        {**_OF_SSH, "extensions": {"permit-pty": ""}},
        needs="ssh_certificate_authorities",
        constant=(*_OF_SSH, "extensions"),
    ),
    "tls_certificates": Sample(
        {"certificate_pem": "-----BEGIN CERTIFICATE-----\n", "private_key_pem": "-----BEGIN PRIVATE KEY-----\n"},
        constant=("certificate_pem", "private_key_pem"),
        hidden=("private_key_pem",),
    ),
    "vault_secrets": Sample(
        {"vault_id": OTHER, "value": "hidden"},
        {"metadata": "two"},
        find={"name": "password"},
        needs="vaults",
        constant=("vault_id",),
        hidden=("value",),
    ),
    "vaults": Sample({"description": "Keys"}, find={"name": "Keys"}),
}


def with_id(value: Any, identifier: str) -> Any:
    """Return a part of a sample with this ID in place of `OTHER`."""
    if isinstance(value, Mapping):
        return {with_id(name, identifier): with_id(member, identifier) for name, member in value.items()}
    if isinstance(value, list):
        return [with_id(member, identifier) for member in value]
    return identifier if value == OTHER else value
