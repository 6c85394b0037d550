# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with the options is said before the first request: all of it, with the option's path and the limit."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks
from places import KEY, seed_edge, seed_route, seed_subscription, seed_tls_edge

pytestmark = pytest.mark.every_core

ROUTE = {"edge_id": "edghts_a", **KEY}
TOO_LONG = "é" * 76 + "ü" * 52  # 128 characters, 256 bytes
IN_90_CHARACTERS = "😀" * 55 + "é" + "a" * 34  # 90 characters, 256 bytes
NOT_SET = "required; set it, or check whether the variable that it comes from is set"

Case = tuple[str, dict[str, Any], tuple[str, ...]]


def route(*words: str, **options: Any) -> Case:
    """Options of a route, and what the message has to name."""
    return "https_edge_route", {**ROUTE, **options}, words


def edge(*words: str, **options: Any) -> Case:
    return "https_edge", {"hostports": ["a.example.com:443"], **options}, words


def of(module: str, *words: str, **options: Any) -> Case:
    return module, options, words


def estate(*words: str, **options: Any) -> Case:
    return "estate", options, words


def provider(name: str = "github", **fields: Any) -> dict[str, Any]:
    return {"provider": {name: fields}}


def rule(*words: str, **members: Any) -> Case:
    return route(*words, policy={"inbound": [{"name": "fine"}, members]})


