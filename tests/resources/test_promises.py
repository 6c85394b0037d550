# SPDX-License-Identifier: GPL-3.0-or-later
"""Check mode promises nothing that the service rejects, except what it cannot know."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from module_task import Given, Tasks, accepted_writes, writes
from places import EDGE, HOSTPORT, KEY, ROUTE, ROUTE_PATH, SOURCE, SUBSCRIPTION, TLS_EDGE
from reference_service.rejection_codes import Code

ADMIN = {"match_type": "path_prefix", "match": "/admin"}
OTHER_HOSTPORT = "other.example.com:443"
FREE = "free.example.com:443"
POLICY = {"description": "office"}
LOGIN = {"issuer": "https://id.example.com", "client_id": "shop", "client_secret": "canary"}
SEED: Given = {
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

ROUTES = f"/edges/https/{EDGE}/routes"
PLACE = {"edge_id": EDGE, **KEY}


@dataclass(frozen=True)
class RejectedTask:
    """A task, and the request by which it could ask for the same, if the task sends none.

    `reason` says why check mode cannot know that the service rejects the task; it is empty if it can.
    """

    code: Code | None
    module: str
    options: Given
    request: tuple[str, str, Any] | None = None
    switches: Given = field(default_factory=dict)
    reason: str = ""

    def __str__(self) -> str:
        code = self.code.name if self.code else "no operation"
        return " ".join([code, self.module, *self.options])


def _edge(code: Code, fields: Given) -> RejectedTask:
    """An edge with fields that are named in requests as they are in options."""
    return RejectedTask(code, "https_edge", {"id": EDGE, **fields}, ("PATCH", f"/edges/https/{EDGE}", fields))


def _route(code: Code, fields: Given) -> RejectedTask:
    return RejectedTask(code, "https_edge_route", {**PLACE, **fields}, ("PATCH", ROUTE_PATH, {**KEY, **fields}))


def _tls(code: Code, fields: Given) -> RejectedTask:
    path = f"/edges/tls/{TLS_EDGE}/tls_termination"
    return RejectedTask(code, "tls_edge_tls_termination", {"edge_id": TLS_EDGE, **fields}, ("PUT", path, fields))


def _new(code: Code, collection: str, fields: Given, reason: str = "") -> RejectedTask:
    """A new object of a collection, found by the first field."""
    first = next(iter(fields))
    options = {"collection": collection, "find_by": {first: fields[first]}, "body": fields}
    return RejectedTask(code, "object", options, ("POST", f"/{collection}", fields), reason=reason)


_CHANGE: Given = {"id": EDGE, "description": "new"}
_TAKING_HOSTPORT = ("PATCH", f"/edges/https/{EDGE}", {"hostports": [OTHER_HOSTPORT]})
_TAKING_MATCH = ("PATCH", ROUTE_PATH, ADMIN)
_TAKEN_DOMAIN = {"domain": "Taken.example.com"}
_TAKING_EDGE: Given = {
    "name": "two",
    "collection": "edges/tcp",
    "find_by": {"description": "two"},
    "body": {"hostports": ["1.tcp.example.com:1"]},
}
_FREE_EDGE = {"hostports": [FREE]}
"""An edge without an ID, so that the edges are listed."""

_ABSENT_POLICY: Given = {"name": "office", "collection": "ip_policies", "find_by": POLICY, "state": "absent"}

_UNKNOWN_EVENT = {"subscription_id": SUBSCRIPTION, "type": "none.v0"}
_OF_UNKNOWN_EDGE = {**PLACE, "edge_id": "edghts_none"}
_SOURCES = f"/event_subscriptions/{SUBSCRIPTION}/sources"
_TAKEN_BY_ID = {"https_edges": [{"id": EDGE, "hostports": [HOSTPORT, OTHER_HOSTPORT]}, _FREE_EDGE]}
_TAKEN_BY_METADATA = {"find_by": "metadata", "metadata": "m", "hostports": [OTHER_HOSTPORT]}
_TAKING_ROUTE = {"id": ROUTE, **ADMIN}
_STILL_USED = {"https_edges": [{"id": EDGE}, _FREE_EDGE], "objects": [_ABSENT_POLICY]}
_NEW_DOMAIN = {"collection": "reserved_domains", "find_by": {"description": "new"}, "body": _TAKEN_DOMAIN}
_TAKING_ADDRESS = ("POST", "/edges/tcp", _TAKING_EDGE["body"])

FORESEEN = [
    # The sender
    RejectedTask(Code.API_KEY, "https_edge", {**_CHANGE, "api_key": "unknown"}),
    RejectedTask(Code.API_VERSION, "https_edge", {**_CHANGE, "api_version": "1"}),
    RejectedTask(Code.EDGES_OFF, "https_edge", _CHANGE, switches={"account": "edges_off"}),
    # The state of the account
    RejectedTask(Code.NOT_FOUND, "https_edge", {**_CHANGE, "id": "edghts_none"}, ("PATCH", "/edges/https/none", {})),
    RejectedTask(Code.NOT_FOUND, "https_edge_route", _OF_UNKNOWN_EDGE, ("GET", "/edges/https/n", None)),
    RejectedTask(Code.EVENT_TYPE, "event_source", _UNKNOWN_EVENT, ("POST", _SOURCES, {"type": "none.v0"})),
    RejectedTask(Code.HOSTPORT_TAKEN, "estate", _TAKEN_BY_ID, _TAKING_HOSTPORT),
    RejectedTask(Code.HOSTPORT_TAKEN, "https_edge", _TAKEN_BY_METADATA, _TAKING_HOSTPORT),
    RejectedTask(Code.MATCH_TAKEN, "https_edge_route", {"edge_id": EDGE, **_TAKING_ROUTE}, _TAKING_MATCH),
    RejectedTask(Code.MATCH_TAKEN, "https_edge_routes", {"edge_id": EDGE, "routes": [_TAKING_ROUTE]}, _TAKING_MATCH),
    RejectedTask(Code.IN_USE, "estate", _STILL_USED, ("DELETE", "/ip_policies/ipp_used", None)),
    RejectedTask(Code.DOMAIN_TAKEN, "object", _NEW_DOMAIN, ("POST", "/reserved_domains", _TAKEN_DOMAIN)),
    RejectedTask(Code.HOSTPORT_TAKEN, "estate", {"objects": [_TAKING_EDGE]}, _TAKING_ADDRESS),
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
        Code.REQUIRED, "https_edge_route", {"edge_id": EDGE, "match": "/new"}, ("POST", ROUTES, {"match": "/new"})
    ),
]

_OF_THE_SERVICE = "services differ, and do not say what they reject"
_LIMIT = "no request returns the limits of an account"
_UNDEFINED = "the API reference does not define the fields of other collections"
_UNREAD = "the task does not read the objects that could be the reason"


def _unforeseen(code: Code | None, module: str, options: Given, reason: str, **switches: Any) -> RejectedTask:
    return RejectedTask(code, module, options, switches=switches, reason=reason)


_NEW_EDGE, _NEW_ROUTE = {"hostports": [FREE]}, {**PLACE, "match": "/new"}
_NEW_SOURCE = {"subscription_id": SUBSCRIPTION, "type": "domain_deleted.v0"}
_NEW_POLICY = {"collection": "ip_policies", "find_by": {"description": "new"}}
_SAML = {"saml": {"idp_metadata": "<x/>", "authorized_groups": ["a"]}}
_OTHER_LOGIN = {"edge_id": EDGE, **ADMIN, "oidc": LOGIN}
_NO_BACKEND = {**PLACE, "backend": {"backend_id": "bkdhr_none"}}
_TAKEN = {"id": EDGE, "hostports": [HOSTPORT, OTHER_HOSTPORT]}
_IN_USE = {name: _ABSENT_POLICY[name] for name in ("collection", "find_by", "state")}
_RIGHTS, _OTHERS = "no request returns what a key may do", "the requests of others count"
_ALONE = {**PLACE, "match_type": "exact_path"}

UNFORESEEN = [
    _unforeseen(None, "https_edge_route", {**PLACE, "state": "absent"}, _OF_THE_SERVICE, operations="documented"),
    _unforeseen(Code.EDGES_READ_ONLY, "https_edge", _CHANGE, _RIGHTS, account="read_only"),
    _unforeseen(Code.RATE_LIMIT, "https_edge", _CHANGE, _OTHERS, rate_limit=2, retry_after="none"),
    _unforeseen(Code.EDGE_LIMIT, "https_edge", _NEW_EDGE, _LIMIT, rejected_creations="edges"),
    _unforeseen(Code.ROUTE_LIMIT, "https_edge_route", _NEW_ROUTE, _LIMIT, rejected_creations="routes"),
    _unforeseen(Code.SOURCE_LIMIT, "event_source", _NEW_SOURCE, _LIMIT, rejected_creations="sources"),
    _unforeseen(Code.OBJECT_LIMIT, "object", _NEW_POLICY, _LIMIT, rejected_creations="objects"),
    _unforeseen(Code.ONE_SIGN_IN, "https_edge_route", {**PLACE, **_SAML}, _OF_THE_SERVICE, one_auth_module=True),
    _unforeseen(Code.ONE_LOGIN_PER_EDGE, "https_edge_route", _OTHER_LOGIN, _OF_THE_SERVICE, one_login_per_edge=True),
    _unforeseen(Code.MATCH_TAKEN, "https_edge_route", _ALONE, _OF_THE_SERVICE, match_unique="alone"),
    _unforeseen(Code.NOT_RESERVED, "https_edge", _NEW_EDGE, _OF_THE_SERVICE, unreserved_hostports="refused"),
    _unforeseen(Code.UNKNOWN_REFERENCE, "https_edge_route", _NO_BACKEND, _UNREAD, unknown_references="refused"),
    _unforeseen(Code.HOSTPORT_TAKEN, "https_edge", _TAKEN, _UNREAD),
    _unforeseen(Code.IN_USE, "object", _IN_USE, _UNREAD),
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


@pytest.fixture
def there(tasks: Tasks) -> Tasks:
    tasks.service.seed(**SEED)
    return tasks


def test_every_rejection_is_in_a_table() -> None:
    covered = {task.code for task in (*FORESEEN, *UNFORESEEN)}
    assert covered.isdisjoint(NEVER_CAUSED)
    assert covered | NEVER_CAUSED.keys() == {None, *Code}
    assert all(task.reason for task in UNFORESEEN)


@pytest.mark.parametrize("task", FORESEEN, ids=str)
def test_check_mode_fails_if_the_run_would(there: Tasks, task: RejectedTask) -> None:
    there.service.switches(**task.switches)
    dry = there.failed(task.module, check=True, **task.options)
    real = there.failed(task.module, **task.options)
    # What else is declared is done; what is sent is accepted.
    assert len(writes(real)) == len(accepted_writes(real)) == len(dry["operations"])
    if task.request is not None:
        method, path, body = task.request
        dry = there.failed("api", method=method, path=path, **({} if body is None else {"body": body}))
    assert dry["error"]["error_code"] == (task.code and task.code.value)


@pytest.mark.parametrize("task", UNFORESEEN, ids=str)
def test_what_check_mode_cannot_know(there: Tasks, task: RejectedTask) -> None:
    """Otherwise, the reason is out of date."""
    there.service.switches(**task.switches)
    there.done(task.module, check=True, **task.options)
    real = there.failed(task.module, **task.options)
    assert real["error"]["error_code"] == (task.code and task.code.value)


TILL = {"name": "till", "collection": "edges/tls", "find_by": {"description": "till"}}
TAKEN_UNSEEN: dict[str, Given] = {
    "edges by their IDs": {"https_edges": [{"id": EDGE, "hostports": [HOSTPORT, OTHER_HOSTPORT]}]},
    "a new edge that is not looked up": {"https_edges": [{"find_by": "none", "hostports": [OTHER_HOSTPORT]}]},
    "an object of another kind": {"objects": [{**TILL, "body": {"hostports": [OTHER_HOSTPORT]}}]},
}


@pytest.mark.parametrize("options", TAKEN_UNSEEN.values(), ids=TAKEN_UNSEEN)
def test_the_plan_says_that_it_is_not_known_if_a_hostport_is_free(there: Tasks, options: Given) -> None:
    dry = there.done("estate", check=True, **options)
    unknown = [one["why"] for one in dry["not_examined"] if one["object"].endswith(f"may have {OTHER_HOSTPORT}")]
    assert [why.endswith("the service rejects the change") for why in unknown] == [True]
    assert there.failed("estate", **options)["failures"][0]["error"]["error_code"] == Code.HOSTPORT_TAKEN.value


def test_nothing_is_unknown_about_hostports_that_stay_or_move(there: Tasks) -> None:
    edges = [{"id": EDGE, "hostports": [FREE]}, {"id": "edghts_other", "hostports": [HOSTPORT, OTHER_HOSTPORT]}]
    there.service.seed(https_edges=[{"id": "edghts_free", "hostports": [FREE]}])
    moved = {"https_edges": [*edges, {"id": "edghts_free", "hostports": []}], "allow_empty": True}
    dry = there.done("estate", check=True, **moved)
    assert len(dry["plan"]) == 3
    assert not [one for one in dry["not_examined"] if "may have" in one["object"]]
