# SPDX-License-Identifier: GPL-3.0-or-later
"""How many requests a task sends, and what is in them: sections 4, 5, and 9 of the API reference."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import reference_fields
from ansible_collections.edgeops.ingress.plugins.module_utils._model.masking import Masks
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.connection import Connection
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.exchange import Transport
from module_task import Given, Tasks
from places import SUBSCRIPTION
from rich_world import BARE_WORLD, CHANGED_WORLD, FIRST_WORLD, SEED
from scripted_service import as_json, in_turn

# Section 4 of the API reference: what a request body may hold.
ALLOWED = {
    "/edges/https": {"hostports", *reference_fields.EDGE_ITSELF, *reference_fields.EDGE},
    "/routes": {"match_type", "match", *reference_fields.ROUTE_ITSELF, *reference_fields.ROUTE},
    **{f"/{name}": set(fields) for name, fields in reference_fields.TLS_EDGE.items()},
    "/sources": {"type"},
}
MODULE_FIELDS = {**reference_fields.EDGE, **reference_fields.ROUTE}


@pytest.fixture
def everything_sent(tasks: Tasks) -> list[Given]:
    """All requests of the tasks that create, change, and delete the rich world."""
    tasks.service.seed(**SEED)
    return [
        request
        for world in (FIRST_WORLD, CHANGED_WORLD, BARE_WORLD)
        for module, options in world
        for request in tasks.done(module, **options)["sent"]
    ]


def test_only_writes_have_a_body_with_fields_of_the_api_reference_alone(everything_sent: list[Given]) -> None:
    assert len(everything_sent) > 24
    for request in everything_sent:
        has_body, body = request["method"] in ("POST", "PUT", "PATCH"), request["body"] or {}
        assert (request["body"] is not None) == has_body
        assert request["headers"].get("content-type") == ("application/json" if has_body else None)
        assert request["query"] == ""
        allowed = next((ALLOWED[name] for name in reversed(ALLOWED) if name in request["path"]), set())
        assert set(body) <= allowed, request["path"]
        for name, value in body.items():
            if isinstance(value, dict):
                assert set(value) <= set(MODULE_FIELDS[name]), (request["path"], name)
                assert None not in value.values()


def test_every_request_is_authenticated_and_says_its_version(
    tasks: Tasks, everything_sent: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for request in everything_sent:
        assert request["headers"]["authorization"] == f"Bearer {tasks.service.api_key}"
        assert request["headers"]["svc-version"] == "2"
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login someone password else\n", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    options = {"version_header": "Brand-Version", "api_version": "3"}
    [request] = tasks.done("tunnel_info", instead=in_turn(as_json({"tunnels": []})), **options)["received"]
    assert (request.path, request.headers["Authorization"]) == ("/tunnels", f"Bearer {tasks.service.api_key}")
    assert (request.headers["Brand-Version"], "Svc-Version" in request.headers) == ("3", False)


def test_no_process_gets_the_response_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ansible's workers are forked from a process that may have made requests, as an inventory or a lookup does."""
    connection, sessions = Connection(base_url="http://127.0.0.1:9", api_key="ak_of_nobody"), []
    for process in (1, 1, 2):
        monkeypatch.setattr("os.getpid", lambda process=process: process)
        sessions.append(Transport(connection, Masks(list))._session)
    assert [one is sessions[0] for one in sessions] == [True, True, False]


def test_parts_of_a_path_are_quoted(tasks: Tasks) -> None:
    options = {"subscription_id": SUBSCRIPTION, "type": "/../x?y#z%", "allow_unknown_type": True, "state": "absent"}
    [request] = tasks.done("event_source", **options)["sent"]
    assert request["path"] == f"/event_subscriptions/{SUBSCRIPTION}/sources/%2F..%2Fx%3Fy%23z%25"