TLS_EDGE, SUBSCRIPTION = {"edge_id": "edgtls_a"}, {"subscription_id": "esb_a"}
UNKNOWN = {"allow_unknown_type": True, **SUBSCRIPTION}
SECONDS = ("inactivity_timeout", "maximum_duration")
OPTION_ERRORS: list[Case] = [
    edge("description: 256 bytes", "255", description=TOO_LONG),
    route("description: 256 bytes", "90 characters", "255", description=IN_90_CHARACTERS),
    edge("metadata: 4097 bytes", "4096", metadata="m" * 4097),
    route("metadata: 4098 bytes", "4096", metadata="é" * 2049),
    edge("metadata: 4104 bytes", "4096", metadata={"k": "v" * 4096}),
    edge("metadata", "quotes", metadata=True),
    route("num_buckets: 129", "128", circuit_breaker={"num_buckets": 129}),
    route("circuit_breaker.num_buckets: -1", "0 to 128", circuit_breaker={"num_buckets": -1}),
    *(
        route(f"error_threshold_percentage: {share}", "0 to 1", circuit_breaker={"error_threshold_percentage": share})
        for share in (1.5, 50.0, -0.1, float("nan"), float("inf"))
    ),
    *(
        route(f"{module}.{name}: {number}", "4294967295", **{module: {name: number}})
        for number in (-1, 2**32)
        for module, names in {
            "circuit_breaker": ("tripped_duration", "rolling_window", "volume_threshold"),
            "oauth": (*SECONDS, "auth_check_interval"),
            "saml": SECONDS,
            "oidc": SECONDS,
        }.items()
        for name in names
    ),
    of(
        "tls_edge_tls_termination",
        *("min_version: ", "`terminate_at` is `upstream`"),
        **{**TLS_EDGE, "terminate_at": "upstream", "min_version": "1.2"},
    ),
    of("tls_edge_tls_termination", "terminate_at", **TLS_EDGE, terminate_at="x"),
    route("oauth.provider.github.client_id: ", "client_secret", oauth=provider(client_id="c")),
    route("oauth.provider.github.client_secret: ", "client_id", oauth=provider(client_secret="canary")),
    route("google.client_secret: must not be empty", oauth=provider("google", client_id="c", client_secret="")),
    route("amazon.scopes: ", "client_id", "client_secret", oauth=provider("amazon", scopes=["a"])),
    route(
        "oauth.provider.google.teams: unknown option; the options are client_id, client_secret, scopes, email",
        oauth=provider("google", teams=["a/b"]),
    ),
    estate(
        "https_edges[0].routes[0].oauth.provider.twitch.scopes: expected a list, got a dictionary",
        https_edges=[{"id": "edghts_a", "routes": [{**KEY, "oauth": provider("twitch", scopes={"a": 1})}]}],
    ),
    route("match_type", "exact_path", "path_prefix", match_type="glob"),
    of("https_edge_route", "match: ", edge_id="edghts_a", match_type="exact_path"),
    route("match: ", match=""),
    of(
        "event_source",
        "unknown event type 'ip_policy_create.v0'",
        "_created.",
        **SUBSCRIPTION,
        type="ip_policy_create.v0",
    ),
    of("event_source", "http_request_complete.v0", **SUBSCRIPTION, type="http_request_complete"),
    route("request_headers.add", "X-One", "x-ONE", request_headers={"add": {"X-One": "1", "x-ONE": "2"}}),
    route("response_headers.add.X", response_headers={"add": {"X": ["1"]}}),
    route("quotes", response_headers={"add": {"X": True}}),
    route("absent_modules: compression", compression={"enabled": True}, absent_modules=["saml", "compression"]),
    route("absent_modules: compression", compression={}, absent_modules=["compression"]),
    edge("absent_modules: mutual_tls", mutual_tls={"enabled": False}, absent_modules=["mutual_tls"]),
    route("absent_modules", "waf", absent_modules=["waf"]),
    edge("absent_modules", "oauth", absent_modules=["oauth"]),
    route(f"oauth.provider: {NOT_SET}", oauth={}),
    route("oauth.provider: must", oauth={"provider": {}}),
    of(
        "https_edge_routes",
        "routes[0].saml.idp_metadata: required",
        edge_id="edghts_a",
        routes=[{**KEY, "saml": {"enabled": True}}],
    ),
    route("webhook_verification.provider: required", webhook_verification={}),
    route("backend.backend_id: required", backend={}),
    route("ip_policy_ids: required (an empty list is allowed)", "variable", ip_restriction={"enabled": True}),
    route("response_headers.add or response_headers.remove: required", response_headers={}),
    edge("mutual_tls.certificate_authority_ids: required", mutual_tls={}),
    estate("tls_edges[0].ip_restriction.ip_policy_ids: required", tls_edges=[{**TLS_EDGE, "ip_restriction": {}}]),
    of("tls_edge_ip_restriction", "ip_policy_ids: required", **TLS_EDGE),
    of("event_source", "type: expected an identifier, got '..'", type="..", **UNKNOWN),
    of("event_source", "type: expected an identifier, got ''", type="", **UNKNOWN),
    of("event_sources", "types[1]: expected an identifier, got '.'", types=["new.v0", "."], **UNKNOWN),
    estate(
        "event_subscriptions[0].sources[0]: contains half of a surrogate pair",
        event_subscriptions=[{**SUBSCRIPTION, "sources": ["\ud800"]}],
        allow_unknown_type=True,
    ),
    route("edge_id: contains half of a surrogate pair", edge_id="edghts_\ud800"),
    edge("host_ports", host_ports=[]),
    route("backend", "id", backend={"id": "bkd_a"}),
    edge("tls_termination", "terminate_at", tls_termination={"terminate_at": "upstream"}),
    route("policy.inbound: expected", policy={"inbound": "deny"}),
    route("policy.outbound[1]: expected a rule", policy={"outbound": [{"name": "a"}, "deny"]}),
    rule("policy.inbound[1].expression", "`expressions`?", expression=["x"]),
    rule("policy.inbound[1].name", name=["x"]),
    rule("policy.inbound[1].expressions: expected a list", expressions="x"),
    rule("expressions[1]", expressions=["x", True]),
    rule("policy.inbound[1].actions[0]: expected an action", actions=["deny"]),
    rule("policy.inbound[1].actions.typ", "`type`?", actions={"typ": "x"}),
    rule("policy.inbound[1].actions[0].config", actions=[{"type": "a", "config": "x"}]),
    of("api", "body: ", "GET", path="/a", body={}),
    of("api", "body: ", "DELETE", path="/a", method="DELETE", body=[]),
    of("api", "method", path="/a", method="get"),
    # IDs of another kind.
    of("https_edge", "id: ", id="edghtsrt_a"),
    of("https_edge", "id: ", id="edgtls_a"),
    edge("id: ", id=""),
    route("id: ", id="edghts_a"),
    of("tls_edge_ip_restriction", "edge_id: ", edge_id="edghts_a", ip_policy_ids=[]),
    of("tls_edge_ip_restriction", "ip_policy_ids[0]: ", **TLS_EDGE, ip_policy_ids=["edgtls_a"]),
    of("tls_edge_tls_termination", "edge_id: ", edge_id="edghts_a", enabled=True),
    of("event_source", "subscription_id: ", subscription_id="domains", type="domain_created.v0"),
    of("tunnel_info", "id: ", id="ts_a"),
]

