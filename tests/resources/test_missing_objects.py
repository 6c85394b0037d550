# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that do not exist: TLS edges and event subscriptions, which the collection neither creates nor lists, and
those that check mode would create. Their placeholder IDs keep them apart, and are accepted wherever an ID is expected.
"""

from __future__ import annotations

from typing import Any

import pytest

from estates_to_judge import route
from module_task import WRITES, Given, Tasks, methods, received, writes
from places import EDGE, HOSTPORT, KEY, SOURCE, SUBSCRIPTION, TLS_EDGE, seed_edge, seed_subscription, seed_tls_edge
from scripted_service import Received, Response, as_json, in_turn
from served_names import hostports

UNKNOWN_EDGE, UNKNOWN = "edgtls_unknown", "esb_unknown"
RESTRICTION = {"ip_policy_ids": ["ipp_one"]}
TERMINATION = {"terminate_at": "upstream"}
EDGE_MODULES = {"tls_edge_ip_restriction": RESTRICTION, "tls_edge_tls_termination": TERMINATION}
UNSET = ["null", "empty_object", "no_content", "not_found"]
DOUBT = "TLS edge {} might not exist: the service returned 404 for its traffic modules"
MISSING_EDGE = f"There is no TLS edge with the ID '{UNKNOWN_EDGE}'. Check the ID."


def doubts(result: Given) -> list[str]:
    """The TLS edges that the warnings of a task are about."""
    return [one.split()[2] for one in result.get("warnings", ()) if one.startswith(DOUBT.format(one.split()[2]))]


@pytest.mark.parametrize("unset", UNSET)
@pytest.mark.parametrize("module", EDGE_MODULES)
def test_check_mode_doubts_a_tls_edge_of_which_nothing_is_set(tasks: Tasks, module: str, unset: str) -> None:
    """Some services return 404 for an unset module, too, so the edge may be there; another module proves that it is."""
    tasks.service.switches(unset_module=unset)
    options = {"edge_id": UNKNOWN_EDGE, **EDGE_MODULES[module]}
    dry, real = tasks.done(module, True, **options), tasks.failed(module, **options)
    assert (methods(dry), doubts(dry)) == (["GET", "GET"], [UNKNOWN_EDGE])
    assert (methods(real), real["error"]["status"]) == (["GET", "PUT"], 404)
    assert real["msg"].endswith(MISSING_EDGE)
    for check in (True, False):
        absent = tasks.done(module, check, edge_id=UNKNOWN_EDGE, state="absent")
        assert (absent["changed"], methods(absent), "warnings" in absent) == (False, ["GET"], False)
    other = {"tls_termination": TERMINATION} if "restriction" in module else {"ip_restriction": RESTRICTION}
    for held, is_doubted in (({}, unset == "not_found"), (other, False)):
        seed_tls_edge(tasks, **held)
        dry, real = (tasks.done(module, check, edge_id=TLS_EDGE, **EDGE_MODULES[module]) for check in (True, False))
        assert methods(dry) == ["GET"] * (2 if unset == "not_found" else 1)
        assert (doubts(dry), methods(real)) == ([TLS_EDGE] * is_doubted, ["GET", "PUT"])
        assert "warnings" not in real
        tasks.service.reset()
        tasks.service.switches(unset_module=unset)


def test_the_other_module_may_not_be_offered(tasks: Tasks) -> None:
    def without_termination(request: Received) -> Response:
        return Response(501 if request.path.endswith("/tls_termination") else 404)

    result = tasks.done("tls_edge_ip_restriction", True, without_termination, edge_id=TLS_EDGE, **RESTRICTION)
    assert (result["changed"], doubts(result)) == (True, [TLS_EDGE])


@pytest.mark.parametrize("unset", UNSET)
def test_an_estate_doubts_a_tls_edge_that_is_not_there(tasks: Tasks, unset: str) -> None:
    seed_tls_edge(tasks, ip_restriction=RESTRICTION)
    tasks.service.switches(unset_module=unset)
    both = {"ip_restriction": RESTRICTION, "tls_termination": TERMINATION}
    declared = {"tls_edges": [{"edge_id": one, **both} for one in (TLS_EDGE, UNKNOWN_EDGE)]}
    dry, real = tasks.done("estate", check=True, **declared), tasks.failed("estate", **declared)
    assert (len(dry["warnings"]), doubts(dry)) == (1, [UNKNOWN_EDGE])
    assert real["summary"] == {"created": 1, "updated": 0, "deleted": 0, "unchanged": 1, "failed": 2, "withheld": 0}
    assert real["msg"].count(MISSING_EDGE) == 1  # for both modules
    assert "might not exist" not in real["msg"]


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("unset", UNSET)
def test_reading_doubts_a_tls_edge_that_may_not_exist(tasks: Tasks, unset: str, check: bool) -> None:
    seed_tls_edge(tasks, ip_restriction=RESTRICTION)
    tasks.service.switches(unset_module=unset)
    there, unknown = (tasks.done("tls_edge_info", check, id=one) for one in (TLS_EDGE, UNKNOWN_EDGE))
    assert (there["tls_edges"][0]["found"], "warnings" in there) == (True, False)
    nothing = {"id": UNKNOWN_EDGE, "found": False, "ip_restriction": None, "tls_termination": None}
    assert (unknown["tls_edges"], doubts(unknown)) == ([nothing], [UNKNOWN_EDGE])
    live = tasks.done("estate_info", check, https_edges=False, tls_edges=[TLS_EDGE, UNKNOWN_EDGE, TLS_EDGE])
    assert [edge["edge_id"] for edge in live["estate"]["tls_edges"]] == [TLS_EDGE, UNKNOWN_EDGE]
    assert (live["tls_edges_not_found"], len(live["warnings"]), doubts(live)) == ([UNKNOWN_EDGE], 1, [UNKNOWN_EDGE])


def test_a_missing_event_subscription_is_an_error(tasks: Tasks) -> None:
    options = {"subscription_id": UNKNOWN, "type": SOURCE}
    dry, real = (tasks.failed("event_source", check, **options) for check in (True, False))
    assert dry["msg"] == f"Event subscription {UNKNOWN} does not exist. Check `subscription_id`."
    assert real["msg"].endswith(f"There is no event subscription with the ID '{UNKNOWN}'. Check the ID.")
    assert (methods(dry), methods(real)) == (["GET", "GET"], ["GET", "POST"])
    live = tasks.failed("estate_info", https_edges=False, event_subscriptions=[UNKNOWN])
    assert live["msg"] == f"Event subscription {UNKNOWN} does not exist. Check `event_subscriptions`."
    estate = {"event_subscriptions": [{"subscription_id": UNKNOWN, "sources": [SOURCE]}]}
    for check in (True, False):
        absent = tasks.done("event_source", check, **options, state="absent")
        assert (absent["changed"], methods(absent)) == (False, ["GET"])
        several = tasks.failed("event_sources", check, subscription_id=UNKNOWN, types=[SOURCE])
        assert several["msg"] == dry["msg"]
        assert dry["msg"] in tasks.failed("estate", check, **estate)["msg"]
    terse = in_turn(as_json({"msg": "not found"}, 404))
    result = tasks.failed("event_source", instead=terse, subscription_id=SUBSCRIPTION, type=SOURCE)
    assert f"not found. Event subscription {SUBSCRIPTION} might not exist" in result["msg"]


def test_an_event_subscription_without_sources_is_there(tasks: Tasks) -> None:
    options = {"subscription_id": seed_subscription(tasks), "type": SOURCE}
    dry, real, again = (tasks.done("event_source", check, **options) for check in (True, False, True))
    assert (dry["changed"], "warnings" in dry) == (True, False)
    assert [methods(one) for one in (dry, real, again)] == [["GET", "GET"], ["GET", "POST"], ["GET"]]


@pytest.mark.parametrize("status", [405, 501])
def test_an_unsupported_list_proves_nothing(tasks: Tasks, status: int) -> None:
    def without_list(request: Received) -> Response:
        return as_json({"msg": "no"}, 404 if request.path.endswith(SOURCE) else status)

    result = tasks.done("event_source", True, without_list, type=SOURCE, subscription_id=SUBSCRIPTION)
    assert result["changed"]
    assert f"Event subscription {SUBSCRIPTION} might not exist" in result["warnings"][0]
    # Whoever needs the list fails, and does not take the subscription for one that is not there.
    for module, types in (("event_sources", {"types": [SOURCE]}), ("event_source_info", {})):
        failed = tasks.failed(module, instead=without_list, subscription_id=SUBSCRIPTION, **types)
        assert (failed["error"]["status"], "does not exist" in failed["msg"]) == (status, False)
        assert received(failed, *WRITES) == []


NEW = "would-be-created"
NEW_EDGE, NEW_ROUTE, NEW_TLS_EDGE, NEW_SUBSCRIPTION, POLICY, OTHER = (
    f"{prefix}_{NEW}" for prefix in ("edghts", "edghtsrt", "edgtls_till", "esb_audit", "ipp_office", "new_shop")
)
ROUTE: Given = {**KEY, "backend": {"backend_id": OTHER}, "ip_restriction": {"ip_policy_ids": [POLICY]}}
NEW_OPTIONS = {"hostports": ["a.example.com:443"], "mutual_tls": {"certificate_authority_ids": [OTHER]}}
ESTATE = {
    "https_edges": [{"hostports": ["a.example.com:443"], "routes": [ROUTE]}],
    "tls_edges": [{"edge_id": NEW_TLS_EDGE, "ip_restriction": {"ip_policy_ids": [POLICY]}}],
    "event_subscriptions": [{"subscription_id": NEW_SUBSCRIPTION, "sources": [SOURCE]}],
}
PARTS = {"tls_edges": [NEW_TLS_EDGE], "event_subscriptions": [NEW_SUBSCRIPTION]}
NEW_PARENTS: list[tuple[str, Given]] = [
    ("https_edge", NEW_OPTIONS),
    ("https_edge", {"id": NEW_EDGE, "description": "changed"}),
    ("https_edge_info", {"id": NEW_EDGE}),
    ("https_edge_route", {"edge_id": NEW_EDGE, **ROUTE}),
    *(("https_edge_route", {"edge_id": one, "id": NEW_ROUTE, "description": "changed"}) for one in (NEW_EDGE, EDGE)),
    ("https_edge_routes", {"edge_id": NEW_EDGE, "routes": [ROUTE]}),
    ("tls_edge_ip_restriction", {"edge_id": NEW_TLS_EDGE, "ip_policy_ids": [POLICY, OTHER]}),
    ("tls_edge_tls_termination", {"edge_id": NEW_TLS_EDGE, "terminate_at": "edge"}),
    ("tls_edge_info", {"id": NEW_TLS_EDGE}),
    ("event_source", {"subscription_id": NEW_SUBSCRIPTION, "type": SOURCE}),
    ("event_sources", {"subscription_id": NEW_SUBSCRIPTION, "types": [SOURCE]}),
    ("event_source_info", {"subscription_id": NEW_SUBSCRIPTION}),
    ("event_source_info", {"subscription_id": NEW_SUBSCRIPTION, "type": SOURCE}),
    ("object", {"collection": "ip_policies", "id": POLICY, "body": {"description": "Office"}}),
    ("object", {"collection": "ip_policy_rules", "find_by": {"ip_policy_id": POLICY, "cidr": "192.0.2.0/24"}}),
    ("object", {"collection": f"vaults/{OTHER}/secrets", "find_by": {"name": "key"}}),
    ("object_info", {"collection": "ip_policies", "id": POLICY}),
    ("object_info", {"collection": "ip_policy_rules", "find_by": {"ip_policy_id": POLICY}}),
    ("estate", ESTATE),
    ("estate_info", PARTS),
    ("exposure_info", PARTS),
]


@pytest.mark.parametrize(("module", "options"), NEW_PARENTS)
def test_check_mode_accepts_placeholder_ids_and_sends_none(tasks: Tasks, module: str, options: Given) -> None:
    seed_edge(tasks)
    result = tasks.done(module, check=True, **options)
    assert ("warnings" in result, result["changed"]) == (False, not module.endswith("_info"))
    assert not [one["path"] for one in result["sent"] if NEW in one["path"]]
    assert "id" not in options or {one["method"] for one in result.get("operations", ())} <= {"PATCH"}


def test_a_real_run_sends_no_placeholder_either(tasks: Tasks) -> None:
    result = tasks.failed("https_edge", **NEW_OPTIONS)
    reason = f"Skipped, because it refers to {OTHER}, a check-mode placeholder for an object that was not created."
    assert (reason in result["msg"], writes(result)) == (True, [])


ADMIN, SHOP = route("/admin"), route("/shop")


def by_metadata(name: str, routes: str = "/admin", **more: Any) -> Given:
    return {"find_by": "metadata", "metadata": name, "routes": [*map(route, routes.split(","))], **more}


def unidentified(routes: str, **more: Any) -> Given:
    return {"find_by": "none", "routes": [*map(route, routes.split(","))], **more}


# Two edges each, of which the second pair is another configuration, although all of its objects look the same.
SWAPS: dict[str, tuple[list[Given], list[Given]]] = {
    "metadata": (
        [by_metadata("one", "/admin office"), by_metadata("two")],
        [by_metadata("one"), by_metadata("two", "/admin office")],
    ),
    "only their routes": (
        [unidentified("/admin office, /shop"), unidentified("/admin, /shop office")],
        [unidentified("/admin office, /shop office"), unidentified("/admin, /shop")],
    ),
}


@pytest.mark.parametrize(("edges", "swapped"), SWAPS.values(), ids=SWAPS)
def test_the_digest_says_which_new_edge_has_a_route(tasks: Tasks, edges: list[Given], swapped: list[Given]) -> None:
    digest, again, reordered, other = (
        tasks.done("estate", True, https_edges=each)["plan_digest"] for each in (edges, edges, edges[::-1], swapped)
    )
    assert digest == again == reordered != other
    assert not writes(tasks.failed("estate", https_edges=swapped, expect_plan=digest))
    assert tasks.done("estate", https_edges=edges, expect_plan=digest)["changed"]


def test_people_read_which_new_edge_it_is(tasks: Tasks) -> None:
    edges = [
        by_metadata("one"),
        {**by_metadata(""), "metadata": {"name": "two"}},
        unidentified("/admin", description="three"),
        {"hostports": [HOSTPORT], "metadata": "four", "routes": [ADMIN]},
    ]
    names = ["'one'", '\'{"name":"two"}\'', "'three'", HOSTPORT]
    for check in (True, False):
        result = tasks.done("estate", check, https_edges=edges)
        assert [one["object"] for one in result["plan"]] == [
            text for name in names for text in (f"https_edge {name}", f"https_edge_route path_prefix /admin of {name}")
        ]
    weak = by_metadata("five", tls_termination={"min_version": "1.0"})
    judged = tasks.failed("estate", True, https_edges=[weak], reject_findings="low")
    assert [one["object"] for one in judged["findings"]] == ["https_edge 'five'"]
    assert judged["plan"][1]["object"] == "https_edge_route path_prefix /admin of 'five'"
    tasks.service.switches(rejected_creations="routes")
    failed = tasks.failed("estate", https_edges=[by_metadata("six")])
    assert [one["object"] for one in failed["failures"]] == ["https_edge_route path_prefix /admin of 'six'"]


def new_id(tasks: Tasks, module: str, options: Given) -> str:
    identifier: str = tasks.done(module, True, **options)["json" if module == "api" else module]["id"]
    return identifier


DESCRIBED, NAMED = {"description": "a"}, {"metadata": "a"}
NEW_ONES: list[tuple[str, Given]] = [
    *(("https_edge", {"hostports": hostports(letter)}) for letter in "ab"),
    ("https_edge", {"find_by": "metadata", **NAMED}),
    *(("https_edge", {"find_by": "none", **one}) for one in ({"metadata": "b"}, {"description": "b"})),
    *(("https_edge_route", {"edge_id": EDGE, **one}) for one in (ADMIN, SHOP)),
    *(("object", {"collection": "ip_policies", "find_by": one}) for one in (DESCRIBED, NAMED, {**DESCRIBED, **NAMED})),
    *(("object", {"collection": f"backends/{one}", "find_by": DESCRIBED}) for one in ("http_response", "tunnel_group")),
    *(
        ("api", {"method": "POST", "path": path, "body": {"description": text}})
        for path, text in (("/things", "a"), ("/things", "b"), ("/others", "a"))
    ),
]


def test_each_object_has_a_placeholder_of_its_own(tasks: Tasks) -> None:
    """So that a later task keeps the objects of two tasks apart."""
    seed_edge(tasks)
    ids = [new_id(tasks, *one) for one in NEW_ONES]
    assert len(set(ids)) == len(ids)
    assert [new_id(tasks, *one) for one in NEW_ONES] == ids
    # It depends on what finds the object alone.
    spelled: list[Given] = [{"hostports": hostports("ab")}, {"hostports": hostports("Ba"), "description": "x"}]
    assert len({new_id(tasks, "https_edge", one) for one in spelled}) == 1
