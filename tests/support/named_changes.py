# SPDX-License-Identifier: GPL-3.0-or-later
"""Small changes of who gets through, each of which opens something if its requests are sent in the obvious order.

`[certificates=ca_one] /, /admin >two oidc -> / id=edghtsrt_a1` is a live edge with its routes, and what is declared of
it: the second of the live routes gets another match, another backend, and loses its login.
"""

from __future__ import annotations

from typing import Any

from any_change import Change
from estates_to_judge import edges, modules

EDGE, HOSTPORT = "edghts_a", "shop.example.com:443"
NETWORK = modules("networks=ipp_one")
SERVED = {"hostports": [HOSTPORT]}

Fields = dict[str, Any]


def of_edge(text: str, *purge: str) -> Change:
    """A change of one edge. Routes are live with their IDs, in the order in which they are listed."""
    live, declared = (edges(one.strip())["https_edges"][0] for one in text.split("->"))
    held = [{"id": f"edghtsrt_a{number}", **one} for number, one in enumerate(live["routes"])]
    seed = {"https_edges": [{**live, "id": EDGE, "routes": held}], "objects": {}}
    purged = {"purge": [*purge, "modules", "hostports"], "max_deletions": 100, "allow_empty": True}
    return Change(seed, "estate", {"https_edges": [{**declared, "id": EDGE}], **purged, "concurrency": 1})


def of_objects(live: Fields, tls_edges: list[Fields], objects: list[Fields]) -> Change:
    """A change of objects. TLS edges are live with the first of these IDs; of a policy, the rules are live."""
    held = [{"id": f"edgtls_{number}", **modules("backend"), **edge} for number, edge in enumerate(tls_edges)]
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
        "[certificates=ca_one] / oidc, /admin -> / oidc", "routes"
    ),
    "certificates go, and a route that has nothing else is closed": of_edge(
        "[certificates=ca_one] /admin -> /admin -backend"
    ),
    "certificates go, and a closed route takes what nobody is to see": of_edge(
        "[certificates=ca_one] / -> /, /admin -backend"
    ),
    "certificates go, and the backend is another": of_edge("[certificates=ca_one] / -> / >two"),
    "other certificates and a login": of_edge("[certificates=ca_one] / -> [certificates=ca_two] / oidc"),
    "other certificates and another login": of_edge("[certificates=ca_one] / oidc -> [certificates=ca_two] / saml"),
    "a hostport is gained, and an open route is purged": of_edge("[hostport=] /admin ->", "routes"),
    "a hostport is gained, and the backend is another": of_edge("[hostport=] / -> / >two"),
    "a hostport is given up, and a route is new": of_edge("[host=shop.example.com+b.example.com] -> / oidc"),
    "two closed routes below an open one swap their matches": of_edge(
        "/, /admin -backend, /pub -backend -> /, /pub -backend id=edghtsrt_a1, /admin -backend id=edghtsrt_a2"
    ),
    "two routes swap their matches, and one is protected": of_edge(
        "/, /admin >two oidc -> /admin oidc id=edghtsrt_a0, / >two id=edghtsrt_a1"
    ),
    "another login, and the route is closed": of_edge("/ oidc -> / saml no-backend"),
    "a network for a login": of_edge("/ oidc -> / networks=ipp_one"),
    "the wide route opens, and the one below it is protected": of_edge("/ oidc -> /, /admin oidc"),
    "the route below a protected one goes, and that one is protected otherwise": of_edge(
        "/ oidc, /admin networks=ipp_one -> / saml", "routes"
    ),
    "another network for a route that is closed meanwhile, because its edge gets certificates and a hostport": of_edge(
        "/admin networks=ipp_one -> [host=shop.example.com+b.example.com certificates=ca_one] /admin networks=ipp_two"
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
