# SPDX-License-Identifier: GPL-3.0-or-later
"""An object of each collection that the API reference only refers to, and a change of it that the service accepts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cases import cases

OTHER = "OTHER"
"""Stands for the ID of an object in the collection that a sample `needs`."""


@dataclass(frozen=True)
class Sample:
    """The fields of a `new` object, and those of an update. Its own fields `find` it.

    Options of the module `object` say what is `constant`, what is `hidden` in responses, and which lists are `sets`.
    """

    new: dict[str, Any] = field(default_factory=dict)
    changed: dict[str, Any] = field(default_factory=lambda: {"metadata": "two"})
    find: dict[str, Any] = field(default_factory=lambda: {"description": "The one"})
    needs: str = ""
    constant: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    sets: list[str] = field(default_factory=list)

    @property
    def whole(self) -> dict[str, Any]:
        return {**self.find, **self.new}


# The fields of the samples of each collection.
_TABLE = cases(
    r"""
    agent_ingresses | find: {domain: agents.example.com}
        | new: {certificate_management_policy: {authority: letsencrypt, private_key_type: rsa}} | constant: [domain]
    api_keys | new: {owner_id: usr_one} | constant: [owner_id]
    backends/failover | new: {backends: [OTHER]} | changed: {backends: []} | needs: backends/http_response
    backends/http_response | new: {body: closed, status_code: 503}
        | changed: {body: open, headers: {Retry-After: '60'}}
    backends/static | new: {address: 'shop.internal:443', tls: {enabled: true}}
        | changed: {address: 'blog.internal:443'}
    backends/tunnel_group | new: {labels: {service: shop}} | changed: {labels: {service: blog}}
    backends/weighted | new: {backends: {OTHER: 1}} | changed: {backends: {OTHER: 10000}} | needs: backends/static
    bot_users | find: {name: Robot} | new: {active: true} | changed: {active: false}
    certificate_authorities | new: {ca_pem: "-----BEGIN CERTIFICATE-----\n"} | constant: [ca_pem]
    credentials | new: {acl: ['bind:a.example.com'], owner_id: usr_one} | changed: {acl: []} | constant: [owner_id]
    edges/tcp | new: {hostports: ['1.tcp.example.io:20001'], backend: {backend_id: OTHER}}
        | changed: {hostports: ['1.tcp.example.io:20002'], traffic_policy: {value: 'on_tcp_connect: []'}}
        | needs: backends/static | sets: [hostports]
    edges/tls | new: {hostports: ['till.example.com:443'], mutual_tls: {certificate_authority_ids: [OTHER]}}
        | changed: {hostports: ['till.example.com:8443'], tls_termination: {terminate_at: edge}}
        | needs: certificate_authorities | sets: [hostports, mutual_tls.certificate_authority_ids]
    endpoints | new: {url: 'https://shop.example.com', type: cloud, traffic_policy: 'on_http_request: []'}
        | changed: {traffic_policy: 'on_http_response: []', bindings: [public], pooling_enabled: true}
        | constant: [type]
    event_destinations | new: {format: json, target: {firehose: {delivery_stream_arn: 'arn:one'}}}
        | changed: {format: JSON, target: {kinesis: {stream_arn: 'arn:two'}}}
    event_subscriptions | new: {sources: [{type: domain_created.v0}], destination_ids: [OTHER]}
        | changed: {sources: [{type: domain_deleted.v0}]} | needs: event_destinations
        | sets: [sources, destination_ids]
    ip_policies
    ip_policy_rules | find: {ip_policy_id: OTHER, cidr: 192.0.2.0/24} | new: {action: deny}
        | changed: {cidr: 198.51.100.0/24, description: Home, metadata: two} | needs: ip_policies
        | constant: [action, ip_policy_id]
    ip_restrictions | new: {type: dashboard, ip_policy_ids: [OTHER], enforced: true} | changed: {enforced: false}
        | needs: ip_policies | constant: [type] | sets: [ip_policy_ids]
    reserved_addrs | new: {region: eu} | constant: [region]
    reserved_domains | find: {domain: shop.example.com} | new: {region: eu, resolves_to: [{value: eu}]}
        | changed: {certificate_id: OTHER, metadata: two} | needs: tls_certificates | constant: [domain, region]
    service_users | find: {name: Robot} | new: {active: true} | changed: {active: false}
    ssh_certificate_authorities | new: {private_key_type: rsa, key_size: 4096}
        | constant: [private_key_type, key_size] | hidden: [private_key_type, key_size]
    ssh_credentials | new: {public_key: ssh-ed25519 AAAA, acl: ['bind:a.example.com']} | changed: {acl: []}
        | constant: [public_key]
    ssh_host_certificates
        | new: {ssh_certificate_authority_id: OTHER, public_key: ssh-ed25519 AAAA, principals: [web]}
        | needs: ssh_certificate_authorities | constant: [ssh_certificate_authority_id, public_key, principals]
    ssh_user_certificates
        | new: {ssh_certificate_authority_id: OTHER, public_key: ssh-ed25519 AAAA, principals: *WEB, extensions: *PTY}
        | needs: ssh_certificate_authorities
        | constant: [ssh_certificate_authority_id, public_key, principals, extensions]
    tls_certificates
        | new: {certificate_pem: "-----BEGIN CERTIFICATE-----\n", private_key_pem: "-----BEGIN PRIVATE KEY-----\n"}
        | constant: [certificate_pem, private_key_pem] | hidden: [private_key_pem]
    vault_secrets | find: {name: password} | new: {vault_id: OTHER, value: hidden} | needs: vaults
        | constant: [vault_id] | hidden: [value]
    vaults | find: {name: Keys} | new: {description: Keys}
    """,
    WEB=["web"],
    PTY={"permit-pty": ""},
)
SAMPLES = {name: Sample(**{key: one[key] for one in cells for key in one}) for name, cells in _TABLE.items()}


def with_id(value: Any, identifier: str) -> Any:
    """Return a part of a sample with this ID in place of `OTHER`."""
    if isinstance(value, Mapping):
        return {with_id(name, identifier): with_id(member, identifier) for name, member in value.items()}
    if isinstance(value, list):
        return [with_id(member, identifier) for member in value]
    return identifier if value == OTHER else value
