# SPDX-License-Identifier: GPL-3.0-or-later
"""A loop over an edge without its ID lists the edges once."""

from __future__ import annotations

import pytest

from playbook_run import Ansible

pytestmark = pytest.mark.every_core

LOOP = """
- name: Create the edge
  edgeops.ingress.https_edge:
    hostports: ["shop.example.com:443"]
  register: shop
- name: Add routes
  edgeops.ingress.https_edge_route:
    edge: {edge}
    match_type: path_prefix
    match: "{{{{ item }}}}"
  loop: [/a, /b, /c]
"""


@pytest.mark.parametrize("check", [[], ["--check"]], ids=["real", "check"])
@pytest.mark.parametrize("edge", ['"{{ shop.https_edge }}"', "shop.example.com:443"], ids=["returned", "hostport"])
def test_a_loop_shares_a_list(ansible: Ansible, edge: str, check: list[str]) -> None:
    if "{" not in edge:
        ansible.service.seed(https_edges=[{"hostports": ["shop.example.com:443"]}])
    run = ansible.tasks(LOOP.format(edge=edge), *check)
    assert run.output.count("=> (item=") == 3, run.output
    lists = [one for one in ansible.service.journal() if one["path"] == "/edges/https" and one["method"] == "GET"]
    assert len(lists) == (1 if "{" in edge else 2)
