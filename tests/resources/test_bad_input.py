# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with the options is said before the first request: all of it, with the option's path and the limit."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks
from places import KEY, seed_edge, seed_route, seed_subscription, seed_tls_edge

pytestmark = pytest.mark.every_core

ROUTE = {"edge_id": "edghts_a", **KEY}
EDGE = {"hostports": ["a.example.com:443"]}
TOO_LONG = "é" * 76 + "ü" * 52  # 128 characters, 256 bytes
IN_90_CHARACTERS = "😀" * 55 + "é" + "a" * 34  # 90 characters, 256 bytes
GITHUB = {"oauth": {"provider": {"github": {}}}}


def provider(name: str = "github", **fields: Any) -> dict[str, Any]:
    return {"oauth": {"provider": {name: fields}}}


def rule(**members: Any) -> dict[str, Any]:
    return {"policy": {"inbound": [{"name": "fine"}, members]}}


# The module, its options, and what the message has to name.
OPTION_ERRORS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "description in characters": ("https_edge", {**EDGE, "description": TOO_LONG}, ["description: 256 bytes", "255"]),
    "description in few characters": (
        "https_edge_route",
        {**ROUTE, "description": IN_90_CHARACTERS},
        ["description: 256 bytes", "90 characters", "255"],
    ),
    "metadata": ("https_edge", {**EDGE, "metadata": "m" * 4097}, ["metadata: 4097 bytes", "4096"]),
    "metadata of a route": ("https_edge_route", {**ROUTE, "metadata": "é" * 2049}, ["metadata: 4098 bytes", "4096"]),
    "metadata as a dictionary": (
        "https_edge",
        {**EDGE, "metadata": {"k": "v" * 4096}},
        ["metadata: 4104 bytes", "4096"],
    ),
    "metadata as a boolean": ("https_edge", {**EDGE, "metadata": True}, ["metadata", "quotes"]),
    "num_buckets": (
        "https_edge_route",
        {**ROUTE, "circuit_breaker": {"num_buckets": 129}},
        ["num_buckets: 129", "128"],
    ),
    "num_buckets below zero": (
        "https_edge_route",
        {**ROUTE, "circuit_breaker": {"num_buckets": -1}},
        ["circuit_breaker.num_buckets: -1", "0 to 128"],
    ),
    **{
        f"error_threshold_percentage {share}": (
            "https_edge_route",
            {**ROUTE, "circuit_breaker": {"error_threshold_percentage": share}},
            [f"circuit_breaker.error_threshold_percentage: {share}", "0 to 1"],
        )
        for share in (1.5, 50.0, -0.1, float("nan"), float("inf"))
    },
    **{
        f"{path} {number}": (
            "https_edge_route",
            {**ROUTE, path.split(".", maxsplit=1)[0]: {path.split(".")[1]: number}},
            [f"{path}: {number}", "4294967295"],
        )
        for number in (-1, 2**32)
        for path in (
            "circuit_breaker.tripped_duration",
            "circuit_breaker.rolling_window",
            "circuit_breaker.volume_threshold",
            "oauth.inactivity_timeout",
            "oauth.maximum_duration",
            "oauth.auth_check_interval",
            "saml.inactivity_timeout",
            "saml.maximum_duration",
            "oidc.inactivity_timeout",
            "oidc.maximum_duration",
        )
    },
    "min_version with upstream": (
        "tls_edge_tls_termination",
        {"edge_id": "edgtls_a", "terminate_at": "upstream", "min_version": "1.2"},
        ["min_version: ", "`terminate_at` is `upstream`"],
    ),
    "an unknown terminate_at": (
        "tls_edge_tls_termination",
        {"edge_id": "edgtls_a", "terminate_at": "x"},
        ["terminate_at"],
    ),
    "client_id alone": (
        "https_edge_route",
        {**ROUTE, **provider(client_id="c")},
        ["oauth.provider.github.client_id: ", "client_secret"],
    ),
    "client_secret alone": (
        "https_edge_route",
        {**ROUTE, **provider(client_secret="canary")},
        ["oauth.provider.github.client_secret: ", "client_id"],
    ),
    "client_secret empty": (
        "https_edge_route",
        {**ROUTE, **provider("google", client_id="c", client_secret="")},
        ["oauth.provider.google.client_secret: must not be empty"],
    ),
    "scopes without both": (
        "https_edge_route",
        {**ROUTE, **provider("amazon", scopes=["a"])},
        ["oauth.provider.amazon.scopes: ", "client_id", "client_secret"],
    ),
    "a suboption that only another provider has": (
        "https_edge_route",
        {**ROUTE, **provider("google", teams=["a/b"])},
        ["oauth.provider.google.teams: unknown option; the options are client_id, client_secret, scopes, email"],
    ),
    "the type of a suboption of another provider, in a list": (
        "estate",
        {"https_edges": [{"id": "edghts_a", "routes": [{**KEY, **provider("twitch", scopes={"a": 1})}]}]},
        ["https_edges[0].routes[0].oauth.provider.twitch.scopes: expected a list, got a dictionary"],
    ),
    "match_type": ("https_edge_route", {**ROUTE, "match_type": "glob"}, ["match_type", "exact_path", "path_prefix"]),
    "no match": ("https_edge_route", {"edge_id": "edghts_a", "match_type": "exact_path"}, ["match: "]),
    "an empty match": ("https_edge_route", {**ROUTE, "match": ""}, ["match: "]),
    "event type": (
        "event_source",
        {"subscription_id": "esb_a", "type": "ip_policy_create.v0"},
        ["type: unknown event type 'ip_policy_create.v0'", "ip_policy_created.v0"],
    ),
    "event type without suffix": (
        "event_source",
        {"subscription_id": "esb_a", "type": "http_request_complete"},
        ["http_request_complete.v0"],
    ),
    "headers twice": (
        "https_edge_route",
        {**ROUTE, "request_headers": {"add": {"X-One": "1", "x-ONE": "2"}}},
        ["request_headers.add", "X-One", "x-ONE"],
    ),
    "header as a list": (
        "https_edge_route",
        {**ROUTE, "response_headers": {"add": {"X": ["1"]}}},
        ["response_headers.add.X"],
    ),
    "header as a boolean": ("https_edge_route", {**ROUTE, "response_headers": {"add": {"X": True}}}, ["quotes"]),
    "absent and declared": (
        "https_edge_route",
        {**ROUTE, "compression": {"enabled": True}, "absent_modules": ["saml", "compression"]},
        ["absent_modules: compression"],
    ),
    "absent and declared empty": (
        "https_edge_route",
        {**ROUTE, "compression": {}, "absent_modules": ["compression"]},
        ["absent_modules: compression"],
    ),
    "a login without a provider": (
        "https_edge_route",
        {**ROUTE, "oauth": {}},
        ["oauth.provider: required; set it, or check whether the variable that it comes from is set"],
    ),
    "a login with no provider": ("https_edge_route", {**ROUTE, "oauth": {"provider": {}}}, ["oauth.provider: must"]),
    "a login of one of many routes": (
        "https_edge_routes",
        {"edge_id": "edghts_a", "routes": [{**KEY, "saml": {"enabled": True}}]},
        ["routes[0].saml.idp_metadata: required"],
    ),
    "webhooks of nobody": (
        "https_edge_route",
        {**ROUTE, "webhook_verification": {}},
        ["webhook_verification.provider: required"],
    ),
    "a backend that is nowhere": ("https_edge_route", {**ROUTE, "backend": {}}, ["backend.backend_id: required"]),
    "a restriction to nothing": (
        "https_edge_route",
        {**ROUTE, "ip_restriction": {"enabled": True}},
        ["ip_restriction.ip_policy_ids: required (an empty list is allowed)", "variable"],
    ),
    "headers without any": (
        "https_edge_route",
        {**ROUTE, "response_headers": {}},
        ["response_headers.add or response_headers.remove: required"],
    ),
    "certificates of nobody": (
        "https_edge",
        {**EDGE, "mutual_tls": {}},
        ["mutual_tls.certificate_authority_ids: required"],
    ),
    "a restriction of a TLS edge to nothing": (
        "estate",
        {"tls_edges": [{"edge_id": "edgtls_a", "ip_restriction": {}}]},
        ["tls_edges[0].ip_restriction.ip_policy_ids: required"],
    ),
    "an event type that leads up": (
        "event_source",
        {"subscription_id": "esb_a", "type": "..", "allow_unknown_type": True},
        ["type: expected an identifier, got '..'"],
    ),
    "an event type that is nothing": (
        "event_source",
        {"subscription_id": "esb_a", "type": "", "allow_unknown_type": True},
        ["type: expected an identifier, got ''"],
    ),
    "an event type of a set that leads nowhere": (
        "event_sources",
        {"subscription_id": "esb_a", "types": ["new.v0", "."], "allow_unknown_type": True},
        ["types[1]: expected an identifier, got '.'"],
    ),
    "an event type of an estate that is not a valid string": (
        "estate",
        {"event_subscriptions": [{"subscription_id": "esb_a", "sources": ["\ud800"]}], "allow_unknown_type": True},
        ["event_subscriptions[0].sources[0]: contains half of a surrogate pair"],
    ),
    "an ID that is not a valid string": (
        "https_edge_route",
        {**ROUTE, "edge_id": "edghts_\ud800"},
        ["edge_id: contains half of a surrogate pair"],
    ),
    "absent and declared on an edge": (
        "https_edge",
        {**EDGE, "mutual_tls": {"enabled": False}, "absent_modules": ["mutual_tls"]},
        ["absent_modules: mutual_tls"],
    ),
    "an unknown module": ("https_edge_route", {**ROUTE, "absent_modules": ["waf"]}, ["absent_modules", "waf"]),
    "a module of another resource": ("https_edge", {**EDGE, "absent_modules": ["oauth"]}, ["absent_modules", "oauth"]),
    "an unknown option": ("https_edge", {**EDGE, "host_ports": []}, ["host_ports"]),
    "an unknown option of a module": ("https_edge_route", {**ROUTE, "backend": {"id": "bkd_a"}}, ["backend", "id"]),
    "nothing for a TLS edge": (
        "tls_edge_ip_restriction",
        {"edge_id": "edgtls_a"},
        ["ip_policy_ids: required"],
    ),
    "an upstream option of an edge": (
        "https_edge",
        {**EDGE, "tls_termination": {"terminate_at": "upstream"}},
        ["tls_termination", "terminate_at"],
    ),
    "rule that is text": (
        "https_edge_route",
        {**ROUTE, "policy": {"inbound": "deny"}},
        ["policy.inbound: expected"],
    ),
    "rule in a list that is text": (
        "https_edge_route",
        {**ROUTE, "policy": {"outbound": [{"name": "a"}, "deny"]}},
        ["policy.outbound[1]: expected a rule"],
    ),
    "rule misspelt": (
        "https_edge_route",
        {**ROUTE, **rule(expression=["x"])},
        ["policy.inbound[1].expression", "`expressions`?"],
    ),
    "name of a rule": ("https_edge_route", {**ROUTE, **rule(name=["x"])}, ["policy.inbound[1].name"]),
    "expressions as text": (
        "https_edge_route",
        {**ROUTE, **rule(expressions="x")},
        ["policy.inbound[1].expressions: expected a list"],
    ),
    "expression as a boolean": ("https_edge_route", {**ROUTE, **rule(expressions=["x", True])}, ["expressions[1]"]),
    "action as text": (
        "https_edge_route",
        {**ROUTE, **rule(actions=["deny"])},
        ["policy.inbound[1].actions[0]: expected an action"],
    ),
    "action misspelt": (
        "https_edge_route",
        {**ROUTE, **rule(actions={"typ": "x"})},
        ["policy.inbound[1].actions.typ", "`type`?"],
    ),
    "config as text": (
        "https_edge_route",
        {**ROUTE, **rule(actions=[{"type": "a", "config": "x"}])},
        ["policy.inbound[1].actions[0].config"],
    ),
    "a path without a slash": ("api", {"path": "edges/https"}, ["path: 'edges/https'"]),
    "a path of another origin": ("api", {"path": "//evil.example/x"}, ["path: "]),
    "an address as a path": ("api", {"path": "https://evil.example/x"}, ["path: "]),
    "a path with a blank": ("api", {"path": "/a b"}, ["path: "]),
    "a path with a line break": ("api", {"path": "/a\nHost: x"}, ["path: "]),
    "a path with a backslash": ("api", {"path": "/\\evil.example"}, ["path: "]),
    "a path with a fragment": ("api", {"path": "/a#b"}, ["path: "]),
    "a path that leads out": ("api", {"path": "/a/../../b"}, ["path: "]),
    "a path that leads out, quoted": ("api", {"path": "/a/%2E%2e/b"}, ["path: "]),
    "a path that leads out, quoted whole": ("api", {"path": "/a%2f..%2Fb"}, ["path: "]),
    "a body on a read": ("api", {"path": "/a", "body": {}}, ["body: ", "GET"]),
    "a body on a delete": ("api", {"path": "/a", "method": "DELETE", "body": []}, ["body: ", "DELETE"]),
    "a body that is text": ("api", {"path": "/a", "method": "POST", "body": "x"}, ["body: "]),
    "a method in lower case": ("api", {"path": "/a", "method": "get"}, ["method"]),
}

