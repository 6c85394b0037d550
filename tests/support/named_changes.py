# SPDX-License-Identifier: GPL-3.0-or-later
"""Small changes of who gets through, each of which opens something if its requests are sent in the obvious order.

`served certificate | / one, /admin two oidc -> no-mutual_tls | 1:/ no-oidc` is a live edge with its routes, and what is
declared of them: the second of the live routes gets another match, and loses its login.
"""

from __future__ import annotations

from typing import Any

from any_change import Change

EDGE, HOSTPORT = "edghts_a", "a.example.com:443"
BACKEND = {"backend": {"backend_id": "bkd_one"}}
NETWORK = {"ip_restriction": {"ip_policy_ids": ["ipp_one"]}}
SERVED = {"hostports": [HOSTPORT]}

Fields = dict[str, Any]

WORDS: Fields = {
    "served": SERVED,
    "served-twice": {"hostports": [HOSTPORT, "b.example.com:443"]},
    "certificate": {"mutual_tls": {"certificate_authority_ids": ["ca_one"]}},
    "other-certificate": {"mutual_tls": {"certificate_authority_ids": ["ca_two"]}},
    "one": BACKEND,
    "two": {"backend": {"backend_id": "bkd_two"}},
    "closed": {"backend": {"backend_id": "bkd_one", "enabled": False}},
    "network": NETWORK,
    "other-network": {"ip_restriction": {"ip_policy_ids": ["ipp_two"]}},
    "oidc": {"oidc": {"issuer": "https://id.example.com", "client_id": "app", "client_secret": "secret"}},
    "saml": {"saml": {"idp_metadata": "<metadata/>", "authorized_groups": ["staff"]}},
}


def fields(words: list[str]) -> Fields:
    found: Fields = {}
    for word in words:
        found |= WORDS.get(word, {})
    absent = [word.removeprefix("no-") for word in words if word not in WORDS]
    return {**found, **({"absent_modules": absent} if absent else {})}


def route(text: str) -> Fields:
    place, *words = text.split()
    number, _colon, match = place.rpartition(":")
    identity = {"id": f"edghtsrt_a{number}"} if number else {}
    return {**identity, "match_type": "path_prefix", "match": match, **fields(words)}


def edge(text: str) -> Fields:
    own, _bar, routes = text.partition("|")
    return {"id": EDGE, **fields(own.split()), "routes": [route(one) for one in routes.split(",") if one.strip()]}


def of_edge(text: str, *purge: str) -> Change:
    """A change of one edge. Routes are live with their IDs, in the order in which they are listed."""
    live, declared = map(edge, text.split("->"))
    held = [{"id": f"edghtsrt_a{number}", **one} for number, one in enumerate(live["routes"])]
    seed = {"https_edges": [{"hostports": [], **live, "routes": held}], "objects": {}}
    options = {"max_deletions": 100, "allow_empty": True, "concurrency": 1, "purge": [*purge, "hostports"]}
    return Change(seed, "estate", {"https_edges": [declared], **options})


def of_objects(live: Fields, tls_edges: list[Fields], objects: list[Fields]) -> Change:
    """A change of objects. TLS edges are live with the first of these IDs; of a policy, the rules are live."""
    held = [{"id": f"edgtls_{number}", **BACKEND, **edge} for number, edge in enumerate(tls_edges)]
    seed = {"https_edges": [], "tls_edges": held, "objects": live}
    named = [{"name": f"number_{number}", **one} for number, one in enumerate(objects)]
    options = {"objects": named, "purge": ["hostports"], "max_deletions": 100, "concurrency": 1}
    return Change(seed, "estate", options)


POLICY = {"ip_policies": [{"id": "ipp_one", "description": "The office"}]}
RULE = {"id": "ipr_one", "description": "Its network", "ip_policy_id": "ipp_one", "cidr": "10.2.0.0/16"}
RULES = {**POLICY, "ip_policy_rules": [{**RULE, "action": "allow"}]}
OTHER_RULE = {**RULE, "id": "ipr_two", "description": "Its other network", "action": "deny"}
WITH_EXCEPTION = {**POLICY, "ip_policy_rules": [{**RULE, "cidr": "10.0.0.0/8", "action": "allow"}, OTHER_RULE]}
DENYING = {
    **POLICY,
    "ip_policy_rules": [{**RULE, "cidr": "0.0.0.0/0", "action": "deny"}, {**OTHER_RULE, "cidr": "::/0"}],
}
OF_RULES, OF_TLS_EDGES = {"collection": "ip_policy_rules"}, {"collection": "edges/tls"}