CONNECTION: dict[str, list[Any]] = {
    "base_url": [
        *("", "api.example.com", "ftp://api.example.com", "https://", "https://user:canary@api.example.com"),
        *("https://api.example.com/?a=b", "https://api.example.com/#a", "https://api.example.com:port"),
        *("https://api.example.com:99999", "http://api.example.com", "http://10.0.0.1", "https://api example.com"),
        *("https://api.example.com\n", "https://.example.com", f"https://{'a' * 64}.example.com"),
        "https://api.example.com\\x",
    ],
    "api_key": ["", " ", "ak canary", "ak_canary\n", "ak_canáry"],
    "version_header": ["", "Svc Version", "Svc-Version:", "Svc\nVersion"],
    "api_version": ["", "2\r\nX: y"],
    "timeout": [0, -1, 3601, float("nan"), float("inf")],
    "retries": [-1],
    "retry_max_wait": [-0.5, float("nan")],
}
OF_CONNECTIONS = [of("tunnel_info", name, **{name: value}) for name, values in CONNECTION.items() for value in values]


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize(("module", "options", "words"), [*OPTION_ERRORS, *OF_CONNECTIONS])
def test_an_option_error_is_named_before_any_request(
    tasks: Tasks, module: str, options: dict[str, Any], words: tuple[str, ...], check: bool
) -> None:
    result = tasks.failed(module, check=check, **options)
    assert [word for word in words if word not in result["msg"]] == []
    assert (result["sent"], result.get("operations", []), result["changed"]) == ([], [], False)
    assert len(result["option_errors"]) == 1, result["option_errors"]
    assert "canary" not in str(result)


def test_all_option_errors_are_in_one_message(tasks: Tasks) -> None:
    result = tasks.failed(
        "https_edge_route",
        timeout=-1,
        edge_id="edge",
        match_type="glob",
        description=TOO_LONG,
        metadata=False,
        circuit_breaker={"num_buckets": 129, "error_threshold_percentage": 50, "rolling_window": -1},
        ip_restriction={"ip_policy_ids": ["a", "ipp_b", "c"]},
        oauth={"provider": {"github": {"client_id": "c"}, "google": {"scopes": ["s"]}}, "maximum_duration": 2**32},
        policy={"inbound": {"expressions": "x"}, "outbound": [{"actions": "y"}]},
        absent_modules=["policy"],
        unknown=1,
    )
    expected = [
        *("match_type", "unknown", "timeout: ", "edge_id: ", "match: ", "description: ", "metadata: "),
        *(f"circuit_breaker.{name}: " for name in ("num_buckets", "error_threshold_percentage", "rolling_window")),
        *("ip_restriction.ip_policy_ids[0]: ", "ip_restriction.ip_policy_ids[2]: "),
        *("oauth.provider.github.client_id: ", "oauth.provider.google.scopes: ", "oauth.maximum_duration: "),
        *("policy.inbound.expressions: ", "policy.outbound[0].actions: ", "absent_modules: policy"),
    ]
    for name in expected:
        assert any(name in option_error for option_error in result["option_errors"]), name
        assert name in result["msg"]
    assert (len(result["option_errors"]), result["sent"]) == (len(expected), []), "\n".join(result["option_errors"])