WRONG_PREFIX: list[tuple[str, dict[str, Any], str]] = [
    ("https_edge", {"id": "edghtsrt_a"}, "id"),
    ("https_edge", {"id": "edgtls_a"}, "id"),
    ("https_edge", {"id": "edghts_"}, "id"),
    ("https_edge", {"id": ""}, "id"),
    ("https_edge_route", {**ROUTE, "edge_id": "edghtsrt_a"}, "edge_id"),
    ("https_edge_route", {**ROUTE, "edge_id": ""}, "edge_id"),
    ("https_edge_route", {**ROUTE, "id": "edghts_a"}, "id"),
    (
        "https_edge_route",
        {**ROUTE, "ip_restriction": {"ip_policy_ids": ["ipp_a", "ts_b"]}},
        "ip_restriction.ip_policy_ids[1]",
    ),
    ("tls_edge_ip_restriction", {"edge_id": "edghts_a", "ip_policy_ids": []}, "edge_id"),
    ("tls_edge_ip_restriction", {"edge_id": "edgtls_a", "ip_policy_ids": ["edgtls_a"]}, "ip_policy_ids[0]"),
    ("tls_edge_tls_termination", {"edge_id": "edghts_a", "enabled": True}, "edge_id"),
    ("event_source", {"subscription_id": "domains", "type": "domain_created.v0"}, "subscription_id"),
    ("tunnel_info", {"id": "ts_a"}, "id"),
]

