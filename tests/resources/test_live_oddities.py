# SPDX-License-Identifier: GPL-3.0-or-later
"""What a service holds that nobody could declare: it is read, exported and purged. Applied as it was exported, it is
unchanged, or an error says what is there and what to do. It is never changed in silence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import pytest

from module_task import WRITES, Tasks, received
from places import KEY, SUBSCRIPTION, TLS_EDGE
from scripted_service import Received, Response, as_json

EDGE, ROUTE = "edghts_a", "edghtsrt_a"
HERE = "https_edges[0]"
ON_ROUTE, ON_TLS = f"{HERE}.routes[0]", "tls_edges[0].tls_termination"
SOURCES = f"/event_subscriptions/{SUBSCRIPTION}/sources"
HEADER_NAMES = "expected a name without spaces, colons, or control characters"
UNSET = "check whether the variable that it comes from is set"
EMPTY = {"enabled": True}


@dataclass(frozen=True)
class Odd:
    """What is live on the edge, its route, and the TLS edge, with the types of the sources; and the option errors."""

    errors: tuple[str, ...]
    edge: dict[str, Any]
    route: dict[str, Any]
    tls: dict[str, Any]
    types: tuple[str, ...]

    def __call__(self, request: Received) -> Response:
        """A service that holds one edge with one route, one TLS edge, and one subscription."""
        held_route = {"id": ROUTE, "edge_id": EDGE, **KEY, **self.route}
        held = {"id": EDGE, "hostports": ["a.example.com:443"], "routes": [held_route], **self.edge}
        objects: dict[str, Any] = {
            "/edges/https": {"https_edges": [held], "next_page_uri": None},
            f"/edges/https/{EDGE}": held,
            SOURCES: {"sources": [{"type": each, "uri": ""} for each in self.types], "uri": None},
            **{f"/edges/tls/{TLS_EDGE}/{name}": self.tls.get(name) for name in ("ip_restriction", "tls_termination")},
        }
        path = request.path.partition("?")[0]
        if request.method == "DELETE":
            return Response(204)
        return as_json(objects[path]) if request.method == "GET" and path in objects else as_json({}, 404)


def on_edge(*errors: str, **edge: Any) -> Odd:
    return Odd(tuple(f"{HERE}.{error}" for error in errors), edge, {}, {}, ())


def on_route(*errors: str, **route: Any) -> Odd:
    return Odd(tuple(f"{ON_ROUTE}.{error}" for error in errors), {}, route, {}, ())


def on_tls(error: str, **termination: Any) -> Odd:
    return Odd((f"{ON_TLS}.{error}",), {}, {}, {"tls_termination": {**EMPTY, **termination}}, ())


def provider(**fields: Any) -> dict[str, Any]:
    others = dict.fromkeys(("facebook", "microsoft", "google", "linkedin", "gitlab", "twitch", "amazon"))
    return {"enabled": True, "provider": {**others, "github": fields}}


NUL = "contains a NUL character; remove it"
UNUSED = "set them as well, or remove scopes"
REFERENCES = {"mutual_tls": {"enabled": True, "certificate_authorities": [{"id": "x"}]}}
OF_ROUTE = {
    "backend": {"enabled": True, "backend": {"id": "b"}},
    "ip_restriction": {"enabled": True, "ip_policies": [{"id": "policy_1"}]},
}
UNKNOWN = (
    "event_subscriptions[0].sources[0]: unknown event type 'new.v1'; to use it anyway, set `allow_unknown_type: true`"
)
ODD: dict[str, Odd] = {
    "nothing odd": on_edge(),
    "a hostport without a port": on_edge(
        "hostports[0]: 'a.example.com' has no port; write 'a.example.com:443', or the port that it serves",
        hostports=["a.example.com"],
    ),
    "a hostport with a trailing dot": on_edge(hostports=["A.example.com.:443"]),
    "an empty hostport": on_edge(f"hostports[0]: is empty; {UNSET}", hostports=[""]),
    "a NUL": on_edge(f"metadata: {NUL}", metadata="a\0b"),
    "a NUL of a route": on_route(f"description: {NUL}", description="\0"),
    "a description that is too long": on_edge(
        "description: 256 bytes (256 characters) is too long; the maximum is 255 bytes", description="x" * 256
    ),
    "another match_type": on_route(
        "match_type: 'regex' is not allowed; expected exact_path or path_prefix", match_type="regex"
    ),
    "references with prefixes of their own": Odd((), REFERENCES, OF_ROUTE, {}, ()),
    "a reference to another kind": on_route(
        "backend.backend_id: 'ep_1' is the ID of an endpoint; expected the ID of a backend",
        backend={"enabled": True, "backend": {"id": "ep_1"}},
    ),
    "OIDC without a client": on_route(oidc={**EMPTY, "issuer": "i", "scopes": ["openid"]}),
    "scopes without a client": on_route(
        f"oauth.provider.github.scopes: requires client_id and client_secret; {UNUSED}",
        oauth=provider(scopes=["user"], client_id="", client_secret=""),
    ),
    "min_version with upstream": on_tls(
        "min_version: not allowed if `terminate_at` is `upstream`; remove one of the two",
        terminate_at="upstream",
        min_version="1.2",
    ),
    "another terminate_at": on_tls(
        "terminate_at: 'middle' is not allowed; expected edge or upstream", terminate_at="middle"
    ),
    "numbers out of range": on_route(
        "circuit_breaker.num_buckets: 200 is out of range; expected a number from 0 to 128",
        "circuit_breaker.error_threshold_percentage: 25.5 is out of range; expected a number from 0 to 1.0 (a "
        "fraction, not a percentage)",
        circuit_breaker={**EMPTY, "num_buckets": 200, "error_threshold_percentage": 25.5},
    ),
    "headers that differ in case only": on_route(
        "request_headers.add: X-A and x-a are the same header; keep one of them",
        request_headers={**EMPTY, "add": {"X-A": "1", "x-a": "2"}},
    ),
    "an event of no catalog": Odd((UNKNOWN,), {}, {}, {}, ("new.v1",)),
    "a webhook without a provider": on_route(webhook_verification={**EMPTY, "secret": "s"}),
    "a login without a provider": on_route(oauth={**EMPTY, "cookie_prefix": "c", "provider": None}),
    "a restriction to nobody": on_route(ip_restriction={**EMPTY, "ip_policies": []}),
    "a route without a match": on_route(match=""),
    "an empty rule": on_route(policy={**EMPTY, "inbound": {}, "outbound": [{"actions": {}}]}),
    "an empty rule next to another": on_route(
        policy={**EMPTY, "inbound": [{}, {"name": "n", "actions": [{}, {"type": "deny"}]}]}
    ),
    "headers that no message can hold": on_route(
        f"response_headers.add: '' is not a valid HTTP header name; {HEADER_NAMES}",
        f"response_headers.add: 'x y' is not a valid HTTP header name; {HEADER_NAMES}",
        "response_headers.add.x-a: contains a line break; remove it",
        response_headers={**EMPTY, "add": {"": "y", "x y": "z", "x-a": "a\nb"}},
    ),
    "an ID with signs of addresses": on_route(
        "id: 'edghtsrt_a/b' contains '/', which has a special meaning in URLs; expected the ID of a route of an HTTPS "
        "edge, which starts with 'edghtsrt_'",
        id="edghtsrt_a/b",
        match="",
    ),
    "a rule of another shape": on_route(
        "policy.inbound[0].expressions[0]: expected a string, got the boolean true; put it in quotes if you mean "
        "a string",
        policy={**EMPTY, "inbound": [{"name": "n", "expressions": [True]}]},
    ),
}


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("name", ODD)
def test_an_export_is_unchanged_or_an_error(tasks: Tasks, name: str, check: bool) -> None:
    odd, errors = ODD[name], list(ODD[name].errors)
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
        return on_route(**held)(request)

    declared = {"edge_id": EDGE, **KEY, "request_headers": {"add": {"X-A": "2", "X-B": "3"}}}
    changed = [tasks.done("https_edge_route", instead=instead, **declared)["changed"] for _ in range(3)]
    assert changed == [True, False, False]
