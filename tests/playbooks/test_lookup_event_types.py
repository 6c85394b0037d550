# SPDX-License-Identifier: GPL-3.0-or-later
"""The lookup of event types in playbooks: its examples, and unknown names."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.lookup.event_types import EXAMPLES
from playbook_run import COLLECTION, Ansible
from reference_service_process import ReferenceService

pytestmark = pytest.mark.every_core

SUBSCRIPTION = "esb_2fQmJ8sYv1"


@pytest.fixture
def results(ansible: Ansible) -> list[dict[str, Any]]:
    """Return the results of the examples, in order."""
    ansible.service.seed(event_subscriptions=[{"id": SUBSCRIPTION, "sources": []}])
    run = ansible.tasks(EXAMPLES, play={"module_defaults": {f"group/{COLLECTION}.all": ansible.connection}})
    assert run.code == 0, run.output
    return [record["result"] for record in run.records]


def test_the_documented_examples_return_the_documented_event_types(
    results: list[dict[str, Any]], service: ReferenceService
) -> None:
    policies = [f"ip_policy_{happening}.v0" for happening in ("created", "updated", "deleted")]
    assert results[0]["changed"]
    assert sorted(service.state()["event_subscriptions"][0]["sources"]) == sorted(policies)
    assert len(results[1]["msg"]) == 15
    assert all(name.endswith("_deleted.v0") for name in results[1]["msg"])
    assert results[2]["msg"] == ["conn.client_ip", "conn.server_ip", "conn.server_name", "conn.server_port"]


WRONG = {
    "a pattern without matches": (
        "query('edgeops.ingress.event_types', 'ip_polcy_*')",
        "_terms: 'ip_polcy_*' matches no event type; did you mean `ip_policy_",
    ),
    "an option with a typing error": (
        "query('edgeops.ingress.event_types', familly='audit')",
        "familly: unknown option; did you mean `family`?",
    ),
    "a boolean with a typing error": (
        "query('edgeops.ingress.event_types', fields='ture')",
        "fields: 'ture' is not a boolean; expected true or false",
    ),
    "an empty list": ("query('edgeops.ingress.event_types', [])", "_terms[0]: the list is empty"),
    "a number": (
        "query('edgeops.ingress.event_types', 5)",
        "_terms[0]: expected the name of an event type or a pattern",
    ),
    # Ansible's own error, which begins in another way with each ansible-core.
    "an unknown family": ("query('edgeops.ingress.event_types', family='audits')", "nvalid value 'audits'"),
}


def test_invalid_terms_and_options_and_a_list_as_one_term(ansible: Ansible) -> None:
    tasks = "".join(
        f'- name: {name}\n  ansible.builtin.debug:\n    msg: "{{{{ {expression} }}}}"\n  ignore_errors: true\n'
        for name, (expression, _message) in WRONG.items()
    )
    listed = "{{ query('edgeops.ingress.event_types', ['domain_*', 'ip_policy_created.v0'], family='audit') | length }}"
    run = ansible.tasks(f'{tasks}- name: listed\n  ansible.builtin.debug:\n    msg: "{listed}"\n')
    for name, (_expression, message) in WRONG.items():
        assert run.of(name)["failed"]
        assert message in str(run.result(name)["msg"]).replace('"', "'")
    assert str(run.result("listed")["msg"]) == "4"


def test_unknown_names_are_errors_with_suggestions(ansible: Ansible) -> None:
    expression = "{{ query('edgeops.ingress.event_types', 'ip_policy_create.v0', resource='domains') }}"
    run = ansible.tasks(f'- ansible.builtin.debug:\n    msg: "{expression}"\n')
    assert run.code != 0
    for part in (
        "_terms: unknown event type 'ip_policy_create.v0'",
        "ip_policy_created.v0",
        "resource: unknown resource 'domains'",
    ):
        assert part in run.output