CONNECTION: dict[str, list[Any]] = {
    "base_url": [
        "",
        "api.example.com",
        "ftp://api.example.com",
        "https://",
        "https://user:canary@api.example.com",
        "https://api.example.com/?a=b",
        "https://api.example.com/#a",
        "https://api.example.com:port",
        "https://api.example.com:99999",
        "http://api.example.com",
        "http://10.0.0.1",
        "https://api example.com",
        "https://api.example.com\n",
        "https://.example.com",
        f"https://{'a' * 64}.example.com",
        "https://api.example.com\\x",
    ],
    "api_key": ["", " ", "ak canary", "ak_canary\n", "ak_canáry"],
    "version_header": ["", "Svc Version", "Svc-Version:", "Svc\nVersion"],
    "api_version": ["", "2\r\nX: y"],
    "timeout": [0, -1, 3601, float("nan"), float("inf")],
    "retries": [-1],
    "retry_max_wait": [-0.5, float("nan")],
}


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize("case", OPTION_ERRORS)
def test_an_option_error_is_named_before_any_request(tasks: Tasks, case: str, check: bool) -> None:
    module, options, named = OPTION_ERRORS[case]
    result = tasks.failed(module, check=check, **options)
    for words in named:
        assert words in result["msg"]
    assert result["sent"] == []
    assert len(result["option_errors"]) == 1, result["option_errors"]
    assert result["operations"] == []
    assert not result["changed"]
    assert "canary" not in str(result)


