# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan of a real playbook: the same on every core and in both ways of running, shown in a line, and approved."""

from __future__ import annotations

from typing import Any

import pytest

from module_examples import constants_of
from playbook_run import Ansible

pytestmark = pytest.mark.every_core

SEED: dict[str, Any] = {
    "https_edges": [
        {
            "id": "edghts_shop",
            "hostports": ["shop.example.com:443"],
            "description": "The shop, opened 2019",
            "routes": [
                {"id": "edghtsrt_shop", "match_type": "path_prefix", "match": "/", "compression": {"enabled": True}},
                {"id": "edghtsrt_old", "match_type": "exact_path", "match": "/old"},
            ],
        },
        {"id": "edghts_other", "hostports": ["other.example.com:443"]},
    ],
    "tls_edges": [{"id": "edgtls_vpn"}],
    "event_subscriptions": [{"id": "esb_audit", "sources": ["ip_policy_created.v0"]}],
}

DECLARATION = """
    purge: [routes, sources]
    https_edges:
      - hostports: [Shop.example.com:443]
        description: "The shop, \\u00fcberholt"
        metadata: {team: web, since: 2019, ratio: 0.5, open: true, hours: null}
        routes:
          - match_type: path_prefix
            match: /
            circuit_breaker: {error_threshold_percentage: 0.25, tripped_duration: 10}
            policy:
              inbound:
                - expressions: ["req.method == 'PUT'"]
                  actions: [{type: deny, config: {status_code: 405, retry: 1.0}}]
          - match_type: path_prefix
            match: /staff
            oidc: {issuer: "https://login.example.com", client_id: shop, client_secret: words-of-the-staff}
      - hostports: [new.example.com:443]
        routes: []
    tls_edges:
      - edge_id: edgtls_vpn
        ip_restriction: {ip_policy_ids: [ipp_two, ipp_one]}
    event_subscriptions:
      - subscription_id: esb_audit
        sources: [ip_policy_updated.v0]
"""

DIGEST = "aa878a1938973ec2fd3f8c312acfb581"
"""The digest of this declaration on that service. A run on another core, or in another way, must have the same one."""

TASKS = f"""
- name: Preview in the worker
  edgeops.ingress.estate:
{DECLARATION}
  check_mode: true
  register: preview
- name: Preview in a process
  edgeops.ingress.estate:
{DECLARATION}
  check_mode: true
  vars: {{ansible_edgeops_in_process: false}}
- name: Approve another plan
  edgeops.ingress.estate:
    expect_plan: "{{{{ preview.plan_digest | reverse }}}}"
{DECLARATION}
  ignore_errors: true
- name: Approve nothing
  edgeops.ingress.estate:
    expect_plan: "{{{{ none }}}}"
{DECLARATION}
  ignore_errors: true
- name: Apply in a process
  edgeops.ingress.estate:
    expect_plan: "{{{{ preview.plan_digest }}}}"
{DECLARATION}
  vars: {{ansible_edgeops_in_process: false}}
- name: Apply again
  edgeops.ingress.estate:
{DECLARATION}
"""


def test_plan_is_the_same_everywhere_and_only_the_approved_one_is_executed(ansible: Ansible) -> None:
    ansible.service.seed(**SEED)
    run = ansible.tasks(TASKS)
    assert run.code == 0, run.output
    first, second = (run.result(f"Preview in {way}") for way in ("the worker", "a process"))
    assert first["plan"] == second["plan"]
    assert first["undeclared"] == second["undeclared"]
    assert first["plan_digest"] == second["plan_digest"] == DIGEST
    assert run.of("Approve another plan")["failed"]
    assert run.result("Approve another plan")["plan_digest"] == DIGEST
    assert run.of("Approve nothing")["failed"]
    assert "expect_plan" in run.result("Approve nothing")["option_errors"][0]
    applied = run.result("Apply in a process")
    assert applied["plan"] == first["plan"]
    assert len(applied["operations"]) == len(first["operations"])
    assert not run.result("Apply again")["changed"]
    writes = [one for one in ansible.service.journal() if one["method"] not in ("GET", "HEAD")]
    assert len(writes) == len(applied["operations"])
    assert "words-of-the-staff" not in run.output
    planned = "estate: 4 to create, 2 to update, 2 to delete, 2 undeclared"
    done = planned.replace("to create", "created").replace("to update", "updated").replace("to delete", "deleted")
    assert f"Preview in the worker [localhost]: {planned}\n" in run.output
    assert f"Preview in a process [localhost]: {planned}\n" in run.output
    assert f"Apply in a process [localhost]: {done}\n" in run.output
    assert "Apply again [localhost]: estate: 6 unchanged, 2 undeclared\n" in run.output


def test_examples_of_the_filter_run(ansible: Ansible) -> None:
    run = ansible.tasks(constants_of("plan_markdown", "filter")["EXAMPLES"])
    assert run.code == 0, run.output
    assert "| create | `https_edge shop.example.com:443` |  |" in (ansible.folder / "plan.md").read_text(
        encoding="utf-8"
    )
