# SPDX-License-Identifier: GPL-3.0-or-later
"""What is behind a backend counts for the order of the requests, as do the traffic modules in front of it. That nobody
gets to anything in between is tested with all changes of small accounts.
"""

from __future__ import annotations

from typing import Any

import pytest

from cases import cases
from estates_to_judge import Given, estate, modules
from module_task import Tasks, accepted_writes, writes
from places import EDGE, TLS_EDGE, seed_edges, seed_tls_edge
from scripted_service import Response, dropping, rejecting

PAGE, OTHER = "bkdst_page", "bkdst_other"


def seed(tasks: Tasks, text: str) -> None:
    """Put in two backends, a weighted one that leads to the first, and an edge, or a TLS edge: `tls >bkdst_page`."""
    statics = [{"id": PAGE, "address": "a.internal:80"}, {"id": OTHER, "address": "b.internal:80"}]
    tasks.service.seed(objects={"backends/static": statics})
    tasks.service.seed(objects={"backends/weighted": [{"id": "bkdwd_split", "backends": {PAGE: 1}}]})
    if text.startswith("tls"):
        seed_tls_edge(tasks, hostports=["vpn.example.com:443"], **modules(text.removeprefix("tls ")))
    else:
        seed_edges(tasks, text)


def changed(name: str, **body: Any) -> Given:
    return {"name": name, "collection": "backends/static", "id": PAGE, "body": body}


RULE = {"ip_policy_id": "ipp_office", "action": "allow", "cidr": "0.0.0.0/0"}
ADDRESS = changed("page", address="secret.internal:80")
SPLIT = {
    "name": "split",
    "collection": "backends/weighted",
    "id": "bkdwd_split",
    "body": {"backends": {PAGE: None, OTHER: 1}},
}
VPN = {
    "name": "vpn",
    "collection": "edges/tls",
    "id": TLS_EDGE,
    "body": {"backend": {"backend_id": OTHER}},
}
# What is live, the objects that change, the edge or the TLS edge as it is declared, and the requests in their order.
ORDERS = cases(
    """
    a login comes before the address | / >bkdst_page | [*ADDRESS] | / >bkdst_page staff | PATCH root, PATCH bkdst_page
    the address comes before a login goes
        | / >bkdst_page staff | [*ADDRESS] | / >bkdst_page | PATCH bkdst_page, DELETE root/oauth
    a login comes before the members | / >bkdwd_split | [*SPLIT] | / >bkdwd_split staff | PATCH root, PATCH bkdwd_split
    behind a weighted backend
        | / >bkdwd_split | [*ADDRESS, *KEPT] | / >bkdwd_split staff | PATCH root, PATCH bkdst_page
    a description has no order | / >bkdst_page | [*DESCRIBED] | / >bkdst_page staff | PATCH bkdst_page, PATCH root
    networks of a TLS edge of which nothing else is declared
        | tls >bkdst_page | [*ADDRESS] | edgtls_place | PUT edgtls_place/ip_restriction, PATCH bkdst_page
    networks of a TLS edge that leads elsewhere
        | tls >bkdst_page | [*VPN] | edgtls_place | PUT edgtls_place/ip_restriction, PATCH edgtls_place
    the same by name | tls >bkdst_page | [*VPN] | ref:vpn | PUT edgtls_place/ip_restriction, PATCH edgtls_place
    """,
    ADDRESS=ADDRESS,
    SPLIT=SPLIT,
    KEPT={**SPLIT, "body": {"backends": {PAGE: 1}}},
    DESCRIBED=changed("page", description="new"),
    VPN=VPN,
)


def whole(objects: list[Given], text: str) -> Given:
    if not text.startswith("/"):
        return {"objects": objects, "tls_edges": [{"edge_id": text, "ip_restriction": {"ip_policy_ids": ["ipp_a"]}}]}
    [edge] = estate(text)["https_edges"]
    return {"objects": objects, "https_edges": [{"id": EDGE, **edge}], "purge": ["modules"]}


def in_short(result: Given) -> list[str]:
    """The requests that write, without the beginnings of their paths."""
    short = [one.replace("/ip_restriction", "+ip_restriction").replace("/oauth", "+oauth") for one in writes(result)]
    return [f"{one.split()[0]} {one.rpartition('/')[2]}".replace("edghtsrt_", "").replace("+", "/") for one in short]


