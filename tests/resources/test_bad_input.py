# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with the options is said before the first request: all of it, with the option's path and the limit."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from module_task import Tasks
from places import KEY, seed_edge, seed_route, seed_subscription, seed_tls_edge

pytestmark = pytest.mark.every_core

Task = tuple[str, dict[str, Any]]
USUAL: dict[str, Task] = {
    "route": ("https_edge_route", {"edge_id": "edghts_a", **KEY}),
    "edge": ("https_edge", {"hostports": ["a.example.com:443"]}),
    "restriction": ("tls_edge_ip_restriction", {"edge_id": "edgtls_a"}),
    "termination": ("tls_edge_tls_termination", {"edge_id": "edgtls_a"}),
    "source": ("event_source", {"subscription_id": "esb_a"}),
    "unknown_source": ("event_source", {"subscription_id": "esb_a", "allow_unknown_type": True}),
}
TOO_LONG = "é" * 76 + "ü" * 52  # 128 characters, 256 bytes
LONG = {
    "<TOO LONG>": TOO_LONG,
    "<IN 90 CHARACTERS>": "😀" * 55 + "é" + "a" * 34,  # 256 bytes
    "<LONGEST>": TOO_LONG[:-1] + "a",
    "<4096>": "m" * 4096,
    "<2048>": "é" * 2048,
    "<4088>": "m" * 4088,
}


def task(text: str) -> Task:
    """`route {description: x}`: the module, or a short word for it with its usual options, and more options."""
    word, _, options = text.strip().partition(" ")
    for name, value in LONG.items():
        options = options.replace(name, value)
    module, usual = USUAL.get(word, (word, {}))
    return module, {**usual, **yaml.safe_load(options)}


