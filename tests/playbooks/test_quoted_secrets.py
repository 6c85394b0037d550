# SPDX-License-Identifier: GPL-3.0-or-later
"""A service that quotes what it was sent, in any way of writing it: nothing of that is shown, kept or handed on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from playbook_run import COLLECTION, IN_PROCESS_OF_ITS_OWN, IN_WORKER, Ansible
from reference_service_process import API_KEY, ReferenceService
from scripted_service import Received, Response, as_json, forwarding, scripted_service
from spellings import SPELLINGS

pytestmark = pytest.mark.every_core

SECRETS = ('canary "\u00e9\u20ac" / \\ & 100 %', "canary-two")
MISSPELT = "canary-misspelt"
QUOTES = {
    # The cut at 2,000 characters is in the middle of one.
    str(number): [f"{'x' * (1990 - number)}{spell(SECRETS[0])}", *(spell(text) for text in (API_KEY, *SECRETS))]
    for number, spell in enumerate(SPELLINGS.values())
}

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
    oidc: {issuer: "{{ item }}", client_id: "{{ secrets[1] }}", client_secret: "{{ secrets[0] }}"}
    webhook_verification: {provider: slack, secret: "{{ secrets[1] }}"}
  loop: "{{ numbers }}"
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


def quoting(service: ReferenceService) -> object:
    forward = forwarding(service.base_url)
    busy: list[Received] = []

    def response(request: Received) -> Response:
        body = json.loads(request.body or b"{}")
        if body.get("match") == "/busy" and not busy:
            busy.append(request)
            return as_json(
                {"msg": " ".join(part for each in QUOTES.values() for part in each[1:3])}, 429, Retry_After="6"
            )
        if body.get("match") == "/rejected":
            parts = QUOTES[body["oidc"]["issuer"]]
            said = {"error_code": parts[2], "msg": " ".join(parts), "details": {"operation_id": parts[3]}}
            return as_json(said, 400)
        if body.get("match") == "/short":
            return as_json({"msg": "a secret of 'a' is not good at all"}, 400)
        return forward(request)

    return response


@pytest.mark.parametrize("way", [IN_WORKER, pytest.param(IN_PROCESS_OF_ITS_OWN, marks=pytest.mark.long(cores=0))])
def test_what_a_service_quotes_is_shown_nowhere(way: str, service: ReferenceService, tmp_path: Path) -> None:
    service.reset()
    service.seed(https_edges=[{"id": "edghts_canary", "hostports": ["quoting.example.com:443"]}])
    ansible = Ansible(tmp_path, service)
    numbers = [*QUOTES] if way == IN_WORKER else [*QUOTES][::8]
    variables = {
        "ansible_edgeops_in_process": way == IN_WORKER,
        "secrets": SECRETS,
        "numbers": numbers,
        "misspelt": MISSPELT,
    }
    (tmp_path / "variables.json").write_text(json.dumps(variables), encoding="utf-8")
    with scripted_service(quoting(service)) as quoter:  # type: ignore[arg-type]
        defaults = {f"group/{COLLECTION}.all": {"base_url": quoter.base_url}}
        run = ansible.tasks(
            TASKS,
            *("-vvvv", "--diff", "--extra-vars", f"@{tmp_path / 'variables.json'}"),
            play={"module_defaults": defaults, "ignore_errors": True},
            environment={
                "INGRESS_API_KEY": API_KEY,
                "ANSIBLE_INJECT_INVOCATION": "true",
                "ANSIBLE_LOG_PATH": str(tmp_path / "ansible.log"),
            },
        )

    assert run.code == 0, run.output
    assert {found.way for found in run.ways()} == {way}
    # The longest message is all there but for the secrets.
    busy = run.result("Busy")
    assert busy["changed"]
    assert "429" in busy["warnings"][0]
    assert "********" in busy["warnings"][0]
    log = (tmp_path / "ansible.log").read_text(encoding="utf-8")
    if way == IN_WORKER:
        assert "waiting" in log
        assert "waiting" in run.output
    assert [item["error"]["status"] for item in run.result("Rejected")["results"]] == [400] * len(numbers)
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
