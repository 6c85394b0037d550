# SPDX-License-Identifier: GPL-3.0-or-later
"""A secret from a vault stays encrypted in what is written to a file, and is the same secret when that is read."""

from __future__ import annotations

import json

import pytest

from playbook_run import Ansible
from vaulted import VAULT_PASSWORD, encrypted

pytestmark = pytest.mark.every_core

SECRET = "canary {{ of }} the vault"

TASKS = """
- name: Write
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
    that:
      - read.secret == expected
      - read.list[0] == expected
      - read.list[1] == '{' ~ '{ x }}'
"""


def test_encrypted_values_stay_encrypted(ansible: Ansible) -> None:
    (ansible.folder / "password").write_text(VAULT_PASSWORD, encoding="utf-8")
    lines = "".join(f"  {line}\n" for line in encrypted(SECRET).split())
    expected = f"expected: !unsafe {json.dumps(SECRET)}\n"
    (ansible.folder / "variables.yml").write_text(f"{expected}of_the_vault: !vault |\n{lines}", encoding="utf-8")
    vault = ("--vault-password-file", str(ansible.folder / "password"))
    run = ansible.tasks(TASKS, *vault, play={"vars_files": ["variables.yml"]})
    assert run.code == 0, run.output
    written = (ansible.folder / "written.yml").read_text(encoding="utf-8")
    assert "canary" not in written
    assert written.count("$ANSIBLE_VAULT;") == 2
    assert '- !unsafe "{{ x }}"' in written