@pytest.mark.parametrize(("module", "options", "path"), WRONG_PREFIX)
def test_an_id_of_another_kind_is_named(tasks: Tasks, module: str, options: dict[str, Any], path: str) -> None:
    result = tasks.failed(module, **options)
    assert any(option_error.startswith(f"{path}: ") for option_error in result["option_errors"])
    assert result["sent"] == []


@pytest.mark.parametrize(
    ("option", "value"), [(name, value) for name, values in CONNECTION.items() for value in values]
)
def test_an_impossible_connection_is_an_option_error(tasks: Tasks, option: str, value: Any) -> None:
    result = tasks.failed("tunnel_info", **{option: value})
    assert option in result["msg"]
    assert result["sent"] == []
    assert len(result["option_errors"]) == 1
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
        "match_type",
        "unknown",
        "timeout: ",
        "edge_id: ",
        "match: ",
        "description: ",
        "metadata: ",
        "circuit_breaker.num_buckets: ",
        "circuit_breaker.error_threshold_percentage: ",
        "circuit_breaker.rolling_window: ",
        "ip_restriction.ip_policy_ids[0]: ",
        "ip_restriction.ip_policy_ids[2]: ",
        "oauth.provider.github.client_id: ",
        "oauth.provider.google.scopes: ",
        "oauth.maximum_duration: ",
        "policy.inbound.expressions: ",
        "policy.outbound[0].actions: ",
        "absent_modules: policy",
    ]
    for name in expected:
        assert any(name in option_error for option_error in result["option_errors"]), name
        assert name in result["msg"]
    assert len(result["option_errors"]) == len(expected), "\n".join(result["option_errors"])
    assert result["sent"] == []


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


