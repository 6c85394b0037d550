# SPDX-License-Identifier: GPL-3.0-or-later
"""Which traffic modules protect an object, and what else decides who gets through, as the schema says. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .objects import Object

IP_POLICIES, IP_RULES, BACKENDS = "ip_policies", "ip_policy_rules", "backends/"
TLS_EDGES, ENDPOINTS = "edges/tls", "endpoints"
SERVING = (TLS_EDGES, "edges/tcp", ENDPOINTS)
"""The collections of objects without modules of their own that serve traffic."""

_SERVING_NOTHING = """
agent_ingresses api_keys backends/failover backends/http_response backends/static backends/tunnel_group
backends/weighted bot_users certificate_authorities credentials event_destinations event_subscriptions ip_policies
ip_policy_rules ip_restrictions reserved_addrs reserved_domains service_users ssh_certificate_authorities
ssh_credentials ssh_host_certificates ssh_user_certificates tls_certificates vault_secrets vaults
"""
SERVING_NOTHING = frozenset(_SERVING_NOTHING.split())
"""The known collections of objects that serve no traffic."""

RULE_FIELDS = ("ip_policy_id", "action", "cidr")
_SERVED = ("hostports", "url", "backend", "ip_restriction", "mutual_tls", "tls_termination")
_NEVER_HIDDEN = {**dict.fromkeys(SERVING, _SERVED), IP_RULES: RULE_FIELDS, "reserved_domains": ("domain",)}

COUNTING = {
    **dict.fromkeys((TLS_EDGES, "edges/tcp"), ("backend", "hostports")),
    **dict.fromkeys(("backends/weighted", "backends/failover"), ("backends",)),
    IP_RULES: RULE_FIELDS,
}
"""The fields of the objects of a collection that say where they lead, or whom they admit."""


def leads_to_others(collection: str) -> bool:
    """Return whether backends of a collection may lead to others: all except for those that are known not to."""
    return collection in COUNTING or collection not in SERVING_NOTHING


def is_never_hidden(collection: object, path: str) -> bool:
    """Return whether a field decides which hosts an object serves, or who gets in, so that it has to be compared."""
    return path.split(".", 1)[0] in _NEVER_HIDDEN.get(str(collection), ())


CHECKS = {
    "certificate": "a client certificate",
    "network": "an allowed network",
    "signature": "a valid signature",
    "login": "a login",
}
"""What traffic modules can check, in the order of results, and what a visitor needs then. The schema says which do."""

PUBLIC, CLOSED = "public", "closed"
"""Everyone gets through; nobody does."""


def needs_of(classes: Iterable[str]) -> str:
    return " and ".join(CHECKS[name] for name in classes)


OF_PEOPLE = ("description", "metadata")


def is_enabled(module: Any) -> bool:
    """Return whether a traffic module is set and not disabled. What is unknown is not certainly so."""
    return isinstance(module, Mapping) and module.get("enabled") is not False


def protecting_modules(kind: Object) -> dict[str, Object]:
    return {f.name: f.kind for f in kind.fields if isinstance(f.kind, Object) and f.kind.protects}


def protections(kind: Object, state: Mapping[str, Any] | None) -> dict[str, str]:
    """Return the enabled traffic modules that protect the object, by name, each with its kind of protection."""
    modules = protecting_modules(kind).items()
    return {name: module.protects for name, module in modules if is_enabled((state or {}).get(name))}


def admits_by(module: Object, path: str) -> bool:
    """Return whether a setting of a traffic module decides whom it admits, and not only how a session goes on."""
    name, _dot, rest = path.replace("[", ".").partition(".")
    f = module.named.get(name)
    if f is None or module.protects == "policy":
        return True
    if rest and isinstance(f.kind, Object):
        return admits_by(f.kind, rest)
    counts = f.restricts or f.required or f.required_unless is not None or isinstance(f.kind, Object)
    return counts or name in ("enabled", "options_passthrough")


def decides_access(kind: Object, collection: str, changes: Iterable[str]) -> bool:
    """Return whether these fields of an object decide who gets through. `collection` is that of an `object`."""
    if kind.name == "object":
        return collection in (IP_POLICIES, IP_RULES, *SERVING) and not set(changes) <= set(OF_PEOPLE)
    if not any(f.unique for f in kind.fields):
        return bool(kind.protects)
    deciding = {kind.closed_by, *protecting_modules(kind), *(f.name for f in kind.fields if f.unique or f.identifies)}
    return not deciding.isdisjoint(changes)


def decides_way(kind: Object, collection: str, changes: Iterable[str]) -> bool:
    """Return whether these fields of an object decide who gets through, or to what."""
    is_backend = kind.name == "object" and collection.startswith(BACKENDS)
    return decides_access(kind, collection, changes) or (is_backend and not set(changes) <= set(OF_PEOPLE))
