# SPDX-License-Identifier: GPL-3.0-or-later
"""An IP policy without its rules admits others than it is meant to admit, so what it restricts waits for them."""

from __future__ import annotations

import time

import pytest
from test_named_objects import CARD, NETWORK, OFFICE, RESTRICTION, an_object

from module_task import Tasks, accepted_writes, writes
from places import EDGE, KEY, ROUTE, seed_edge, seed_route
from scripted_service import Received, Response, forwarding, rejecting


def test_an_edge_waits_for_the_rules_of_its_new_policy(tasks: Tasks) -> None:
    seed_edge(tasks)
    done: list[str] = []
    forward = forwarding(tasks.service.base_url)

    def instead(request: Received) -> Response | None:
        if request.method != "POST":
            return None
        time.sleep(0.1 * request.path.endswith("_rules"))
        response = forward(request)
        done.append(request.path.rpartition("/")[2])
        return response

    edges = [{"id": EDGE, "routes": [{**KEY, **RESTRICTION}]}]
    tasks.done("estate", instead=instead, objects=[NETWORK, OFFICE], https_edges=edges, concurrency=4)
    assert done == ["ip_policies", "ip_policy_rules", "routes"]


@pytest.mark.parametrize("of_route", [True, False])
def test_nothing_gets_a_policy_whose_rules_are_rejected_again(tasks: Tasks, of_route: bool) -> None:
    seed_edge(tasks)
    edges = [{"id": EDGE, "routes": [{**KEY, **RESTRICTION}]}] if of_route else []
    options = {"objects": [NETWORK, OFFICE, *([] if of_route else [CARD])], "https_edges": edges}
    for written in (["POST /ip_policies"], []):
        result = tasks.failed("estate", instead=rejecting("POST", "rules"), **options)
        assert accepted_writes(result) == written
    assert len(writes(tasks.done("estate", **options))) == 2


@pytest.mark.parametrize("is_new", [True, False])
@pytest.mark.parametrize("collection", ["edges/tls", "edges/tcp"])
def test_an_edge_that_is_an_object_waits_for_the_rules_of_its_new_policy(
    tasks: Tasks, collection: str, is_new: bool
) -> None:
    edge = an_object("edge", collection, hostports=["a.example.com:44"], backend={"backend_id": "bkdst_one"})
    objects = [{**edge, "body": {**edge["body"], **RESTRICTION}}, OFFICE, NETWORK]
    for rejected, written in (("rules", ["ip_policies"]), ("nothing", ["ip_policies", "ip_policy_rules", "edges"])):
        tasks.service.reset()
        if not is_new:
            tasks.done("estate", objects=[edge])
        result = tasks.run("estate", instead=rejecting("POST", rejected), objects=objects)
        assert [one.split("/")[1] for one in accepted_writes(result)] == written
    assert not tasks.done("estate", objects=objects)["changed"]


@pytest.mark.parametrize("of_route", [True, False])
def test_rules_stay_as_long_as_their_policy_is_used(tasks: Tasks, of_route: bool) -> None:
    policy, rule = {"id": "ipp_old"}, {"id": "ipr_old", "ip_policy_id": "ipp_old", "action": "allow"}
    restriction = {"ip_restriction": {"ip_policy_ids": ["ipp_old"]}}
    seed_route(tasks, **(restriction if of_route else {}))
    tasks.service.seed(
        objects={"ip_policies": [policy], "ip_policy_rules": [{**rule, "cidr": "10.0.0.0/8"}]},
        tls_edges=[{"id": "edgtls_old", **({} if of_route else restriction)}],
    )
    gone = [
        {"name": identifier, "collection": collection, "id": identifier, "state": "absent"}
        for collection, identifier in (("ip_policy_rules", "ipr_old"), ("ip_policies", "ipp_old"))
    ]
    routes = {"https_edges": [{"id": EDGE, "routes": []}], "purge": ["routes"], "allow_empty": True}
    modules = {"tls_edges": [{"edge_id": "edgtls_old", "absent_modules": ["ip_restriction"]}]}
    options = {"objects": gone, **(routes if of_route else modules)}
    rejected = tasks.failed("estate", instead=rejecting("DELETE", ROUTE if of_route else "ip_restriction"), **options)
    assert accepted_writes(rejected) == []
    assert [one.split("/")[1] for one in accepted_writes(tasks.done("estate", **options))][1:] == [
        "ip_policy_rules",
        "ip_policies",
    ]


def test_an_edge_does_not_wait_for_a_rule_that_waits_for_it(tasks: Tasks) -> None:
    rule = {**NETWORK, "body": {"action": "allow", "edge_id": "ref:card"}}
    planned = tasks.done("estate", check=True, objects=[rule, OFFICE, CARD])["operations"]
    assert [one["path"] for one in planned] == ["/ip_policies", "/edges/tls", "/ip_policy_rules"]


def test_an_edge_does_not_wait_for_a_rule_that_admits_more(tasks: Tasks) -> None:
    """The certificate comes first. The reference service has no PUT, so this is only planned."""
    card = {**CARD, "body": {**CARD["body"], "backend": {"backend_id": "bkdst_one"}}}
    tasks.done("estate", objects=[card, OFFICE, NETWORK])
    certified = {**card, "body": {**card["body"], "mutual_tls": {"certificate_authority_ids": ["ca_one"]}}}
    wider = {"find_by": {"ip_policy_id": "ref:office"}, "body": {"action": "allow", "cidr": "0.0.0.0/0"}}
    objects = [{**certified, "update_method": "PUT"}, {**OFFICE, "body": {"metadata": "x"}}, {**NETWORK, **wider}]
    planned = tasks.done("estate", check=True, objects=objects)["operations"]
    assert [one["path"].split("/")[1] for one in planned] == ["ip_policies", "edges", "ip_policy_rules"]
