# SPDX-License-Identifier: GPL-3.0-or-later
"""An object that could not be found or read may be any: nothing changes that would open something without it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from cases import cases
from estates_to_judge import Given, route
from module_task import Tasks, accepted_writes
from places import EDGE, KEY, TLS_EDGE, seed_edges
from scripted_service import Instead, Received, Response, forwarding, rejecting

PAGE, OTHER, SPLIT, RULE = "bkdst_page", "bkdst_other", "bkdwd_split", "ipr_office"
LOGIN = {"oidc": {"issuer": "https://id.example.com", "client_id": "app", "client_secret": "words"}}
CERTIFICATES = {"mutual_tls": {"certificate_authority_ids": ["ca"]}}
RESTRICTED = {"ip_restriction": {"ip_policy_ids": ["ipp_other"]}}


def changed(collection: str, body: Given, **found: Given | str) -> Given:
    return {"name": collection.replace("/", " "), "collection": collection, "body": body, **found}


OF_SHOP = "[host=shop.example.com] / staff"
GIVEN_UP = {"id": f"{EDGE}1", "hostports": ["shop.elsewhere.com:443"]}
SECRET = changed("backends/static", {"address": "secret.internal:80"}, id=PAGE)
NARROWED = changed("ip_policy_rules", {"cidr": "192.0.2.128/25"}, id=RULE)
WITHOUT_LOGIN = {"id": EDGE, "routes": [{**KEY, "absent_modules": ["oauth"]}]}

# What is live, the objects and the edges that are declared, and what is withheld; and what the service rejects.
UNCLEAR = cases(
    """
    a route, and what is behind it | / >bkdst_page | [*SECRET] | [*TWICE] | bkdst_page
    a route, and whom its networks admit | / >bkdst_page office | [*WIDE] | [*TWICE] | ipr_office
    a route, and the certificates of its edge
        | "[certificates=ca] / >bkdst_page" | [] | [{<<: *TWICE, absent_modules: [mutual_tls]}] | edghts_place
    a route, and a hostport that moves to it | *TWO_EDGES | [] | [{<<: *TWICE, <<: *AB}, *C_ONLY] | edghts_place1
    an edge that several match | *TWO_EDGES | [*SECRET] | [{<<: *AB, <<: *CLOSED}] | bkdst_page
    an edge that is declared twice
        | "[host=a.example.com] / >bkdst_page" | [*SECRET] | [{id: edghts_place, <<: *CLOSED}, {<<: *A, <<: *CLOSED}]
        | bkdst_page
    an edge that would be new, and needs a hostport of another one
        | "[host=a.example.com] / >bkdst_page" | [*SECRET] | [{find_by: metadata, metadata: x, <<: *A, <<: *CLOSED}]
        | bkdst_page
    a TLS edge that is not read | / | [*SECRET, *VPN] | [] | bkdst_page | GET edgtls_place
    a TLS edge that is not read, and whom a policy admits | / | [*WIDE, *VPN] | [] | ipr_office | GET edgtls_place
    a TLS edge in another spelling | / | [*SECRET, *SPELLED_VPN] | [] | bkdst_page
    a backend, declared before the one that it may be
        | / >bkdst_page | [*TWIN, *SECRET] | [{id: edghts_place, <<: *CLOSED}] | bkdst_page | PATCH edghtsrt_root
    a backend, declared after the one that it may be
        | / >bkdst_page | [*SECRET, *TWIN] | [{id: edghts_place, <<: *CLOSED}] | bkdst_page | PATCH edghtsrt_root
    a backend, and a route that moves to what it may be | / >bkdst_page | [*TWIN] | [*MOVED] | edghtsrt_root
    a backend in another spelling, and what it leads to
        | / >bkdwd_split | [*SECRET, *SPELLED_SPLIT] | [] | bkdst_page
    an IP policy that is not read, and certificates that go
        | "[certificates=ca] / office" | [*POLICY, *RULE_OF_IT] | [*UNCERTIFIED] | edghts_place | GET ipp_office
    a backend that does not exist, and a login that goes
        | / >bkdst_page staff | [{<<: *SECRET, id: bkdst_none}] | [*WITHOUT_LOGIN] | edghtsrt_root
    a backend that is not read, and may lead to the new one of a route
        | / >bkdst_other | [*SECRET, *OTHER, *KEPT_SPLIT] | [*TO_SPLIT] | edghtsrt_root | GET bkdst_other
    a rule that is not read, and what is behind its policy
        | / >bkdst_page office | [*SECRET, *WIDE] | null | bkdst_page | GET ipr_office
    an IP policy in another spelling, of which a rule would keep out others than a login that goes
        | / office staff | [*SPELLED_POLICY, *RULE_OF_IT] | [*WITHOUT_LOGIN] | edghtsrt_root
    an IP policy in another spelling, and what is behind it
        | / >bkdst_page office | [*SPELLED_POLICY, *RULE_OF_IT, *SECRET] | null | bkdst_page
    a new edge with a host below a wildcard, and a login that goes
        | "[host=*.example.com] / staff" | [] | [{<<: *A, <<: *UNSET}, *WITHOUT_LOGIN] | edghtsrt_root
    an edge that would get a host below a wildcard, and a login that goes
        | *TWO_HOSTS | [] | [{id: edghts_place1, <<: *A, <<: *UNSET}, *WITHOUT_LOGIN] | edghtsrt_root
    an edge of which a wildcard takes a host that is given up
        | *WILDCARD | [] | [{id: edghts_place, <<: *UNSET}, *GIVEN_UP] | edghts_place1
    an endpoint that is not read, and may protect its host
        | "[host=*.example.com] / staff" | [*ENDPOINT] | [*WITHOUT_LOGIN] | edghtsrt_root | GET /endpoints/end_one
    an endpoint that gets another host, and a TLS edge in another spelling
        | / | [*ENDPOINT, *SPELLED_VPN] | [] | end_one
    an endpoint that is deleted, and a TLS edge in another spelling | / | [*NO_ENDPOINT, *SPELLED_VPN] | [] | end_one
    """,
    TWO_EDGES="[host=a.example.com] / >bkdst_page | [host=b.example.com] / staff",
    A={"hostports": ["a.example.com:443"]},
    AB={"hostports": ["a.example.com:443", "b.example.com:443"]},
    C_ONLY={"id": f"{EDGE}1", "hostports": ["c.example.com:443"]},
    CLOSED={"routes": [{**KEY, **LOGIN}]},
    TWICE={"id": EDGE, "routes": [{**KEY, **LOGIN}, {"id": "edghtsrt_root", **KEY, **LOGIN}]},
    UNSET={"mutual_tls": {"certificate_authority_ids": []}},
    TWO_HOSTS="[host=*.example.com] / staff | [host=x.example.net]",
    WILDCARD=f"[host=*.example.com] / | {OF_SHOP}",
    GIVEN_UP=GIVEN_UP,
    ENDPOINT=changed("endpoints", {"url": "https://a.example.com"}, id="end_one"),
    NO_ENDPOINT=changed("endpoints", {}, id="end_one", state="absent"),
    WITHOUT_LOGIN=WITHOUT_LOGIN,
    UNCERTIFIED={"id": EDGE, "absent_modules": ["mutual_tls"]},
    POLICY=changed("ip_policies", {"metadata": "x"}, id="ipp_office"),
    TO_SPLIT={"id": EDGE, "routes": [{**KEY, "backend": {"backend_id": SPLIT}}]},
    MOVED={"id": EDGE, "routes": [{**KEY, "backend": {"backend_id": OTHER}}]},
    SECRET=SECRET,
    WIDE=changed("ip_policy_rules", {"cidr": "0.0.0.0/0"}, id=RULE),
    VPN=changed("edges/tls", RESTRICTED, id=TLS_EDGE),
    SPELLED_VPN=changed("edges/tls", RESTRICTED, find_by={"description": "The VPN"}),
    TWIN={**changed("backends/static", {"address": "open.internal:80"}, find_by={"description": "twin"}), "name": "t"},
    OTHER={**changed("backends/static", {"address": "new.internal:80"}, id=OTHER), "name": "other"},
    KEPT_SPLIT=changed("backends/weighted", {"backends": {PAGE: 1}}, id=SPLIT),
    SPELLED_POLICY=changed("ip_policies", {"metadata": "x"}, find_by={"description": "Office"}),
    RULE_OF_IT=changed(
        "ip_policy_rules",
        {"ip_policy_id": "ref:ip_policies", "cidr": "192.0.2.1/32", "action": "deny"},
        find_by={"description": "visitors"},
    ),
    SPELLED_SPLIT=changed("backends/weighted", {"backends": {OTHER: 1}}, find_by={"description": "Split"}),
)


def seed(tasks: Tasks, text: str) -> None:
    """Put in edges, a TLS edge, and the backends and the policy that they use."""
    statics = [{"id": one, "address": f"{one}:80", "description": "twin"} for one in (PAGE, OTHER)]
    rule = {"id": RULE, "ip_policy_id": "ipp_office", "action": "allow", "cidr": "192.0.2.0/24", "description": "rule"}
    tasks.service.seed(
        objects={
            "backends/static": statics,
            "backends/weighted": [{"id": SPLIT, "backends": {PAGE: 1}, "description": "split"}],
            "ip_policies": [{"id": "ipp_office", "description": "office"}, {"id": "ipp_other"}],
            "ip_policy_rules": [rule],
            "endpoints": [{"id": "end_one", "type": "cloud", "url": "https://one.example.net", "traffic_policy": "{}"}],
        },
        tls_edges=[
            {
                "id": TLS_EDGE,
                "hostports": ["vpn.example.com:443"],
                "description": "the VPN",
                "backend": {"backend_id": PAGE},
                "ip_restriction": {"ip_policy_ids": ["ipp_office"]},
            }
        ],
    )
    seed_edges(tasks, text)


def last_parts(result: Given) -> list[str]:
    return [one.rpartition("/")[2] for one in accepted_writes(result)]


@pytest.mark.parametrize("case", UNCLEAR.values(), ids=UNCLEAR)
def test_nothing_changes_that_an_object_may_rely_on_that_is_not_known(tasks: Tasks, case: tuple[Any, ...]) -> None:
    live, objects, edges, withheld, *rejected = case
    seed(tasks, live)
    instead = rejecting(*rejected[0].split(), Response(500)) if rejected else None
    result = tasks.failed("estate", instead=instead, objects=objects, https_edges=edges, purge=["hostports"])
    assert accepted_writes(result) == []
    reasons = [line for line in result["msg"].splitlines() if re.search("Not (changed|deleted), because", line)]
    assert f"({withheld})" in "\n".join(reasons), result["msg"]


def misread(tasks: Tasks, what: str, odd: str) -> Instead:
    """The service, which returns something odd in place of what matches in its responses to GET."""
    forward = forwarding(tasks.service.base_url)

    def instead(request: Received) -> Response | None:
        is_read = request.method == "GET"
        return Response(200, re.sub(what.encode(), odd.encode(), forward(request).body)) if is_read else None

    return instead


DENIED = {"ip_policy_id": "ipp_block", "cidr": "192.0.2.1/32", "action": "deny"}
# What is live, the objects and the edges that are declared, what the service rejects, and what is done all the same.
ELSEWHERE = cases(
    """
    a rule denies more, and a backend does not exist
        | / >bkdst_page office | [*NO_BACKEND, *DENIED] | null | "" | ip_policy_rules
    a route gets a new policy, and a rule does not exist
        | / | [*NEW_POLICY, *NO_RULE] | [*WITH_POLICY] | "" | ip_policies routes
    a login goes, and a policy of others is not read
        | / office staff | [*OTHER_POLICY] | [*WITHOUT_LOGIN] | GET ipp_other | oauth
    """,
    NO_BACKEND=changed("backends/static", {"address": "new.internal:80"}, id="bkdst_none"),
    DENIED=changed("ip_policy_rules", {**DENIED, "ip_policy_id": "ipp_office"}, find_by={"description": "visitors"}),
    NEW_POLICY=changed("ip_policies", {}, find_by={"description": "new"}),
    NO_RULE=changed("ip_policy_rules", {"cidr": "192.0.2.0/24"}, id="ipr_none"),
    WITH_POLICY={"id": EDGE, "routes": [{**route("/a"), "ip_restriction": {"ip_policy_ids": ["ref:ip_policies"]}}]},
    OTHER_POLICY=changed("ip_policies", {"metadata": "x"}, id="ipp_other"),
    WITHOUT_LOGIN=WITHOUT_LOGIN,
)


@pytest.mark.parametrize(("live", "objects", "edges", "rejected", "done"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_what_does_not_rely_on_what_failed_is_done(
    tasks: Tasks, live: str, objects: list[Given], edges: Any, rejected: str, done: str
) -> None:
    seed(tasks, live)
    instead = rejecting(*rejected.split()) if rejected else None
    assert last_parts(tasks.failed("estate", instead=instead, objects=objects, https_edges=edges)) == done.split()


def test_a_module_that_cannot_be_read_may_be_all_that_protects_a_tls_edge(tasks: Tasks) -> None:
    seed(tasks, "/")
    wide = changed("ip_policy_rules", {"cidr": "0.0.0.0/0"}, id=RULE)
    instead = rejecting("GET", "/ip_restriction", Response(500))
    tls_edges = [{"edge_id": TLS_EDGE, **RESTRICTED}]
    assert accepted_writes(tasks.failed("estate", instead=instead, objects=[wide], tls_edges=tls_edges)) == []


def test_a_weighted_backend_leads_where_its_list_does_not_say(tasks: Tasks) -> None:
    seed(tasks, "/ >bkdwd_split")
    tasks.service.switches(list_members="without_parts")
    described = changed("backends/weighted", {"metadata": "x"}, find_by={"description": "split"})
    edge = {"id": EDGE, "routes": [{**KEY, **LOGIN}]}
    options = {"objects": [SECRET, described], "https_edges": [edge], "concurrency": 1}
    unread = tasks.failed("estate", instead=rejecting("GET", SPLIT), **options)
    assert last_parts(unread) == ["edghtsrt_root"]
    assert last_parts(tasks.done("estate", **options)) == [PAGE, SPLIT]


LEAVING = changed("backends/weighted", {"backends": {PAGE: None, OTHER: 1}}, id=SPLIT)


@pytest.mark.parametrize("odd", ["edge", "route"])
def test_what_is_undeclared_and_cannot_be_read_may_lead_to_each_backend(tasks: Tasks, odd: str) -> None:
    seed(tasks, "[host=a.example.com] / | [host=b.example.com description=edge] / >bkdwd_split description=route")
    instead = misread(tasks, f'"description":"{odd}"', '"description":5')
    edges = [{"hostports": ["a.example.com:443"]}]
    result = tasks.done("estate", instead=instead, objects=[SECRET, LEAVING], https_edges=edges, concurrency=1)
    assert last_parts(result) == [SPLIT, PAGE]


# What cannot be listed, or how little lists say, the policy of the rule that denies, what is declared, and the order.
UNLISTED = cases(
    """
    a TLS edge is protected first       | without_parts | ipp_block | [*SECRET, *FOUND_VPN] | edgtls_place bkdst_page
    a TLS edge is deleted first         | without_parts | ipp_block | [*SECRET, *NO_VPN] | edgtls_place bkdst_page
    a TLS edge is protected before a rule of its policy admits more
        | without_parts | ipp_block | [*FOUND_RULE, *FOUND_VPN] | edgtls_place ipr_office
    HTTPS edges that lead to a backend  | edges/https | ipp_block  | [*SECRET, *LEAVING] | bkdwd_split bkdst_page
    TLS edges that lead to a backend    | edges/tls   | ipp_block  | [*SECRET, *LEAVING] | bkdwd_split bkdst_page
    edges that use each policy          | edges/https | ipp_office | [*FREED, *NARROWED] | ipr_office ipr_denied
    edges with a policy that only denies | edges/https | ipp_block  | [*FREED, *MORE] | ip_policy_rules ipr_denied
    edges that use policies together    | edges/https | ipp_office | [*FREED, *ELSEWHERE] | ip_policy_rules ipr_denied
    """,
    SECRET=SECRET,
    LEAVING=LEAVING,
    FREED={**changed("ip_policy_rules", {"cidr": "198.51.100.1/32"}, id="ipr_denied"), "name": "freed"},
    NARROWED=NARROWED,
    MORE=changed("ip_policy_rules", {**DENIED, "cidr": "192.0.2.0/30"}, find_by={"description": "more"}),
    ELSEWHERE=changed("ip_policy_rules", DENIED, find_by={"description": "moved"}),
    FOUND_VPN=changed("edges/tls", CERTIFICATES, find_by={"description": "the VPN"}),
    FOUND_RULE=changed("ip_policy_rules", {"cidr": "0.0.0.0/0"}, find_by={"description": "rule"}),
    NO_VPN=changed("edges/tls", {}, find_by={"description": "the VPN"}, state="absent"),
)


@pytest.mark.parametrize(("hidden", "policy", "objects", "order"), UNLISTED.values(), ids=UNLISTED)
def test_what_lists_do_not_show_is_read_or_may_use_each_object(
    tasks: Tasks, hidden: str, policy: str, objects: list[Given], order: str
) -> None:
    seed(tasks, "/")
    tasks.service.switches(list_members="whole" if "/" in hidden else hidden)
    denied = {**DENIED, "id": "ipr_denied", "ip_policy_id": policy}
    tasks.service.seed(objects={"ip_policies": [{"id": "ipp_block"}], "ip_policy_rules": [denied]})
    result = tasks.done("estate", instead=rejecting("GET", hidden), objects=objects, concurrency=1)
    assert last_parts(result) == order.split()


@pytest.mark.parametrize("unread", [False, True], ids=["without a safe order", "not read"])
def test_edges_that_cannot_be_listed_may_use_the_policy_of_a_rule(tasks: Tasks, unread: bool) -> None:
    seed(tasks, "/ >bkdst_other office")
    elsewhere = changed("ip_policy_rules", {"cidr": "198.51.100.0/24"}, id=RULE)

    def instead(request: Received) -> Response | None:
        return rejecting("GET", "edges/https")(request) or (rejecting("GET", RULE)(request) if unread else None)

    rule = NARROWED if unread else elsewhere
    result = tasks.failed("estate", instead=instead, objects=[{**SECRET, "id": OTHER}, rule])
    assert accepted_writes(result) == []
    assert unread or "No order of the changes" in result["msg"]


ODD_IDS = {"no ID": "", "null": '"id":null,', "an object": '"id":{"a":1},', "5": '"id":5,'}


@pytest.mark.parametrize("odd", ODD_IDS.values(), ids=ODD_IDS)
@pytest.mark.parametrize("state", ["present", "absent"])
def test_what_is_found_without_an_id_is_an_error(tasks: Tasks, state: str, odd: str) -> None:
    seed(tasks, "/")
    new = changed("ip_policy_rules", {"action": "allow", "cidr": "10.0.0.0/8"}, find_by={"ip_policy_id": "ipp_office"})
    for collection, identifier, found in (
        ("ip_policy_rules", RULE, {"description": "rule"}),
        ("edges/tls", TLS_EDGE, {"description": "the VPN"}),
    ):
        instead = misread(tasks, f'"id":"{identifier}",', odd)
        one = {"collection": collection, "find_by": found, "state": state}
        objects = [{"name": "one", **one}, {**new, "find_by": {"description": "new", **new["find_by"]}}]
        for module, options in (("object", one), ("estate", {"objects": objects})):
            result = tasks.failed(module, True, instead, **options)
            assert "id: expected the ID of an object" in result["msg"]


@pytest.mark.parametrize("odd", ODD_IDS.values(), ids=ODD_IDS)
def test_what_serves_traffic_may_have_no_id(tasks: Tasks, odd: str) -> None:
    seed(tasks, "/")
    instead = misread(tasks, f'"id":"{TLS_EDGE}",', odd)
    result = tasks.done("estate", instead=instead, objects=[SECRET, LEAVING], concurrency=1)
    assert sorted(last_parts(result)) == [PAGE, SPLIT]
    shown = tasks.done("exposure_info", instead=instead, requests=["https://vpn.example.com/"])
    assert shown["requests"]


@pytest.mark.parametrize("policy", ["live", "new"])
def test_a_rule_that_is_not_planned_is_missing_where_it_should_be(tasks: Tasks, policy: str) -> None:
    seed(tasks, "/ staff")
    tasks.service.seed(objects={"ip_policies": [{"id": "ipp_live", "description": "live"}]})
    admitted = {"ip_policy_id": "ref:own", "action": "allow", "cidr": "10.0.0.0/8"}
    denied = {"ip_policy_id": "ref:own", "action": "deny", "cidr": "10.66.0.0/16"}
    objects = [
        {**changed("ip_policies", {}, find_by={"description": policy}), "name": "own"},
        {**changed("ip_policy_rules", {}, find_by=admitted), "name": "admitted"},
        {**changed("ip_policy_rules", denied, find_by={"description": "Rule"}), "name": "denied"},
        {**changed("ip_policy_rules", denied, id=RULE), "name": "moved", "create_only": ["ip_policy_id"]},
    ]
    route = {**KEY, "ip_restriction": {"ip_policy_ids": ["ref:own"]}, "absent_modules": ["oauth"]}
    edges = [{"id": EDGE, "routes": [route]}]
    for failing in objects[2:]:
        result = tasks.failed("estate", objects=[*objects[:2], failing], https_edges=edges)
        assert "(edghtsrt_root): Not changed, because" in result["msg"]
        assert {one.partition(" ")[0] for one in accepted_writes(result)} <= {"POST"}


@pytest.mark.parametrize("unread", [False, True], ids=["in another spelling", "not read"])
def test_a_tls_edge_that_is_not_found_may_be_the_one_that_loses_a_module(tasks: Tasks, unread: bool) -> None:
    seed(tasks, "/")
    tasks.service.switches(list_members="without_parts")
    vpn = changed("edges/tls", CERTIFICATES, find_by={"description": "the VPN" if unread else "The VPN"})
    tls_edges = [{"edge_id": TLS_EDGE, "absent_modules": ["ip_restriction"]}]
    instead = rejecting("GET", f"/{TLS_EDGE}", Response(500)) if unread else None
    result = tasks.failed("estate", instead=instead, objects=[vpn], tls_edges=tls_edges)
    assert accepted_writes(result) == []
    assert "Not deleted, because object edges/tls edges tls failed" in result["msg"]


def test_a_new_backend_may_lead_to_one_that_is_not_found(tasks: Tasks) -> None:
    seed(tasks, "/")
    spelled = changed("backends/static", {"address": "open.internal:80"}, find_by={"description": "Twin"})
    split = changed("backends/weighted", {"backends": {PAGE: 1}}, find_by={"description": "new"})
    own = {**changed("backends/static", {"address": "b.internal:80"}, find_by={"description": "own"}), "name": "own"}
    edges = [
        {"hostports": [f"{number}.example.com:443"], "routes": [{**KEY, "backend": {"backend_id": f"ref:{one}"}}]}
        for number, one in enumerate(("backends weighted", "own"))
    ]
    result = tasks.failed("estate", objects=[spelled, split, own], https_edges=edges)
    assert last_parts(result).count("routes") == 1
    assert "https_edge_route path_prefix / of 0.example.com:443: Not created, because" in result["msg"]


@pytest.mark.parametrize("unread", [False, True], ids=["in another spelling", "not read"])
def test_a_host_that_is_given_up_may_end_up_at_a_tls_edge_that_is_not_known(tasks: Tasks, unread: bool) -> None:
    seed(tasks, f"[host=a.example.com] / | {OF_SHOP}")
    found: Given = {"id": TLS_EDGE} if unread else {"find_by": {"description": "The VPN"}}
    options = {"objects": [changed("edges/tls", CERTIFICATES, **found)], "https_edges": [GIVEN_UP]}
    instead = rejecting("GET", f"/{TLS_EDGE}", Response(500)) if unread else None
    result = tasks.failed("estate", instead=instead, purge=["hostports"], **options)
    assert accepted_writes(result) == []
    taken = {"hostports": ["shop.example.com:443"], "routes": [{**KEY, **LOGIN}]}
    options["https_edges"] = [GIVEN_UP, taken]
    result = tasks.failed("estate", instead=instead, purge=["hostports"], **options)
    assert len(accepted_writes(result)) == 3


# What is live, what is odd in responses, the edges that are declared, and what is wrong then.
UNREADABLE = cases(
    """
    a text of a route | *CERTIFIED | *ODD | '"description":5' | [*REPLACED] | expected a
    its ID            | *CERTIFIED | '"id":"edghtsrt_root"' | '"id":5' | [*REPLACED] | expected a
    no ID             | *CERTIFIED | '"id":"edghtsrt_root",' | '' | [*REPLACED] | expected a
    two without an ID | "[certificates=ca] / >bkdst_page, /b" | '"id":"edghtsrt_[a-z]*",' | '' | [*REPLACED]
        | expected a
    its match         | *CERTIFIED | '"match":"/"' | '"match":5' | [*REPLACED] | expected a
    a route that is purged | "[certificates=ca] /admin description=odd" | *ODD | '"description":5' | [*REPLACED]
        | (edghtsrt_admin) failed
    a route below which another one moves
        | "/admin description=odd, /admin/x staff" | *ODD | '"description":5' | [*MOVED_BELOW]
        | No order of the changes keeps
    an edge with a wildcard, below which a host moves | *ODD_EDGE | *ODD | '"description":5' | [*GIVEN_UP, *TAKEN]
        | No order of the changes keeps
    """,
    ODD='"description":"odd"',
    CERTIFIED="[certificates=ca] / >bkdst_page description=odd",
    REPLACED={"id": EDGE, "absent_modules": ["mutual_tls"], "routes": [{**KEY, **LOGIN}]},
    MOVED_BELOW={
        "id": EDGE,
        "routes": [
            {"id": "edghtsrt_admin_x", "match_type": "path_prefix", "match": "/other"},
            {"match_type": "path_prefix", "match": "/admin/x", **LOGIN},
        ],
    },
    ODD_EDGE=f"[host=*.example.com description=odd] / | {OF_SHOP}",
    GIVEN_UP=GIVEN_UP,
    TAKEN={
        "hostports": ["shop.example.com:443"],
        "find_by": "metadata",
        "metadata": "x",
        "routes": [{**KEY, **LOGIN}],
    },
)


@pytest.mark.parametrize(("live", "what", "odd", "edges", "said"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_is_there_as_it_is(
    tasks: Tasks, live: str, what: str, odd: str, edges: list[Given], said: str
) -> None:
    seed(tasks, live)
    purge = ["routes"] if "(edghtsrt_admin)" in said else []
    result = tasks.failed("estate", instead=misread(tasks, what, odd), https_edges=edges, purge=purge)
    assert said in result["msg"]
    assert last_parts(result) == purge  # the new route, without those that it replaces


def test_a_route_that_cannot_be_read_only_takes_what_it_matches(tasks: Tasks) -> None:
    _live, what, odd, edges, _said = UNREADABLE["a route below which another one moves"]
    seed(tasks, "/odd description=odd, /admin/x staff")
    tasks.done("estate", instead=misread(tasks, what, odd), https_edges=edges)
