# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets are only in the requests, and in nothing that Ansible prints, hands on, or keeps."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from playbook_run import COLLECTION, IN_PROCESS_OF_ITS_OWN, IN_WORKER
from reference_service_process import API_KEY, ReferenceService
from secret_canaries import CANARIES, NEVER_SENT, TASKS, prepared, sent, shown

pytestmark = pytest.mark.every_core


@pytest.mark.parametrize("way", [IN_WORKER, pytest.param(IN_PROCESS_OF_ITS_OWN, marks=pytest.mark.long(cores=0))])
def test_secrets_are_in_nothing_printed_or_returned(way: str, service: ReferenceService, tmp_path: Path) -> None:
    ansible = prepared(service, tmp_path)
    variables = [f"@{ansible.folder / 'variables.json'}", json.dumps({"ansible_edgeops_in_process": way == IN_WORKER})]

    run = ansible.done(
        TASKS,
        *("-vvvv", "--diff", *(part for one in variables for part in ("--extra-vars", one))),
        play={"module_defaults": {f"group/{COLLECTION}.all": {"base_url": service.base_url}}, "ignore_errors": True},
        environment={
            "INGRESS_API_KEY": API_KEY,
            "ANSIBLE_INJECT_INVOCATION": "true",
            "ANSIBLE_PIPELINING": "false",
            "ANSIBLE_LOG_PATH": str(ansible.folder / "ansible.log"),
            # What Ansible itself debugs of a process is how it is started, with its arguments.
            "ANSIBLE_DEBUG": str(way == IN_WORKER),
        },
    )

    assert {found.way for found in run.ways()} == {way}
    assert all("invocation" in record["result"] for record in run.records if record["action"].startswith(COLLECTION))
    assert "The request was" in run.output
    assert set(sent(service)) == {*CANARIES.values(), API_KEY} - {CANARIES[name] for name in NEVER_SENT}
    log = (ansible.folder / "ansible.log").read_text(encoding="utf-8")
    assert shown({"output": run.output, "results": json.dumps(run.records), "log": log}) == []


@pytest.mark.skipif(
    find_spec("ansible.module_utils.secrets") is None,
    reason="before ansible-core 2.22, Ansible prints the lines of a playbook as they are",
)
@pytest.mark.parametrize("way", [IN_WORKER, IN_PROCESS_OF_ITS_OWN])
def test_ansible_knows_the_secrets_in_a_body(way: str, service: ReferenceService, tmp_path: Path) -> None:
    run = prepared(service, tmp_path).tasks(
        """
        - edgeops.ingress.api: {method: PUT, path: /nowhere, body: [{secret: canary-in-a-playbook}, {secret: at}]}
          name: Rejected
        """,
        *("--extra-vars", json.dumps({"ansible_edgeops_in_process": way == IN_WORKER})),
    )
    assert run.of("Rejected")["failed"]
    assert "body: [{secret: $REDACTED$}" in run.output
    assert "canary-in-a-playbook" not in run.output
    # A short one is masked where we know it to be one; Ansible would mask it inside of words, for the rest of the run.
    assert "fatal: " in run.output