# Each task, and how the one option error begins.
WRONG = r"""
edge {description: <TOO LONG>} -> description: 256 bytes (128 characters) is too long; the maximum is 255 bytes
route {description: <IN 90 CHARACTERS>} -> description: 256 bytes (90 characters) is too long
edge {metadata: <4096>m} -> metadata: 4097 bytes (4097 characters) is too long; the maximum is 4096 bytes
route {metadata: <2048>é} -> metadata: 4098 bytes (2049 characters) is too long
edge {metadata: {k: <4096>}} -> metadata: 4104 bytes
route {circuit_breaker: {num_buckets: 129}} -> circuit_breaker.num_buckets: 129 is out of range; expected a number fro
route {circuit_breaker: {error_threshold_percentage: .nan}} -> circuit_breaker.error_threshold_percentage: nan is out
route {oauth: {auth_check_interval: 4294967296}} -> oauth.auth_check_interval: 4294967296 is out of range
termination {terminate_at: upstream, min_version: '1.2'} -> min_version: not allowed if `terminate_at` is `upstream`;
termination {terminate_at: x} -> terminate_at: 'x' is not allowed; expected edge or upstream
route {oauth: {provider: {github: {client_id: c}}}} -> oauth.provider.github.client_id: requires client_secret; set
route {oauth: {provider: {github: {client_id: c, client_secret: null}}}} -> oauth.provider.github.client_id: requires
route {oauth: {provider: {github: {client_secret: canary}}}} -> oauth.provider.github.client_secret: requires client_id
route {oauth: {provider: {google: {client_id: c, client_secret: ''}}}} -> oauth.provider.google.client_secret: must not
route {oauth: {provider: {amazon: {scopes: [a]}}}} -> oauth.provider.amazon.scopes: requires client_id and client_secret
route {oauth: {provider: {google: {teams: [a/b]}}}} -> oauth.provider.google.teams: unknown option; the options
estate {https_edges: [{id: edghts_a, routes: [{oauth: {provider: {}}, match: /, match_type: exact_path}]}]}\
 -> https_edges[0].routes[0].oauth.provider: must not be empty; check whether the variable
route {match_type: glob} -> match_type: 'glob' is not allowed; expected exact_path or path_prefix
route {match: ''} -> match: required if `id` is not set
source {type: ip_policy_create.v0} -> type: unknown event type 'ip_policy_create.v0'; did you mean `ip_policy_cre
source {type: http_request_complete} -> type: unknown event type 'http_request_complete'; did you mean `http_req
route {request_headers: {add: {X-One: '1', x-ONE: '2'}}} -> request_headers.add: X-One and x-ONE are the same header
route {response_headers: {add: {X: ['1']}}} -> response_headers.add.X: expected a string, got a list
route {response_headers: {add: {X: true}}} -> response_headers.add.X: expected a string, got the boolean true; put it in
route {compression: {}, absent_modules: [saml, compression]} -> absent_modules: compression is also declared in this
edge {mutual_tls: {enabled: false}, absent_modules: [mutual_tls]} -> absent_modules: mutual_tls is also declared
route {absent_modules: [waf]} -> absent_modules[0]: 'waf' is not allowed; expected backend, ip_restriction,
edge {absent_modules: [oauth]} -> absent_modules[0]: 'oauth' is not allowed; expected mutual_tls or tls_termination
route {oauth: {}} -> oauth.provider: required; set it, or check whether the variable that it comes from is set
route {webhook_verification: {}} -> webhook_verification.provider: required
route {backend: {}} -> backend.backend_id: required
route {ip_restriction: {enabled: true}} -> ip_restriction.ip_policy_ids: required (an empty list is allowed); set it, or
route {response_headers: {}} -> response_headers.add or response_headers.remove: required
edge {mutual_tls: {}} -> mutual_tls.certificate_authority_ids: required
estate {tls_edges: [{edge_id: edgtls_a, ip_restriction: {}}]} -> tls_edges[0].ip_restriction.ip_policy_ids: required
restriction {} -> ip_policy_ids: required
unknown_source {type: '..'} -> type: expected an identifier, got '..'
unknown_source {type: ''} -> type: expected an identifier, got ''
event_sources {types: [new.v0, .], subscription_id: esb_a, allow_unknown_type: true} -> types[1]: expected an identifier
event_sources {types: ["\ud800"], subscription_id: esb_a, allow_unknown_type: true} -> types[0]: contains half of a surr
route {edge_id: "edghts_\ud800"} -> edge_id: contains half of a surrogate pair
edge {host_ports: []} -> host_ports: unknown option; did you mean `hostports`?
route {backend: {id: bkd_a}} -> backend.id: unknown option; the options are enabled, backend_id
edge {tls_termination: {terminate_at: upstream}} -> tls_termination.terminate_at: unknown option; the options are
route {policy: {inbound: deny}} -> policy.inbound: expected a rule (a dictionary with name, expressions, and actions),
route {policy: {outbound: [{name: a}, deny]}} -> policy.outbound[1]: expected a rule
route {policy: {inbound: [{name: a}, {expression: [x]}]}} -> policy.inbound[1].expression: unknown option; did you mean
route {policy: {inbound: [{name: [x]}]}} -> policy.inbound[0].name: expected a string, got a list
route {policy: {inbound: {expressions: x}}} -> policy.inbound.expressions: expected a list of strings, got a string
route {policy: {inbound: {expressions: [x, true]}}} -> policy.inbound.expressions[1]: expected a string, got the boolean
route {policy: {inbound: {actions: [deny]}}} -> policy.inbound.actions[0]: expected an action (a dictionary with type
route {policy: {inbound: {actions: {typ: x}}}} -> policy.inbound.actions.typ: unknown option; did you mean `type`?
route {policy: {inbound: {actions: [{type: a, config: x}]}}} -> policy.inbound.actions[0].config: expected a dictionary
api {path: /a, body: {}} -> body: not allowed with `method: GET`; remove it
api {path: /a, method: DELETE, body: []} -> body: not allowed with `method: DELETE`; remove it
api {path: /a, method: get} -> method: 'get' is not allowed; expected GET, POST, PUT, PATCH, or DELETE
route {id: edghts_a} -> id: 'edghts_a' is the ID of an HTTPS edge; expected the ID of a route
restriction {ip_policy_ids: [edgtls_a]} -> ip_policy_ids[0]: 'edgtls_a' is the ID of a TLS edge
termination {edge_id: edghts_a, enabled: true} -> edge_id: 'edghts_a' is the ID of an HTTPS edge
event_source {subscription_id: domains, type: domain_created.v0} -> subscription_id: 'domains' is not an ID; expected
tunnel_info {id: ts_a} -> id: 'ts_a' is the ID of a tunnel session; expected the ID of a tunnel
tunnel_info {base_url: 'https://user:canary@api.example.com'} -> base_url: contains a user name or a password
tunnel_info {base_url: 'https://api.example.com/?a=b'} -> base_url: contains a query or a fragment
tunnel_info {base_url: 'http://10.0.0.1'} -> base_url: HTTP to 10.0.0.1 would send the API key unencrypted; use https
tunnel_info {api_key: ''} -> api_key: is empty
tunnel_info {api_key: 'ak canary'} -> api_key: contains spaces or non-ASCII characters
tunnel_info {version_header: Svc Version} -> version_header: 'Svc Version' is not a valid HTTP header name
tunnel_info {api_version: "2\r\nX: y"} -> api_version: not a valid HTTP header value
tunnel_info {timeout: 3601} -> timeout: 3601.0 is out of range; expected more than 0 and at most 3600 seconds
tunnel_info {retries: -1} -> retries: -1 is out of range; expected 0 or more
tunnel_info {retry_max_wait: .nan} -> retry_max_wait: nan is out of range; expected 0 seconds or more
"""
ROWS = [row.split(" -> ") for row in WRONG.replace("\\\n", "").strip().splitlines()]


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize(("text", "start"), ROWS)
def test_an_option_error_is_named_before_any_request(tasks: Tasks, text: str, start: str, check: bool) -> None:
    module, options = task(text)
    result = tasks.failed(module, check=check, **options)
    [option_error] = result["option_errors"]
    assert option_error.startswith(start)
    assert option_error in result["msg"]
    assert (result["sent"], result.get("operations", []), result["changed"]) == ([], [], False)
    assert "canary" not in str(result)


