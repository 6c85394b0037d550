# SPDX-License-Identifier: GPL-3.0-or-later
"""The edge of a task without its ID: by a hostport, by its metadata, or as an earlier task has returned it; and options
that have the name of the same thing in another module as well.
"""

from __future__ import annotations

from typing import Any

import pytest

from cases import cases
from module_task import Tasks, methods
from places import EDGE, HOSTPORT, KEY, SOURCE, SUBSCRIPTION, TLS_EDGE, seed_edge, seed_subscription, seed_tls_edge

MODULES = {
    "https_edge_route": KEY,
    "https_edge_routes": {"routes": [KEY]},
    "tls_edge_ip_restriction": {"ip_policy_ids": ["ipp_1"]},
    "tls_edge_tls_termination": {"terminate_at": "edge"},
}
TLS_HOSTPORT = "tls.example.com:443"


@pytest.fixture
def there(tasks: Tasks) -> Tasks:
    seed_edge(tasks, metadata='{"team": "shop"}')
    tasks.service.seed(https_edges=[{"hostports": ["other.example.com:443"], "metadata": "other"}])
    seed_tls_edge(tasks, hostports=[TLS_HOSTPORT], metadata='{"team": "shop"}')
    return tasks


def edge_of(result: dict[str, Any]) -> str:
    [path] = {one["path"].split("/")[3] for one in result["operations"]}
    return path


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("way", ["hostport", "other spelling", "metadata", "returned"])
def test_the_edge_of_a_task_is_found(there: Tasks, module: str, way: str, check: bool) -> None:
    identifier, hostport = (TLS_EDGE, TLS_HOSTPORT) if module.startswith("tls") else (EDGE, HOSTPORT)
    edge: Any = {
        "hostport": hostport,
        "other spelling": hostport.upper(),
        "metadata": {"metadata": {"team": "shop"}},
        "returned": {"id": identifier, "hostports": [hostport], "description": None},
    }[way]
    assert edge_of(there.done(module, check, edge=edge, **MODULES[module])) == identifier


def test_an_edge_that_an_earlier_task_would_create(there: Tasks) -> None:
    edge = there.done("https_edge", True, hostports=["new.example.com:443"])["https_edge"]
    result = there.done("https_edge_route", True, edge=edge, **KEY)
    assert edge_of(result) == edge["id"]
    assert result["sent"] == []


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("module", MODULES)
def test_a_missing_edge_is_an_error_after_one_request_unless_something_is_removed(
    there: Tasks, module: str, check: bool
) -> None:
    result = there.failed(module, check, edge="gone.example.com:443", **MODULES[module])
    assert "No edge has the hostport 'gone.example.com:443'" in result["msg"]
    assert ("check mode" in result["msg"], methods(result)) == (check, ["GET"])
    if module != "https_edge_routes":
        options = KEY if module == "https_edge_route" else {}
        result = there.done(module, check, edge="gone.example.com:443", state="absent", **options)
        assert (result["changed"], methods(result)) == (False, ["GET"])


@pytest.mark.parametrize("module", MODULES)
def test_several_edges_are_an_error_that_says_how_to_choose(there: Tasks, module: str) -> None:
    seed_tls_edge(there, id="edgtls_other", metadata='{"team": "shop"}')
    there.service.seed(https_edges=[{"id": "edghts_other", "metadata": '{"team": "shop"}'}])
    msg = there.failed(module, edge={"metadata": {"team": "shop"}}, **MODULES[module])["msg"]
    assert "2 edges have the declared metadata: edg" in msg
    assert msg.endswith("Set `edge_id` to choose one.")


WRONG = cases(
    """
    neither       | {} | 'edge_id: required, or set `edge` to a hostport of the edge'
    both          | {edge_id: *EDGE, edge: 'a:1'} | 'edge: `edge_id` is set as well; remove one of them'
    no port       | {edge: shop.example.com} | 'edge: '
    a number      | {edge: 5} | 'edge: expected a hostport such as shop.example.com:443, got a number'
    nothing in it | {edge: {}} | 'edge: expected `metadata`, or an edge that another task has returned'
    no list       | {edge: {hostports: 'a:1'}} | 'edge.hostports: expected a list of hostports'
    no hostport   | {edge: {hostports: [5]}} | 'edge.hostports: expected a list of hostports'
    an ID         | {edge: *EDGE} | "edge: 'edghts_place' is an ID; set `edge_id` instead"
    no ID         | {edge: {id: bad/id}} | 'edge.id: '
    a placeholder | {edge: {id: edghts_would-be-created}} | 'edge.id: '
    """,
    EDGE=EDGE,
)


@pytest.mark.parametrize(("options", "message"), WRONG.values(), ids=WRONG)
def test_wrong_options_are_reported_before_any_request(there: Tasks, options: dict[str, Any], message: str) -> None:
    result = there.failed("https_edge_route", **options, **KEY)
    [error] = result["option_errors"]
    assert (error[: len(message)], result["sent"]) == (message, [])


OWN, SOURCES = {"subscription_id": SUBSCRIPTION}, [SOURCE]
ALIASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("tls_edge_info", {"id": TLS_EDGE}, {"edge_id": TLS_EDGE}),
    ("event_sources", {**OWN, "types": SOURCES}, {**OWN, "sources": SOURCES}),
    ("estate", *({"event_subscriptions": [{**OWN, name: SOURCES}]} for name in ("sources", "types"))),
]


@pytest.mark.parametrize(("module", "options", "aliased"), ALIASES, ids=[module for module, *_rest in ALIASES])
def test_an_alias_means_the_option(there: Tasks, module: str, options: dict[str, Any], aliased: dict[str, Any]) -> None:
    seed_subscription(there)
    by_name, by_alias = (there.done(module, True, **given) for given in (options, aliased))
    requests = [[(one["method"], one["path"]) for one in result.pop("sent")] for result in (by_name, by_alias)]
    assert by_name == by_alias
    assert requests[0] == requests[1] != []