NAMED_CHANGES: dict[str, Change] = {
    "certificates go, and a route that has nothing else is purged": of_edge(
        "served certificate | / oidc one, /admin one -> no-mutual_tls | /", "routes"
    ),
    "certificates go, and a route that has nothing else is closed": of_edge(
        "served certificate | /admin one -> no-mutual_tls | /admin closed"
    ),
    "certificates go, and a closed route takes what nobody is to see": of_edge(
        "served certificate | / one -> no-mutual_tls | /, /admin closed"
    ),
    "certificates go, and the backend is another": of_edge("served certificate | / one -> no-mutual_tls | / two"),
    "other certificates and a login": of_edge("served certificate | / one -> other-certificate | / oidc"),
    "other certificates and another login": of_edge(
        "served certificate | / one oidc -> other-certificate | / one saml no-oidc"
    ),
    "a hostport is gained, and an open route is purged": of_edge(" | /admin one -> served |", "routes"),
    "a hostport is gained, and the backend is another": of_edge(" | / one -> served | / two"),
    "a hostport is given up, and a route is new": of_edge("served-twice | -> served | / one oidc"),
    "two closed routes below an open one swap their matches": of_edge(
        "served | / one, /admin closed, /pub closed -> | /, 1:/pub, 2:/admin"
    ),
    "two routes swap their matches, and one is protected": of_edge(
        "served | / one, /admin two oidc -> | 0:/admin oidc, 1:/ no-oidc"
    ),
    "another login, and the route is closed": of_edge("served | / one oidc -> | / saml no-oidc no-backend"),
    "a network for a login": of_edge("served | / one oidc -> | / network no-oidc"),
    "the wide route opens, and the one below it is protected": of_edge(
        "served | / one oidc -> | / no-oidc, /admin one oidc"
    ),
    "the route below a protected one goes, and that one is protected otherwise": of_edge(
        "served | / one oidc, /admin one network -> | / one saml no-oidc", "routes"
    ),
    "another network for a route that is closed meanwhile, because its edge gets certificates and a hostport": of_edge(
        "served | /admin one network -> served-twice certificate | /admin other-network"
    ),
    "a network is larger, which a TLS edge that is not declared lets in": of_objects(
        RULES, [{**SERVED, **NETWORK}], [{**OF_RULES, "id": "ipr_one", "body": {"cidr": "10.0.0.0/8"}}]
    ),
    "another network, which a TLS edge that is not declared lets in": of_objects(
        WITH_EXCEPTION,
        [{**SERVED, **NETWORK}],
        [
            {**OF_RULES, "id": "ipr_two", "body": {"cidr": "192.0.2.0/24"}},
            {**OF_RULES, "id": "ipr_one", "body": {"cidr": "10.2.3.0/24"}},
        ],
    ),
    "a TLS edge gets the hostport of one that is deleted": of_objects(
        POLICY,
        [{**SERVED}, {"hostports": []}],
        [
            {**OF_TLS_EDGES, "id": "edgtls_0", "state": "absent"},
            {**OF_TLS_EDGES, "id": "edgtls_1", "body": {"hostports": [HOSTPORT]}},
        ],
    ),
    "a TLS edge gets a hostport, and a policy denies everybody": of_objects(
        DENYING,
        [{"hostports": [], **NETWORK}],
        [
            {**OF_RULES, "id": "ipr_one", "body": {"description": "Everything"}},
            {**OF_RULES, "id": "ipr_two", "body": {"description": "Everything else"}},
            {**OF_TLS_EDGES, "id": "edgtls_0", "body": {"hostports": [HOSTPORT]}},
        ],
    ),
}
