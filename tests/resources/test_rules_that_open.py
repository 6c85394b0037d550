# SPDX-License-Identifier: GPL-3.0-or-later
"""A task that changes the rules of an IP policy reads the edges that use it, and says whom it lets in there."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks, writes
from places import seed_edge
from scripted_service import Received, Response, forwarding, scripted_service

Given = dict[str, Any]

OFFICE: Given = {"name": "office", "collection": "ip_policies", "find_by": {"description": "office"}}
EVERYWHERE: Given = {
    "collection": "ip_policy_rules",
    "find_by": {"ip_policy_id": "ipp_office", "action": "allow", "cidr": "0.0.0.0/0"},
}
IN_ESTATE: Given = {
    "objects": [
        OFFICE,
        {**EVERYWHERE, "name": "all", "find_by": {**EVERYWHERE["find_by"], "ip_policy_id": "ref:office"}},
    ]
}
REQUIREMENT: Given = {"needs": ["network"], "reason": "Only from our networks."}


def seed(tasks: Tasks, *cidrs: str, policy: str = "ipp_office") -> None:
    rules = [
        {"id": f"ipr_{number}", "ip_policy_id": "ipp_office", "action": "allow", "cidr": cidr}
        for number, cidr in enumerate(cidrs)
    ]
    policies = [{"id": "ipp_office", "description": "office"}, {"id": "ipp_other", "description": "other"}]
    tasks.service.seed(objects={"ip_policies": policies, "ip_policy_rules": rules})
    restricted = {"ip_restriction": {"ip_policy_ids": [policy]}, "backend": {"backend_id": "bkd_one"}}
    seed_edge(tasks, routes=[{"id": "edghtsrt_root", "match_type": "path_prefix", "match": "/", **restricted}])


@pytest.mark.parametrize(("module", "options"), [("object", EVERYWHERE), ("estate", IN_ESTATE)])
def test_a_new_rule_opens_the_routes_that_use_its_policy(tasks: Tasks, module: str, options: Given) -> None:
    seed(tasks, "10.0.0.0/8")
    for check in (True, False):
        result = tasks.failed(module, **options, reject_openings=True, check=check)
        assert "also admits 0.0.0.0/0 (others)" in result["msg"] or "no longer requires" in result["msg"]
        assert writes(result) == []


@pytest.mark.parametrize(("module", "options"), [("object", EVERYWHERE), ("estate", IN_ESTATE)])
def test_a_rule_that_no_route_uses_opens_nothing(tasks: Tasks, module: str, options: Given) -> None:
    seed(tasks, "10.0.0.0/8", policy="ipp_other")
    assert len(writes(tasks.done(module, **options, reject_openings=True))) == 1


def test_a_new_rule_opens_tls_edges_that_use_its_policy(tasks: Tasks) -> None:
    seed(tasks, "10.0.0.0/8", policy="ipp_other")
    restricted = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}, "backend": {"backend_id": "bkd_one"}}
    tasks.service.seed(tls_edges=[{"id": "edgtls_vpn", "hostports": ["vpn.example.com:443"], **restricted}])
    result = tasks.failed("object", **EVERYWHERE, reject_openings=True)
    assert "vpn.example.com:443: also admits 0.0.0.0/0 (others)" in result["msg"]


def test_it_is_said_that_the_edges_could_not_be_read(tasks: Tasks) -> None:
    seed(tasks, "10.0.0.0/8")
    to_the_service = forwarding(tasks.service.base_url)

    def respond(got: Received) -> Response:
        return Response(403) if got.path.startswith("/edges/https") else to_the_service(got)

    with scripted_service(respond) as between:
        result = tasks.done("estate", **IN_ESTATE, check=True, base_url=between.base_url)
    assert "other objects that serve traffic (https_edge)" in [one["object"] for one in result["not_examined"]]


@pytest.mark.parametrize("estate", [{}, {"https_edges": []}])
def test_policies_that_admit_almost_everyone_do_not_meet_a_requirement(tasks: Tasks, estate: Given) -> None:
    seed(tasks, "0.0.0.0/1", "128.0.0.0/1")
    options = {**(estate or {"objects": [OFFICE]}), "requirements": [REQUIREMENT]}
    result = tasks.failed("estate", **options)
    assert "requirements[0]" in result["msg"]
    assert [one["rule"] for one in result["findings"]] == ["requirement_not_met"]
    assert tasks.failed("exposure_info", requirements=[REQUIREMENT], fail_on="high")["findings"]


def test_a_policy_that_admits_some_meets_a_requirement(tasks: Tasks) -> None:
    seed(tasks, "10.0.0.0/8")
    assert not tasks.done("estate", objects=[OFFICE], requirements=[REQUIREMENT])["changed"]
    assert tasks.done("exposure_info", requirements=[REQUIREMENT])["findings"] == []


def test_a_rule_replaces_another_one_of_a_policy_that_is_used(tasks: Tasks) -> None:
    """In between, everybody gets in who does so before or after."""
    seed(tasks, "10.0.0.0/8")
    gone = {"name": "old", "collection": "ip_policy_rules", "id": "ipr_0", "state": "absent"}
    new = {"ip_policy_id": "ref:office", "action": "allow", "cidr": "192.0.2.0/24"}
    options = {"objects": [OFFICE, gone, {"name": "new", "collection": "ip_policy_rules", "find_by": new}]}
    assert [one.split()[0] for one in writes(tasks.done("estate", **options))] == ["POST", "DELETE"]


@pytest.mark.parametrize("path", ["/edges/https", "/edges/tcp"])
def test_what_cannot_be_read_does_not_meet_a_requirement(tasks: Tasks, path: str) -> None:
    seed(tasks, "10.0.0.0/8")
    to_the_service = forwarding(tasks.service.base_url)

    def respond(got: Received) -> Response:
        return Response(403) if got.path.startswith(path) else to_the_service(got)

    with scripted_service(respond) as between:
        result = tasks.failed("estate", objects=[OFFICE], requirements=[REQUIREMENT], base_url=between.base_url)
    assert "What was not read does not meet `requirements`" in result["msg"]
    assert writes(result) == []


def test_networks_whose_rules_are_not_known_do_not_meet_a_requirement(tasks: Tasks) -> None:
    seed(tasks)
    result = tasks.failed("estate", objects=[OFFICE], requirements=[REQUIREMENT])
    assert "not all rules of its IP policies are known" in result["msg"]
