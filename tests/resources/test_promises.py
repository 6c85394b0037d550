# SPDX-License-Identifier: GPL-3.0-or-later
"""Check mode promises nothing that the service rejects, except what it cannot know."""

from __future__ import annotations

from typing import Any

import pytest

from cases import cases
from module_task import Given, Tasks, accepted_writes, writes
from places import EDGE, HOSTPORT, KEY, ROUTE, ROUTE_PATH, SOURCE, SUBSCRIPTION, TLS_EDGE
from reference_service.values.rejection_codes import Code

ADMIN = {"match_type": "path_prefix", "match": "/admin"}
OTHER_HOSTPORT = "other.example.com:443"
FREE = "free.example.com:443"
POLICY = {"description": "office"}
LOGIN = {"issuer": "https://id.example.com", "client_id": "shop", "client_secret": "canary"}
PROTECTED = {"id": ROUTE, **KEY, "oidc": LOGIN, "ip_restriction": {"ip_policy_ids": ["ipp_used"]}}
WITH_ROUTES = {"id": EDGE, "hostports": [HOSTPORT], "routes": [PROTECTED, {"id": "edghtsrt_admin", **ADMIN}]}
SEED: Given = {
    "https_edges": [WITH_ROUTES, {"id": "edghts_other", "hostports": [OTHER_HOSTPORT]}],
    "tls_edges": [{"id": TLS_EDGE}],
    "event_subscriptions": [{"id": SUBSCRIPTION, "sources": [SOURCE]}],
    "objects": {
        "ip_policies": [{"id": "ipp_used", **POLICY}],
        "reserved_domains": [{"domain": "taken.example.com", "description": "old"}],
        "edges/tcp": [{"id": "edgtcp_one", "description": "one", "hostports": ["1.tcp.example.com:1"]}],
    },
}

PLACE = {"edge_id": EDGE, **KEY}
KNOWN: Given = {
    "PLACE": PLACE,
    "ADMIN": ADMIN,
    "LOGIN": LOGIN,
    "CHANGE": {"id": EDGE, "description": "new"},
    "TAKEN": {"id": EDGE, "hostports": [HOSTPORT, OTHER_HOSTPORT]},
    "TAKING_HOSTPORT": ["PATCH", f"/edges/https/{EDGE}", {"hostports": [OTHER_HOSTPORT]}],
    "TAKING_MATCH": ["PATCH", ROUTE_PATH, ADMIN],
    "ADDRESS": {"hostports": ["1.tcp.example.com:1"]},
    "NO_POLICY": {"collection": "ip_policies", "find_by": POLICY, "state": "absent"},
}
# The code of a rejection, a task, the request by which it could ask for the same, if it sends none, and switches.
FORESEEN = cases(
    """
    API_KEY         | https_edge       | {<<: *CHANGE, api_key: unknown}
    API_VERSION     | https_edge       | {<<: *CHANGE, api_version: "1"}
    EDGES_OFF       | https_edge       | *CHANGE | null | {account: edges_off}
    NOT_FOUND       | https_edge       | {<<: *CHANGE, id: edghts_none} | [PATCH, /edges/https/none, {}]
    NOT_FOUND, edge | https_edge_route | {<<: *PLACE, edge_id: edghts_none} | [GET, /edges/https/n]
    EVENT_TYPE      | event_source     | {subscription_id: esb_place, type: none.v0}
        | [POST, /event_subscriptions/esb_place/sources, {type: none.v0}]
    HOSTPORT_TAKEN, by an ID | estate  | {https_edges: [*TAKEN, {hostports: [free.example.com:443]}]} | *TAKING_HOSTPORT
    HOSTPORT_TAKEN, by metadata | https_edge
        | {find_by: metadata, metadata: m, hostports: [other.example.com:443]} | *TAKING_HOSTPORT
    HOSTPORT_TAKEN, object | estate
        | objects: [{name: two, collection: edges/tcp, find_by: {description: two}, body: *ADDRESS}]
        | [POST, /edges/tcp, *ADDRESS]
    MATCH_TAKEN, one | https_edge_route  | {edge_id: edghts_place, id: edghtsrt_place, <<: *ADMIN} | *TAKING_MATCH
    MATCH_TAKEN, set | https_edge_routes
        | {edge_id: edghts_place, routes: [{id: edghtsrt_place, <<: *ADMIN}]} | *TAKING_MATCH
    IN_USE          | estate
        | {https_edges: [{id: edghts_place}, {hostports: [free.example.com:443]}], objects: [{name: x, <<: *NO_POLICY}]}
        | [DELETE, /ip_policies/ipp_used]
    DOMAIN_TAKEN    | object
        | {collection: reserved_domains, find_by: {description: new}, body: {domain: Taken.example.com}}
        | [POST, /reserved_domains, {domain: Taken.example.com}]
    REQUIRED        | https_edge_route | {edge_id: edghts_place, match: /new}
        | [POST, /edges/https/edghts_place/routes, {match: /new}]
    """,
    **KNOWN,
)
# The code, and what an edge, a route, a module, or a new object of a collection has, in options and in a request.
VALUES = cases(
    """
    EMPTY                | edge  | hostports: [""]
    HOSTPORT             | edge  | hostports: [place.example.com]
    TOO_LONG             | edge  | *LONG
    UNKNOWN_FIELD        | edge  | colour: red
    INVALID_REQUEST      | edge  | hostports: [{a: b}]
    KIND_OF_ID           | route | ip_restriction: {ip_policy_ids: [ep_one]}
    HALF_AN_APP          | route | oauth: {provider: {github: {client_id: shop}}}
    SCOPES_WITHOUT_APP   | route | oauth: {provider: {github: {scopes: [a]}}}
    OUT_OF_RANGE         | route | circuit_breaker: {num_buckets: 129}
    SECRET_REQUIRED      | route | webhook_verification: {provider: slack}
    MIN_VERSION_UPSTREAM | tls   | {terminate_at: upstream, min_version: "1.2"}
    UNKNOWN_VALUE        | tls   | terminate_at: nowhere
    HOST                 | reserved_domains   | domain: "new.example.com:443"
    NETWORK              | ip_policy_rules    | {ip_policy_id: ipp_used, cidr: 192.0.2.0/33, action: allow}
    ONE_TARGET           | event_destinations | {description: new, target: {kinesis: {}, firehose: {}}}
    """,
    LONG={"description": "\u00e9" * 128},
)
PLACES: dict[str, tuple[str, Given, str, str, Given]] = {
    "edge": ("https_edge", {"id": EDGE}, "PATCH", f"/edges/https/{EDGE}", {}),
    "route": ("https_edge_route", PLACE, "PATCH", ROUTE_PATH, KEY),
    "tls": ("tls_edge_tls_termination", {"edge_id": TLS_EDGE}, "PUT", f"/edges/tls/{TLS_EDGE}/tls_termination", {}),
}


