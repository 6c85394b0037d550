# SPDX-License-Identifier: GPL-3.0-or-later
"""The filters in templates: what they return is not a template, a secret from a vault stays encrypted, and their errors
are those of the task.
"""

from __future__ import annotations

import json

import pytest

from module_examples import constants_of
from playbook_run import Ansible
from vaulted import VAULT_PASSWORD, encrypted

pytestmark = pytest.mark.every_core

TEMPLATE = "{{ 7 * 7 }} {% if true %}yes{% endif %}"
TEXT = f"{TEMPLATE} | \u202e `a` www.example.com"
SECRET = "canary {{ of }} the vault"
DIGEST = "8f2c41d7a95e03b6c1d4f7082ab35e96"

CHANGE = {"object": TEXT, "kind": "https_edge", "action": "update", "changes": ["description"]}
STATES = {"opens": [], "operations": [], "before": {"description": "a"}, "after": {"description": TEXT}}
RESULT = {"plan": [{**CHANGE, **STATES}], "plan_digest": DIGEST, "summary": {"updated": 1, "unchanged": 54}}
EXAMPLES = constants_of("plan_markdown", "filter")["EXAMPLES"]
TASKS = """
- name: Convert
  ansible.builtin.set_fact:
    markdown: "{{ planned | edgeops.ingress.plan_markdown(limit=5000, title='{' ~ '{ 7 * 7 }}') }}"
- name: Pass on
  ansible.builtin.set_fact: {copied: "{{ markdown }}"}
- name: Write
  ansible.builtin.copy: {dest: "{{ playbook_dir }}/copied.md", mode: "0600", content: "{{ copied }}"}
# Before 2.19, whatever is made from variables without templates is not a template either. This has no variables.
- name: Convert without variables
  ansible.builtin.set_fact:
    heading: "{{ {'plan': []} | edgeops.ingress.plan_markdown(title='{' ~ '{ 7 * 7 }}') }}"
- name: Show the heading
  ansible.builtin.debug: {msg: "{{ heading }}"}
- name: Show pieces
  ansible.builtin.debug: {msg: "{{ planned | edgeops.ingress.plan_markdown(pieces=1000) }}"}
- name: Use a failed task
  ansible.builtin.debug:
    msg: "{{ {'failed': true, 'msg': 'no connection'} | edgeops.ingress.plan_markdown }}"
  ignore_errors: true
- name: Use an undefined variable
  ansible.builtin.debug: {msg: "{{ missing_variable | edgeops.ingress.plan_markdown }}"}
  ignore_errors: true
- name: Write what stays encrypted
  ansible.builtin.copy:
    dest: "{{ playbook_dir }}/written.yml"
    mode: "0600"
    # In one template: before 2.19, Ansible decrypts what goes from one template into another.
    content: >-
      {{ {'read': {'secret': of_the_vault, 'list': [of_the_vault, '{' ~ '{ x }}']}}
         | edgeops.ingress.declaration_yaml }}
- name: Read
  ansible.builtin.include_vars: {file: "{{ playbook_dir }}/written.yml"}
- name: Compare
  ansible.builtin.assert:
    that: [read.secret == expected, "read.list == [expected, '{' ~ '{ x }}']"]
"""


def test_results_are_no_templates_and_encrypted_values_stay_encrypted(ansible: Ansible) -> None:
    planned = json.dumps(RESULT).replace(json.dumps(TEXT), f"!unsafe {json.dumps(TEXT)}")
    vaulted = "".join(f"  {line}\n" for line in encrypted(SECRET).split())
    variables = f"planned: {planned}\nexpected: !unsafe {json.dumps(SECRET)}\nof_the_vault: !vault |\n{vaulted}"
    (ansible.folder / "variables.yml").write_text(variables, encoding="utf-8")
    (ansible.folder / "password").write_text(VAULT_PASSWORD, encoding="utf-8")
    run = ansible.done(TASKS + EXAMPLES, "--vault-password-file", "password", play={"vars_files": ["variables.yml"]})
    copied, plan, written = (
        (ansible.folder / name).read_text(encoding="utf-8") for name in ("copied.md", "plan.md", "written.yml")
    )
    assert copied.startswith("## `{{ 7 * 7 }}`\n\n1 to update, 54 unchanged\n\n" + f"Digest: `{DIGEST}`\n")
    assert f"| update | ``{TEMPLATE} \\| \\u202e `a` www.example.com`` | `description` |\n" in copied
    assert f'+ description: "{TEMPLATE} | \\u202e `a` www.example.com"\n' in copied
    assert run.result("Show the heading")["msg"].startswith("## `{{ 7 * 7 }}`\n")
    [[*_head, line, _end]] = run.result("Show pieces")["msg"]
    assert line == f"~ update {TEMPLATE} | \\u202e `a` www.example.com: description"
    assert "plan_markdown: expected the result of edgeops.ingress.estate" in run.result("Use a failed task")["msg"]
    assert "'missing_variable' is undefined" in run.result("Use an undefined variable")["msg"]
    assert "| create | `https_edge shop.example.com:443` |  |" in plan
    assert "canary" not in written
    assert written.count("$ANSIBLE_VAULT;") == 2
    assert '- !unsafe "{{ x }}"' in written
