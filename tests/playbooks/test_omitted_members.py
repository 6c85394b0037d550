# SPDX-License-Identifier: GPL-3.0-or-later
"""A member of a list that is omitted: Ansible drops it since 2.19, and a login for everyone must not come of that."""

from __future__ import annotations

import pytest

from playbook_run import Ansible

pytestmark = pytest.mark.every_core

TASKS = """
- name: a login for a group
  edgeops.ingress.https_edge_route:
    edge_id: edghts_one
    match_type: path_prefix
    match: /
    saml: {idp_metadata: <x/>, authorized_groups: ["{{ group_of_nobody | default(omit) }}"]}
  ignore_errors: true
"""


def test_a_login_for_an_omitted_group(ansible: Ansible) -> None:
    ansible.service.seed(https_edges=[{"id": "edghts_one", "hostports": ["one.example.com:443"]}])
    connection = {"ingress_base_url": ansible.service.base_url, "ingress_api_key": ansible.service.api_key}
    run = ansible.tasks(TASKS, play={"vars": connection})
    message = run.result("a login for a group")["msg"]
    assert "saml.authorized_groups: it is empty" in message or "saml.authorized_groups[0]: `omit` is not" in message
    assert ansible.service.state()["https_edges"][0]["routes"] == []
