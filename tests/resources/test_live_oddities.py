# SPDX-License-Identifier: GPL-3.0-or-later
"""What a service holds that nobody could declare: it is read, exported and purged. Applied as it was exported, it is
unchanged, or an error says what is there and what to do. It is never changed in silence.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import pytest

from cases import cases
from module_task import WRITES, Tasks, received
from places import KEY, SUBSCRIPTION, TLS_EDGE
from scripted_service import Received, Response, as_json

EDGE, ROUTE = "edghts_a", "edghtsrt_a"
SOURCES = f"/event_subscriptions/{SUBSCRIPTION}/sources"
PATHS = {
    "edge": "https_edges[0]",
    "route": "https_edges[0].routes[0]",
    "tls": "tls_edges[0].tls_termination",
    "types": "event_subscriptions[0].sources[0]",
}
EMPTY = {"enabled": True}


@dataclass(frozen=True)
class Odd:
    """What is live on the edge, its route, and the TLS edge, with the types of the sources; and the option errors."""

    errors: list[str]
    edge: dict[str, Any] = field(default_factory=dict)
    route: dict[str, Any] = field(default_factory=dict)
    tls: dict[str, Any] = field(default_factory=dict)
    types: list[str] = field(default_factory=list)

    def __call__(self, request: Received) -> Response:
        """A service that holds one edge with one route, one TLS edge, and one subscription."""
        held_route = {"id": ROUTE, "edge_id": EDGE, **KEY, **self.route}
        held = {"id": EDGE, "hostports": ["a.example.com:443"], "routes": [held_route], **self.edge}
        objects: dict[str, Any] = {
            "/edges/https": {"https_edges": [held], "next_page_uri": None},
            f"/edges/https/{EDGE}": held,
            SOURCES: {"sources": [{"type": each, "uri": ""} for each in self.types], "uri": None},
            f"/edges/tls/{TLS_EDGE}/ip_restriction": None,
            f"/edges/tls/{TLS_EDGE}/tls_termination": self.tls or None,
        }
        path = request.path.partition("?")[0]
        if request.method == "DELETE":
            return Response(204)
        return as_json(objects[path]) if request.method == "GET" and path in objects else as_json({}, 404)


OTHERS = dict.fromkeys(("facebook", "microsoft", "google", "linkedin", "gitlab", "twitch", "amazon"))
# What is odd: where it is, what is there, and the option errors, which begin with the path of that.
ODD: dict[str, Odd] = {
    name: Odd([f"{PATHS.get(where, '')}{error}" for error in errors], **(live if where == "both" else {where: live}))
    for name, (where, live, *errors) in cases(
        """
        nothing odd                    | edge | {}
        a hostport without a port      | edge | {hostports: [a.example.com]}
            | ".hostports[0]: 'a.example.com' has no port; write 'a.example.com:443', or the port that it serves"
        a NUL                          | edge | {metadata: "a\\0b"} | '.metadata: contains a NUL character; remove it'
        references with own prefixes   | both | {edge: *REFERENCES, route: *OF_ROUTE}
        a reference to another kind    | route | {backend: {enabled: true, backend: {id: ep_1}}}
            | ".backend.backend_id: 'ep_1' is the ID of an endpoint; expected the ID of a backend"
        OIDC without a client          | route | {oidc: {enabled: true, issuer: i, scopes: [openid]}}
        scopes without a client        | route | {oauth: {enabled: true, provider: *SCOPES}}
            | '.oauth.provider.github.scopes: requires client_id and client_secret; set them as well, or remove scopes'
        min_version with upstream      | tls | {enabled: true, terminate_at: upstream, min_version: '1.2'}
            | '.min_version: not allowed if `terminate_at` is `upstream`; remove one of the two'
        another terminate_at           | tls | {enabled: true, terminate_at: middle}
            | ".terminate_at: 'middle' is not allowed; expected edge or upstream"
        numbers out of range
            | route | {circuit_breaker: {enabled: true, num_buckets: 200, error_threshold_percentage: 25.5}}
            | '.circuit_breaker.num_buckets: 200 is out of range; expected a number from 0 to 128'
            | *FRACTION
        headers that differ in case    | route | {request_headers: {enabled: true, add: {X-A: '1', x-a: '2'}}}
            | '.request_headers.add: X-A and x-a are the same header; keep one of them'
        an event of no catalog         | types | [new.v1]
            | ": unknown event type 'new.v1'; to use it anyway, set `allow_unknown_type: true`"
        a webhook without a provider   | route | {webhook_verification: {enabled: true, secret: s}}
        a login without a provider     | route | {oauth: {enabled: true, cookie_prefix: c, provider: null}}
        a restriction to nobody        | route | {ip_restriction: {enabled: true, ip_policies: []}}
        a route without a match        | route | {match: ''}
        an empty rule                  | route | {policy: {enabled: true, inbound: {}, outbound: [{actions: {}}]}}
        an empty rule next to another
            | route | {policy: {enabled: true, inbound: [{}, {name: n, actions: [{}, {type: deny}]}]}}
        an ID with signs of addresses  | route | {id: 'edghtsrt_a/b?y#z%2e', match: ''} | *SLASH
        a rule that is no rule | route | {policy: {enabled: true, inbound: [{name: n, expressions: [true]}]}} | *BOOLEAN
        """,
        FRACTION=".circuit_breaker.error_threshold_percentage: 25.5 is out of range; expected a number from 0 to 1.0 "
        "(a fraction, not a percentage)",
        SLASH=".id: 'edghtsrt_a/b?y#z%2e' contains '/', which has a special meaning in URLs; expected the ID of a "
        "route of an HTTPS edge, which starts with 'edghtsrt_'",
        BOOLEAN=".policy.inbound[0].expressions[0]: expected a string, got the boolean true; put it in quotes if you "
        "mean a string",
        SCOPES={**OTHERS, "github": {"scopes": ["user"], "client_id": "", "client_secret": ""}},
        REFERENCES={"mutual_tls": {**EMPTY, "certificate_authorities": [{"id": "x"}]}},
        OF_ROUTE={
            "backend": {**EMPTY, "backend": {"id": "b"}},
            "ip_restriction": {**EMPTY, "ip_policies": [{"id": "policy_1"}]},
        },
    ).items()
}


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("name", ODD)
def test_an_export_is_unchanged_or_an_error(tasks: Tasks, name: str, check: bool) -> None:
    odd, errors = ODD[name], ODD[name].errors
    export = tasks.done("estate_info", instead=odd, tls_edges=[TLS_EDGE], event_subscriptions=[SUBSCRIPTION])
    result = tasks.run("estate", check, odd, **export["estate"])
    assert result.get("option_errors", []) == errors, result
    assert (bool(result.get("failed")), result["changed"]) == (bool(errors), False), result
    assert received(result, *WRITES) == []
    warned = [warning for warning in export.get("warnings", ()) if "does not accept" in warning]
    assert warned == [f"The service holds a value that the module estate does not accept: {error}." for error in errors]


@pytest.mark.parametrize("name", ODD)
def test_an_odd_live_object_can_be_read_and_purged(tasks: Tasks, name: str) -> None:
    odd = ODD[name]
    tasks.done("https_edge_info", instead=odd)
    tasks.done("tls_edge_info", instead=odd, id=TLS_EDGE)
    purged = tasks.done("https_edge_routes", instead=odd, edge_id=EDGE, routes=[], purge=True, allow_empty=True)
    route_id = quote(odd.route.get("id", ROUTE), safe="")
    assert received(purged, *WRITES) == [f"DELETE /edges/https/{EDGE}/routes/{route_id}"]
    purged = tasks.done("estate", instead=odd, https_edges=[], purge=["edges"], allow_empty=True)
    assert received(purged, *WRITES) == [f"DELETE /edges/https/{EDGE}"]


def test_headers_that_differ_in_case_only_become_the_declared_one(tasks: Tasks) -> None:
    held: dict[str, Any] = {"request_headers": {**EMPTY, "add": {"X-A": "1", "x-a": "2", "X-B": "3"}}}

    def instead(request: Received) -> Response:
        if request.method == "PATCH":
            held.update(request_headers={**EMPTY, "add": {"x-a": "2", "x-b": "3"}})
            return as_json({"id": ROUTE, "edge_id": EDGE, **KEY, **held})
        return Odd([], route=held)(request)

    declared = {"edge_id": EDGE, **KEY, "request_headers": {"add": {"X-A": "2", "X-B": "3"}}}
    changed = [tasks.done("https_edge_route", instead=instead, **declared)["changed"] for _ in range(3)]
    assert changed == [True, False, False]


DENY = '{"actions": [{"type": "deny"}]}'
# The policy that a route has, what is exported of it, and whether it has rules in another format.
POLICIES: dict[str, tuple[dict[str, Any], dict[str, Any], bool]] = cases(
    """
    YAML                    | {enabled: true, value: *YAML}                      | {enabled: true, <<: *NONE} | true
    YAML of a disabled one  | {enabled: false, value: *YAML}                     | {enabled: false} | true
    JSON                    | {enabled: true, value: '{"on_http_request": [1]}'} | {enabled: true, <<: *NONE} | true
    a list as JSON          | {enabled: true, value: '[1]'}                      | {enabled: true, <<: *NONE} | true
    an object               | {enabled: true, value: {on_tcp_connect: [1]}}      | {enabled: true, <<: *NONE} | true
    fields of its own       | {enabled: true, on_http_request: [1]}              | {enabled: true, <<: *NONE} | true
    both                    | {enabled: true, value: *BOTH}                      | {enabled: true, <<: *READ} | true
    both of a disabled one  | {enabled: false, value: *BOTH}                     | {enabled: false, <<: *READ} | true
    no rules                | {enabled: true, value: '{}', revision: 7, x: {}}   | {enabled: true, <<: *NONE} | false
    no list                 | {enabled: true, value: ' [] '}                     | {enabled: true, <<: *NONE} | false
    blanks                  | {enabled: true, value: " \\n"}                      | {enabled: true, <<: *NONE} | false
    rules as JSON           | {enabled: true, value: *RULES}                     | {enabled: true, <<: *READ} | false
    rules as an object      | {enabled: true, value: *READ}                      | {enabled: true, <<: *READ} | false
    none in an object       | {enabled: true, value: *NONE, <<: *READ}           | {enabled: true, <<: *READ} | false
    """,
    YAML="on_http_request:\n  - actions:\n      - type: deny\n",
    BOTH=f'{{"inbound": [{DENY}], "on_http_request": [{DENY}]}}',
    READ={"inbound": [{"name": "", "expressions": [], "actions": [{"type": "deny", "config": {}}]}]},
    NONE={"inbound": [], "outbound": []},
    RULES=f'{{"inbound": {DENY}, "outbound": []}}',
)


@pytest.mark.parametrize("field_name", ["policy", "traffic_policy"])
@pytest.mark.parametrize("name", POLICIES)
def test_an_export_says_which_rules_it_lacks(tasks: Tasks, name: str, field_name: str) -> None:
    live, declared, is_other = POLICIES[name]
    odd = Odd([], route={field_name: live})
    export = tasks.done("estate_info", instead=odd)
    assert export["estate"]["https_edges"][0]["routes"][0]["policy"] == declared
    warned = [one for one in export.get("warnings", ()) if one.startswith("https_edges[0].routes[0].policy lacks")]
    assert (len(warned), len(export.get("warnings", ()))) == (is_other, is_other)
    shown = tasks.done("https_edge_info", instead=odd)
    assert shown["https_edges"][0]["routes"][0]["policy"]["outbound"] == []
    assert len(shown.get("warnings", ())) == is_other
    result = tasks.done("estate", False, odd, **export["estate"], purge=["modules", "routes"])
    assert (result["changed"], received(result, *WRITES)) == (False, [])
    edge = {"hostports": ["a.example.com:443"], "description": ""}
    [route] = tasks.done("estate", True, odd, https_edges=[edge], undeclared="declarations")["undeclared"]
    assert ("policy" not in route["declaration"], "the declaration lacks policy" in route["why"]) == (is_other,) * 2


# Objects of the collections of a service. The export builds the same ones elsewhere.
OBJECTS: dict[str, tuple[dict[str, Any]]] = cases(
    """
    empty labels     | {backends/tunnel_group: [{description: g, labels: {a: '', b: x}}]}
    only empty ones  | {backends/tunnel_group: [{description: g, labels: {a: ''}}]}
    empty headers    | {backends/http_response: [{description: g, body: x, status_code: 200, headers: {x-a: ''}}]}
    labels with the names of fields
        | {ip_policies: [*OFFICE], backends/tunnel_group: [{description: g, labels: {backend: x, ip_policies: ipp_1}}]}
    strings that are IDs
        | {ip_policies: [*OFFICE], vaults: [{name: ipp_1}], backends/http_response: [*PAGE]}
    empty extensions
        | {ip_policies: [*OFFICE], ssh_user_certificates: [{description: g, <<: *SSH, extensions: {permit-pty: ''}}]}
    """,
    OFFICE={"id": "ipp_1", "description": "Office"},
    PAGE={"description": "p", "body": "ipp_1", "status_code": 200},
    SSH={"ssh_certificate_authority_id": "sshca_1", "public_key": "k", "principals": ["ipp_1"]},
)


@pytest.mark.parametrize("name", OBJECTS)
def test_an_export_builds_the_same_objects_elsewhere(tasks: Tasks, name: str) -> None:
    [objects] = OBJECTS[name]
    tasks.service.seed(objects=objects)
    export = tasks.done("estate_info", objects=list(objects), https_edges=False)
    assert ([*export.get("warnings", ())], tasks.done("estate", **export["estate"])["changed"]) == ([], False)
    before = fields_of(tasks)
    tasks.service.reset()
    tasks.done("estate", **export["estate"], concurrency=1)
    assert fields_of(tasks) == before


def fields_of(tasks: Tasks) -> dict[str, list[Any]]:
    """The objects of the service without what it has written."""
    return {
        collection: [{name: one[name] for name in one if name not in ("id", "uri", "created_at")} for one in objects]
        for collection, objects in tasks.service.state()["objects"].items()
    }


def test_an_export_leaves_out_what_contains_a_secret_of_the_task(tasks: Tasks) -> None:
    """A mask in its place would replace the current value. A value that cannot be left out is in a warning."""
    text = f"uses {tasks.service.api_key} since May"
    edge = {"description": text, "metadata": "m", "hostports": ["a.example.com:443"]}
    route = {**KEY, "metadata": text, "request_headers": {"add": {"x-a": text}}}
    policies = [{"description": text}, {"description": "o", "metadata": text}]
    tasks.service.seed(https_edges=[{**edge, "routes": [route]}], objects={"ip_policies": policies})
    before = tasks.service.state()
    export = tasks.done("estate_info", objects=["ip_policies"])
    left_out = ["https_edges[0].description", "https_edges[0].routes[0].metadata"]
    left_out += ["objects[0].description", "objects[1].metadata"]
    masked = "https_edges[0].routes[0].request_headers.add.x-a"
    why = "contains a secret of this task"
    assert export["warnings"] == [
        *(f"{path} {why}, so it is left out. If you declare the result, it stays." for path in left_out),
        f"{masked} {why}, which is masked. Correct the value before you apply the result.",
    ]
    [found] = export["estate"]["https_edges"]
    assert (found["metadata"], "description" in found, "metadata" in found["routes"][0]) == ("m", False, False)
    one, other = export["estate"]["objects"]
    assert (one["id"].startswith("ipp_"), one.keys() & {"body", "find_by"}) == (True, set())
    assert (other["find_by"], "body" in other) == ({"description": "o"}, False)
    found["routes"][0]["request_headers"]["add"]["x-a"] = text
    assert not tasks.done("estate", **export["estate"])["changed"]
    assert tasks.service.state() == before
