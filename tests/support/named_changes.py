# SPDX-License-Identifier: GPL-3.0-or-later
"""Small changes of who gets through, each of which opens something if its requests are sent in the obvious order.

`[certificates=ca_one] /, /admin >two oidc -> / id=edghtsrt_a1` is a live edge with its routes, and what is declared of
it: the second of the live routes gets another match, another backend, and loses its login.
"""

from __future__ import annotations

from typing import Any

from any_change import Change
from estates_to_judge import declared_object, edges, live_rule, modules

EDGE, SERVED = "edghts_a", "host=shop.example.com"
Fields = dict[str, Any]


def of_edge(text: str, *purge: str) -> Change:
    """A change of one edge. Routes are live with their IDs, in the order in which they are listed."""
    live, declared = (edges(one.strip())["https_edges"][0] for one in text.split("->"))
    held = [{"id": f"edghtsrt_a{number}", **one} for number, one in enumerate(live["routes"])]
    seed = {"https_edges": [{**live, "id": EDGE, "routes": held}], "objects": {}}
    purged = {"purge": [*purge, "modules", "hostports"], "max_deletions": 100, "allow_empty": True}
    return Change(seed, "estate", {"https_edges": [{**declared, "id": EDGE}], **purged, "concurrency": 1})


def of_objects(
    rules: list[Fields], tls_edges: list[str], objects: dict[str, Fields | None], taken: str = "", method: str = "PATCH"
) -> Change:
    """A change of objects: what is to be of them, by their IDs; None if they are to go.

    TLS edges are live with the first of their IDs, and the IP policy `office` with these rules. The traffic module that
    is `taken` from the first edge has a plan of its own.
    """
    held = [{"id": f"edgtls_{number}", **modules(f"backend {words}")} for number, words in enumerate(tls_edges)]
    live = {"ip_policies": [{"id": "ipp_office"}], **({"ip_policy_rules": rules} if rules else {})}
    live["backends/static"] = [{"id": "bkdst_old", "address": "192.0.2.1:80"}]
    named = []
    for identifier, body in objects.items():
        gone = {"state": "absent"} if body is None else {}
        named.append({**declared_object(identifier, **(body or {})), "update_method": method, **gone})
    options: Fields = {"objects": named, "purge": ["hostports"], "max_deletions": 100, "concurrency": 1}
    if taken:
        options["tls_edges"] = [{"edge_id": "edgtls_0", "absent_modules": [taken]}]
    return Change({"https_edges": [], "tls_edges": held, "objects": live}, "estate", options)


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
        [live_rule("10.2.0.0/16")], [f"{SERVED} office"], {"ipr_allow_10": {"cidr": "10.0.0.0/8"}}
    ),
    "another network, which a TLS edge that is not declared lets in": of_objects(
        [live_rule("10.0.0.0/8"), live_rule("10.2.0.0/16", "deny")],
        [f"{SERVED} office"],
        {"ipr_deny_10": {"cidr": "192.0.2.0/24"}, "ipr_allow_10": {"cidr": "10.2.3.0/24"}},
    ),
    "a TLS edge gets the hostport of one that is deleted": of_objects(
        [], [SERVED, "hostport="], {"edgtls_0": None, "edgtls_1": modules(SERVED)}
    ),
    "a TLS edge gets a hostport, and a policy denies everybody": of_objects(
        [live_rule("0.0.0.0/0", "deny"), {**live_rule("::/0", "deny"), "id": "ipr_deny_more"}],
        ["hostport= office"],
        {"ipr_deny_0": {"description": "x"}, "ipr_deny_more": {"description": "x"}, "edgtls_0": modules(SERVED)},
    ),
    "a TLS edge gets the hostport of one whose restriction a PUT resets": of_objects(
        [live_rule("10.0.0.0/8")],
        [f"{SERVED} office", "hostport="],
        {"edgtls_0": {"hostports": [], **modules("backend")}, "edgtls_1": modules(f"{SERVED} backend office")},
        method="PUT",
    ),
    "a policy goes with the restriction of a TLS edge": of_objects(
        [live_rule("10.0.0.0/8")], [f"{SERVED} office"], {"ipr_allow_10": None, "ipp_office": None}, "ip_restriction"
    ),
    "a policy goes with the restriction of a TLS edge that is declared and stays": of_objects(
        [live_rule("10.0.0.0/8")],
        [f"{SERVED} office"],
        {"ipr_allow_10": None, "ipp_office": None, "edgtls_0": modules("backend")},
        "ip_restriction",
    ),
    "a TLS edge gets the hostport of one that is deleted, and the backend of both goes": of_objects(
        [],
        [f"{SERVED} >bkdst_old", "hostport= >bkdst_old"],
        {"edgtls_0": None, "edgtls_1": modules(f"{SERVED} backend"), "bkdst_old": None},
    ),
}