@pytest.mark.parametrize(("live", "objects", "text", "order"), ORDERS.values(), ids=ORDERS)
def test_what_is_behind_a_backend_changes_while_it_is_protected(
    tasks: Tasks, live: str, objects: list[Given], text: str, order: str
) -> None:
    seed(tasks, live)
    options = {**whole(objects, text), "concurrency": 1}
    result = tasks.done("estate", **options)
    assert in_short(result) == order.split(", ")
    assert not tasks.done("estate", **options)["changed"]


# What leads to the weighted backend, the backend that changes together with it, and which of them changes first.
LEADING = cases(
    """
    what it leads to then | / >bkdwd_split | bkdst_other | bkdst_other bkdwd_split
    what it led to, for an HTTPS edge | / >bkdwd_split | bkdst_page | bkdwd_split bkdst_page
    what it led to, for a TLS edge | tls >bkdwd_split | bkdst_page | bkdwd_split bkdst_page
    """
)


@pytest.mark.parametrize(("live", "address", "order"), LEADING.values(), ids=LEADING)
def test_a_backend_changes_while_nothing_leads_to_it_whatever_undeclared_edge_does(
    tasks: Tasks, live: str, address: str, order: str
) -> None:
    seed(tasks, live)
    options = {"objects": [SPLIT, {**ADDRESS, "id": address}], "concurrency": 1}
    first, then = order.split()
    assert accepted_writes(tasks.failed("estate", instead=rejecting("PATCH", first), **options)) == []
    assert in_short(tasks.done("estate", **options)) == [f"PATCH {first}", f"PATCH {then}"]


# What is live, why a backend is not known to lead elsewhere, how it is declared, and what the message contains.
UNCHANGED = cases(
    """
    its GET fails | / >bkdst_page staff | GET | [*ADDRESS] | *CAUSE
    it may be one that is not read
        | / >bkdst_page staff | GET | [{<<: *ADDRESS, id: null, find_by: {port: 80}}] | *CAUSE
    it is ignored, and a login goes | / >bkdst_page staff | PATCH | [*ADDRESS] | returned other values for address
    it is ignored, and a route moves to it | / >bkdst_other | PATCH | [*ADDRESS] | returned other values for address
    """,
    ADDRESS=ADDRESS,
    CAUSE="(edghtsrt_root): Not changed, because object backends/static page",
)


@pytest.mark.parametrize(("live", "method", "objects", "message"), UNCHANGED.values(), ids=UNCHANGED)
def test_a_route_is_not_opened_to_a_backend_that_is_not_known_to_lead_elsewhere(
    tasks: Tasks, live: str, method: str, objects: list[Given], message: str
) -> None:
    seed(tasks, live)
    instead = rejecting(method, PAGE, Response(204) if method == "PATCH" else None)
    result = tasks.failed("estate", instead=instead, **whole(objects, "/ >bkdst_page"))
    assert (writes(result), message in result["msg"]) == ([], True)


def test_a_description_that_is_ignored_stops_nothing(tasks: Tasks) -> None:
    seed(tasks, "/ >bkdst_page staff")
    described = {**ADDRESS, "body": {**ADDRESS["body"], "description": "New"}}
    ignoring = dropping(tasks.service.base_url, "description")
    result = tasks.done("estate", instead=ignoring, **whole([described], "/ >bkdst_page"))
    assert "description" in result["warnings"][0]
    assert in_short(result) == ["PATCH bkdst_page", "DELETE root/oauth"]


def test_a_backend_is_not_changed_without_the_login(tasks: Tasks) -> None:
    seed(tasks, "/ >bkdst_page")
    ignoring = dropping(tasks.service.base_url, "oauth")
    result = tasks.failed("estate", instead=ignoring, **whole([ADDRESS], "/ >bkdst_page staff"))
    assert "object backends/static page (bkdst_page): Not changed, because https_edge_route" in result["msg"]
    assert f"PATCH /backends/static/{PAGE}" not in accepted_writes(result)


def test_who_gets_to_a_backend_of_a_tls_edge_cannot_change_together_with_it(tasks: Tasks) -> None:
    seed(tasks, "tls >bkdst_page")
    tasks.done("tls_edge_ip_restriction", edge_id=TLS_EDGE, ip_policy_ids=["ipp_b"])
    result = tasks.failed("estate", **whole([ADDRESS], TLS_EDGE))
    assert "Make the changes in two runs" in result["msg"]
    assert in_short(result) == []
    # It does not lead to the other one.
    assert tasks.done("estate", True, **whole([{**ADDRESS, "id": OTHER}], TLS_EDGE))["changed"]
    assert in_short(tasks.done("estate", **whole([], TLS_EDGE))) == [f"PUT {TLS_EDGE}/ip_restriction"]
    assert in_short(tasks.done("estate", **whole([ADDRESS], TLS_EDGE))) == [f"PATCH {PAGE}"]