def test_required_options_are_named(tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, option in (
        ("https_edge_route", "edge_id"),
        ("tls_edge_tls_termination", "edge_id"),
        ("event_source", "subscription_id"),
        ("event_source", "type"),
        ("api", "path"),
    ):
        result = tasks.failed(module)
        assert option in result["msg"]
        assert result["sent"] == []


# Just inside the limits.
FINE: list[tuple[str, dict[str, Any]]] = [
    ("https_edge", {"description": TOO_LONG[:-1] + "a", "metadata": "m" * 4096}),
    ("https_edge_route", {"description": "d" * 255, "metadata": "é" * 2048}),
    ("https_edge", {"metadata": {"k": "v" * 4088}}),
    ("https_edge_route", {"circuit_breaker": {"num_buckets": 128, "error_threshold_percentage": 1.0}}),
    ("https_edge_route", {"circuit_breaker": {"num_buckets": 0, "error_threshold_percentage": 0}}),
    ("https_edge_route", {"circuit_breaker": {"tripped_duration": 2**32 - 1, "rolling_window": 2**32 - 1}}),
    (
        "https_edge_route",
        {"oauth": {"provider": {"google": {}}, "auth_check_interval": 2**32 - 1, "maximum_duration": 0}},
    ),
    ("https_edge_route", provider(client_id="c", client_secret="s", scopes=["a"])),
    ("https_edge_route", provider(email_domains=["example.com"], scopes=[])),
    ("https_edge_route", {"policy": {"inbound": [], "outbound": []}}),
    ("https_edge_route", {"policy": {"inbound": {"name": "n", "expressions": [], "actions": {"config": {"a": [1]}}}}}),
    ("https_edge_route", {"request_headers": {"add": {"X": 1, "Y": 1.5}, "remove": ["a", "A"]}}),
    ("https_edge_route", {"request_headers": {"add": {1: "a", "X-B": "b"}}}),
    ("https_edge_route", {"compression": {}, "absent_modules": ["circuit_breaker"]}),
    ("https_edge_route", {"ip_restriction": {"ip_policy_ids": []}, "allow_empty": True}),
    ("https_edge", {"tls_termination": {}, "mutual_tls": {"enabled": False}}),
    ("tls_edge_tls_termination", {}),
    ("tls_edge_tls_termination", {"terminate_at": "edge", "min_version": "1.2"}),
    ("tls_edge_ip_restriction", {"ip_policy_ids": [], "allow_empty": True}),
    ("event_source", {"type": "tcp_connection_closed.v0"}),
]


@pytest.mark.parametrize(("module", "options"), FINE)
def test_what_is_just_inside_the_limits_passes(tasks: Tasks, module: str, options: dict[str, Any]) -> None:
    if module == "https_edge_route":
        place = seed_route(tasks)
    elif module == "https_edge":
        place = {"id": seed_edge(tasks)}
    elif module == "event_source":
        place = {"subscription_id": seed_subscription(tasks)}
    else:
        place = {"edge_id": seed_tls_edge(tasks)}
    tasks.done(module, **place, **options)
    assert not tasks.done(module, **place, **options)["changed"]


def test_an_unknown_event_type_passes_if_the_task_allows_it(tasks: Tasks) -> None:
    tasks.service.switches(unknown_event_types="accepted")
    options = {"subscription_id": seed_subscription(tasks), "type": "new_thing.v0", "allow_unknown_type": True}
    for state in ("present", "absent"):
        assert tasks.done("event_source", **options, state=state)["changed"]
        assert not tasks.done("event_source", **options, state=state)["changed"]
