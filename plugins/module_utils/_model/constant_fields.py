# SPDX-License-Identifier: GPL-3.0-or-later
"""Which fields of objects never change after the creation, in the collections that services are known to have. Pure."""

from __future__ import annotations

from typing import Any

_OF_SSH_CERTIFICATES = ("principals", "public_key", "ssh_certificate_authority_id", "valid_after", "valid_until")

CONSTANT_FIELDS = {
    "agent_ingresses": ("domain",),
    "api_keys": ("owner_id",),
    "certificate_authorities": ("ca_pem",),
    "credentials": ("owner_id",),
    "endpoints": ("type",),
    "ip_policy_rules": ("action", "ip_policy_id"),
    "ip_restrictions": ("type",),
    "reserved_addrs": ("region",),
    "reserved_domains": ("domain", "region"),
    "ssh_certificate_authorities": ("elliptic_curve", "key_size", "private_key_type"),
    "ssh_credentials": ("owner_id", "public_key"),
    "ssh_host_certificates": _OF_SSH_CERTIFICATES,
    "ssh_user_certificates": ("critical_options", "extensions", *_OF_SSH_CERTIFICATES),
    "tls_certificates": ("certificate_pem", "private_key_pem"),
    "vault_secrets": ("vault_id", "vault_name"),
}


def constant_fields(collection: Any, create_only: Any = None) -> frozenset[str]:
    """Return the paths of fields that never change.

    `create_only` adds paths. An empty list says that every field can change.
    """
    known = () if create_only == [] else CONSTANT_FIELDS.get(collection, ())
    return frozenset({*known, *(create_only or ())})
