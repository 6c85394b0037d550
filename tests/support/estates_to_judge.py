# SPDX-License-Identifier: GPL-3.0-or-later
"""Estates in a line of text, as tables of cases have them.

`[clients] / staff, =/login >other | /b -office` are two edges. The first one asks for client certificates, and has a
prefix that needs the login of the staff and an exact path with another backend; the restriction of `/b` is disabled.
"""

from __future__ import annotations

import re
from typing import Any

from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.judge import judge

Given = dict[str, Any]


def oidc(issuer: str, **settings: Any) -> Given:
    return {"oidc": {"issuer": issuer, "client_id": "app", "client_secret": "words", **settings}}


WORDS: Given = {
    "office": {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}},
    "branches": {"ip_restriction": {"ip_policy_ids": ["ipp_office", "ipp_branch"]}},
    "by-name": {"ip_restriction": {"ip_policy_ids": ["ref:office"]}},
    "no-policies": {"ip_restriction": {"ip_policy_ids": []}},
    "staff": {"oauth": {"provider": {"google": {"email_domains": ["example.com"]}}}},
    "teams": {"oauth": {"provider": {"github": {"teams": ["org/web"]}}}},
    "everybody": {"oauth": {"provider": {"google": {}}}},
    "own-app": {"oauth": {"provider": {"google": {"client_id": "a", "client_secret": "b", "scopes": ["email"]}}}},
    "own-app-staff": {"oauth": {"provider": {"google": {"client_id": "a", "client_secret": "b", "teams": ["x"]}}}},
    "half-open": {"oauth": {"provider": {"google": {"email_domains": ["a.com"]}, "github": {}}}},
    "empty-domain": {"oauth": {"provider": {"google": {"email_domains": [""], "scopes": ["email"]}}}},
    "everyone-of-github": {"oauth": {"provider": {"github": {"scopes": []}}}},
    "no-provider": {"oauth": {"provider": {}}},
    "saml": {"saml": {"idp_metadata": "<x/>"}},
    "no-idp": {"saml": {"idp_metadata": "", "enabled": True}},
    "oidc": {"oidc": {"issuer": "https://idp.example.com", "client_id": "app"}},
    "preflight": {"oidc": {"issuer": "https://idp.example.com", "client_id": "app", "options_passthrough": True}},
    "no-issuer": {"oidc": {"issuer": "", "client_id": "app"}},
    "github-hook": {"webhook_verification": {"provider": "github", "secret": "words"}},
    "unset-hook": {"webhook_verification": {"provider": "github"}},
    "empty-hook": {"webhook_verification": {"provider": "github", "secret": ""}},
    "masked-hook": {"webhook_verification": {"provider": "github", "secret": "********"}},
    "sns-hook": {"webhook_verification": {"provider": "SNS", "secret": ""}},
    "unsigned-hook": {"webhook_verification": {"provider": "sns"}},
    "bare-hook": {"webhook_verification": {"enabled": True}},
    "actions": {"policy": {"inbound": [{"actions": [{"type": "deny"}]}]}},
    "notes": {"policy": {"outbound": [{"actions": [{"type": "deny"}]}]}},
    "limit": {"policy": {"inbound": [{"name": "limit", "actions": [{"type": "deny", "config": "words"}]}]}},
    "no-limit": {"policy": {"inbound": [{"name": "limit", "actions": []}]}},
    "gzip": {"compression": {}},
    "breaker": {"circuit_breaker": {}},
    "backend": {"backend": {"backend_id": "bk_app"}},
    "no-backend": {"backend": None},
    "clients": {"mutual_tls": {"certificate_authority_ids": ["ca_clients"]}},
    "no-clients": {"mutual_tls": {"certificate_authority_ids": []}},
    "upstream": {"tls_termination": {"terminate_at": "upstream"}},
}
VALUES: Given = {
    "id": lambda value: {"id": value},
    "tls": lambda value: {"tls_termination": {"min_version": value}},
    "issuer": lambda value: oidc(value, options_passthrough=False),
    "preflight": lambda value: oidc(value, options_passthrough=True),
    "google": lambda value: {"oauth": {"provider": {"google": _accounts(value)}}},
    "saml": lambda value: {"saml": {"idp_metadata": value.split("+")[0], "authorized_groups": value.split("+")[1:]}},
    "organization": lambda value: {"oauth": {"provider": {"github": {"organizations": [value]}}}},
    "description": lambda value: {"description": value},
    "hook": lambda value: {
        "webhook_verification": dict(zip(("provider", "secret"), (*value.split(":"), "words"), strict=False))
    },
    "rules": lambda value: {
        "policy": {
            "inbound": [{"name": one, "actions": [{"type": "deny"}]} for one in value.split("+") if one],
            "outbound": [],
        }
    },
    "certificates": lambda value: {"mutual_tls": {"certificate_authority_ids": value.split("+")}},
    "adds": lambda value: {"request_headers": {"add": dict([(*value.split(":"), "words")[:2]])}},
    "answers": lambda value: {"response_headers": {"add": {value: "words"}}},
    "networks": lambda value: {"ip_restriction": {"ip_policy_ids": value.split("+")}},
    "hostport": lambda value: {"hostports": [value] if value else []},
    "host": lambda value: {"hostports": [f"{host}:443" for host in value.split("+")]},
}


