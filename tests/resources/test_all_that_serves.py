# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever serves traffic counts for requirements and for what a task opens, whether or not the task declares it."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks, writes
from places import EDGE, seed_edge
from rich_world import FIRST
from scripted_service import Received, Response, forwarding, scripted_service

Given = dict[str, Any]

BACKEND: Given = {"backend": {"backend_id": "bkd_one"}}
PUBLIC: Given = {"match_type": "path_prefix", "match": "/", **BACKEND}
LOGIN: Given = {"oidc": FIRST["oidc"]}
OFFICE: Given = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}}
SHOP, BLOG, WILDCARD = "shop.example.com:443", "blog.example.com:443", "*.example.com:443"
VPN = "edgtls_vpn"


def demanded(needs: str, **more: Any) -> Given:
    return {"needs": [needs], "reason": "Somebody has decided that.", **more}


@pytest.mark.parametrize(
    ("collection", "held"),
    [
        ("edges/tcp", {"id": "edgtcp_one", "hostports": ["y.example.com:22"], **BACKEND}),
        (
            "endpoints",
            {"id": "ep_one", "type": "cloud", "url": "tls://y.example.com:443", "traffic_policy": "on_tcp_connect: []"},
        ),
    ],
)
def test_exposure_info_finds_what_estate_rejects(tasks: Tasks, collection: str, held: Given) -> None:
    tasks.service.seed(objects={collection: [held]})
    requirements = [demanded("login", hosts=["y.example.com"])]
    assert tasks.failed("estate", https_edges=[], requirements=requirements)["findings"]
    result = tasks.failed("exposure_info", requirements=requirements, fail_on="high")
    assert "requirement_not_met" in [one["rule"] for one in result["findings"]]


def test_a_declared_tls_edge_keeps_its_hosts(tasks: Tasks) -> None:
    tasks.service.seed(tls_edges=[{"id": VPN, "hostports": ["x.example.com:443"], **BACKEND}])
    requirements = [demanded("network", hosts=["x.example.com"])]
    declared = {"edge_id": VPN, "tls_termination": {"terminate_at": "edge"}}
    for options in ({"https_edges": []}, {"tls_edges": [declared]}):
        result = tasks.failed("estate", **options, requirements=requirements)
        assert "x.example.com:443 lets everyone through" in result["msg"]


@pytest.mark.parametrize("host", ["shöp.example.com", "SHÖP.example.com.", "xn--shp-tna.example.com"])
def test_a_host_is_the_same_in_each_spelling(tasks: Tasks, host: str) -> None:
    seed_edge(tasks, hostports=["xn--shp-tna.example.com:443"], routes=[{"id": "edghtsrt_root", **PUBLIC}])
    requirements = [demanded("login", hosts=[host])]
    assert tasks.failed("exposure_info", requirements=requirements, fail_on="high")["findings"]


@pytest.mark.parametrize("path", ["/admin/*", "/admin?x=1", "/admin#x", "/%61dmin", "/x/../admin", "//admin", "/a b"])
def test_a_path_that_no_request_begins_with_is_an_error(tasks: Tasks, path: str) -> None:
    result = tasks.failed("exposure_info", requirements=[demanded("login", paths=[path])])
    assert f"requirements[0].paths[0]: {path!r} is not a path" in result["msg"]


# The edges with their hostports and whether their route is protected, and the task.
HANDED_OVER: dict[str, tuple[list[tuple[str, list[str], bool]], Given]] = {
    "the edge is deleted": ([(EDGE, [SHOP], True), ("edghts_all", [WILDCARD], False)], {"state": "absent"}),
    "the host is given up": (
        [(EDGE, [SHOP, BLOG], True), ("edghts_all", [WILDCARD], False)],
        {"hostports": [BLOG], "purge_hostports": True},
    ),
    "the host is taken": (
        [(EDGE, [BLOG], False), ("edghts_all", [WILDCARD], True)],
        {"hostports": [BLOG, SHOP]},
    ),
}


@pytest.mark.parametrize("name", HANDED_OVER)
def test_an_edge_is_compared_with_those_that_take_its_requests(tasks: Tasks, name: str) -> None:
    edges, options = HANDED_OVER[name]
    for number, (identifier, hostports, is_protected) in enumerate(edges):
        route = {"id": f"edghtsrt_{number}", **PUBLIC, **(LOGIN if is_protected else {})}
        tasks.service.seed(https_edges=[{"id": identifier, "hostports": hostports, "routes": [route]}])
    declared = [{"id": EDGE, "hostports": options["hostports"]}] if "hostports" in options else None
    estate = {"https_edges": declared, "purge": ["hostports"] if "purge_hostports" in options else []}
    for module, given in (("https_edge", {"id": EDGE, **options}), *([("estate", estate)] if declared else [])):
        result = tasks.failed(module, **given, reject_openings=True)
        assert "no longer requires a login" in result["msg"], module
        assert writes(result) == []


def test_a_new_object_that_takes_requests_from_a_wildcard_is_rejected(tasks: Tasks) -> None:
    tasks.service.seed(
        https_edges=[{"id": EDGE, "hostports": [WILDCARD], "routes": [{"id": "edghtsrt_all", **PUBLIC, **LOGIN}]}]
    )
    body = {"hostports": ["y.example.com:443"], **BACKEND}
    result = tasks.failed(
        "object", collection="edges/tls", find_by={"metadata": "new"}, body=body, reject_openings=True
    )
    assert "no longer requires a login" in result["msg"]


