# SPDX-License-Identifier: GPL-3.0-or-later
"""What is around requests. Fields, bodies, queries, keys, and versions are checked by the reference service."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._model.masking import Masks
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.connection import Connection
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.exchange import Transport
from module_task import Tasks
from places import SUBSCRIPTION
from scripted_service import as_json, in_turn


def test_the_key_and_the_version_are_those_of_the_options(
    tasks: Tasks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login someone password else\n", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    options = {"version_header": "Brand-Version", "api_version": "3"}
    [request] = tasks.done("tunnel_info", instead=in_turn(as_json({"tunnels": []})), **options)["received"]
    assert (request.path, request.headers["Authorization"]) == ("/tunnels", f"Bearer {tasks.service.api_key}")
    assert request.headers["Brand-Version"] == "3"
    assert not {"Svc-Version", "Content-Type"} & set(request.headers)


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
