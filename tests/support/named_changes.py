# SPDX-License-Identifier: GPL-3.0-or-later
"""Small changes of who gets through, each of which opens something if its requests are sent in the obvious order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from any_change import Change

EDGE, HOSTPORT = "edghts_a", "a.example.com:443"
OTHER_HOSTPORT = "b.example.com:443"
BACKEND = {"backend": {"backend_id": "bkd_one"}}
OTHER_BACKEND = {"backend": {"backend_id": "bkd_two"}}
CLOSED = {"backend": {"backend_id": "bkd_one", "enabled": False}}
CERTIFICATE = {"mutual_tls": {"certificate_authority_ids": ["ca_one"]}}
OTHER_CERTIFICATE = {"mutual_tls": {"certificate_authority_ids": ["ca_two"]}}
NO_CERTIFICATE = {"absent_modules": ["mutual_tls"]}
NETWORK = {"ip_restriction": {"ip_policy_ids": ["ipp_one"]}}
OTHER_NETWORK = {"ip_restriction": {"ip_policy_ids": ["ipp_two"]}}
OIDC = {"oidc": {"issuer": "https://id.example.com", "client_id": "app", "client_secret": "secret"}}
SAML = {"saml": {"idp_metadata": "<metadata/>", "authorized_groups": ["staff"]}}
SERVED = {"hostports": [HOSTPORT]}
ROOT, ADMIN, PUB = ({"match_type": "path_prefix", "match": match} for match in ("/", "/admin", "/pub"))
FIRST, SECOND, THIRD = ({"id": f"edghtsrt_a{number}"} for number in range(3))

Fields = dict[str, Any]


def of_edge(
    live: Fields,
    live_routes: list[Fields],
    edge: Fields,
    routes: list[Fields],
    purge: Sequence[str] = (),
    **options: Any,
) -> Change:
    """A change of one edge. Routes are live with their IDs, in the order in which they are listed."""
    held = [{**name, **route} for name, route in zip((FIRST, SECOND, THIRD), live_routes, strict=False)]
    seed = {"https_edges": [{"id": EDGE, "hostports": [], **live, "routes": held}], "objects": {}}
    limits = {"max_deletions": 100, "allow_empty": True, "concurrency": 1}
    return Change(
        seed,
        "estate",
        {"https_edges": [{"id": EDGE, **edge, "routes": routes}], **limits, **options, "purge": [*purge, "hostports"]},
    )


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
        {**SERVED, **CERTIFICATE},
        [{**ROOT, **OIDC, **BACKEND}, {**ADMIN, **BACKEND}],
        NO_CERTIFICATE,
        [ROOT],
        purge=["routes"],
    ),
    "certificates go, and a route that has nothing else is closed": of_edge(
        {**SERVED, **CERTIFICATE}, [{**ADMIN, **BACKEND}], NO_CERTIFICATE, [{**ADMIN, **CLOSED}]
    ),
    "certificates go, and a closed route takes what nobody is to see": of_edge(
        {**SERVED, **CERTIFICATE}, [{**ROOT, **BACKEND}], NO_CERTIFICATE, [ROOT, {**ADMIN, **CLOSED}]
    ),
    "certificates go, and the backend is another": of_edge(
        {**SERVED, **CERTIFICATE}, [{**ROOT, **BACKEND}], NO_CERTIFICATE, [{**ROOT, **OTHER_BACKEND}]
    ),
    "other certificates and a login": of_edge(
        {**SERVED, **CERTIFICATE}, [{**ROOT, **BACKEND}], OTHER_CERTIFICATE, [{**ROOT, **OIDC}]
    ),
    "other certificates and another login": of_edge(
        {**SERVED, **CERTIFICATE},
        [{**ROOT, **BACKEND, **OIDC}],
        OTHER_CERTIFICATE,
        [{**ROOT, **BACKEND, **SAML, "absent_modules": ["oidc"]}],
    ),
    "a hostport is gained, and an open route is purged": of_edge(
        {}, [{**ADMIN, **BACKEND}], SERVED, [], purge=["routes"]
    ),
    "a hostport is gained, and the backend is another": of_edge(
        {}, [{**ROOT, **BACKEND}], SERVED, [{**ROOT, **OTHER_BACKEND}]
    ),
    "a hostport is given up, and a route is new": of_edge(
        {"hostports": [HOSTPORT, OTHER_HOSTPORT]}, [], SERVED, [{**ROOT, **BACKEND, **OIDC}]
    ),
    "two closed routes below an open one swap their matches": of_edge(
        SERVED,
        [{**ROOT, **BACKEND}, {**ADMIN, **CLOSED}, {**PUB, **CLOSED}],
        {},
        [ROOT, {**SECOND, **PUB}, {**THIRD, **ADMIN}],
    ),
    "two routes swap their matches, and one is protected": of_edge(
        SERVED,
        [{**ROOT, **BACKEND}, {**ADMIN, **OTHER_BACKEND, **OIDC}],
        {},
        [{**FIRST, **ADMIN, **OIDC}, {**SECOND, **ROOT, "absent_modules": ["oidc"]}],
    ),
    "another login, and the route is closed": of_edge(
        SERVED, [{**ROOT, **BACKEND, **OIDC}], {}, [{**ROOT, **SAML, "absent_modules": ["oidc", "backend"]}]
    ),
    "a network for a login": of_edge(
        SERVED, [{**ROOT, **BACKEND, **OIDC}], {}, [{**ROOT, **NETWORK, "absent_modules": ["oidc"]}]
    ),
    "the wide route opens, and the one below it is protected": of_edge(
        SERVED, [{**ROOT, **BACKEND, **OIDC}], {}, [{**ROOT, "absent_modules": ["oidc"]}, {**ADMIN, **BACKEND, **OIDC}]
    ),
    "the route below a protected one goes, and that one is protected otherwise": of_edge(
        SERVED,
        [{**ROOT, **BACKEND, **OIDC}, {**ADMIN, **BACKEND, **NETWORK}],
        {},
        [{**ROOT, **BACKEND, **SAML, "absent_modules": ["oidc"]}],
        purge=["routes"],
    ),
    "another network for a route that is closed meanwhile, because its edge gets certificates and a hostport": of_edge(
        SERVED,
        [{**ADMIN, **BACKEND, **NETWORK}],
        {"hostports": [HOSTPORT, OTHER_HOSTPORT], **CERTIFICATE},
        [{**ADMIN, **OTHER_NETWORK}],
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
