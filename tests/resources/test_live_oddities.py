# SPDX-License-Identifier: GPL-3.0-or-later
"""What a service holds that nobody could declare: it is read, exported and purged. Applied as it was exported, it is
unchanged, or an error says what is there and what to do. It is never changed in silence.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from module_task import Tasks
from places import KEY, SUBSCRIPTION, TLS_EDGE
from scripted_service import Received, Response, Script, as_json, scripted_service

EDGE, ROUTE = "edghts_a", "edghtsrt_a"
HERE = "https_edges[0]"
ON_ROUTE = f"{HERE}.routes[0]"
HEADER_NAMES = "expected a name without spaces, colons, or control characters"
QUOTES = "put it in quotes if you mean a string"
UNSET = "check whether the variable that it comes from is set"
EMPTY = {"enabled": True}


def live(edge: dict[str, Any], route: dict[str, Any], tls: dict[str, Any], types: list[str]) -> Script:
    """A service that holds one edge with one route, one TLS edge, and one subscription."""
    held_route = {"id": ROUTE, "edge_id": EDGE, **KEY, **route}
    held = {"id": EDGE, "hostports": ["a.example.com:443"], "routes": [held_route], **edge}
    sources = [{"type": each, "uri": ""} for each in types]
    objects: dict[str, Any] = {
        "/edges/https": {"https_edges": [held], "next_page_uri": None},
        f"/edges/https/{EDGE}": held,
        f"/event_subscriptions/{SUBSCRIPTION}/sources": {"sources": sources, "uri": None},
        **{f"/edges/tls/{TLS_EDGE}/{name}": tls.get(name) for name in ("ip_restriction", "tls_termination")},
    }

    def script(request: Received) -> Response:
        path = request.path.partition("?")[0]
        if request.method == "DELETE":
            return Response(204)
        return as_json(objects[path]) if request.method == "GET" and path in objects else as_json({}, 404)

    return script


def provider(**fields: Any) -> dict[str, Any]:
    others = dict.fromkeys(("facebook", "microsoft", "google", "linkedin", "gitlab", "twitch", "amazon"))
    return {"oauth": {"enabled": True, "provider": {**others, "github": fields}}}


# What is live on the edge, its route and the TLS edge, with the types of the sources; and what is said of the export.
ODD: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any], list[str], list[str]]] = {
    "nothing odd": ({}, {}, {}, [], []),
    "a hostport without a port": (
        {"hostports": ["a.example.com"]},
        {},
        {},
        [],
        [f"{HERE}.hostports[0]: 'a.example.com' has no port; write 'a.example.com:443', or the port that it serves"],
    ),
    "a hostport with a trailing dot": ({"hostports": ["A.example.com.:443"]}, {}, {}, [], []),
    "an empty hostport": ({"hostports": [""]}, {}, {}, [], [f"{HERE}.hostports[0]: is empty; {UNSET}"]),
    "a NUL": (
        {"metadata": "a\0b"},
        {"description": "\0"},
        {},
        [],
        [
            f"{HERE}.metadata: contains a NUL character; remove it",
            f"{ON_ROUTE}.description: contains a NUL character; remove it",
        ],
    ),
    "a description that is too long": (
        {"description": "x" * 256},
        {},
        {},
        [],
        [f"{HERE}.description: 256 bytes (256 characters) is too long; the maximum is 255 bytes"],
    ),
    "another match_type": (
        {},
        {"match_type": "regex"},
        {},
        [],
        [f"{ON_ROUTE}.match_type: 'regex' is not allowed; expected exact_path or path_prefix"],
    ),
    "references with prefixes of their own": (
        {"mutual_tls": {"enabled": True, "certificate_authorities": [{"id": "x"}]}},
        {
            "backend": {"enabled": True, "backend": {"id": "b"}},
            "ip_restriction": {"enabled": True, "ip_policies": [{"id": "policy_1"}]},
        },
        {},
        [],
        [],
    ),
    "a reference to another kind": (
        {},
        {"backend": {"enabled": True, "backend": {"id": "ep_1"}}},
        {},
        [],
        [f"{ON_ROUTE}.backend.backend_id: 'ep_1' is the ID of an endpoint; expected the ID of a backend"],
    ),
    "OIDC without a client": ({}, {"oidc": {**EMPTY, "issuer": "i", "scopes": ["openid"]}}, {}, [], []),
    "scopes without a client": (
        {},
        provider(scopes=["user"], client_id="", client_secret=""),
        {},
        [],
        [
            (
                f"{ON_ROUTE}.oauth.provider.github.scopes: requires client_id and "
                "client_secret; set them as well, or remove scopes"
            )
        ],
    ),
    "min_version with upstream": (
        {},
        {},
        {"tls_termination": {"enabled": True, "terminate_at": "upstream", "min_version": "1.2"}},
        [],
        [
            (
                "tls_edges[0].tls_termination.min_version: not allowed if `terminate_at` is `upstream`; remove one "
                "of the two"
            )
        ],
    ),
    "another terminate_at": (
        {},
        {},
        {"tls_termination": {"enabled": True, "terminate_at": "middle"}},
        [],
        ["tls_edges[0].tls_termination.terminate_at: 'middle' is not allowed; expected edge or upstream"],
    ),
    "numbers out of range": (
        {},
        {"circuit_breaker": {**EMPTY, "num_buckets": 200, "error_threshold_percentage": 25.5}},
        {},
        [],
        [
            f"{ON_ROUTE}.circuit_breaker.num_buckets: 200 is out of range; expected a number from 0 to 128",
            (
                f"{ON_ROUTE}.circuit_breaker.error_threshold_percentage: 25.5 is out of range; expected a number from "
                "0 to 1.0 (a fraction, not a percentage)"
            ),
        ],
    ),
    "headers that differ in case only": (
        {},
        {"request_headers": {**EMPTY, "add": {"X-A": "1", "x-a": "2"}}},
        {},
        [],
        [f"{ON_ROUTE}.request_headers.add: X-A and x-a are the same header; keep one of them"],
    ),
    "an event of no catalog": (
        {},
        {},
        {},
        ["new.v1"],
        [
            (
                "event_subscriptions[0].sources[0]: unknown event type 'new.v1'; to use it anyway, set "
                "`allow_unknown_type: true`"
            )
        ],
    ),
    "a webhook without a provider": (
        {},
        {"webhook_verification": {**EMPTY, "secret": "s"}},
        {},
        [],
        [],
    ),
    "a login without a provider": (
        {},
        {"oauth": {**EMPTY, "cookie_prefix": "c", "provider": None}},
        {},
        [],
        [],
    ),
    "a restriction to nobody": ({}, {"ip_restriction": {**EMPTY, "ip_policies": []}}, {}, [], []),
    "a route without a match": ({}, {"match": ""}, {}, [], []),
    "an empty rule": ({}, {"policy": {**EMPTY, "inbound": {}, "outbound": [{"actions": {}}]}}, {}, [], []),
    "an empty rule next to another": (
        {},
        {"policy": {**EMPTY, "inbound": [{}, {"name": "n", "actions": [{}, {"type": "deny"}]}]}},
        {},
        [],
        [],
    ),
    "headers that no message can hold": (
        {},
        {"response_headers": {**EMPTY, "add": {"": "y", "x y": "z", "x-a": "a\nb"}}},
        {},
        [],
        [
            f"{ON_ROUTE}.response_headers.add: '' is not a valid HTTP header name; {HEADER_NAMES}",
            f"{ON_ROUTE}.response_headers.add: 'x y' is not a valid HTTP header name; {HEADER_NAMES}",
            f"{ON_ROUTE}.response_headers.add.x-a: contains a line break; remove it",
        ],
    ),
    "an ID with signs of addresses": (
        {},
        {"id": "edghtsrt_a/b", "match": ""},
        {},
        [],
        [
            (
                f"{ON_ROUTE}.id: 'edghtsrt_a/b' contains '/', which has a special meaning in URLs; "
                "expected the ID of a route of an HTTPS edge, which starts with 'edghtsrt_'"
            )
        ],
    ),
    "a rule of another shape": (
        {},
        {"policy": {**EMPTY, "inbound": [{"name": "n", "expressions": [True]}]}},
        {},
        [],
        [f"{ON_ROUTE}.policy.inbound[0].expressions[0]: expected a string, got the boolean true; {QUOTES}"],
    ),
}


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("name", ODD)
def test_an_export_is_unchanged_or_an_error(tasks: Tasks, name: str, check: bool) -> None:
    edge, route, tls, types, option_errors = ODD[name]
    with scripted_service(live(edge, route, tls, types)) as service:
        export = tasks.done(
            "estate_info", base_url=service.base_url, tls_edges=[TLS_EDGE], event_subscriptions=[SUBSCRIPTION]
        )
        result = tasks.run("estate", check, base_url=service.base_url, **export["estate"])
    assert result.get("option_errors", []) == option_errors, result
    assert bool(result.get("failed")) == bool(option_errors), result
    assert not result["changed"]
    assert service.writes() == []
    warned = [warning for warning in export.get("warnings", ()) if "does not accept" in warning]
    assert warned == [
        f"The service holds a value that the module estate does not accept: {option_error}."
        for option_error in option_errors
    ]


@pytest.mark.parametrize("name", ODD)
def test_an_odd_live_object_can_be_read_and_purged(tasks: Tasks, name: str) -> None:
    edge, route, tls, types, _option_errors = ODD[name]
    route_id = quote(route.get("id", ROUTE), safe="")
    with scripted_service(live(edge, route, tls, types)) as service:
        tasks.done("https_edge_info", base_url=service.base_url)
        tasks.done("tls_edge_info", base_url=service.base_url, id=TLS_EDGE)
        tasks.done(
            "https_edge_routes", base_url=service.base_url, edge_id=EDGE, routes=[], purge=True, allow_empty=True
        )
        tasks.done("estate", base_url=service.base_url, https_edges=[], purge=["edges"], allow_empty=True)
    assert service.writes() == [f"DELETE /edges/https/{EDGE}/routes/{route_id}", f"DELETE /edges/https/{EDGE}"]


def test_headers_that_differ_in_case_only_become_the_declared_one(tasks: Tasks) -> None:
    held: dict[str, Any] = {"request_headers": {**EMPTY, "add": {"X-A": "1", "x-a": "2", "X-B": "3"}}}

    def script(request: Received) -> Response:
        if request.method == "PATCH":
            held.update(request_headers={**EMPTY, "add": {"x-a": "2", "x-b": "3"}})
            return as_json({"id": ROUTE, "edge_id": EDGE, **KEY, **held})
        return live({}, held, {}, [])(request)

    declared = {"edge_id": EDGE, **KEY, "request_headers": {"add": {"X-A": "2", "X-B": "3"}}}
    with scripted_service(script) as service:
        changed = [tasks.done("https_edge_route", base_url=service.base_url, **declared)["changed"] for _ in range(3)]
    assert changed == [True, False, False]
