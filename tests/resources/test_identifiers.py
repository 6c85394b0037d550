# SPDX-License-Identifier: GPL-3.0-or-later
"""Identifiers in responses that would lead to another path: no request is made from them, and the other objects are
processed.
"""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks
from scripted_service import Received, Response, Script, ScriptedService, as_json, scripted_service

EDGE = "edghts_a"
SUBSCRIPTION = "esb_a"
NO_NAMES: list[Any] = ["", ".", "..", None, 5, ["a"], {"a": 1}, "\ud800"]
KEY = {"match_type": "exact_path", "match": "/"}


def serving(objects: dict[str, Any]) -> Script:
    """Shows these objects by their paths, and carries out every deletion."""

    def response(request: Received) -> Response:
        if request.method == "DELETE":
            return Response(204)
        path = request.path.partition("?")[0]
        return as_json(objects[path]) if request.method == "GET" and path in objects else as_json({}, 404)

    return response


def failed(tasks: Tasks, service: ScriptedService, module: str, **options: Any) -> dict[str, Any]:
    """The result of a task that fails on a scripted service."""
    return tasks.failed(module, base_url=service.base_url, **options)


@pytest.mark.parametrize("no_name", NO_NAMES, ids=repr)
def test_a_route_that_has_no_usable_id_is_not_purged(tasks: Tasks, no_name: Any) -> None:
    other = {"id": "edghtsrt_b", "match_type": "exact_path", "match": "/b"}
    edge = {"id": EDGE, "hostports": ["a:1"], "routes": [{"id": no_name, **KEY}, other]}
    with scripted_service(serving({f"/edges/https/{EDGE}": edge})) as service:
        result = failed(tasks, service, "https_edge_routes", edge_id=EDGE, routes=[], purge=True, allow_empty=True)
    assert service.writes() == [f"DELETE /edges/https/{EDGE}/routes/edghtsrt_b"]
    [failure] = result["failures"]
    assert "exact_path / of a:1" in failure["object"]
    assert (
        "expected an identifier, got" in failure["msg"]
        or "expected a string" in failure["msg"]
        or "id" in failure["msg"]
    )


@pytest.mark.parametrize("no_name", NO_NAMES, ids=repr)
@pytest.mark.parametrize("state", ["present", "absent"])
def test_a_route_that_has_no_usable_id_is_left_alone(tasks: Tasks, no_name: Any, state: str) -> None:
    edge = {"id": EDGE, "hostports": ["a:1"], "routes": [{"id": no_name, **KEY, "compression": {"enabled": True}}]}
    declared = {"absent_modules": ["compression"], "description": "new"}
    with scripted_service(serving({f"/edges/https/{EDGE}": edge})) as service:
        result = failed(tasks, service, "https_edge_route", edge_id=EDGE, **KEY, **declared, state=state)
    assert service.writes() == []
    assert result["operations"] == []


EMPTY_SETS = [
    ("event_sources", {"subscription_id": SUBSCRIPTION, "types": [], "purge": True}),
    ("estate", {"event_subscriptions": [{"subscription_id": SUBSCRIPTION, "sources": []}], "purge": ["sources"]}),
]


def purged(tasks: Tasks, module: str, options: dict[str, Any], no_name: Any) -> tuple[list[str], dict[str, Any]]:
    """What is written where a listed source has such a type, next to another one, and the result."""
    listed = {"sources": [{"type": no_name}, {"type": "domain_created.v0"}], "uri": None}
    with scripted_service(serving({f"/event_subscriptions/{SUBSCRIPTION}/sources": listed})) as service:
        result = failed(tasks, service, module, **options, allow_empty=True)
    return service.writes(), result


@pytest.mark.parametrize("no_name", [name for name in NO_NAMES if name and isinstance(name, str)], ids=repr)
@pytest.mark.parametrize(("module", "options"), EMPTY_SETS)
def test_an_event_source_that_has_no_usable_type_is_not_purged(
    tasks: Tasks, module: str, options: dict[str, Any], no_name: Any
) -> None:
    writes, result = purged(tasks, module, options, no_name)
    assert writes == [f"DELETE /event_subscriptions/{SUBSCRIPTION}/sources/domain_created.v0"]
    [failure] = result["failures"]
    assert failure["object"].endswith(f"of {SUBSCRIPTION}")
    assert "expected an identifier, got" in failure["msg"]


@pytest.mark.parametrize("no_name", ["", None])
@pytest.mark.parametrize(("module", "options"), EMPTY_SETS)
def test_a_list_with_an_event_source_without_a_type_is_not_believed(
    tasks: Tasks, module: str, options: dict[str, Any], no_name: Any
) -> None:
    writes, result = purged(tasks, module, options, no_name)
    assert writes == []
    assert SUBSCRIPTION in result["msg"]
    assert "sources[0].type: expected the name of an event type, got " in result["msg"]


def test_an_identifier_with_a_slash_stays_one_segment(tasks: Tasks) -> None:
    edge = {"id": EDGE, "hostports": ["a:1"], "routes": [{"id": "../x?y#z%2e", **KEY}]}
    with scripted_service(serving({f"/edges/https/{EDGE}": edge})) as service:
        tasks.done(
            "https_edge_routes", base_url=service.base_url, edge_id=EDGE, routes=[], purge=True, allow_empty=True
        )
    assert service.writes() == [f"DELETE /edges/https/{EDGE}/routes/..%2Fx%3Fy%23z%252e"]
