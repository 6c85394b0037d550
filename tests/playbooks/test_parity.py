# SPDX-License-Identifier: GPL-3.0-or-later
"""A task has the same result, and sends the same requests, whether it runs in the worker or in a process of its own."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from playbook_run import IN_PROCESS_OF_ITS_OWN, IN_WORKER, Ansible, Run
from reference_service_process import ReferenceService
from scripted_service import Received, Response, forwarding, scripted_service
from vaulted import VAULT_PASSWORD, encrypted

pytestmark = pytest.mark.every_core

CASES = Path(__file__).with_name("parity.yml")
"""Tasks of which each finds what those before it left. What modules decide is tested without Ansible."""

SEED = {
    "https_edges": [
        {
            "id": "edghts_seeded",
            "hostports": ["seeded.example.com:443"],
            "routes": [{"id": "edghtsrt_seeded", "match_type": "path_prefix", "match": "/"}],
        },
    ],
    "tls_edges": [{"id": "edgtls_seeded"}],
    "event_subscriptions": [{"id": "esb_seeded", "sources": ["http_request_complete.v0"]}],
}

MADE_UP = re.compile(r"\b(?:[a-z]+_[A-Za-z0-9]{26}|[0-9a-f]{32})\b")
"""The identifiers that the service makes up, of objects and of operations, and the digests of plans about them."""

TIME = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")

ACCEPTED = {
    "ansible_facts": "Ansible looks for the Python that ordinary modules run with, and notes which it found",
}
"""Keys of the results of ordinary modules that the others don't have, with the reason."""

DIGEST = "9d4d515ac02f89d1d01d2902ef05fa2c"
"""Of the plan of the case `An estate`. A run on another core must have the same one."""

VAULTED = {"vaulted_text": "from the vault: {{ as it is }}", "vaulted_secret": "secret-from-the-vault"}


@dataclass(frozen=True)
class World:
    """What came of the cases. `results` are the cases' names and results, `requests` what the service got."""

    results: list[tuple[str, str]]
    requests: list[str]
    run: Run


def test_both_ways_to_run_a_task_have_the_same_results(service: ReferenceService, tmp_path: Path) -> None:
    forward = forwarding(service.base_url)

    def disagree(request: Received) -> Response:
        response = forward(request)
        return Response(response.status, response.body.replace(b'"1.3"', b'"1.1"'), response.headers)

    with scripted_service(disagree) as disagreeing:
        ansible = Ansible(tmp_path, service)
        url = {"disagreeing_url": disagreeing.base_url}
        in_worker, in_process = (world(ansible, {**url, "ansible_edgeops_in_process": way}) for way in (True, False))

    assert {way.way for way in in_worker.run.ways()} == {IN_WORKER}
    assert {way.way for way in in_process.run.ways()} == {IN_PROCESS_OF_ITS_OWN}
    assert len(in_worker.run.ways()) == len(in_process.run.ways())
    assert without_chance(in_worker.requests) == without_chance(in_process.requests)
    assert [each for each in zip(in_worker.results, in_process.results, strict=True) if each[0] != each[1]] == []
    assert in_worker.run.result("An estate")["plan_digest"] == DIGEST


def world(ansible: Ansible, variables: dict[str, Any]) -> World:
    ansible.service.reset()
    ansible.service.seed(**SEED)
    password = ansible.folder / "vault_password"
    password.write_text(VAULT_PASSWORD, encoding="utf-8")
    vaulted = "".join(f"{name}: !vault |\n{indent(encrypted(text), '  ')}" for name, text in VAULTED.items())
    (ansible.folder / "vaulted.yml").write_text(vaulted, encoding="utf-8")
    run = ansible.tasks(
        CASES.read_text(encoding="utf-8"),
        *("-vvvv", "--vault-password-file", str(password), "--extra-vars", json.dumps(variables)),
        play={"vars_files": ["vaulted.yml"], "ignore_errors": True},
        environment={"ANSIBLE_INJECT_INVOCATION": "true"},
    )
    assert run.code == 0, run.output
    made_up = MadeUp()
    results = []
    for record in run.records:
        result = {key: value for key, value in record["result"].items() if key not in ACCEPTED}
        results.append((record["task"], made_up.numbered(json.dumps({**record, "result": result}, sort_keys=True))))
    requests = [
        made_up.numbered(json.dumps([request[key] for key in ("method", "path", "query", "body", "status")]))
        for request in ansible.service.journal()
    ]
    return World(results, requests, run)


class MadeUp:
    """Numbers what the service made up, each in the order in which it is first seen."""

    def __init__(self) -> None:
        self._numbers: dict[str, str] = {}

    def numbered(self, text: str) -> str:
        timeless = TIME.sub("<time>", text)
        return MADE_UP.sub(lambda found: self._numbers.setdefault(found[0], f"<{len(self._numbers)}>"), timeless)


def without_chance(requests: list[str]) -> list[str]:
    """The requests, with the reads between two writes in one order, because a task can read several lists at a time."""
    runs = groupby(requests, key=lambda request: request.startswith('["GET"'))
    return [request for is_read, run in runs for request in (sorted(run) if is_read else run)]
