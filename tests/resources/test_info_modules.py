# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading edges, TLS edges and event sources: what matches, in the form of the options."""

from __future__ import annotations

from typing import Any

import pytest

from cases import cases
from module_task import Tasks, methods, writes

EDGES: list[dict[str, Any]] = [
    {"id": "edghts_one", "hostports": ["One.example.com:443"], "description": "first", "metadata": '{"a":1,"b":[2]}'},
    {"id": "edghts_two", "hostports": ["two.example.com:443", "two.example.com:8443"], "metadata": "text"},
    {"id": "edghts_three", "hostports": ["three.example.com:443"], "description": "first"},
]

# What is asked for, and the edges that match: one, two, three.
SELECTED = cases("""
    all                                | {}                                       | [one, three, two]
    no hostports in particular         | {hostports: []}                          | [one, three, two]
    an ID                              | {id: edghts_two}                         | [two]
    an ID that does not exist          | {id: edghts_four}                        | []
    one of its hostports               | {hostports: ['TWO.example.com:8443', 'x:1']} | [two]
    those of two edges                 | {hostports: ['one.example.com:443', 'three.example.com:443']} | [one, three]
    hostports of nobody                | {hostports: ['x:1']}                     | []
    a description                      | {description: first}                     | [one, three]
    no description                     | {description: ''}                        | [two]
    metadata as a dictionary           | {metadata: {b: [2], a: 1}}               | [one]
    metadata as a string               | {metadata: text}                         | [two]
    no metadata                        | {metadata: ''}                           | [three]
    an empty dictionary as metadata    | {metadata: {}}                           | [three]
    an empty list as metadata          | {metadata: []}                           | [three]
    two things together                | {description: first, hostports: ['three.example.com:443']} | [three]
    an ID, and what does not match     | {id: edghts_one, description: other}     | []
""")


@pytest.mark.parametrize("page_size", [1, 100])
@pytest.mark.parametrize(("options", "names"), SELECTED.values(), ids=SELECTED)
def test_edges_are_found_by_options(tasks: Tasks, options: dict[str, Any], names: list[str], page_size: int) -> None:
    tasks.service.seed(https_edges=EDGES)
    tasks.service.switches(page_size=page_size)
    result = tasks.done("https_edge_info", **options)
    assert sorted(edge["id"] for edge in result["https_edges"]) == [f"edghts_{name}" for name in names]
    assert (result["changed"], writes(result)) == (False, [])
    assert len(methods(result)) == (1 if "id" in options else 3 // page_size or 1)


LONG = {"description": "x" * 256, "metadata": "x" * 4097}


@pytest.mark.parametrize("options", [{"id": "edgtls_one"}, {"id": "edghts_would-be-created"}, LONG], ids=str)
def test_option_errors_in_what_is_asked_for(tasks: Tasks, options: dict[str, Any]) -> None:
    result = tasks.failed("https_edge_info", **options)
    assert [option_error.split(": ")[0] for option_error in result["option_errors"]] == list(options)
    assert (result["sent"], "operations" in result) == ([], False)


def test_an_edge_with_a_placeholder_id(tasks: Tasks) -> None:
    made = tasks.done("https_edge", check=True, hostports=["new.example.com:443"])["https_edge"]
    result = tasks.done("https_edge_info", check=True, id=made["id"])
    assert [edge["id"] for edge in result["https_edges"]] == [made["id"]]
    assert result["sent"] == []


def test_an_edge_that_is_read_can_be_declared(tasks: Tasks) -> None:
    tasks.service.seed(https_edges=EDGES)
    [edge] = tasks.done("https_edge_info", description="first", metadata={"a": 1, "b": [2]})["https_edges"]
    declared = {name: edge[name] for name in ("id", "hostports", "description", "metadata", "mutual_tls")}
    assert not tasks.done("https_edge", **declared)["changed"]


def test_an_edge_is_found_by_id_if_the_service_does_not_list_edges(tasks: Tasks) -> None:
    tasks.service.seed(https_edges=EDGES)
    tasks.service.switches(operations="documented")
    assert len(tasks.done("https_edge_info", id="edghts_one")["https_edges"]) == 1
    result = tasks.failed("https_edge_info", description="first")
    assert "If `base_url` is correct, this service does not support listing them" in result["msg"]
    assert result["error"]["status"] == 404


def test_a_tls_edge(tasks: Tasks) -> None:
    restriction = {"enabled": True, "ip_policy_ids": ["ipp_one"]}
    tasks.service.seed(tls_edges=[{"id": "edgtls_one", "ip_restriction": restriction}])
    result = tasks.done("tls_edge_info", id="edgtls_one")
    assert result["tls_edges"] == [
        {"id": "edgtls_one", "found": True, "ip_restriction": restriction, "tls_termination": None}
    ]
    assert "warnings" not in result
    assert methods(result) == ["GET", "GET"]


TYPES = ["ip_policy_created.v0", "ip_policy_deleted.v0"]
OF_SOURCES: list[tuple[dict[str, Any], list[str]]] = [
    ({}, TYPES),
    ({"type": TYPES[0]}, TYPES[:1]),
    ({"type": "ip_policy_updated.v0"}, []),
    ({"subscription_id": "esb_two"}, []),
    ({"subscription_id": "esb_two", "type": "ip_policy_updated.v0"}, []),
]


@pytest.mark.parametrize(("options", "types"), OF_SOURCES, ids=str)
def test_event_sources_are_found_by_type(tasks: Tasks, options: dict[str, Any], types: list[str]) -> None:
    tasks.service.seed(event_subscriptions=[{"id": "esb_one", "sources": TYPES}])
    result = tasks.done("event_source_info", **{"subscription_id": "esb_one", **options})
    assert sorted(source["type"] for source in result["event_sources"]) == types
    assert methods(result) == ["GET"]
