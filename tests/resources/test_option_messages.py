# SPDX-License-Identifier: GPL-3.0-or-later
"""What people read who wrote an option wrong: the whole message, the same in the worker and in a process of its own,
before any request.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
import yaml

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import argument_spec, checked, masked, result_of
from module_process import printed_and_logged
from module_task import Given, work_of
from places import KEY

pytestmark = pytest.mark.every_core

CONNECTION = {"base_url": "http://127.0.0.1:9", "api_key": "a-key-of-nobody", "retries": 0}
SHORT: dict[str, tuple[str, Given]] = {
    "route": ("https_edge_route", {"edge_id": "edghts_a", **KEY}),
    "edge": ("https_edge", {"hostports": ["a:1"]}),
}
TOO_LONG = "é" * 76 + "ü" * 52  # 128 characters, 256 bytes
# What several messages say.
PARTS = {
    "NOT_A_DIGEST": "not a digest; expected the `plan_digest` of an earlier run, which consists of 32 characters from "
    "0 to 9 and a to f; <UNSET>",
    "NO_HOST": "is not a host; expected a host name without a port, `*.` and a host name, or `*`",
    "SPECIAL": "which has a special meaning in URLs; <A_TLS_EDGE>",
    "UNSET": "check whether the variable that it comes from is set",
    "FINITE": "set a finite number, or put it in quotes if you mean a string",
    "QUOTES": "put it in quotes if you mean a string",
    "A_TLS_EDGE": "expected the ID of a TLS edge, which starts with 'edgtls_'",
    "A_POLICY": "expected the ID of an IP policy, which starts with 'ipp_'",
    "NEEDED": "required if `id` is not set; set both `match_type` and `match`",
    "NO_HEADER": "not a valid HTTP header name; expected a name without spaces, colons, or control characters",
    "A_BOOLEAN": "is not a boolean; expected true or false",
    "A_STRING": "expected a string, got",
    "UNKNOWN": "unknown option; did you mean",
    "FURTHER": "unknown option; indent it further, because it is an option of",
    "NO_KINDS": "expected true, false, or a list of unlocked, others, reopened, and new, got",
    "ROUTE_OPTIONS": ", ".join(argument_spec(work_of("https_edge_route"))),
}

# Each task, and below it the option errors in their order. Other lines that are indented go on with what is above.
TASKS = r"""
edge {hostports: ['https://a.example.com', {host: a}, [a:1], null, true, .nan]}
  - hostports[1]: <A_STRING> a dictionary
  - hostports[2]: <A_STRING> a list
  - hostports[3]: <A_STRING> null; <UNSET>
  - hostports[4]: <A_STRING> the boolean true; <QUOTES>
  - hostports[5]: <A_STRING> the number nan; <QUOTES>
  - hostports[0]: 'https://a.example.com' is a URL; write 'a.example.com:443'
edge {hostports: ''}
  - hostports: expected a list, got an empty string; write [] for an empty list, or <UNSET>
edge {hostports: 'a:1, b'}
  - hostports[1]: 'b' has no port; write 'b:443', or the port that it serves
https_edge_info {hostports: ['443']}
  - hostports[0]: '443' is a port without a host; expected a host and a port, such as 'shop.example.com:443'
route {edge_id: shop, id: edghts_a}
  - edge_id: 'shop' is not an ID; expected the ID of an HTTPS edge, which starts with 'edghts_'
  - id: 'edghts_a' is the ID of an HTTPS edge; expected the ID of a route of an HTTPS edge, which starts with
      'edghtsrt_'
exposure_info {requests: ['https://shop.example.com:99999/']}
  - requests[0]: 'https://shop.example.com:99999/' cannot be traced; expected one such as
      'https://shop.example.com/admin', or with 'OPTIONS ' before it, but no user name
route {edge_id: edghts_a, match_type: path_prefix, match: /, backend: {backend_id: ref:shop}}
  - backend.backend_id: ref:shop refers to an object by its name, which only the module `estate` supports; expected the
      ID of a backend
route {edge_id: {https_edge: {id: a}}}
  - edge_id: <A_STRING> a dictionary; did you mean its .https_edge.id?
