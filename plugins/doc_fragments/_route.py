# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The options of a route of an HTTPS edge: how it is found, its fields, and its traffic modules."""

from __future__ import annotations

from ansible_collections.edgeops.ingress.plugins.doc_fragments._edge import EDGE_OF_TASK
from ansible_collections.edgeops.ingress.plugins.doc_fragments._login import OAUTH, OIDC, SAML
from ansible_collections.edgeops.ingress.plugins.doc_fragments._nesting import Options, described, fragment, in_brief
from ansible_collections.edgeops.ingress.plugins.doc_fragments._traffic_modules import (
    DESCRIPTION_AND_METADATA,
    EMPTY_LIST,
    IP_POLICY_IDS,
    MASKED,
    NOT_RETURNED,
    NOTES,
    PURGE_MODULES,
    REQUIRED_IF_NEW,
    SECONDS,
    UINT32,
    absent_modules,
    modules,
)
from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import HTTPS_EDGE_ROUTE, ROUTE_MODULES

IP_RESTRICTION = (
    "Allows only the addresses of IP policies.",
    "The IP policies decide which source addresses are allowed.",
)

_EDGE_ID = """
edge_id:
  - The ID of the HTTPS edge, which starts with V(edghts_). Either this or C(edge) is required.
"""

_IDENTITY = """
id:
  - The ID of the route, which starts with V(edghtsrt_).
  - The service assigns it, so omit this option to create a route.
  - If omitted, the route is looked up by C(match_type) and C(match). To change these two, set C(id).
match_type:
  - How C(match) is compared with requests.
  - V(exact_path) matches the exact value, V(path_prefix) everything that starts with it.
  - Required if C(id) is omitted. Otherwise, if omitted, the current value is kept.
match:
  - The path, host, or host and path to match.
  - For example, V(/api).
  - Required if C(id) is omitted. Otherwise, if omitted, the current value is kept.
"""

_BACKEND = f"""
backend_id:
  - The ID of the backend.
  - {REQUIRED_IF_NEW}
"""

_CIRCUIT_BREAKER = f"""
tripped_duration:
  - Seconds that the circuit stays open.
  - After that, the service checks again whether the backend works. {SECONDS}
rolling_window:
  - The statistics window, in seconds.
  - Requests and errors are counted over this time. {SECONDS}
num_buckets:
  - The number of buckets for the counts.
  - They divide the statistics window. From V(0) to V(128).
volume_threshold:
  - Minimum requests to open the circuit.
  - The circuit stays closed if there are fewer requests in the statistics window. {UINT32}
error_threshold_percentage:
  - The fraction of errors that opens the circuit.
  - From V(0) to V(1.0) of the requests. Despite its name, this is not a percentage.
"""

_HEADER_CHANGES = f"""
add:
  - The headers to add, with their values.
  - The letter case of header names is ignored.
  - The values of headers that are named like secrets are compared, but never displayed. Results contain the mask
    V(********) instead. These are names that end in C(Authorization), C(Cookie), C(Api-Key), C(Token), C(Secret),
    C(Password), or the like. As a value, the mask stands for the current one.
  - All other values are displayed.
  - If omitted, the dictionary is empty.
remove:
  - The names of the headers to remove.
  - Order and letter case are ignored.
  - {EMPTY_LIST}
"""

_WEBHOOK_VERIFICATION = f"""
provider:
  - The provider that sends the webhooks.
  - The accepted values depend on the service. A value that differs from a well-known one by one letter is a warning.
  - {REQUIRED_IF_NEW}
secret:
  - The secret with which the provider signs.
  - All providers but one require it. {MASKED}
  - Must not be empty. If omitted, or set to the mask, the current secret is kept. {NOT_RETURNED}
  - A provider that needs no secret (SNS) gets none if this is omitted.
"""

_USER_AGENT_FILTER = f"""
allow:
  - The user agents to allow.
  - Order is ignored.
  - {EMPTY_LIST}
deny:
  - The user agents to deny.
  - Order is ignored.
  - {EMPTY_LIST}
"""

_POLICY = f"""
inbound:
  - The rules for requests.
  - A single rule or a list of rules, in the order in which they apply. A rule is a dictionary of C(name),
    C(expressions), and C(actions).
  - C(expressions) is a list of CEL expressions that select the traffic.
  - C(actions) is a single action, or a list of actions. An action is a dictionary of C(type) and C(config). The
    accepted values of both depend on the service.
  - {EMPTY_LIST}
outbound:
  - The rules for responses.
  - The format is that of C(inbound).
  - {EMPTY_LIST}
"""

_MODULES = modules(
    ROUTE_MODULES,
    {
        "backend": ("Sends the requests to a backend.", "", _BACKEND),
        "ip_restriction": (*IP_RESTRICTION, IP_POLICY_IDS),
        "circuit_breaker": (
            "Stops requests to a failing backend.",
            "If too many requests fail, the circuit opens for some time.",
            _CIRCUIT_BREAKER,
        ),
        "compression": ("Compresses responses.", ""),
        "request_headers": (
            "Changes the headers of requests.",
            "The changes are made before a request reaches the backend.",
            _HEADER_CHANGES,
        ),
        "response_headers": (
            "Changes the headers of responses.",
            "The changes are made before a response reaches the client.",
            _HEADER_CHANGES,
        ),
        "webhook_verification": (
            "Accepts only signed webhooks.",
            "They must come from one provider and be signed with the right secret.",
            _WEBHOOK_VERIFICATION,
        ),
        "oauth": ("Requires users to sign in with OAuth.", "", OAUTH),
        "saml": ("Requires users to sign in with SAML.", "", SAML),
        "oidc": ("Requires users to sign in with OpenID Connect.", "", OIDC),
        "websocket_tcp_converter": (
            "Converts WebSocket to TCP.",
            "WebSocket connections become TCP connections to the backend.",
        ),
        "user_agent_filter": ("Filters clients by their user agent.", "", _USER_AGENT_FILTER),
        "policy": (
            "Applies rules with conditions and actions.",
            "Use it for anything that the other traffic modules cannot do.",
            _POLICY,
        ),
    },
)

_SPEC = {**HTTPS_EDGE_ROUTE.options(), "id": {"type": "str"}, "edge_id": {"type": "str"}}

OPTIONS: Options = {
    **described(_IDENTITY + DESCRIPTION_AND_METADATA, _SPEC),
    **_MODULES,
    **absent_modules(_MODULES),
    **PURGE_MODULES,
}


_ROUTES = """
routes:
  - The routes. Order is ignored.
  - Two routes with the same C(id), or with the same C(match_type) and C(match) and without C(id), are errors. Two
    entries that turn out to be the same route fail.
  - {}
"""


def routes(more: str, **facts: bool) -> Options:
    """Return the option `routes`, with `more` as the last sentence of its description."""
    found = described(_ROUTES.format(more), {"routes": {"type": "list", "elements": "dict", **facts}})
    found["routes"]["suboptions"] = in_brief(OPTIONS)
    return found


_OF_TASK = {**described(_EDGE_ID, _SPEC), **EDGE_OF_TASK}
_ROUTES_OF_SET = routes(
    "An empty list has an effect only with O(purge=true). To delete routes, it then requires O(allow_empty=true).",
    required=True,
)


class ModuleDocFragment:
    DOCUMENTATION: str = fragment({**_OF_TASK, **OPTIONS}, NOTES)
    SET: str = fragment({**_OF_TASK, **_ROUTES_OF_SET}, NOTES)