def _accounts(text: str) -> Given:
    """Restrictions of an identity provider, such as `a@one.example+two.example`."""
    listed = [one for one in text.split("+") if one]
    addresses = [one for one in listed if "@" in one]
    domains = [one for one in listed if "@" not in one]
    return {name: own for name, own in (("email_addresses", addresses), ("email_domains", domains)) if own}


def modules(words: str) -> Given:
    """Traffic modules by their words: `-` disables one, `>` names a backend; in a value, `~` is a blank."""
    found: Given = {}
    for word in words.split():
        name, has_value, value = word.removeprefix("-").partition("=")
        if name[0] == ">":
            made = {"backend": {"backend_id": name[1:]}}
        else:
            made = VALUES[name](value.replace("~", " ")) if has_value else WORDS[name]
        found |= {one: {**module, "enabled": False} for one, module in made.items()} if word[0] == "-" else made
    return found


def route(text: str) -> Given:
    match, _, words = text.strip().partition(" ")
    match_type = "exact_path" if match[0] == "=" else "path_prefix"
    return {"match_type": match_type, "match": match.removeprefix("="), **WORDS["backend"], **modules(words)}


def edges(text: str) -> Given:
    found = []
    for text_of_edge, host in zip(text.split(" | "), ("shop", "old", "third"), strict=False):
        own, routes = re.fullmatch(r"\s*(?:\[(.*)\])?(.*)", text_of_edge).groups()  # type: ignore[union-attr]
        listed = [route(one) for one in routes.split(",") if one.strip()]
        found.append({"hostports": [f"{host}.example.com:443"], **modules(own or ""), "routes": listed})
    return {"https_edges": found}


def tunnel(text: str) -> Given:
    forwards_to, _, url = text.partition(" at ")
    proto, public_url = url.split(":")[0] or "tcp", url or "tcp://1.tcp.example.net:4711"
    return {"tunnels": [{"id": "tn_one", "proto": proto, "public_url": public_url, "forwards_to": forwards_to}]}


def restricted(text: str, **facts: str) -> Given:
    """A route, or what is said after `for`, that is restricted by an IP policy with these rules, or by two of them."""
    policies, _, what = text.partition(" for ")
    objects: list[Given] = []
    for name, rules in zip(("office", "home"), policies.split(" + "), strict=False):
        pairs = [(one.rsplit(" ", 1) if " " in one else [one, None]) for one in rules.split(", ") if one]
        objects += [
            {"name": f"{name}{number}", "collection": "ip_policy_rules"}
            | {"find_by": {"ip_policy_id": f"ref:{name}", "cidr": cidr}, "body": {"action": action}}
            for number, (cidr, action) in enumerate(pairs)
        ]
        objects.append({"name": name, "collection": "ip_policies", **(facts or {"find_by": {"description": name}})})
    either = "/ networks=ref:office+ref:home" if " + " in policies else "/ by-name"
    return {**estate(what or either), "objects": objects}


KINDS = {
    "tls": lambda text: {"tls_edges": [{"edge_id": "edgtls_vpn", **modules(text)}]},
    "tunnel": tunnel,
    "events": lambda text: {"event_subscriptions": [{"subscription_id": "esb_one", "sources": text.split()}]},
    "allowed": restricted,
    "allowed by a policy with an ID": lambda text: restricted(text, id="ipp_office"),
    "edges": edges,
}


def estate(text: str) -> Given:
    """`tls: -office` is a TLS edge, `tunnel: localhost:22 at tcp://a:1` a tunnel; without such a word: HTTPS edges.

    What is in several lines is declared together.
    """
    found: Given = {}
    for line in text.strip().splitlines() or [""]:
        kind, colon, rest = line.strip().partition(":")
        made = KINDS[kind](rest.strip()) if colon and kind in KINDS else edges(line)
        found |= {name: [*found.get(name, []), *members] for name, members in made.items()}
    return found


def judged(given: Given) -> dict[str, Any]:
    return judge(given, given.get("tunnels")).result()


def found(given: Given, rule: str) -> list[dict[str, Any]]:
    return [one for one in judged(given)["findings"] if one["rule"] == rule]


def live_rule(cidr: str, action: str = "allow") -> Given:
    """A rule of an IP policy as the service has it."""
    identifier = f"ipr_{action}_{cidr.partition('.')[0]}"
    return {"id": identifier, "ip_policy_id": "ipp_office", "action": action, "cidr": cidr}


COLLECTIONS = {
    "bkdst": "backends/static",
    "bkdwd": "backends/weighted",
    "edgtls": "edges/tls",
    "ipp": "ip_policies",
    "ipr": "ip_policy_rules",
}
"""The collections of objects, by what their IDs begin with."""


def declared_object(identifier: str, **body: Any) -> Given:
    """An object as it is declared by its ID, which is its name as well."""
    return {"name": identifier, "collection": COLLECTIONS[identifier.partition("_")[0]], "id": identifier, "body": body}
