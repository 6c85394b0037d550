# SPDX-License-Identifier: GPL-3.0-or-later
"""Parents that do not exist: TLS edges and event subscriptions, which the collection neither creates nor lists."""

from __future__ import annotations

import pytest

from module_task import WRITES, Tasks, methods, received, writes
from places import SOURCE, SUBSCRIPTION, TLS_EDGE, seed_subscription, seed_tls_edge
from scripted_service import Received, Response, as_json, in_turn

UNKNOWN_EDGE, UNKNOWN_SUBSCRIPTION = "edgtls_unknown", "esb_unknown"
RESTRICTION = {"ip_policy_ids": ["ipp_one"]}
TERMINATION = {"terminate_at": "upstream"}
EDGE_MODULES = {"tls_edge_ip_restriction": RESTRICTION, "tls_edge_tls_termination": TERMINATION}
UNSET = ["null", "empty_object", "no_content", "not_found"]


def edge_doubt(edge_id: str) -> str:
    return f"TLS edge {edge_id} might not exist: the service returned 404 for its traffic modules"


@pytest.mark.parametrize("unset", UNSET)
@pytest.mark.parametrize("module", EDGE_MODULES)
def test_check_mode_warns_about_an_unknown_tls_edge(tasks: Tasks, module: str, unset: str) -> None:
    tasks.service.switches(unset_module=unset)
    dry = tasks.done(module, check=True, edge_id=UNKNOWN_EDGE, **EDGE_MODULES[module])
    assert methods(dry) == ["GET", "GET"]
    [warning] = dry["warnings"]
    assert warning.startswith(edge_doubt(UNKNOWN_EDGE))
    real = tasks.failed(module, edge_id=UNKNOWN_EDGE, **EDGE_MODULES[module])
    assert methods(real) == ["GET", "PUT"]
    assert real["error"]["status"] == 404
    assert real["msg"].endswith(f"There is no TLS edge with the ID '{UNKNOWN_EDGE}'. Check the ID.")


@pytest.mark.parametrize("unset", UNSET)
@pytest.mark.parametrize("module", EDGE_MODULES)
def test_one_module_proves_that_the_tls_edge_is_there(tasks: Tasks, module: str, unset: str) -> None:
    other = {"tls_edge_ip_restriction": "tls_termination", "tls_edge_tls_termination": "ip_restriction"}[module]
    seed_tls_edge(tasks, **{other: TERMINATION if other == "tls_termination" else RESTRICTION})
    tasks.service.switches(unset_module=unset)
    dry = tasks.done(module, check=True, edge_id=TLS_EDGE, **EDGE_MODULES[module])
    assert "warnings" not in dry
    assert methods(dry) == ["GET"] * (2 if unset == "not_found" else 1)
    real = tasks.done(module, edge_id=TLS_EDGE, **EDGE_MODULES[module])
    assert methods(real) == ["GET", "PUT"]
    assert "warnings" not in real


@pytest.mark.parametrize("module", EDGE_MODULES)
def test_nothing_set_is_not_known_from_no_edge_on_some_services(tasks: Tasks, module: str) -> None:
    seed_tls_edge(tasks)
    tasks.service.switches(unset_module="not_found")
    dry = tasks.done(module, check=True, edge_id=TLS_EDGE, **EDGE_MODULES[module])
    assert dry["warnings"][0].startswith(edge_doubt(TLS_EDGE))
    assert "warnings" not in tasks.done(module, edge_id=TLS_EDGE, **EDGE_MODULES[module])


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("module", EDGE_MODULES)
def test_what_is_to_be_absent_needs_no_edge(tasks: Tasks, module: str, check: bool) -> None:
    result = tasks.done(module, check, edge_id=UNKNOWN_EDGE, state="absent")
    assert (result["changed"], methods(result)) == (False, ["GET"])
    assert "warnings" not in result


@pytest.mark.parametrize("module", EDGE_MODULES)
def test_a_tls_edge_with_a_placeholder_id_is_not_read(tasks: Tasks, module: str) -> None:
    result = tasks.done(module, check=True, edge_id="edgtls_would-be-created", **EDGE_MODULES[module])
    assert (result["changed"], result["sent"]) == (True, [])
    assert "warnings" not in result


def test_the_other_module_may_not_be_offered(tasks: Tasks) -> None:
    def without_termination(request: Received) -> Response:
        return Response(501 if request.path.endswith("/tls_termination") else 404)

    result = tasks.done("tls_edge_ip_restriction", True, without_termination, edge_id=TLS_EDGE, **RESTRICTION)
    assert result["changed"]
    assert result["warnings"][0].startswith(edge_doubt(TLS_EDGE))


