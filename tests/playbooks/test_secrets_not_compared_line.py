# SPDX-License-Identifier: GPL-3.0-or-later
"""A rotation that did nothing does not look like success: the line of the task says that secrets were not compared."""

from __future__ import annotations

import pytest

from playbook_run import Ansible

TASKS = """
- name: Rotate in a route
  edgeops.ingress.https_edge_route: &route
    edge_id: edghts_line
    match_type: path_prefix
    match: /
    webhook_verification: {provider: slack, secret: new words}
- name: Rotate in a set
  edgeops.ingress.https_edge_routes:
    edge_id: edghts_line
    routes: [{match_type: path_prefix, match: /, webhook_verification: {provider: slack, secret: new words}}]
- name: Send in a route
  edgeops.ingress.https_edge_route:
    <<: *route
    update_secrets: always
"""
ONE = (
    "https_edge_route: 1 secret was not compared, because the service does not return it. To send it, set "
    "`update_secrets: always`."
)


@pytest.mark.parametrize("check", [[], ["--check"]], ids=["real", "check"])
def test_the_line_of_a_task_says_what_was_not_compared(ansible: Ansible, check: list[str]) -> None:
    route = {"match_type": "path_prefix", "match": "/", "webhook_verification": {"provider": "slack", "secret": "old"}}
    ansible.service.seed(https_edges=[{"id": "edghts_line", "hostports": ["line.example.com:443"], "routes": [route]}])
    ansible.service.switches(secrets="left_out")
    run = ansible.tasks(TASKS, *check)
    assert run.code == 0, run.output
    assert f"Rotate in a route [localhost]: {ONE}" in run.output
    assert "1 unchanged, 1 secret not compared (to send it, set `update_secrets: always`)" in run.output
    assert run.output.count("not compared") == len(["in a route", "in a set"])
