# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
name: declaration_yaml
short_description: Convert a declaration to YAML in which no string is a template
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description:
  - Converts the results of M(edgeops.ingress.estate_info) and other modules to YAML for a variables file.
  - Anyone who can change an object of the service can set its description to a template, and a template can run any
    command with a lookup. If P(ansible.builtin.to_nice_yaml#filter) writes such a description to a variables file,
    Ansible evaluates it on the control node, even in check mode.
  - This filter adds the tag C(!unsafe) to each string that could be evaluated as a template. Ansible reads it as the
    original string. All other strings are written as plainly as YAML allows.
  - Values that are encrypted with C(ansible-vault) stay encrypted. Before ansible-core 2.19, they stay encrypted only
    if the filter gets them directly, because other templates decrypt them.
positional: _input
options:
  _input:
    description: The value to convert.
    type: raw
    required: true
notes:
  - Ansible supports the tag C(!unsafe) in playbooks, variables files, and inventories. Other programs might need to be
    configured for it.
seealso:
  - module: edgeops.ingress.estate_info
  - plugin: ansible.builtin.to_nice_yaml
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Read the account
  edgeops.ingress.estate_info:
  register: live

- name: Write its edges to a variables file for the role edgeops.ingress.estate
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
  description: The value as YAML, which ends with a line break.
  type: str
"""

from collections.abc import Callable
from typing import Any

from ansible.errors import AnsibleFilterError

import ansible_collections.edgeops.ingress.plugins.plugin_utils._bytecode  # noqa: F401 # pylint: disable=unused-import
from ansible_collections.edgeops.ingress.plugins.plugin_utils._ansible_values import untrusted
from ansible_collections.edgeops.ingress.plugins.plugin_utils._yaml_text import yaml_text

try:
    from ansible.parsing.vault import VaultHelper
except ImportError:  # before 2.19
    VaultHelper = None


def declaration_yaml(value: Any) -> Any:
    try:
        return untrusted(yaml_text(value, _ciphertext_of))
    except ValueError as error:
        raise AnsibleFilterError(f"declaration_yaml: {error}") from None


def _ciphertext_of(value: Any) -> str | None:
    """Return the ciphertext of an encrypted value, or None if the value is not encrypted."""
    if VaultHelper is not None:
        found = VaultHelper.get_ciphertext(value, with_tags=False)
    else:
        found = getattr(value, "_ciphertext", None)
    return found.decode() if isinstance(found, bytes) else found


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"declaration_yaml": declaration_yaml}
