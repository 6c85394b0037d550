# SPDX-License-Identifier: GPL-3.0-or-later
"""Accounts for reports: a shop, a bank with a staff area, and as many routes as a test asks for."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from estates_to_judge import estate, route

Account = dict[str, Any]

HEADER_CANARY = "canary-of-a-header"
SECRET_CANARY = "canary-of-a-secret"
NEW_HEADER_CANARY = "canary-of-a-new-header"
CANARIES = (HEADER_CANARY, NEW_HEADER_CANARY, SECRET_CANARY)

SHOP = f"""
[host=shop.example.com tls=1.2 description=The~shop] / >bkdhr_shop gzip, /admin >bkdhr_shop -organization=shop-staff
, /checkout >bkdhr_checkout adds=x-key:{HEADER_CANARY} breaker, =/healthz >bkdhr_shop
, /hooks >bkdhr_shop hook=stripe:{SECRET_CANARY}
| [host=staff.example.com tls=1.2 description=Staff~area:~orders;~customers;~reports]
/ >bkdhr_staff organization=shop-staff, /reports >bkdhr_staff organization=shop-staff networks=ipp_office+ipp_vpn
, /export >bkdhr_staff
| [host=partners.example.com tls=1.0 certificates=ca_partners] / >bkdhr_partners no-limit, /old -backend
"""
BANK = """
[host=preview.example.org tls=1.2] / >bkdhr_preview everyone-of-github
| [host=staff.example.org tls=1.2] / >bkdhr_staff issuer=https://login.example.org networks=ipp_office+ipp_vpn
, /metrics >bkdhr_metrics
| [host=www.example.org tls=1.2] / >bkdhr_www
"""
SENT = {"create": ("POST", "is missing"), "update": ("PATCH", "differs"), "delete": ("DELETE", "not declared; purged")}


def shop() -> Account:
    """A shop with an administration whose login was disabled, and a plan that enables it and opens the gifts."""
    edges = estate(SHOP.replace("\n", " "))["https_edges"]
    return {
        "name": "shop",
        "estate": {
            "https_edges": edges,
            "tls_edges": [{"edge_id": "edgtls_depot", "ip_restriction": {"ip_policy_ids": ["ipp_office", "ipp_vpn"]}}],
            "event_subscriptions": [{"subscription_id": "esb_audit", "sources": ["api_key_created.v0"]}],
        },
        **estate("tunnel: localhost:22 at tcp://1.tcp.example.net:12345"),
        "plan": plan(edges[0]["routes"][1]),
    }


def plan(admin: Mapping[str, Any]) -> dict[str, Any]:
    enabled = route("/admin >bkdhr_shop organization=shop-staff")
    of_shop, gifts = "of shop.example.com:443", "gifts.example.com:443"
    checkout = [route(f"/checkout >bkdhr_checkout adds=x-key:{one}") for one in (HEADER_CANARY, NEW_HEADER_CANARY)]
    old = {"id": "edghts_old", "hostports": ["old.example.com:443"], "description": "Old"}
    undeclared = {"kind": "https_edge", "option": "https_edges", "why": "the task does not purge edges"}
    found = {
        "rule": "backend_open_elsewhere",
        "severity": "medium",
        "object": "https_edge_route path_prefix / of gifts.example.com:443",
        "path": "https_edges[3].routes[0]",
        "message": "Everyone can reach backend bkdhr_gifts.",
        "why": "The public route bypasses the protection.",
        "fix": "Protect this route as well.",
        "created": True,
    }
    return {
        "plan": [
            entry("update", f"https_edge_route path_prefix /admin {of_shop}", admin, enabled),
            entry("create", f"https_edge {gifts}", None, {"hostports": [gifts]}, "https_edge"),
            entry("create", f"https_edge_route path_prefix / of {gifts}", None, route("/ >bkdhr_gifts")),
            entry("update", f"https_edge_route path_prefix /checkout {of_shop}", *checkout),
            entry("delete", "event_source api_key_deleted.v0 of esb_audit", {"type": "x"}, None, "event_source"),
        ],
        "undeclared": [{**undeclared, "object": "https_edge old.example.com:443 (edghts_old)", "declaration": old}],
        "undeclared_counts": {"https_edge": 480, "compression": 1},
        "findings": [{**found, "accepted": {"reason": "A campaign"}}, found],
        "not_examined": [{"object": "TLS edges", "why": "the service cannot list them"}],
    }


def entry(action: str, subject: str, before: Any, after: Any, kind: str = "https_edge_route") -> dict[str, Any]:
    method, reason = SENT[action]
    operations = [{"method": method, "path": "/edges/https/…", "reason": reason}]
    planned = {"object": subject, "kind": kind, "action": action, "changes": [], "operations": operations}
    return {**planned, "before": before, "after": after}


def bank() -> Account:
    """An account in which everybody with an account at GitHub may log in, next to a proper staff area."""
    edges = estate(BANK.replace("\n", " "))["https_edges"]
    edges[1]["routes"][0]["oidc"]["client_secret"] = SECRET_CANARY
    return {"name": "bank", "estate": {"https_edges": edges}, "tunnels": []}


def accounts() -> list[Account]:
    """An account of each kind. `field` could not be read, and `hub`, which is expected, is missing."""
    return [shop(), bank(), {"name": "field", "error": "GET /edges/https: 401 ERR_API_KEY"}]


EXPECTED = ["shop", "bank", "field", "hub"]
UGLY = [
    '<img src=x onerror="window.hacked=1"><b>bold</b><script>window.hacked=1</script>',
    "</script><script>window.hacked=1</script><!-- --> <style>",
    "\u202egnp.exe \u2066hidden\u2069 \u200b",
    "]]> &amp; <![CDATA[ \x00\x07 \ud800",
    "x" * 4096,
    "`|` **bold** [link](https://example.com) @someone",
    "javascript:window.hacked=1",
]
PARTS = ("orders", "billing", "search", "cart", "admin", "status", "reports", "export", "users", "assets")
LOCKS = ("networks=ipp_office", "organization=shop-staff gzip", "organization=shop-staff networks=ipp_office", "oidc")


def many(edges: int, routes: int) -> list[Account]:
    """Four accounts with so many edges in total, and so many routes on each. The login of one in 29 is disabled."""
    accounts: list[Account] = [{"name": f"account-{number}", "estate": {"https_edges": []}} for number in range(4)]
    for place, account in product(range(edges // 4), accounts):
        members = []
        for at in range(routes):
            number = place * 7 + at * 3
            lock = LOCKS[number % len(LOCKS)] if number % 29 else "-organization=shop-staff"
            path = f"/{PARTS[at % len(PARTS)]}/{at}" if at else "/"
            members.append(f"{path} >{account['name']}_{place}_{at} {lock}")
        own = f"host=service-{place:04d}.{account['name']}.example.com description=Service~{place} tls=1.2"
        account["estate"]["https_edges"] += estate(f"[{own}] {', '.join(members)}")["https_edges"]
    return accounts
