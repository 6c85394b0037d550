# SPDX-License-Identifier: GPL-3.0-or-later
"""The lookup of events as playbooks use it: its examples as they stand, and names that nothing has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.lookup.event_types import EXAMPLES
from playbook_run import COLLECTION, Ansible
from reference_service_process import ReferenceService

pytestmark = pytest.mark.every_core

SUBSCRIPTION = "esb_2fQmJ8sYv1"


@pytest.fixture
def results(service: ReferenceService, tmp_path: Path) -> list[dict[str, Any]]:
    """What the examples come to, one after the other."""
    service.reset()
    service.seed(event_subscriptions=[{"id": SUBSCRIPTION, "sources": []}])
    ansible = Ansible(tmp_path, service)
    run = ansible.tasks(EXAMPLES, play={"module_defaults": {f"group/{COLLECTION}.all": ansible.connection}})
    assert run.code == 0, run.output
    return [record["result"] for record in run.records]


def test_the_examples(results: list[dict[str, Any]], service: ReferenceService) -> None:
    policies = [f"ip_policy_{happening}.v0" for happening in ("created", "updated", "deleted")]
    assert results[0]["changed"]
    assert sorted(service.state()["event_subscriptions"][0]["sources"]) == sorted(policies)
    assert len(results[1]["msg"]) == 15
    assert all(name.endswith("_deleted.v0") for name in results[1]["msg"])
    assert results[2]["msg"] == ["conn.client_ip", "conn.server_ip", "conn.server_name", "conn.server_port"]


REFUSED = {
    "a pattern that nothing matches": (
        "query('edgeops.ingress.event_types', 'ip_polcy_*')",
        "_terms: 'ip_polcy_*' matches no event of the catalogue; near to it are ip_policy_",
    ),
    "an option with a typing error": (
        "query('edgeops.ingress.event_types', familly='audit')",
        "familly: the lookup has no such option; near to it are family",
    ),
    "a boolean with a typing error": (
        "query('edgeops.ingress.event_types', fields='ture')",
        "fields: 'ture' is not a boolean; expected true or false",
    ),
    "an empty list": ("query('edgeops.ingress.event_types', [])", "_terms[0]: the list is empty"),
    "a number": ("query('edgeops.ingress.event_types', 5)", "_terms[0]: expected the name of an event or a pattern"),
    "an unknown family": ("query('edgeops.ingress.event_types', family='audits')", "audits"),
}


def test_what_is_refused_and_a_list_as_one_term(service: ReferenceService, tmp_path: Path) -> None:
    tasks = "".join(
        f'- name: {name}\n  ansible.builtin.debug:\n    msg: "{{{{ {asked} }}}}"\n  ignore_errors: true\n'
        for name, (asked, _said) in REFUSED.items()
    )
    listed = "{{ query('edgeops.ingress.event_types', ['domain_*', 'ip_policy_created.v0'], family='audit') | length }}"
    run = Ansible(tmp_path, service).tasks(f'{tasks}- name: listed\n  ansible.builtin.debug:\n    msg: "{listed}"\n')
    for name, (_asked, said) in REFUSED.items():
        assert run.of(name)["failed"]
        assert said in str(run.result(name)["msg"])
    assert str(run.result("listed")["msg"]) == "4"


def test_names_that_nothing_has(service: ReferenceService, tmp_path: Path) -> None:
    asked = "{{ query('edgeops.ingress.event_types', 'ip_policy_create.v0', resource='domains') }}"
    run = Ansible(tmp_path, service).tasks(f'- ansible.builtin.debug:\n    msg: "{asked}"\n')
    assert run.code != 0
    for part in ("_terms: 'ip_policy_create.v0' is no event", "ip_policy_created.v0", "resource: 'domains'"):
        assert part in run.output