@pytest.mark.parametrize(("address", "is_changed"), [("a.internal:80", False), ("new.internal:80", True)])
def test_tls_edges_are_listed_only_if_a_backend_changes_beside_one(
    tasks: Tasks, address: str, is_changed: bool
) -> None:
    seed(tasks, "tls >bkdst_other")
    result = tasks.done("estate", **whole([changed("page", address=address)], TLS_EDGE))
    assert ("/edges/tls" in [one["path"] for one in result["sent"]]) == is_changed


@pytest.mark.parametrize("login", ["teams", "staff"], ids=["without a safe order", "with one"])
def test_what_refers_to_a_failed_object_is_withheld_whatever_has_no_safe_order_elsewhere(
    tasks: Tasks, login: str
) -> None:
    seed(tasks, "/ >bkdst_page staff")
    tasks.service.seed(objects={"backends/static": [{"id": "bkdst_third", "address": "c.internal:80"}]})
    third = {**ADDRESS, "name": "third", "id": "bkdst_third"}
    to_third = {**SPLIT, "body": {"backends": {"bkdst_third": 1}}}
    rejected = rejecting("PATCH", "bkdst_third", Response(402))
    result = tasks.failed("estate", instead=rejected, **whole([third, to_third, ADDRESS], f"/ >bkdst_page {login}"))
    assert "bkdwd_split): Not changed, because object backends/static third (bkdst_third) failed" in result["msg"]
    assert any("closes" in one["reason"] for one in result["operations"]) == (login == "teams")


def test_rules_of_policies_that_two_tls_edges_exchange_have_no_safe_order(tasks: Tasks) -> None:
    policies, edges = ("ipp_a", "ipp_b"), ("edgtls_a", "edgtls_b")
    rules = [{**RULE, "id": f"ipr_{one}", "ip_policy_id": one, "cidr": "192.0.2.0/24"} for one in policies]
    tasks.service.seed(objects={"ip_policies": [{"id": one} for one in policies], "ip_policy_rules": rules})
    live, declared = (dict(zip(edges, order, strict=True)) for order in (policies, policies[::-1]))
    for number, one in enumerate(edges):
        served = {"hostports": [f"vpn{number}.example.com:443"], "backend": {"backend_id": "bkd_a"}}
        tasks.service.seed(tls_edges=[{"id": one, **served, "ip_restriction": {"ip_policy_ids": [live[one]]}}])
    objects = [
        {"name": one, "collection": "ip_policy_rules", "id": f"ipr_{one}", "body": {"cidr": f"10.0.{number}.0/24"}}
        for number, one in enumerate(policies)
    ]
    changed_edges = [{"edge_id": one, "ip_restriction": {"ip_policy_ids": [declared[one]]}} for one in edges]
    result = tasks.failed("estate", objects=objects, tls_edges=changed_edges)
    assert "No order of the changes keeps out in between whom object ip_policy_rules ipp_a" in result["msg"]
    assert writes(result) == []


# What a service ignores of the traffic modules of a TLS edge, and who gets in.
IGNORED = cases(
    """
    of an object | {objects: [*VPN]} | ip_restriction | null | ip_restriction
    of its own | {tls_edges: [{edge_id: edgtls_place, ip_restriction: *OFFICE}]} | enabled | false
        | ip_restriction of TLS edge edgtls_place
    """,
    OFFICE={"ip_policy_ids": ["ipp_a"]},
    VPN={**VPN, "body": {"ip_restriction": {"ip_policy_ids": ["ipp_a"]}}},
)


@pytest.mark.parametrize(("options", "field", "value", "who"), IGNORED.values(), ids=IGNORED)
def test_what_protects_a_tls_edge_must_not_be_ignored(
    tasks: Tasks, options: Given, field: str, value: Any, who: str
) -> None:
    seed(tasks, "tls >bkdst_page")
    ignoring = dropping(tasks.service.base_url, field, value)
    assert f"Whoever {who} was to keep out gets in" in tasks.failed("estate", instead=ignoring, **options)["msg"]