def with_value(place: str, fields: Given) -> tuple[str, Given, list[Any]]:
    """A task with these fields, and the request. A new object is found by the first of them."""
    if place in PLACES:
        module, options, method, path, more = PLACES[place]
        return module, {**options, **fields}, [method, path, {**more, **fields}]
    first = dict([*fields.items()][:1])
    return "object", {"collection": place, "find_by": first, "body": fields}, ["POST", f"/{place}", fields]


REJECTED = {**FORESEEN, **{code: with_value(*case) for code, case in VALUES.items()}}

# The code, a task, the switches of the service, and why check mode cannot know that.
UNFORESEEN = cases(
    """
    no operation        | https_edge_route | {<<: *PLACE, state: absent} | {operations: documented} | *OF_SERVICE
    EDGES_READ_ONLY     | https_edge       | *CHANGE   | {account: read_only} | no request returns what a key may do
    RATE_LIMIT          | https_edge | *CHANGE | {rate_limit: 2, retry_after: none} | the requests of others count
    EDGE_LIMIT          | https_edge       | *NEW      | {rejected_creations: edges}   | *LIMIT
    ROUTE_LIMIT         | https_edge_route | {<<: *PLACE, match: /new} | {rejected_creations: routes}  | *LIMIT
    SOURCE_LIMIT        | event_source
        | {subscription_id: esb_place, type: domain_deleted.v0} | {rejected_creations: sources} | *LIMIT
    OBJECT_LIMIT        | object
        | {collection: ip_policies, find_by: {description: new}} | {rejected_creations: objects} | *LIMIT
    ONE_SIGN_IN         | https_edge_route
        | {<<: *PLACE, saml: {idp_metadata: <x/>, authorized_groups: [a]}} | {one_auth_module: true} | *OF_SERVICE
    ONE_LOGIN_PER_EDGE  | https_edge_route
        | {<<: *PLACE, match: /admin, oidc: *LOGIN} | {one_login_per_edge: true} | *OF_SERVICE
    MATCH_TAKEN         | https_edge_route | {<<: *PLACE, match_type: exact_path} | {match_unique: alone} | *OF_SERVICE
    NOT_RESERVED        | https_edge       | *NEW   | {unreserved_hostports: refused} | *OF_SERVICE
    UNKNOWN_REFERENCE   | https_edge_route
        | {<<: *PLACE, backend: {backend_id: bkdhr_none}} | {unknown_references: refused} | *UNREAD
    HOSTPORT_TAKEN      | https_edge       | *TAKEN | {} | *UNREAD
    IN_USE              | object           | *NO_POLICY | {} | *UNREAD
    REQUIRED            | object
        | {collection: certificate_authorities, find_by: {description: new}} | {} | *UNDEFINED
    URL                 | object
        | {collection: endpoints, find_by: {url: new}, body: {type: cloud, traffic_policy: "{}"}} | {} | *UNDEFINED
    """,
    **KNOWN,
    NEW={"hostports": [FREE]},
    OF_SERVICE="services differ, and do not say what they reject",
    LIMIT="no request returns the limits of an account",
    UNDEFINED="the API reference does not define the fields of other collections",
    UNREAD="the task does not read the objects that could be the reason",
)

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


