# SPDX-License-Identifier: GPL-3.0-or-later
"""A task has the same result, and sends the same requests, whether it runs in the worker or in a process of its own."""

from __future__ import annotations

import json
import re
from itertools import groupby
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from module_examples import SEED
from playbook_run import IN_PROCESS_OF_ITS_OWN, IN_WORKER, Ansible, Run
from reference_service_process import ReferenceService
from scripted_service import Received, Response, forwarding, scripted_service
from vaulted import VAULT_PASSWORD, encrypted

pytestmark = pytest.mark.every_core

CASES = Path(__file__).with_name("parity.yml")
"""Tasks of which each finds what those before it left. What modules decide is tested without Ansible."""

MADE_UP = re.compile(r"\b(?:[a-z]+_[A-Za-z0-9]{26}|[0-9a-f]{32})\b")
"""The identifiers that the service makes up, of objects and of operations, and the digests of plans about them."""

TIME = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")

ACCEPTED = "ansible_facts"
"""Ansible looks for the Python that ordinary modules run with, and notes in their results which it found."""

DIGEST = "9212086821cdec8b272a322ac4bc42ea"
"""Of the plan of the case `An estate`. A run on another core must have the same one."""

VAULTED = {"vaulted_text": "from the vault: {{ as it is }}", "vaulted_secret": "secret-from-the-vault"}


def test_both_ways_to_run_a_task_have_the_same_results(service: ReferenceService, tmp_path: Path) -> None:
    forward = forwarding(service.base_url)

    def disagree(request: Received) -> Response:
        response = forward(request)
        return Response(response.status, response.body.replace(b'"1.3"', b'"1.1"'), response.headers)

    with scripted_service(disagree) as disagreeing:
        ansible = Ansible(tmp_path, service)
        url = {"disagreeing_url": disagreeing.base_url}
        in_worker, in_process = (
            cases_run(ansible, {**url, "ansible_edgeops_in_process": way}) for way in (True, False)
        )

    for (run, *_seen), way in ((in_worker, IN_WORKER), (in_process, IN_PROCESS_OF_ITS_OWN)):
        assert {found.way for found in run.ways()} == {way}
        assert len(run.ways()) == len(in_worker[0].ways())
    assert [pair for pair in zip(in_worker[1], in_process[1], strict=True) if pair[0] != pair[1]] == []
    assert in_worker[2] == in_process[2]
    assert in_worker[0].result("An estate")["plan_digest"] == DIGEST


def cases_run(ansible: Ansible, variables: dict[str, Any]) -> tuple[Run, list[str], list[str]]:
    """A run of the cases, their results, and the requests that the service got."""
    ansible.service.reset()
    ansible.service.seed(**SEED)
    password = ansible.folder / "vault_password"
    password.write_text(VAULT_PASSWORD, encoding="utf-8")
    vaulted = "".join(f"{name}: !vault |\n{indent(encrypted(text), '  ')}" for name, text in VAULTED.items())
    (ansible.folder / "vaulted.yml").write_text(vaulted, encoding="utf-8")
    run = ansible.done(
        CASES.read_text(encoding="utf-8"),
        *("-vvvv", "--vault-password-file", str(password), "--extra-vars", json.dumps(variables)),
        play={"vars_files": ["vaulted.yml"], "ignore_errors": True},
        environment={"ANSIBLE_INJECT_INVOCATION": "true"},
    )
    made_up: dict[str, str] = {}

    def numbered(value: Any) -> str:
        """What the service made up is numbered in the order in which it is first seen."""
        text = TIME.sub("<time>", json.dumps(value, sort_keys=True))
        return MADE_UP.sub(lambda found: made_up.setdefault(found[0], f"<{len(made_up)}>"), text)

    results = [{key: one for key, one in record["result"].items() if key != ACCEPTED} for record in run.records]
    of_cases = [numbered({**record, "result": result}) for record, result in zip(run.records, results, strict=True)]
    requests = [
        numbered([request[key] for key in ("method", "path", "query", "body", "status")])
        for request in ansible.service.journal()
    ]
    # A task can read several lists at a time, so the reads between two writes are sorted.
    runs = groupby(requests, key=lambda request: request.startswith('["GET"'))
    return run, of_cases, [request for is_read, some in runs for request in (sorted(some) if is_read else some)]