route {ip_restriction: {ip_policy_ids: ['', {id: ipp_a}, ipp_b, other_c, ts_a, ipp_, "ipp_a\n", shop]}, backend:
    {backend_id: edghts_a}}
  - ip_restriction.ip_policy_ids[1]: <A_STRING> a dictionary; did you mean its .id?
  - backend.backend_id: 'edghts_a' is the ID of an HTTPS edge; expected the ID of a backend
  - ip_restriction.ip_policy_ids[0]: is empty; <UNSET>
  - ip_restriction.ip_policy_ids[4]: 'ts_a' is the ID of a tunnel session; <A_POLICY>
  - ip_restriction.ip_policy_ids[5]: 'ipp_' is not an ID; <A_POLICY>
  - ip_restriction.ip_policy_ids[6]: 'ipp_a\n' contains a blank or a control character, such as a line break; <A_POLICY>
  - ip_restriction.ip_policy_ids[7]: 'shop' is not an ID; <A_POLICY>
event_source {subscription_id: edghts_a, type: ''}
  - subscription_id: 'edghts_a' is the ID of an HTTPS edge; expected the ID of an event subscription, which starts
      with 'esb_'
  - type: is empty; <UNSET>
estate_info {tls_edges: [edghts_a, 'edgtls_a?b', edgtls_a#b, edgtls_a%2e, edgtls_a\b, other_x/y, edgtls_.., edgtls_.]}
  - tls_edges[0]: 'edghts_a' is the ID of an HTTPS edge; <A_TLS_EDGE>
  - tls_edges[1]: 'edgtls_a?b' contains '?', <SPECIAL>
  - tls_edges[2]: 'edgtls_a#b' contains '#', <SPECIAL>
  - tls_edges[3]: 'edgtls_a%2e' contains '%', <SPECIAL>
  - tls_edges[4]: 'edgtls_a\\b' contains '\\', <SPECIAL>
  - tls_edges[5]: 'other_x/y' contains '/', <SPECIAL>
  - tls_edges[6]: 'edgtls_..' is not an ID; <A_TLS_EDGE>
  - tls_edges[7]: 'edgtls_.' is not an ID; <A_TLS_EDGE>
estate {https_edges: [{hostports: ['a:1'], min_version: '1.2', routes: [{match_type: path_prefix, match: /, backend:
    {backendid: b}, oauth: {provider: {google: {email-domains: []}}}}, {match_type: exct, match: /}]}], tls_edges:
    [{tls_termination: {enabled: true}}], event_subscriptions: [{subscription_id: esb_a, source: [x]}, esb_b], purge:
    [edge], max_deletion: 4}
  - max_deletion: <UNKNOWN> `max_deletions`?
  - https_edges[0].min_version: <UNKNOWN> `tls_termination.min_version`?
  - https_edges[0].routes[0].backend.backendid: <UNKNOWN> `backend_id`?
  - https_edges[0].routes[0].oauth.provider.google.email-domains: <UNKNOWN> `email_domains`?
  - https_edges[0].routes[1].match_type: 'exct' is not allowed; expected exact_path or path_prefix
  - tls_edges[0].edge_id: required
  - event_subscriptions[0].source: <UNKNOWN> `sources`?
  - event_subscriptions[0].sources: required
  - event_subscriptions[1]: expected a dictionary, got a string; its options are subscription_id, sources
  - purge[0]: 'edge' is not allowed; expected edges, routes, hostports, modules, or sources; did you mean `edges`?
route {circuit_breaker: {error_threshold_percentage: 25%, num_buckets: many, rolling_window: 5min, tripped_duration:
    1.5}}
  - circuit_breaker.tripped_duration: 1.5 is not an integer
  - circuit_breaker.rolling_window: '5min' is not a whole number of seconds; expected seconds, or a duration in h, m, s,
      and ms, such as 1h30m
  - circuit_breaker.num_buckets: 'many' is not an integer
  - circuit_breaker.error_threshold_percentage: '25%' is not a number; as a fraction, 25% is 0.25
route {circuit_breaker: {enabled: maybe, tripped_duration: .inf, rolling_window: [], num_buckets: '',
    volume_threshold: true}}
  - circuit_breaker.enabled: 'maybe' <A_BOOLEAN>
  - circuit_breaker.tripped_duration: inf is not an integer
  - circuit_breaker.rolling_window: expected an integer, got a list
  - circuit_breaker.num_buckets: '' is not an integer; <UNSET>
  - circuit_breaker.volume_threshold: expected an integer, got the boolean true
route {compression: ''}
  - compression: expected a dictionary, got an empty string; its only option is enabled; <UNSET>
route {request_headers: {add: {A: null, B: [1], C: true, D: .nan, E: "x\0"}, remove: []}, response_headers: {add: [a]}}
  - request_headers.add.D: nan is not possible in JSON; <FINITE>
  - request_headers.add.E: contains a NUL character; remove it
  - response_headers.add: expected a dictionary, got a list
  - request_headers.add.A: <A_STRING> null; <UNSET>
  - request_headers.add.B: <A_STRING> a list
  - request_headers.add.C: <A_STRING> the boolean true; <QUOTES>
route {metadata: {a: [1, .nan, {b: .inf}], "k\0": v}, description: "a\0b", policy: {inbound: {actions: {type: x,
    config: {limit: .nan}}}, outbound: [{nme: x}, 7, {expressions: [true]}]}}
  - description: contains a NUL character; remove it
  - metadata.a[1]: nan is not possible in JSON; <FINITE>
  - metadata.a[2].b: inf is not possible in JSON; <FINITE>
  - metadata: the key 'k\x00' contains a NUL character; remove it
  - policy.inbound.actions.config.limit: nan is not possible in JSON; <FINITE>
  - policy.outbound[0].nme: <UNKNOWN> `name`?
  - policy.outbound[1]: expected a rule (a dictionary with name, expressions, and actions), got a number
  - policy.outbound[2].expressions[0]: <A_STRING> the boolean true; <QUOTES>
api {path: /x, method: POST, body: {a: [.nan], b: "\0", c: [{token: canary}]}}
  - body.a[0]: nan is not possible in JSON; <FINITE>
  - body.b: contains a NUL character; remove it
tunnel_info {timeout: soon, retries: '1e400', api_key: {a: canary}}
  - api_key: <A_STRING> a dictionary
  - timeout: 'soon' is not a number
  - retries: '1e400' is not an integer; write the number without a unit
edge {state: null, absent_modules: 'mutual_tls,oauth', purge_modules: '', metadata: true}
  - state: <A_STRING> null; <UNSET>
  - absent_modules[1]: 'oauth' is not allowed; expected mutual_tls or tls_termination
  - purge_modules: '' <A_BOOLEAN>; <UNSET>
  - metadata: expected a string, dictionary, or list, got the boolean true; <QUOTES>
event_sources {subscription_id: esb_a, types: null}
  - types: required, got null; <UNSET>
estate {event_subscriptions: [{subscription_id: esb_a, sources: [ip_policy_created.v0, ip_policy_created.v0, '']}]}
  - event_subscriptions[0].sources[2]: is empty; <UNSET>
  - event_subscriptions[0].sources[1]: ip_policy_created.v0 is already declared in event_subscriptions[0].sources[0];
      remove one of them
# Null is the same as leaving an option out, also where Ansible would compare it with the choices.
route {match_type: null, retries: '1e3', timeout: '1e1'}
  - match_type: <NEEDED>
estate {tls_edges: [{edge_id: edghts_a, tls_termination: {terminate_at: null}}]}
  - tls_edges[0].edge_id: 'edghts_a' is the ID of an HTTPS edge; <A_TLS_EDGE>
# One mistake is one option error: its consequences are not reported as well.
route {oauth: {provider: {github: x}}}
  - oauth.provider.github: expected a dictionary, got a string; its options are client_id, client_secret, scopes,
      email_addresses, email_domains, teams, organizations
route {policy: {enabled: maybe}, backend: {backend_id: '', enabled: maybe}, oauth: {provider: {}, enabled: maybe}}
  - backend.enabled: 'maybe' <A_BOOLEAN>
  - oauth.enabled: 'maybe' <A_BOOLEAN>
  - policy.enabled: 'maybe' <A_BOOLEAN>
route {match: null, mach: /}
  - mach: <UNKNOWN> `match`?
estate {https_edges: [{hostports: ['a:1']}], hostports: ['a:1'], routes: [], sources: [], webhook_verification:
    {provider: slack}}
  - hostports: <FURTHER> the members of `https_edges` or `purge_scope`
  - routes: <FURTHER> the members of `https_edges`
  - sources: <FURTHER> the members of `event_subscriptions`
  - webhook_verification: <FURTHER> the members of `https_edges[].routes`
estate {https_edges: [{hostports: ['a:1'], routes: 5}], purge: [routes]}
  - https_edges[0].routes: expected a list of dictionaries, got a number
estate {tls_edge: [], event_subscriptions: [], purge: [modules]}
  - tls_edge: <UNKNOWN> `tls_edges`?
route {match_type: canary, webhook_verification: {provider: x, secret: [a, canary, {got: got}, 1]}}
  - match_type: '********' is not allowed; expected exact_path or path_prefix
  - webhook_verification.secret: <A_STRING> a list
route {match_type: canary, oauth: {provider: {github: {client_secret: [canary]}}}}
  - match_type: '********' is not allowed; expected exact_path or path_prefix
  - oauth.provider.github.client_secret: <A_STRING> a list
route {match: '', webhook_verification: {provider: '', secret: canary}, oidc: {client_secret: canary, unknown: 1}}
  - oidc.unknown: unknown option; the options are enabled, options_passthrough, cookie_prefix, inactivity_timeout,
      maximum_duration, issuer, client_id, client_secret, scopes
  - webhook_verification.provider: must not be empty; <UNSET>
  - match: <NEEDED>
# What remains of a rule or an action if all that is in it is omitted.
route {policy: {inbound: [], outbound: [{name: a, actions: []}, {}, {name: b, actions: {}}, {name: c, actions:
    [{type: ''}]}]}}
  - policy.outbound[1]: the rule is empty; write [] for no rules, or <UNSET>
  - policy.outbound[2].actions: the action is empty; remove it, or <UNSET>
  - policy.outbound[3].actions[0]: the action is empty; remove it, or <UNSET>
route {policy: {inbound: deny, outbound: [{expressions: x, name: 5}, {actions: {type: 5}}, {actions: [{type: deny},
    {config: []}, deny]}, {actions: deny}, {name: r, expressions: null, actions: null}]}}
  - policy.inbound: expected a rule (a dictionary with name, expressions, and actions), got a string
  - policy.outbound[0].expressions: expected a list of strings, got a string
  - policy.outbound[0].name: <A_STRING> a number
  - policy.outbound[1].actions.type: <A_STRING> a number
  - policy.outbound[2].actions[1].config: expected a dictionary, got a list
  - policy.outbound[2].actions[2]: expected an action (a dictionary with type and config), got a string
  - policy.outbound[3].actions: expected an action or a list of actions, got a string
route {request_headers: {add: {'': y, X Y: z, Z: "a\r\nb"}}, response_headers: {add: {"X:\n": y}}}
  - request_headers.add: '' is <NO_HEADER>
  - request_headers.add: 'X Y' is <NO_HEADER>
  - request_headers.add.Z: contains a line break; remove it
  - response_headers.add: 'X:\n' is <NO_HEADER>
route {zzzzzzzz: 1, aaaaaaaa: 1, compression: {zzz: 1}}
  - aaaaaaaa: unknown option; the options are <ROUTE_OPTIONS>
  - zzzzzzzz: unknown option; the options are <ROUTE_OPTIONS>
  - compression.zzz: unknown option; the options are enabled
# Limits, values that depend on others, and what is required.
route {description: <TOO LONG>, metadata: <4097>, circuit_breaker: {num_buckets: 129}}
  - description: 256 bytes (128 characters) is too long; the maximum is 255 bytes
  - metadata: 4097 bytes (4097 characters) is too long; the maximum is 4096 bytes
  - circuit_breaker.num_buckets: 129 is out of range; expected a number from 0 to 128
tls_edge_info {id: edghts_a}
  - id: 'edghts_a' is the ID of an HTTPS edge; <A_TLS_EDGE>
tls_edge_tls_termination {terminate_at: upstream, min_version: '1.2'}
  - edge_id: required, or set `edge` to a hostport of the edge
  - min_version: not allowed if `terminate_at` is `upstream`; remove one of the two
route {oauth: {provider: {github: {client_id: c}, facebook: {client_secret: canary}, amazon: {scopes: ['']}, google:
    {teams: [a/b]}}}}
  - oauth.provider.google.teams: unknown option; the options are client_id, client_secret, scopes, email_addresses,
      email_domains
  - oauth.provider.github.client_id: requires client_secret; set it as well, or <UNSET>
  - oauth.provider.facebook.client_secret: requires client_id; set it as well, or remove client_secret
  - oauth.provider.amazon.scopes[0]: is empty; <UNSET>
  - oauth.provider.amazon.scopes: requires client_id and client_secret; set them as well, or remove scopes
route {compression: {}, absent_modules: [saml, compression]}
  - absent_modules: compression is also declared in this task; keep only one of the two
route {backend: {}, ip_restriction: {enabled: true}, response_headers: {}}
  - backend.backend_id: required; set it, or <UNSET>
  - ip_restriction.ip_policy_ids: required (an empty list is allowed); set it, or <UNSET>
  - response_headers.add or response_headers.remove: required (an empty list or dictionary is allowed); set one of
      them, or <UNSET>
https_edge_route {}
  - edge_id: required, or set `edge` to a hostport of the edge
  - match_type: <NEEDED>
  - match: <NEEDED>
api {path: /a, method: post, body: {}}
  - method: 'post' is not allowed; expected GET, POST, PUT, PATCH, or DELETE
api {path: /a, body: {}}
  - body: not allowed with `method: GET`; remove it
api {path: /a, method: DELETE, body: []}
  - body: not allowed with `method: DELETE`; remove it
tunnel_info {labels: {a: null, b: [1], c: {d: e}, f: true, h: 1}, timeout: -1, id: ts_a}
  - timeout: -1.0 is out of range; expected more than 0 and at most 3600 seconds
  - id: 'ts_a' is the ID of a tunnel session; expected the ID of a tunnel, which starts with 'tn_'
  - labels.a: <A_STRING> null; <UNSET>
  - labels.b: <A_STRING> a list
  - labels.c: <A_STRING> a dictionary
estate_info {objects: [edges/https, /ip_policies, tunnels]}
  - objects[0]: objects in 'edges/https' have a module of their own; use `edgeops.ingress.https_edge`
  - objects[1]: '/ip_policies' is not the path of a collection; expected names of ASCII letters, digits, and underscores
      with single slashes in between, such as `ip_policies` or `backends/http_response`
  - objects[2]: nobody can create or change tunnels, so they cannot be declared; use `edgeops.ingress.tunnel_info`
estate {objects: [{name: till, collection: edges/tls, find_by: {description: t}, state: absent}], tls_edges:
    [{edge_id: 'ref:till'}]}
  - tls_edges[0].edge_id: the object till has `state: absent`; remove the reference, or keep the object
object {collection: a, find_by: {name: x}, always_send: [a.b, '', id, uri, created_at], body: {size: 1}}
  - always_send[0]: 'a.b' is not the name of a field; set the name of a top-level field
  - always_send[1]: '' is not the name of a field; set the name of a top-level field
  - always_send[2]: 'id' is assigned by the service; remove it
  - always_send[3]: 'uri' is assigned by the service; remove it
  - always_send[4]: 'created_at' is assigned by the service; remove it
estate {https_edges: [], expect_plan: '', max_deletions: -1, reject_openings: []}
  - max_deletions: -1 is out of range; expected 0 or more
  - reject_openings: is empty; <UNSET>
  - expect_plan: <NOT_A_DIGEST>
estate {https_edges: [], reject_openings: [lost], reject_existing: true, purge_scope: {hostports: ['a:1']},
    accept: [{rule: old_tls, object: '*', reason: r}]}
  - reject_openings[0]: 'lost' is not allowed; expected unlocked, others, reopened, or new
  - accept: has no effect without `reject_findings`; set `reject_findings`, or remove accept
  - reject_existing: has no effect without `reject_findings`; set `reject_findings`, or remove reject_existing
  - purge_scope: has no effect without `edges` in `purge`; add `edges` to `purge`, or remove purge_scope
estate {https_edges: [], reject_openings: 7}
  - reject_openings: <NO_KINDS> a number; <UNSET>
estate {https_edges: [], requirements: [{needs: [login]}, {needs: [logins], reason: r, host: a}], reject_openings: ''}
  - requirements[0].reason: required
  - requirements[1].host: <UNKNOWN> `hosts`?
  - requirements[1].needs[0]: 'logins' is not allowed; expected certificate, network, signature, login, or closed; did
      you mean `login`?
  - reject_openings: <NO_KINDS> an empty string; <UNSET>
exposure_info {requirements: [{needs: [login], reason: r, hosts: [], paths: []}, {needs: [], reason: ' '}]}
  - requirements[0].hosts: is empty; <UNSET>
  - requirements[0].paths: is empty; <UNSET>
  - requirements[1].needs: is empty; <UNSET>
  - requirements[1].reason: is empty; <UNSET>
estate {https_edges: [], requirements: [{needs: [login], reason: r, hosts: ['a.b:443', a*.b]}], reject_openings: null}
  - reject_openings: <NO_KINDS> null; <UNSET>
  - requirements[0].hosts[0]: 'a.b:443' <NO_HOST>
  - requirements[0].hosts[1]: 'a*.b' <NO_HOST>
https_edge_routes {edge_id: edghts_a, routes: [], requirements: [{needs: [closed, login], reason: r, paths: [admin]}],
    expect_plan: 0123456789ABCDEF0123456789ABCDEF}
  - expect_plan: <NOT_A_DIGEST>
  - requirements[0].paths[0]: 'admin' is not a path; expected the beginning of a path, such as '/admin', without
      wildcards, queries, and dots
  - requirements[0].needs: closed means that nobody may get through, so no other class can be enough; remove one of
      them
event_source {subscription_id: esb_a, type: ip_policy_create.v0}
  - type: unknown event type 'ip_policy_create.v0'; did you mean `ip_policy_created.v0`, `ip_policy_rule_created.v0`,
      or `ip_policy_updated.v0`? To use it anyway, set `allow_unknown_type: true`
event_sources {subscription_id: esb_a, types: [new.v0, ., .., new.v0], allow_unknown_type: true, expect_plan:
    "0123456789abcdef0123456789abcdef\n"}
  - types[1]: expected an identifier, got '.', which would lead to another path
  - types[2]: expected an identifier, got '..', which would lead to another path
  - types[3]: new.v0 is already declared in types[0]; remove one of them
  - expect_plan: <NOT_A_DIGEST>
"""


def cases() -> Iterator[tuple[str, Given, list[str]]]:
    for task in re.split(r"\n(?! )", re.sub(r"\n#.*", "", TASKS).strip()):
        declared, *option_errors = (" ".join(part.split()) for part in task.split("\n  - "))
        word, _, options = declared.partition(" ")
        module, usual = SHORT.get(word, (word, {}))
        for name, part in PARTS.items():
            option_errors = [one.replace(f"<{name}>", part) for one in option_errors]
        options = options.replace("<TOO LONG>", TOO_LONG).replace("<4097>", "m" * 4097)
        yield module, {**usual, **yaml.safe_load(options)}, option_errors


@pytest.mark.parametrize(("module", "options", "option_errors"), list(cases()))
def test_the_message_is_the_same_in_both_ways_of_running(module: str, options: Given, option_errors: list[str]) -> None:
    work, given = work_of(module), {**CONNECTION, **options}
    arguments = checked(work, given)
    in_worker = masked(result_of(work, arguments.options, arguments.option_errors), work, arguments)
    in_process, logged = printed_and_logged(module, **given)
    assert "\0" not in logged  # the system's log rejects it, and AnsibleModule fails with that
    assert "canary" not in logged
    for result in (in_worker, in_process):
        assert result["option_errors"] == option_errors
        assert (result["msg"], result["changed"], result.get("operations", [])) == (in_worker["msg"], False, [])
        assert "canary" not in str(result)
    assert all(option_error in in_worker["msg"] for option_error in option_errors)
