# SPDX-License-Identifier: GPL-3.0-or-later
"""A service that quotes what it was sent, in any way of writing it: nothing of that is shown, kept or handed on."""

from __future__ import annotations

import json

import pytest

from playbook_run import COLLECTION, IN_PROCESS_OF_ITS_OWN, IN_WORKER, Ansible
from reference_service_process import API_KEY, ReferenceService
from scripted_service import Received, Response, Script, as_json, forwarding, scripted_service
from spellings import SPELLINGS

pytestmark = pytest.mark.every_core

SECRETS = ('canary "\u00e9\u20ac" / \\ & 100 %', "canary-two")
MISSPELT = "canary-misspelt"
# Tests without Ansible try where and how else a secret is quoted.
QUOTED, BUSY = (
    " ".join(spell(text) for spell in SPELLINGS.values() for text in secrets)[:1950]
    for secrets in ((API_KEY, *SECRETS), (API_KEY, SECRETS[0]))
)

TASKS = """
- name: Busy
  edgeops.ingress.https_edge_route:
    edge_id: edghts_canary
    match_type: exact_path
    match: /busy
    webhook_verification: {provider: slack, secret: "{{ secrets[0] }}"}
- name: Rejected
  edgeops.ingress.https_edge_route:
    edge_id: edghts_canary
    match_type: exact_path
    match: /rejected
    oidc: {issuer: https://id.example.com, client_id: "{{ secrets[1] }}", client_secret: "{{ secrets[0] }}"}
    webhook_verification: {provider: slack, secret: "{{ secrets[1] }}"}
- name: Misspelt
  edgeops.ingress.https_edge_route:
    edge_id: edghts_canary
    match_type: exact_path
    match: /
    api_kye: "{{ misspelt }}"
    oidc: {client_secert: "{{ misspelt }}"}
    secret: "{{ misspelt }}"
- name: Short
  edgeops.ingress.https_edge_route:
    edge_id: edghts_canary
    match_type: exact_path
    match: /short
    webhook_verification: {provider: slack, secret: "a"}
  register: short
- name: What is left of it
  ansible.builtin.assert: {that: ["'a secret' not in short.msg", "'is not good at all' in short.msg"]}
"""


def quoting(service: ReferenceService) -> Script:
    forward, busy = forwarding(service.base_url), list[Received]()

    def response(request: Received) -> Response:
        match = json.loads(request.body or b"{}").get("match")
        if match == "/busy" and not busy:
            busy.append(request)
            return as_json({"msg": BUSY}, 429, Retry_After="6")
        if match == "/rejected":
            return as_json({"error_code": QUOTED, "msg": QUOTED, "details": {"operation_id": QUOTED}}, 400)
        return as_json({"msg": "a secret of 'a' is not good at all"}, 400) if match == "/short" else forward(request)

    return response


@pytest.mark.parametrize("way", [IN_WORKER, pytest.param(IN_PROCESS_OF_ITS_OWN, marks=pytest.mark.long(cores=0))])
def test_what_a_service_quotes_is_shown_nowhere(way: str, ansible: Ansible) -> None:
    ansible.service.seed(https_edges=[{"id": "edghts_canary", "hostports": ["quoting.example.com:443"]}])
    variables = {"ansible_edgeops_in_process": way == IN_WORKER, "secrets": SECRETS, "misspelt": MISSPELT}
    (ansible.folder / "variables.json").write_text(json.dumps(variables), encoding="utf-8")
    with scripted_service(quoting(ansible.service)) as quoter:
        run = ansible.tasks(
            TASKS,
            *("-vvvv", "--diff", "--extra-vars", "@variables.json"),
            play={
                "module_defaults": {f"group/{COLLECTION}.all": {"base_url": quoter.base_url}},
                "ignore_errors": True,
            },
            environment={
                "INGRESS_API_KEY": API_KEY,
                "ANSIBLE_INJECT_INVOCATION": "true",
                "ANSIBLE_LOG_PATH": str(ansible.folder / "ansible.log"),
            },
        )

    assert run.code == 0, run.output
    assert {found.way for found in run.ways()} == {way}
    busy = run.result("Busy")
    assert busy["changed"]
    assert "429" in busy["warnings"][0]
    assert "********" in busy["warnings"][0]
    log = (ansible.folder / "ansible.log").read_text(encoding="utf-8")
    assert way != IN_WORKER or ("waiting" in log and "waiting" in run.output)
    assert run.result("Rejected")["error"]["status"] == 400
    # From ansible-core 2.22 on, Ansible masks the same secret once more in what it prints, inside of words, too.
    assert not run.of("What is left of it")["failed"], run.output
    assert all("invocation" in result for result in (busy, run.result("Misspelt")))
    shown = {"output": run.output, "results": json.dumps(run.records), "log": log}
    assert leaks(shown) == []


def leaks(shown: dict[str, str]) -> list[tuple[str, str, str]]:
    """What each of these strings shows of a secret, with what stands around it."""
    parts = {"canary \\", 'canary "', "canary-", API_KEY}
    parts |= {spell(secret) for spell in SPELLINGS.values() for secret in (*SECRETS, API_KEY)}
    parts |= {json.dumps(part)[1:-1] for part in parts}
    return [
        (name, part, text[max(0, text.index(part) - 300) : text.index(part) + 100])
        for name, text in shown.items()
        for part in sorted(parts)
        if part in text
    ]