ALL_AT_ONCE = """route {timeout: -1, edge_id: edge, match_type: glob, match: '', description: <TOO LONG>,
 metadata: false, circuit_breaker: {num_buckets: 129, error_threshold_percentage: 50, rolling_window: -1},
 absent_modules: [policy], oauth: {provider: {github: {client_id: c}, google: {scopes: [s]}},
 maximum_duration: 4294967296}, unknown: 1, ip_restriction: {ip_policy_ids: [a, ipp_b, c]},
 policy: {inbound: {expressions: x}, outbound: [{actions: y}]}}"""


def test_all_option_errors_are_in_one_message(tasks: Tasks) -> None:
    module, options = task(ALL_AT_ONCE)
    result = tasks.failed(module, **options)
    expected = [
        *("match_type: ", "unknown: ", "timeout: ", "edge_id: ", "match: ", "description: ", "metadata: "),
        *(f"circuit_breaker.{name}: " for name in ("num_buckets", "error_threshold_percentage", "rolling_window")),
        *("ip_restriction.ip_policy_ids[0]: ", "ip_restriction.ip_policy_ids[2]: "),
        *("oauth.provider.github.client_id: ", "oauth.provider.google.scopes: ", "oauth.maximum_duration: "),
        *("policy.inbound.expressions: ", "policy.outbound[0].actions: ", "absent_modules: policy"),
    ]
    for name in expected:
        assert any(option_error.startswith(name) for option_error in result["option_errors"]), name
        assert name in result["msg"]
    assert (len(result["option_errors"]), result["sent"]) == (len(expected), []), "\n".join(result["option_errors"])


def test_types_that_ansible_rejects_do_not_stop_other_checks(tasks: Tasks) -> None:
    options = {"edge_id": ["edghts_a"], "match": "/", "description": {"a": 1}, "request_headers": {"add": [1]}}
    wrong = {"retries": "many", "circuit_breaker": "fast", "oauth": "google", "policy": "deny"}
    result = tasks.failed("https_edge_route", **options, **wrong, absent_modules={"a": 1})
    assert [option for option in (*wrong, "match_type") if option not in result["msg"]] == []
    assert result["sent"] == []


@pytest.mark.parametrize(
    ("module", "required"),
    [
        ("https_edge_route", ["edge_id"]),
        ("tls_edge_tls_termination", ["edge_id"]),
        ("event_source", ["subscription_id", "type"]),
        ("api", ["path"]),
    ],
)
def test_required_options_are_named(tasks: Tasks, module: str, required: list[str]) -> None:
    result = tasks.failed(module)
    assert [option for option in required if option not in result["msg"]] == []
    assert result["sent"] == []


JUST_INSIDE = """
https_edge {description: <LONGEST>, metadata: <4096>}
https_edge {metadata: {k: <4088>}}
https_edge {tls_termination: {}, mutual_tls: {enabled: false}}
tls_edge_tls_termination {}
tls_edge_tls_termination {terminate_at: edge, min_version: '1.2'}
tls_edge_ip_restriction {ip_policy_ids: [], allow_empty: true}
event_source {type: tcp_connection_closed.v0}
https_edge_route {metadata: <2048>}
https_edge_route {circuit_breaker: {num_buckets: 128, error_threshold_percentage: 1.0}}
https_edge_route {circuit_breaker: {num_buckets: 0, error_threshold_percentage: 0}}
https_edge_route {circuit_breaker: {tripped_duration: 4294967295, rolling_window: 4294967295}}
https_edge_route {oauth: {provider: {google: {}}, auth_check_interval: 4294967295, maximum_duration: 0}}
https_edge_route {oauth: {provider: {github: {client_id: c, client_secret: s, scopes: [a]}}}}
https_edge_route {oauth: {provider: {github: {email_domains: [example.com], scopes: []}}}}
https_edge_route {policy: {inbound: [], outbound: []}}
https_edge_route {policy: {inbound: {name: n, expressions: [], actions: {config: {a: [1]}}}}}
https_edge_route {request_headers: {add: {X: 1, 2: 1.5}, remove: [a, A]}}
https_edge_route {compression: {}, absent_modules: [circuit_breaker]}
https_edge_route {ip_restriction: {ip_policy_ids: []}, allow_empty: true}
"""


@pytest.mark.parametrize("text", JUST_INSIDE.strip().splitlines())
def test_what_is_just_inside_the_limits_passes(tasks: Tasks, text: str) -> None:
    module, options = task(text)
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
