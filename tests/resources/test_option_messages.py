# SPDX-License-Identifier: GPL-3.0-or-later
"""What people read who wrote an option wrong: the whole message, the same in the worker and in a process of its own."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import argument_spec, checked, masked, result_of
from module_process import printed_and_logged
from module_task import work_of
from places import KEY

NO_HEADER = "not a valid HTTP header name; expected a name without spaces, colons, or control characters"
NEEDED = "required if `id` is not set; set both `match_type` and `match`"
DECLARED_TWICE = "ip_policy_created.v0 is already declared in"
NAN, INFINITY = float("nan"), float("inf")
UNSET = "check whether the variable that it comes from is set"
FINITE = "set a finite number, or put it in quotes if you mean a string"
QUOTES = "put it in quotes if you mean a string"
CONNECTION = {"base_url": "http://127.0.0.1:9", "api_key": "a-key-of-nobody", "retries": 0}
HOSTPORT = "expected a host and a port, such as 'shop.example.com:443'"
AN_EDGE = "expected the ID of an HTTPS edge, which starts with 'edghts_'"
A_SUBSCRIPTION = "expected the ID of an event subscription, which starts with 'esb_'"
A_TLS_EDGE = "expected the ID of a TLS edge, which starts with 'edgtls_'"
A_POLICY = "expected the ID of an IP policy, which starts with 'ipp_'"
HEADERS = {"A": None, "B": [1], "C": True, "D": NAN, "E": "x\0"}
BREAKER = {
    "error_threshold_percentage": "25%",
    "num_buckets": "many",
    "rolling_window": "5min",
    "tripped_duration": 1.5,
}
TUNNEL_OPTIONS = ", ".join(argument_spec(work_of("tunnel_info")))

FURTHER = "unknown option; indent it further, because it is an option of"
NO_RULES = f"write [] for no rules, or {UNSET}"
ROUTE_OPTIONS = ", ".join(argument_spec(work_of("https_edge_route")))

Case = tuple[str, dict[str, Any], list[str]]


def route(*option_errors: str, **options: Any) -> Case:
    return "https_edge_route", {"edge_id": "edghts_a", **KEY, **options}, list(option_errors)


def edge(*option_errors: str, **options: Any) -> Case:
    return "https_edge", {"hostports": ["a:1"], **options}, list(option_errors)


def edge_id(given: Any, option_error: str) -> Case:
    return route(f"edge_id: {option_error}", edge_id=given)


def estate(*option_errors: str, **options: Any) -> Case:
    return "estate", options, list(option_errors)


def sources(*option_errors: str, **options: Any) -> Case:
    return "event_sources", {"subscription_id": "esb_a", **options}, list(option_errors)


def hostport(given: Any, option_error: str) -> Case:
    return edge(f"hostports[1]: {option_error}", hostports=["a:1", given])


CASES: list[Case] = [
    hostport("https://a.example.com", "'https://a.example.com' is a URL; write 'a.example.com:443'"),
    hostport({"host": "a"}, "expected a string, got a dictionary"),
    hostport(["a:1"], "expected a string, got a list"),
    hostport(None, f"expected a string, got null; {UNSET}"),
    hostport(True, f"expected a string, got the boolean true; {QUOTES}"),
    hostport(NAN, f"expected a string, got the number nan; {QUOTES}"),
    hostport(443, f"'443' is a port without a host; {HOSTPORT}"),
    hostport("", f"is empty; {UNSET}"),
    edge("hostports: expected a list, got a dictionary", hostports={"a:1": None}),
    edge(
        f"hostports: expected a list, got an empty string; write [] for an empty list, or {UNSET}",
        hostports="",
    ),
    edge("hostports[1]: 'b' has no port; write 'b:443', or the port that it serves", hostports="a:1, b"),
    ("https_edge_info", {"hostports": ["443"]}, [f"hostports[0]: '443' is a port without a host; {HOSTPORT}"]),
    (
        "estate",
        {"https_edges": [{"hostports": ["a:1", "b"]}]},
        ["https_edges[0].hostports[1]: 'b' has no port; write 'b:443', or the port that it serves"],
    ),
    edge_id("", f"is empty; {UNSET}"),
    edge_id(None, f"expected a string, got null; {UNSET}"),
    edge_id("shop", f"'shop' is not an ID; {AN_EDGE}"),
    edge_id("edgtls_a", f"'edgtls_a' is the ID of a TLS edge; {AN_EDGE}"),
    edge_id("edghtsrt_a", f"'edghtsrt_a' is the ID of a route of an HTTPS edge; {AN_EDGE}"),
    edge_id("ts_a", f"'ts_a' is the ID of a tunnel session; {AN_EDGE}"),
    edge_id("edghts_", f"'edghts_' is not an ID; {AN_EDGE}"),
    edge_id("edghts_a\n", rf"'edghts_a\n' contains a blank or a control character, such as a line break; {AN_EDGE}"),
    edge_id({"id": "edghts_a"}, "expected a string, got a dictionary; did you mean its .id?"),
    edge_id({"https_edge": {"id": "a"}}, "expected a string, got a dictionary; did you mean its .https_edge.id?"),
    edge_id(["edghts_a"], "expected a string, got a list"),
    route(
        "backend.backend_id: 'edghts_a' is the ID of an HTTPS edge; expected the ID of a backend",
        backend={"backend_id": "edghts_a"},
    ),
    route(
        "ip_restriction.ip_policy_ids[2]: expected a string, got a dictionary; did you mean its .id?",
        f"ip_restriction.ip_policy_ids[0]: 'edgtls_a' is the ID of a TLS edge; {A_POLICY}",
        f"ip_restriction.ip_policy_ids[1]: is empty; {UNSET}",
        ip_restriction={"ip_policy_ids": ["edgtls_a", "", {"id": "ipp_a"}, "ipp_b", "other_c"]},
    ),
    edge(
        "mutual_tls.certificate_authority_ids[0]: 'ipp_a' is the ID of an IP policy; expected the ID of a certificate "
        "authority",
        mutual_tls={"certificate_authority_ids": ["ipp_a", "ca_b"]},
    ),
    (
        "event_source",
        {"subscription_id": "edghts_a", "type": ""},
        [
            f"subscription_id: 'edghts_a' is the ID of an HTTPS edge; {A_SUBSCRIPTION}",
            f"type: is empty; {UNSET}",
        ],
    ),
    (
        "estate_info",
        {"tls_edges": ["edghts_a"]},
        [
            f"tls_edges[0]: 'edghts_a' is the ID of an HTTPS edge; {A_TLS_EDGE}",
        ],
    ),
    (
        "estate",
        {
            "https_edges": [
                {
                    "hostports": ["a:1"],
                    "min_version": "1.2",
                    "routes": [
                        {**KEY, "backend": {"backendid": "b"}, "descripton": "x"},
                        {**KEY, "match": [], "oauth": {"provider": {"google": {"email-domains": []}}}},
                        {**KEY, "match_type": "exct"},
                    ],
                }
            ],
            "tls_edges": [{"edge_id": "edgtls_a", "ip_restrictions": {}}, {"tls_termination": {"enabled": True}}],
            "event_subscriptions": [{"subscription_id": "esb_a", "source": ["x"]}, "esb_b"],
            "purge": ["edge"],
            "max_deletion": 4,
        },
        [
            "max_deletion: unknown option; did you mean `max_deletions`?",
            "https_edges[0].min_version: unknown option; did you mean `tls_termination.min_version`?",
            "https_edges[0].routes[0].descripton: unknown option; did you mean `description`?",
            "https_edges[0].routes[0].backend.backendid: unknown option; did you mean `backend_id`?",
            "https_edges[0].routes[1].match: expected a string, got a list",
            (
                "https_edges[0].routes[1].oauth.provider.google.email-domains: unknown option; "
                "did you mean `email_domains`?"
            ),
            "https_edges[0].routes[2].match_type: 'exct' is not allowed; expected exact_path or path_prefix",
            "tls_edges[0].ip_restrictions: unknown option; did you mean `ip_restriction`?",
            "tls_edges[1].edge_id: required",
            "event_subscriptions[0].source: unknown option; did you mean `sources`?",
            "event_subscriptions[0].sources: required",
            "event_subscriptions[1]: expected a dictionary, got a string; its options are subscription_id, sources",
            (
                "purge[0]: 'edge' is not allowed; expected edges, routes, hostports, modules, or sources; "
                "did you mean `edges`?"
            ),
        ],
    ),
    ("tunnel_info", {"hosts": 1}, [f"hosts: unknown option; the options are {TUNNEL_OPTIONS}"]),
    route(
        "circuit_breaker.tripped_duration: 1.5 is not an integer",
        "circuit_breaker.rolling_window: '5min' is not a duration; expected seconds, or a duration in h, m, s, and ms, "
        "such as 1h30m",
        "circuit_breaker.num_buckets: 'many' is not an integer",
        "circuit_breaker.error_threshold_percentage: '25%' is not a number; as a fraction, 25% is 0.25",
        circuit_breaker=BREAKER,
    ),
    route(
        "circuit_breaker.enabled: 'maybe' is not a boolean; expected true or false",
        "circuit_breaker.tripped_duration: inf is not an integer",
        "circuit_breaker.rolling_window: expected an integer, got a list",
        f"circuit_breaker.num_buckets: '' is not an integer; {UNSET}",
        "circuit_breaker.volume_threshold: expected an integer, got the boolean true",
        circuit_breaker={
            "enabled": "maybe",
            "tripped_duration": INFINITY,
            "rolling_window": [],
            "num_buckets": "",
            "volume_threshold": True,
        },
    ),
    route("match: expected a string, got a dictionary", match={"a": 1}),
    route(
        "description: expected a string, got a list",
        "webhook_verification.provider: expected a string, got a list",
        "webhook_verification.secret: expected a string, got a dictionary",
        "saml.idp_metadata: expected a string, got a dictionary",
        f"saml.nameid_format: expected a string, got the boolean true; {QUOTES}",
        "oidc.scopes[0]: expected a string, got a list",
        f"oidc.scopes[1]: expected a string, got null; {UNSET}",
        description=["a"],
        webhook_verification={"provider": ["x"], "secret": {"a": "canary"}},
        saml={"idp_metadata": {"a": 1}, "nameid_format": True},
        oidc={"issuer": "i", "client_id": "c", "scopes": [["a"], None]},
    ),
    route(
        "backend: expected a dictionary, got a string; its options are enabled, backend_id",
        f"compression: expected a dictionary, got an empty string; its only option is enabled; {UNSET}",
        compression="",
        backend="bkd_a",
    ),
    route(
        f"request_headers.add.D: nan is not possible in JSON; {FINITE}",
        "request_headers.add.E: contains a NUL character; remove it",
        "request_headers.remove[0]: expected a string, got a dictionary",
        "response_headers.add: expected a dictionary, got a list",
        f"request_headers.add.A: expected a string, got null; {UNSET}",
        "request_headers.add.B: expected a string, got a list",
        f"request_headers.add.C: expected a string, got the boolean true; {QUOTES}",
        request_headers={"add": HEADERS, "remove": [{"a": 1}]},
        response_headers={"add": ["a"]},
    ),
    route(
        "description: contains a NUL character; remove it",
        f"metadata.a[1]: nan is not possible in JSON; {FINITE}",
        f"metadata.a[2].b: inf is not possible in JSON; {FINITE}",
        r"metadata: the key 'k\x00' contains a NUL character; remove it",
        f"policy.inbound.actions.config.limit: nan is not possible in JSON; {FINITE}",
        "policy.outbound[0].nme: unknown option; did you mean `name`?",
        "policy.outbound[1]: expected a rule (a dictionary with name, expressions, and actions), got a number",
        f"policy.outbound[2].expressions[0]: expected a string, got the boolean true; {QUOTES}",
        metadata={"a": [1, NAN, {"b": INFINITY}], "k\0": "v"},
        description="a\0b",
        policy={
            "inbound": {"actions": {"type": "x", "config": {"limit": NAN}}},
            "outbound": [{"nme": "x"}, 7, {"expressions": [True]}],
        },
    ),
    edge(f"metadata: expected a string, dictionary, or list, got the boolean true; {QUOTES}", metadata=True),
    edge(f"description: expected a string, got the boolean false; {QUOTES}", description=False),
    (
        "api",
        {"path": "/x", "method": "POST", "body": {"a": [NAN], "b": "\0"}},
        [
            f"body.a[0]: nan is not possible in JSON; {FINITE}",
            "body.b: contains a NUL character; remove it",
        ],
    ),
    ("api", {"path": ["/x"]}, ["path: expected a string, got a list"]),
    (
        "tunnel_info",
        {"timeout": "soon", "retries": True, "validate_certs": "perhaps", "labels": "x", "api_key": {"a": "canary"}},
        [
            "api_key: expected a string, got a dictionary",
            "timeout: 'soon' is not a number",
            "retries: expected an integer, got the boolean true",
            "validate_certs: 'perhaps' is not a boolean; expected true or false",
            "labels: expected a dictionary, got a string",
        ],
    ),
    edge(
        f"state: expected a string, got null; {UNSET}",
        "absent_modules[1]: 'oauth' is not allowed; expected mutual_tls or tls_termination",
        f"purge_modules: '' is not a boolean; expected true or false; {UNSET}",
        state=None,
        absent_modules="mutual_tls,oauth",
        purge_modules="",
    ),
    sources(
        f"sources[1]: {DECLARED_TWICE} sources[0]; remove one of them",
        sources=["ip_policy_created.v0"] * 2,
    ),
    sources(f"types[0]: is empty; {UNSET}", types=[""]),
    sources(f"sources[0]: expected a string, got null; {UNSET}", sources=[None]),
    sources(f"types: required, got null; {UNSET}", sources=None, types=None),
    sources(f"types[0]: is empty; {UNSET}", sources=None, types=[""]),
    ("tls_edge_info", {"edge_id": "edghts_a"}, [f"edge_id: 'edghts_a' is the ID of an HTTPS edge; {A_TLS_EDGE}"]),
    ("tls_edge_info", {"id": "edghts_a"}, [f"id: 'edghts_a' is the ID of an HTTPS edge; {A_TLS_EDGE}"]),
    (
        "estate",
        {
            "event_subscriptions": [
                {"subscription_id": "esb_a", "types": ["ip_policy_created.v0"] * 2},
                {"subscription_id": "esb_b", "types": [["x"]]},
                {"subscription_id": "esb_c", "types": None, "sources": [""]},
            ]
        },
        [
            "event_subscriptions[1].types[0]: expected a string, got a list",
            f"event_subscriptions[0].types[1]: {DECLARED_TWICE} event_subscriptions[0].types[0]; remove one of them",
            f"event_subscriptions[2].sources[0]: is empty; {UNSET}",
        ],
    ),
    # Null is the same as leaving an option out, also where Ansible would compare it with the choices.
    route(f"match_type: {NEEDED}", match_type=None),
    (
        "estate",
        {
            "https_edges": [{"hostports": ["a:1"], "routes": [{"match": "/a", "match_type": None}]}],
            "tls_edges": [{"edge_id": "edghts_a", "tls_termination": {"terminate_at": None}}],
        },
        [
            f"https_edges[0].routes[0].match_type: {NEEDED}",
            f"tls_edges[0].edge_id: 'edghts_a' is the ID of an HTTPS edge; {A_TLS_EDGE}",
        ],
    ),
    route("match_type: '' is not allowed; expected exact_path or path_prefix", match_type=""),
    # One mistake is one option error: its consequences are not reported as well.
    route(
        "oauth.provider.github: expected a dictionary, got a string; its options are client_id, client_secret, scopes, "
        "email_addresses, email_domains, teams, organizations",
        oauth={"provider": {"github": "x"}},
    ),
    route(
        "policy.inbound.expressions: expected a list of strings, got a number", policy={"inbound": {"expressions": 5}}
    ),
    route("policy.enabled: 'maybe' is not a boolean; expected true or false", policy={"enabled": "maybe"}),
    route("backend.enabled: 'maybe' is not a boolean; expected true or false", backend={"enabled": "maybe"}),
    (
        "tls_edge_ip_restriction",
        {"edge_id": "edgtls_a", "enabled": "maybe"},
        ["enabled: 'maybe' is not a boolean; expected true or false"],
    ),
    (
        "https_edge_routes",
        {"edge_id": "edghts_a", "routes": [{"match_type": "exact_path", "match": []}] * 2},
        [f"routes[{number}].match: expected a string, got a list" for number in (0, 1)],
    ),
    route(
        "oauth.provider.github.client_id: expected a string, got a list",
        oauth={"provider": {"github": {"client_id": ["x"], "client_secret": "canary"}}},
    ),
    *(
        route(f"{name}.enabled: 'maybe' is not a boolean; expected true or false", **{name: module})
        for name, module in (
            ("backend", {"backend_id": "", "enabled": "maybe"}),
            ("oauth", {"provider": {}, "enabled": "maybe"}),
        )
    ),
    route("id: expected a string, got a list", id=["a"], match_type=None, match=None),
    route("mach: unknown option; did you mean `match`?", mach="/", match=None),
    edge("id: expected a string, got a list", id=["a"], hostports=None),
    edge("hostport: unknown option; did you mean `hostports`?", hostport=["a:1"], hostports=None),
    estate("https_edge: unknown option; did you mean `https_edges`?", https_edge=[]),
    estate(
        f"hostports: {FURTHER} the members of `https_edges` or `purge_scope`",
        f"routes: {FURTHER} the members of `https_edges`",
        f"sources: {FURTHER} the members of `event_subscriptions`",
        f"webhook_verification: {FURTHER} the members of `https_edges[].routes`",
        https_edges=[{"hostports": ["a:1"]}],
        hostports=["a:1"],
        routes=[],
        sources=[],
        webhook_verification={"provider": "slack"},
    ),
    estate("https_edges: expected a list of dictionaries, got a string", https_edges="x", purge=["edges"]),
    estate(
        "https_edges[0].routes: expected a list of dictionaries, got a number",
        https_edges=[{"hostports": ["a:1"], "routes": 5}],
        purge=["routes"],
    ),
    estate(
        "tls_edge: unknown option; did you mean `tls_edges`?",
        tls_edge=[],
        event_subscriptions=[],
        purge=["modules"],
    ),
    route(
        "match_type: '********' is not allowed; expected exact_path or path_prefix",
        "webhook_verification.secret: expected a string, got a list",
        match_type="canary",
        webhook_verification={"provider": "x", "secret": ["a", "canary", {"got": "got"}, 1]},
    ),
    # What remains of a rule or an action if all that is in it is omitted.
    *(
        route(f"policy.inbound: the rule is empty; {NO_RULES}", policy={"inbound": rule})
        for rule in ({}, {"actions": {}}, {"name": None, "expressions": [], "actions": [{"config": {}}]})
    ),
    route(
        f"policy.outbound[1]: the rule is empty; {NO_RULES}",
        f"policy.outbound[2].actions: the action is empty; remove it, or {UNSET}",
        policy={"inbound": [], "outbound": [{"name": "a", "actions": []}, {}, {"name": "b", "actions": {}}]},
    ),
    route(
        f"policy.inbound or policy.outbound: required (an empty list is allowed); set one of them, or {UNSET}",
        policy={},
    ),
    route(
        f"request_headers.add: '' is {NO_HEADER}",
        f"request_headers.add: 'X Y' is {NO_HEADER}",
        "request_headers.add.Z: contains a line break; remove it",
        rf"response_headers.add: 'X:\n' is {NO_HEADER}",
        request_headers={"add": {"": "y", "X Y": "z", "Z": "a\r\nb"}},
        response_headers={"add": {"X:\n": "y"}},
    ),
    route(f"match_type: {NEEDED}", match_type=None, retries="1e3", timeout="1e1"),
    *(
        route(f"retries: {given!r} is not an integer; write the number without a unit", retries=given)
        for given in ("1e-1", "1e400", "1e", "1.5e0")
    ),
    *(
        edge_id(given, f"{given!r} contains {what!r}, which has a special meaning in URLs; {AN_EDGE}")
        for given, what in (
            ("edghts_x/y", "/"),
            ("edghts_../routes", "/"),
            ("edghts_a?b", "?"),
            ("edghts_a#b", "#"),
            ("edghts_a%2e", "%"),
            ("edghts_a\\b", "\\"),
            ("other_x/y", "/"),
        )
    ),
    *(edge_id(given, f"{given!r} is not an ID; {AN_EDGE}") for given in ("edghts_..", "edghts_.")),
    (
        "tunnel_info",
        {"id": "tn_.."},
        ["id: 'tn_..' is not an ID; expected the ID of a tunnel, which starts with 'tn_'"],
    ),
    route(
        f"request_headers.add.A: expected a string, got null; {UNSET}",
        "request_headers.add.B: expected a string, got a list",
        request_headers={"add": {"B": [1], "A": None}},
    ),
    route(
        "metadata.a: contains a NUL character; remove it",
        f"metadata.b: nan is not possible in JSON; {FINITE}",
        metadata={"b": NAN, "a": "\0"},
    ),
    route(
        *(f"{name}: unknown option; the options are {ROUTE_OPTIONS}" for name in ("aaaaaaaa", "qqqqqqqq", "zzzzzzzz")),
        *(f"compression.{name}: unknown option; the options are enabled" for name in ("qqq", "zzz")),
        zzzzzzzz=1,
        aaaaaaaa=1,
        compression={"zzz": 1, "qqq": 2},
        qqqqqqqq=1,
    ),
]


@pytest.mark.parametrize(("module", "options", "option_errors"), CASES)
def test_the_message_is_the_same_in_both_ways_of_running(
    module: str, options: dict[str, Any], option_errors: list[str]
) -> None:
    work, given = work_of(module), {**CONNECTION, **options}
    arguments = checked(work, given)
    in_worker = masked(result_of(work, arguments.options, arguments.option_errors), work, arguments)
    in_process, logged = printed_and_logged(module, **given)
    assert "\0" not in logged  # the system's log rejects it, and AnsibleModule fails with that
    assert in_worker["option_errors"] == option_errors
    assert in_process["option_errors"] == option_errors
    assert in_process["msg"] == in_worker["msg"]
    assert "canary" not in str(in_worker)
    assert "canary" not in str(in_process)


def test_half_of_a_surrogate_pair_is_an_option_error() -> None:
    """Newer versions of Ansible do not even hand it to a module."""
    work = work_of("https_edge")
    given = {**CONNECTION, "hostports": ["a:1"], "metadata": {"a": "\ud800"}, "description": "\udfff"}
    arguments = checked(work, given)
    assert result_of(work, arguments.options, arguments.option_errors)["option_errors"] == [
        "description: contains half of a surrogate pair, which cannot be encoded; remove it",
        "metadata.a: contains half of a surrogate pair, which cannot be encoded; remove it",
    ]
