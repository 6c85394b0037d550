# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
name: declaration_yaml
short_description: Write a declaration as YAML in which no string is a template
version_added: 1.1.0
author:
  - edgeops.ingress contributors (@edgeops)
description:
  - Writes what M(edgeops.ingress.estate_info) and other modules return as YAML for a variables file.
  - Whoever can change an object of the service decides what its description says. If that is a template, which can run
    any command by a lookup, and P(ansible.builtin.to_nice_yaml#filter) writes it to a variables file, Ansible
    evaluates it on the controller, even in check mode.
  - In the YAML of this filter, every string that could be taken for a template has the tag C(!unsafe), and is read as
    the same string. All other strings are written as plainly as YAML allows.
  - Values that are encrypted with C(ansible-vault) stay encrypted. Before ansible-core 2.19, that holds only if no
    other template comes in between, because Ansible decrypts values there.
positional: _input
options:
  _input:
    description: The value to write.
    type: raw
    required: true
notes:
  - Ansible reads the tag C(!unsafe) in playbooks, variables files and inventories. Other programs may have to be told
    about it.
seealso:
  - module: edgeops.ingress.estate_info
  - plugin: ansible.builtin.to_nice_yaml
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Read the account
  edgeops.ingress.estate_info:
  register: live

- name: Write it to variables of the role edgeops.ingress.estate
  ansible.builtin.copy:
    dest: "{{ playbook_dir }}/estate.yml"
    mode: "0600"
    content: "{{ declared | edgeops.ingress.declaration_yaml }}"
  vars:
    declared:
      estate_https_edges: "{{ live.estate.https_edges }}"
"""

RETURN = r"""
_value:
  description: The value as YAML, with a line break at the end.
  type: str
"""

from collections.abc import Callable
from typing import Any

from ansible.errors import AnsibleFilterError

from ansible_collections.edgeops.ingress.plugins.plugin_utils._encrypted import ciphertext_of
from ansible_collections.edgeops.ingress.plugins.plugin_utils._trust import untrusted
from ansible_collections.edgeops.ingress.plugins.plugin_utils._yaml_text import yaml_text


def declaration_yaml(value: Any) -> Any:
    try:
        return untrusted(yaml_text(value, ciphertext_of))
    except ValueError as error:
        raise AnsibleFilterError(f"declaration_yaml: {error}") from None


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"declaration_yaml": declaration_yaml}