@pytest.mark.parametrize("unset", UNSET)
def test_an_estate_doubts_a_tls_edge_that_is_not_there(tasks: Tasks, unset: str) -> None:
    seed_tls_edge(tasks, ip_restriction=RESTRICTION)
    tasks.service.switches(unset_module=unset)
    declared = {
        "tls_edges": [
            {"edge_id": one, "ip_restriction": RESTRICTION, "tls_termination": TERMINATION}
            for one in (TLS_EDGE, UNKNOWN_EDGE)
        ]
    }
    dry = tasks.done("estate", check=True, **declared)
    [warning] = dry["warnings"]
    assert warning.startswith(edge_doubt(UNKNOWN_EDGE))
    real = tasks.failed("estate", **declared)
    assert real["summary"] == {"created": 1, "updated": 0, "deleted": 0, "unchanged": 1, "failed": 2, "withheld": 0}
    assert (
        real["msg"].count(f"There is no TLS edge with the ID '{UNKNOWN_EDGE}'. Check the ID.") == 1
    )  # for both modules
    assert "might not exist" not in real["msg"]


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("unset", UNSET)
def test_reading_warns_about_an_edge_that_may_not_exist(tasks: Tasks, unset: str, check: bool) -> None:
    seed_tls_edge(tasks, ip_restriction=RESTRICTION)
    tasks.service.switches(unset_module=unset)
    there = tasks.done("tls_edge_info", check, id=TLS_EDGE)
    assert there["tls_edges"][0]["found"] is True
    assert "warnings" not in there
    unknown = tasks.done("tls_edge_info", check, id=UNKNOWN_EDGE)
    assert unknown["tls_edges"] == [
        {"id": UNKNOWN_EDGE, "found": False, "ip_restriction": None, "tls_termination": None}
    ]
    assert unknown["warnings"][0].startswith(edge_doubt(UNKNOWN_EDGE))
    live = tasks.done("estate_info", check, https_edges=False, tls_edges=[TLS_EDGE, UNKNOWN_EDGE, TLS_EDGE])
    assert [edge["edge_id"] for edge in live["estate"]["tls_edges"]] == [TLS_EDGE, UNKNOWN_EDGE]
    assert live["tls_edges_not_found"] == [UNKNOWN_EDGE]
    assert [warning[: len(edge_doubt(UNKNOWN_EDGE))] for warning in live["warnings"]] == [edge_doubt(UNKNOWN_EDGE)]


def test_a_missing_event_subscription_is_an_error(tasks: Tasks) -> None:
    options = {"subscription_id": UNKNOWN_SUBSCRIPTION, "type": SOURCE}
    dry = tasks.failed("event_source", check=True, **options)
    assert dry["msg"] == f"Event subscription {UNKNOWN_SUBSCRIPTION} does not exist. Check `subscription_id`."
    assert methods(dry) == ["GET", "GET"]
    live = tasks.failed("estate_info", https_edges=False, event_subscriptions=[UNKNOWN_SUBSCRIPTION])
    assert live["msg"] == f"Event subscription {UNKNOWN_SUBSCRIPTION} does not exist. Check `event_subscriptions`."
    real = tasks.failed("event_source", **options)
    assert real["msg"].endswith(f"There is no event subscription with the ID '{UNKNOWN_SUBSCRIPTION}'. Check the ID.")
    assert methods(real) == ["GET", "POST"]
    for check in (True, False):
        absent = tasks.done("event_source", check, **options, state="absent")
        assert (absent["changed"], methods(absent)) == (False, ["GET"])
        several = tasks.failed("event_sources", check, subscription_id=UNKNOWN_SUBSCRIPTION, types=[SOURCE])
        assert several["msg"] == dry["msg"]
        estate = {"event_subscriptions": [{"subscription_id": UNKNOWN_SUBSCRIPTION, "sources": [SOURCE]}]}
        assert dry["msg"] in tasks.failed("estate", check, **estate)["msg"]


def test_a_service_that_does_not_say_what_is_missing(tasks: Tasks) -> None:
    terse = in_turn(as_json({"msg": "not found"}, 404))
    result = tasks.failed("event_source", instead=terse, subscription_id=SUBSCRIPTION, type=SOURCE)
    assert f"not found. Event subscription {SUBSCRIPTION} might not exist" in result["msg"]


def test_an_event_subscription_without_sources_is_there(tasks: Tasks) -> None:
    options = {"subscription_id": seed_subscription(tasks), "type": SOURCE}
    dry = tasks.done("event_source", check=True, **options)
    assert (dry["changed"], methods(dry)) == (True, ["GET", "GET"])
    assert "warnings" not in dry
    assert methods(tasks.done("event_source", **options)) == ["GET", "POST"]
    assert methods(tasks.done("event_source", check=True, **options)) == ["GET"]


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


def test_a_subscription_with_a_placeholder_id_is_not_read(tasks: Tasks) -> None:
    options = {"subscription_id": "esb_would-be-created"}
    for module, types in (("event_source", {"type": SOURCE}), ("event_sources", {"types": [SOURCE]})):
        result = tasks.done(module, check=True, **options, **types)
        assert (result["changed"], result["sent"], writes(result)) == (True, [], [])
        assert "warnings" not in result