def code_of(name: str) -> Code | None:
    return None if name == "no operation" else Code[name.partition(",")[0]]


def test_every_rejection_is_in_a_table() -> None:
    covered = {code_of(name) for name in (*REJECTED, *UNFORESEEN)}
    assert covered.isdisjoint(NEVER_CAUSED)
    assert covered | NEVER_CAUSED.keys() == {None, *Code}


@pytest.mark.parametrize("name", REJECTED)
def test_check_mode_fails_if_the_run_would(there: Tasks, name: str) -> None:
    module, options, *more = REJECTED[name]
    request, switches = (*more, *(None, None)[len(more) :])
    there.service.switches(**(switches or {}))
    dry = there.failed(module, check=True, **options)
    real = there.failed(module, **options)
    # What else is declared is done; what is sent is accepted.
    assert len(writes(real)) == len(accepted_writes(real)) == len(dry["operations"])
    if request:
        dry = there.failed("api", **dict(zip(("method", "path", "body"), request, strict=False)))
    assert dry["error"]["error_code"] == code_of(name).value  # type: ignore[union-attr]
    assert dry["error"]["operation_id"].startswith("op_")


@pytest.mark.parametrize("name", UNFORESEEN)
def test_what_check_mode_cannot_know(there: Tasks, name: str) -> None:
    """Otherwise, the reason is out of date."""
    module, options, switches, _reason = UNFORESEEN[name]
    there.service.switches(**switches)
    there.done(module, check=True, **options)
    code = code_of(name)
    before, result = there.service.state(), there.failed(module, **options)
    assert result["error"]["error_code"] == (code and code.value)
    assert (result["changed"], there.service.state()) == (False, before)


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


@pytest.mark.parametrize("odd", [5, {}, ["x"]], ids=str)
def test_an_object_may_have_a_url_or_a_hostport_even_beside_what_is_none(there: Tasks, odd: Any) -> None:
    shop = {"name": "shop", "collection": "endpoints", "find_by": {"url": f"https://{FREE}"}}
    address = {"collection": "reserved_addrs", "find_by": {"description": "x"}, "body": {"hostports": [odd, FREE]}}
    dry = there.done("estate", check=True, objects=[shop, {"name": "address", **address}])
    assert [one["object"] for one in dry["not_examined"]][-1] == f"other objects that may have https://{FREE}, {FREE}"


def test_nothing_is_unknown_about_hostports_that_stay_or_move(there: Tasks) -> None:
    edges = [{"id": EDGE, "hostports": [FREE]}, {"id": "edghts_other", "hostports": [HOSTPORT, OTHER_HOSTPORT]}]
    there.service.seed(https_edges=[{"id": "edghts_free", "hostports": [FREE]}])
    moved = {"https_edges": [*edges, {"id": "edghts_free", "hostports": []}], "allow_empty": True}
    dry = there.done("estate", check=True, **moved)
    assert len(dry["plan"]) == 3
    assert not [one for one in dry["not_examined"] if "may have" in one["object"]]
