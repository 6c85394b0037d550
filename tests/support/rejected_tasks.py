# SPDX-License-Identifier: GPL-3.0-or-later
"""A task for each rejection of the reference service: what check mode rejects as well, and what it cannot know."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from places import EDGE, HOSTPORT, KEY, ROUTE, SOURCE, SUBSCRIPTION, TLS_EDGE
from reference_service.rejection_codes import Code

Fields = dict[str, Any]

ADMIN = {"match_type": "path_prefix", "match": "/admin"}
OTHER_HOSTPORT = "other.example.com:443"
FREE = "free.example.com:443"
POLICY = {"description": "office"}
LOGIN = {"issuer": "https://id.example.com", "client_id": "shop", "client_secret": "canary"}
SEED: Fields = {
    "https_edges": [
        {
            "id": EDGE,
            "hostports": [HOSTPORT],
            "routes": [
                {"id": ROUTE, **KEY, "oidc": LOGIN, "ip_restriction": {"ip_policy_ids": ["ipp_used"]}},
                {"id": "edghtsrt_admin", **ADMIN},
            ],
        },
        {"id": "edghts_other", "hostports": [OTHER_HOSTPORT]},
    ],
    "tls_edges": [{"id": TLS_EDGE}],
    "event_subscriptions": [{"id": SUBSCRIPTION, "sources": [SOURCE]}],
    "objects": {
        "ip_policies": [{"id": "ipp_used", **POLICY}],
        "reserved_domains": [{"domain": "taken.example.com", "description": "old"}],
        "edges/tcp": [{"id": "edgtcp_one", "description": "one", "hostports": ["1.tcp.example.com:1"]}],
    },
}

ROUTES, ROUTE_PATH = f"/edges/https/{EDGE}/routes", f"/edges/https/{EDGE}/routes/{ROUTE}"
PLACE = {"edge_id": EDGE, **KEY}


@dataclass(frozen=True)
class RejectedTask:
    """A task, and the request by which it could ask for the same, if the task sends none.

    `reason` says why check mode cannot know that the service rejects the task; it is empty if it can.
    """

    code: Code | None
    module: str
    options: Fields
    request: tuple[str, str, Any] | None = None
    switches: Fields = field(default_factory=dict)
    reason: str = ""

    def __str__(self) -> str:
        code = self.code.name if self.code else "no operation"
        return " ".join([code, self.module, *self.options])


def _edge(code: Code, fields: Fields) -> RejectedTask:
    """An edge with fields that are named in requests as they are in options."""
    return RejectedTask(code, "https_edge", {"id": EDGE, **fields}, ("PATCH", f"/edges/https/{EDGE}", fields))


def _route(code: Code, fields: Fields) -> RejectedTask:
    return RejectedTask(code, "https_edge_route", {**PLACE, **fields}, ("PATCH", ROUTE_PATH, {**KEY, **fields}))


def _tls(code: Code, fields: Fields) -> RejectedTask:
    path = f"/edges/tls/{TLS_EDGE}/tls_termination"
    return RejectedTask(code, "tls_edge_tls_termination", {"edge_id": TLS_EDGE, **fields}, ("PUT", path, fields))


def _new(code: Code, collection: str, fields: Fields, reason: str = "") -> RejectedTask:
    """A new object of a collection, found by the first field."""
    first = next(iter(fields))
    options = {"collection": collection, "find_by": {first: fields[first]}, "body": fields}
    return RejectedTask(code, "object", options, ("POST", f"/{collection}", fields), reason=reason)


_CHANGE: Fields = {"id": EDGE, "description": "new"}
_TAKING_HOSTPORT = ("PATCH", f"/edges/https/{EDGE}", {"hostports": [OTHER_HOSTPORT]})
_TAKING_MATCH = ("PATCH", ROUTE_PATH, ADMIN)
_TAKEN_DOMAIN = {"domain": "Taken.example.com"}
_TAKING_EDGE: Fields = {
    "name": "two",
    "collection": "edges/tcp",
    "find_by": {"description": "two"},
    "body": {"hostports": ["1.tcp.example.com:1"]},
}
_FREE_EDGE = {"hostports": [FREE]}
"""An edge without an ID, so that the edges are listed."""

_ABSENT_POLICY: Fields = {"name": "office", "collection": "ip_policies", "find_by": POLICY, "state": "absent"}

FORESEEN = [
    # The sender
    RejectedTask(Code.API_KEY, "https_edge", {**_CHANGE, "api_key": "unknown"}),
    RejectedTask(Code.API_VERSION, "https_edge", {**_CHANGE, "api_version": "1"}),
    RejectedTask(Code.EDGES_OFF, "https_edge", _CHANGE, switches={"account": "edges_off"}),
    # The state of the account
    RejectedTask(Code.NOT_FOUND, "https_edge", {**_CHANGE, "id": "edghts_none"}, ("PATCH", "/edges/https/none", {})),
    RejectedTask(
        Code.NOT_FOUND, "https_edge_route", {**PLACE, "edge_id": "edghts_none"}, ("GET", "/edges/https/n", None)
    ),
    RejectedTask(
        Code.EVENT_TYPE,
        "event_source",
        {"subscription_id": SUBSCRIPTION, "type": "none.v0"},
        ("POST", f"/event_subscriptions/{SUBSCRIPTION}/sources", {"type": "none.v0"}),
    ),
    RejectedTask(
        Code.HOSTPORT_TAKEN,
        "estate",
        {"https_edges": [{"id": EDGE, "hostports": [HOSTPORT, OTHER_HOSTPORT]}, _FREE_EDGE]},
        _TAKING_HOSTPORT,
    ),
    RejectedTask(
        Code.HOSTPORT_TAKEN,
        "https_edge",
        {"find_by": "metadata", "metadata": "m", "hostports": [OTHER_HOSTPORT]},
        _TAKING_HOSTPORT,
    ),
    RejectedTask(Code.MATCH_TAKEN, "https_edge_route", {"edge_id": EDGE, "id": ROUTE, **ADMIN}, _TAKING_MATCH),
    RejectedTask(
        Code.MATCH_TAKEN, "https_edge_routes", {"edge_id": EDGE, "routes": [{"id": ROUTE, **ADMIN}]}, _TAKING_MATCH
    ),
    RejectedTask(
        Code.IN_USE,
        "estate",
        {"https_edges": [{"id": EDGE}, _FREE_EDGE], "objects": [_ABSENT_POLICY]},
        ("DELETE", "/ip_policies/ipp_used", None),
    ),
    RejectedTask(
        Code.DOMAIN_TAKEN,
        "object",
        {"collection": "reserved_domains", "find_by": {"description": "new"}, "body": _TAKEN_DOMAIN},
        ("POST", "/reserved_domains", _TAKEN_DOMAIN),
    ),
    RejectedTask(
        Code.HOSTPORT_TAKEN, "estate", {"objects": [_TAKING_EDGE]}, ("POST", "/edges/tcp", _TAKING_EDGE["body"])
    ),
    # The values in a body
    _edge(Code.EMPTY, {"hostports": [""]}),
    _edge(Code.HOSTPORT, {"hostports": ["place.example.com"]}),
    _route(Code.KIND_OF_ID, {"ip_restriction": {"ip_policy_ids": ["ep_one"]}}),
    _new(Code.HOST, "reserved_domains", {"domain": "new.example.com:443"}),
    _new(Code.NETWORK, "ip_policy_rules", {"ip_policy_id": "ipp_used", "cidr": "192.0.2.0/33", "action": "allow"}),
    _new(Code.ONE_TARGET, "event_destinations", {"description": "new", "target": {"kinesis": {}, "firehose": {}}}),
    _edge(Code.TOO_LONG, {"description": "é" * 128}),
    _edge(Code.UNKNOWN_FIELD, {"colour": "red"}),
    _edge(Code.INVALID_REQUEST, {"hostports": [{"a": "b"}]}),
    _tls(Code.MIN_VERSION_UPSTREAM, {"terminate_at": "upstream", "min_version": "1.2"}),
    _tls(Code.UNKNOWN_VALUE, {"terminate_at": "nowhere"}),
    _route(Code.HALF_AN_APP, {"oauth": {"provider": {"github": {"client_id": "shop"}}}}),
    _route(Code.SCOPES_WITHOUT_APP, {"oauth": {"provider": {"github": {"scopes": ["a"]}}}}),
    _route(Code.OUT_OF_RANGE, {"circuit_breaker": {"num_buckets": 129}}),
    _route(Code.SECRET_REQUIRED, {"webhook_verification": {"provider": "slack"}}),
    RejectedTask(
        Code.REQUIRED,
        "https_edge_route",
        {"edge_id": EDGE, "match": "/new"},
        ("POST", ROUTES, {"match": "/new"}),
    ),
]

_OF_THE_SERVICE = "services differ, and do not say what they reject"
_LIMIT = "no request returns the limits of an account"
_UNDEFINED = "the API reference does not define the fields of other collections"
_UNREAD = "the task does not read the objects that could be the reason"


UNFORESEEN = [
    RejectedTask(
        None,
        "https_edge_route",
        {**PLACE, "state": "absent"},
        switches={"operations": "documented"},
        reason=_OF_THE_SERVICE,
    ),
    RejectedTask(
        Code.EDGES_READ_ONLY,
        "https_edge",
        _CHANGE,
        switches={"account": "read_only"},
        reason="no request returns what a key may do",
    ),
    RejectedTask(
        Code.RATE_LIMIT,
        "https_edge",
        _CHANGE,
        switches={"rate_limit": 2, "retry_after": "none"},
        reason="the requests of others count",
    ),
    RejectedTask(
        Code.EDGE_LIMIT, "https_edge", {"hostports": [FREE]}, switches={"rejected_creations": "edges"}, reason=_LIMIT
    ),
    RejectedTask(
        Code.ROUTE_LIMIT,
        "https_edge_route",
        {**PLACE, "match": "/new"},
        switches={"rejected_creations": "routes"},
        reason=_LIMIT,
    ),
    RejectedTask(
        Code.SOURCE_LIMIT,
        "event_source",
        {"subscription_id": SUBSCRIPTION, "type": "domain_deleted.v0"},
        switches={"rejected_creations": "sources"},
        reason=_LIMIT,
    ),
    RejectedTask(
        Code.OBJECT_LIMIT,
        "object",
        {"collection": "ip_policies", "find_by": {"description": "new"}},
        switches={"rejected_creations": "objects"},
        reason=_LIMIT,
    ),
    RejectedTask(
        Code.ONE_SIGN_IN,
        "https_edge_route",
        {**PLACE, "saml": {"idp_metadata": "<x/>", "authorized_groups": ["a"]}},
        switches={"one_auth_module": True},
        reason=_OF_THE_SERVICE,
    ),
    RejectedTask(
        Code.ONE_LOGIN_PER_EDGE,
        "https_edge_route",
        {"edge_id": EDGE, **ADMIN, "oidc": LOGIN},
        switches={"one_login_per_edge": True},
        reason=_OF_THE_SERVICE,
    ),
    RejectedTask(
        Code.MATCH_TAKEN,
        "https_edge_route",
        {**PLACE, "match_type": "exact_path"},
        switches={"match_unique": "alone"},
        reason=_OF_THE_SERVICE,
    ),
    RejectedTask(
        Code.NOT_RESERVED,
        "https_edge",
        {"hostports": [FREE]},
        switches={"unreserved_hostports": "refused"},
        reason=_OF_THE_SERVICE,
    ),
    RejectedTask(
        Code.UNKNOWN_REFERENCE,
        "https_edge_route",
        {**PLACE, "backend": {"backend_id": "bkdhr_none"}},
        switches={"unknown_references": "refused"},
        reason=_UNREAD,
    ),
    RejectedTask(
        Code.HOSTPORT_TAKEN, "https_edge", {"id": EDGE, "hostports": [HOSTPORT, OTHER_HOSTPORT]}, reason=_UNREAD
    ),
    RejectedTask(
        Code.IN_USE,
        "object",
        {name: _ABSENT_POLICY[name] for name in ("collection", "find_by", "state")},
        reason=_UNREAD,
    ),
    _new(Code.REQUIRED, "certificate_authorities", {"description": "new"}, _UNDEFINED),
    _new(Code.URL, "endpoints", {"url": "new", "type": "cloud", "traffic_policy": "{}"}, _UNDEFINED),
]

NEVER_CAUSED = {
    Code.BODY_TOO_LARGE: "nothing that is declared comes near 32 MiB",
    Code.FOREIGN_CALLER: "only calls that control the reference service are rejected for that",
    Code.ID_TAKEN: "the service assigns the IDs, except of what the reference service is seeded with",
    Code.INTERNAL: "a defect of the reference service",
    Code.MODULE_NOT_SET: "only what is set is read or removed, unless another task removes it at the same time",
    Code.NOT_UNIQUE: "sets are sent without duplicates",
    Code.NULL: "a null option is an omitted one",
    Code.SOURCE_EXISTS: "only what does not exist is created, unless another task creates it at the same time",
}