def test_types_that_ansible_rejects_do_not_stop_other_checks(tasks: Tasks) -> None:
    result = tasks.failed(
        "https_edge_route",
        edge_id=["edghts_a"],
        match="/",
        retries="many",
        circuit_breaker="fast",
        oauth="google",
        policy="deny",
        absent_modules={"a": 1},
        request_headers={"add": [1]},
        description={"a": 1},
    )
    for option in ("retries", "circuit_breaker", "oauth", "policy", "match_type"):
        assert option in result["msg"]
    assert result["sent"] == []


REQUIRED = {
    "https_edge_route": ["edge_id"],
    "tls_edge_tls_termination": ["edge_id"],
    "event_source": ["subscription_id", "type"],
    "api": ["path"],
}


@pytest.mark.parametrize("module", REQUIRED)
def test_required_options_are_named(tasks: Tasks, module: str) -> None:
    result = tasks.failed(module)
    assert [option for option in REQUIRED[module] if option not in result["msg"]] == []
    assert result["sent"] == []


JUST_INSIDE: list[tuple[str, dict[str, Any]]] = [
    ("https_edge", {"description": TOO_LONG[:-1] + "a", "metadata": "m" * 4096}),
    ("https_edge", {"metadata": {"k": "v" * 4088}}),
    ("https_edge", {"tls_termination": {}, "mutual_tls": {"enabled": False}}),
    ("tls_edge_tls_termination", {}),
    ("tls_edge_tls_termination", {"terminate_at": "edge", "min_version": "1.2"}),
    ("tls_edge_ip_restriction", {"ip_policy_ids": [], "allow_empty": True}),
    ("event_source", {"type": "tcp_connection_closed.v0"}),
    *(
        ("https_edge_route", fields)
        for fields in (
            {"description": "d" * 255, "metadata": "é" * 2048},
            {"circuit_breaker": {"num_buckets": 128, "error_threshold_percentage": 1.0}},
            {"circuit_breaker": {"num_buckets": 0, "error_threshold_percentage": 0}},
            {"circuit_breaker": {"tripped_duration": 2**32 - 1, "rolling_window": 2**32 - 1}},
            {"oauth": {**provider("google"), "auth_check_interval": 2**32 - 1, "maximum_duration": 0}},
            {"oauth": provider(client_id="c", client_secret="s", scopes=["a"])},
            {"oauth": provider(email_domains=["example.com"], scopes=[])},
            {"policy": {"inbound": [], "outbound": []}},
            {"policy": {"inbound": {"name": "n", "expressions": [], "actions": {"config": {"a": [1]}}}}},
            {"request_headers": {"add": {"X": 1, "Y": 1.5}, "remove": ["a", "A"]}},
            {"request_headers": {"add": {1: "a", "X-B": "b"}}},
            {"compression": {}, "absent_modules": ["circuit_breaker"]},
            {"ip_restriction": {"ip_policy_ids": []}, "allow_empty": True},
        )
    ),
]


@pytest.mark.parametrize(("module", "options"), JUST_INSIDE)
def test_what_is_just_inside_the_limits_passes(tasks: Tasks, module: str, options: dict[str, Any]) -> None:
    place = {"edge_id": seed_tls_edge(tasks)}
    if module in ("https_edge", "event_source"):
        place = {"id": seed_edge(tasks)} if module == "https_edge" else {"subscription_id": seed_subscription(tasks)}
    elif module == "https_edge_route":
        place = seed_route(tasks)
    assert not [tasks.done(module, **place, **options)["changed"] for _run in range(2)][-1]


def test_an_unknown_event_type_passes_if_the_task_allows_it(tasks: Tasks) -> None:
    tasks.service.switches(unknown_event_types="accepted")
    options = {"subscription_id": seed_subscription(tasks), "type": "new_thing.v0", "allow_unknown_type": True}
    for state in ("present", "absent"):
        assert [tasks.done("event_source", **options, state=state)["changed"] for _run in range(2)] == [True, False]