def test_a_module_of_a_tls_edge_that_is_ignored_withholds_what_relies_on_it(tasks: Tasks) -> None:
    policies = [{"id": "ipp_office", "description": "office"}, {"id": "ipp_home", "description": "home"}]
    rules = [
        {"id": f"ipr_{name}", "ip_policy_id": f"ipp_{name}", "action": "allow", "cidr": cidr}
        for name, cidr in (("office", "10.0.0.0/8"), ("home", "192.0.2.0/24"))
    ]
    tasks.service.seed(objects={"ip_policies": policies, "ip_policy_rules": rules})
    restricted = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}}
    tasks.service.seed(tls_edges=[{"id": VPN, "hostports": ["x.example.com:443"], **BACKEND, **restricted}])
    to_the_service = forwarding(tasks.service.base_url)

    def respond(got: Received) -> Response:
        return Response(204) if got.method == "PUT" else to_the_service(got)

    office = {"name": "office", "collection": "ip_policies", "find_by": {"description": "office"}}
    wide = {"name": "wide", "collection": "ip_policy_rules", "id": "ipr_office", "body": {"cidr": "0.0.0.0/0"}}
    narrow = {"edge_id": VPN, "ip_restriction": {"ip_policy_ids": ["ipp_home"]}}
    with scripted_service(respond) as between:
        options = {"objects": [office, wide], "tls_edges": [narrow], "base_url": between.base_url}
        result = tasks.failed("estate", **options)
    assert not [one for one in writes(result) if one.startswith("PATCH")]
    assert "returned other values for ip_policy_ids" in result["msg"]


def test_nobody_knows_what_a_match_with_a_port_takes(tasks: Tasks) -> None:
    """The API does not define such a match, so it may take what a requirement is about."""
    routes = [{"id": "edghtsrt_port", **PUBLIC, "match": f"{SHOP}/admin"}]
    seed_edge(tasks, hostports=[SHOP], routes=routes)
    requirements = [demanded("login", hosts=["shop.example.com"], paths=["/admin"])]
    assert tasks.failed("exposure_info", requirements=requirements, fail_on="high")["findings"]
    assert tasks.failed("estate", https_edges=[], requirements=requirements)["findings"]


def test_a_new_tls_edge_is_not_created_before_what_restricts_it(tasks: Tasks) -> None:
    restriction = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}}
    body = {"hostports": ["till.example.com:443"], **BACKEND}
    tills = {"name": "tills", "collection": "edges/tls", "find_by": {"description": "Tills"}, "body": body}
    result = tasks.failed("estate", objects=[tills], tls_edges=[{"edge_id": "ref:tills", **restriction}])
    assert "Declare them in its `body`" in result["msg"]
    assert writes(result) == []
    assert tasks.done("estate", objects=[{**tills, "body": {**body, **restriction}}])["changed"]


@pytest.mark.parametrize("members", ["whole", "without_parts", "id_and_uri"])
def test_what_a_list_leaves_out_is_read(tasks: Tasks, members: str) -> None:
    tasks.service.switches(list_members=members)
    tasks.service.seed(
        tls_edges=[{"id": VPN, "hostports": ["x.example.com:443"], **BACKEND, **OFFICE}],
        objects={
            "ip_policies": [{"id": "ipp_office", "description": "office"}],
            "ip_policy_rules": [
                {"id": "ipr_office", "ip_policy_id": "ipp_office", "action": "allow", "cidr": "10.0.0.0/8"}
            ],
        },
    )
    wide = {"name": "wide", "collection": "ip_policy_rules", "id": "ipr_office", "body": {"cidr": "0.0.0.0/0"}}
    result = tasks.failed("estate", objects=[wide], reject_openings=True)
    assert "x.example.com:443: also admits 0.0.0.0/0" in result["msg"]
    needs_login = tasks.failed(
        "exposure_info", requirements=[demanded("login", hosts=["x.example.com"])], fail_on="high"
    )
    assert "x.example.com:443 requires only an allowed network" in needs_login["msg"]


def test_nothing_opens_on_a_tls_edge_without_a_backend(tasks: Tasks) -> None:
    tasks.service.seed(tls_edges=[{"id": VPN, "hostports": ["x.example.com:443"], **OFFICE}])
    removed = {"edge_id": VPN, "absent_modules": ["ip_restriction"]}
    assert tasks.done("estate", tls_edges=[removed], reject_openings=True)["plan"][0]["opens"] == []


def test_a_host_that_only_one_of_two_edges_names_stands_for_no_other(tasks: Tasks) -> None:
    """Both hosts move from one edge to another one, which does not name any."""
    hosts = [SHOP, BLOG]
    routes = [
        {"id": "edghtsrt_one", **PUBLIC, "match": "/admin", **LOGIN},
        {**PUBLIC, "match": "blog.example.com/admin"},
    ]
    tasks.service.seed(
        https_edges=[{"id": EDGE, "hostports": hosts, "routes": [routes[0], {"id": "edghtsrt_two", **routes[1]}]}],
        tls_edges=[{"id": VPN, "hostports": [], **BACKEND}],
    )
    taking = {
        "name": "vpn",
        "collection": "edges/tls",
        "id": VPN,
        "body": {"hostports": hosts},
        "unordered": ["hostports"],
    }
    estate = {"https_edges": [{"id": EDGE, "hostports": []}], "objects": [taking], "purge": ["hostports"]}
    result = tasks.done("estate", True, **estate, allow_empty=True)
    opens = [(one["request"], one["kind"]) for entry in result["plan"] for one in entry["opens"]]
    assert (SHOP, "unlocked") in opens
