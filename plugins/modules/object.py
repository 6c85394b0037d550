#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: object
short_description: Manage an object of any collection
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description:
  - Creates, updates, and deletes an object that has no module of its own, such as an IP policy, a backend, or a
    certificate authority. The collection knows nothing of its fields, so the task says how they are compared.
  - Omitted fields are left unchanged.
  - To manage several objects that refer to each other, use O(edgeops.ingress.estate#module:objects).
extends_documentation_fragment:
  - edgeops.ingress._attributes
  - edgeops.ingress._connection
  - edgeops.ingress._object
  - edgeops.ingress._common.reject_openings
options:
  reveal:
    description:
      - The names of secret fields to return unmasked in RV(object). By default, all of them are masked. Use this for a
        C(token) that the service returns only with the object that it creates.
      - Set C(no_log=true) for such a task, and keep the value where only those who need it can read it, such as in a
        vault. In later runs and in check mode, the service does not return it, so RV(object) lacks it.
      - The values of these fields in O(body) are always masked.
    type: list
    elements: str
    default: []
  purge_hostports:
    description:
      - Whether to remove the hostports of a TLS or TCP edge that its C(hostports) in O(body) does not contain.
      - With V(false), the task fails and names them, so that a list that is too short takes no site off the internet.
        Other collections are not affected.
      - To remove all of them, O(allow_empty=true) is required as well.
    type: bool
    default: false
  allow_empty:
    description:
      - Whether O(purge_hostports) may remove all hostports of an edge.
      - Also whether C(ip_restriction) or C(mutual_tls) of a TLS or TCP edge in O(body) may let everyone in, because its
        list of IDs is or becomes empty.
      - With V(false), the task fails, because the cause might be a variable that is not set.
    type: bool
    default: false
notes:
  - If a task creates an object with a secret that O(reveal) does not contain, it warns that the secret was not kept.
  - The service must support listing the collection, with all fields of each object.
seealso:
  - module: edgeops.ingress.object_info
  - plugin: edgeops.ingress.object_id
    plugin_type: lookup
  - module: edgeops.ingress.api
"""

EXAMPLES = r"""
- name: Create the IP policy of the office
  edgeops.ingress.object:
    collection: ip_policies
    find_by:
      description: Office
    body:
      metadata:
        team: network
  register: office

- name: Allow the network of the office
  edgeops.ingress.object:
    collection: ip_policy_rules
    find_by:
      ip_policy_id: "{{ office.object.id }}"
      cidr: 192.0.2.0/24
    body:
      action: allow
    create_only:
      - ip_policy_id
      - action

- name: Create an API key for the build, whose token the service returns only now
  edgeops.ingress.object:
    collection: api_keys
    find_by:
      description: Build
    reveal:
      - token
  register: build_key
  no_log: true

- name: Keep the token of a new API key in a file that is encrypted
  ansible.builtin.copy:
    content: "{{ {'build_token': build_key.object.token} | to_nice_yaml | ansible.builtin.vault(vault_password) }}"
    dest: build_token.yml
    mode: "0600"
    decrypt: false
  when: build_key.object.token is defined
  no_log: true

- name: Delete a backend
  edgeops.ingress.object:
    collection: backends/http_response
    find_by:
      description: Maintenance page
    state: absent
"""

RETURN = r"""
object:
  description:
    - The object after the task, as the service returns it, or the predicted one in check mode. Null if it does not
      exist. Declared fields that the service returns under other names are included under both names.
    - In check mode, the C(id) of a new object is a placeholder such as V(ipp_3f2a91c07be4_would-be-created). It depends
      on O(find_by), so each object has one of its own. It starts with V(new_) if this collection does not know the IDs
      of such objects.
    - Secrets are masked.
  returned: success
  type: dict
  sample:
    id: ipr_2fQmJ8sYv1
    uri: https://api.example.com/ip_policy_rules/ipr_2fQmJ8sYv1
    created_at: "2026-01-31T12:00:00Z"
    ip_policy:
      id: ipp_2fQmJ8sYv1
      uri: https://api.example.com/ip_policies/ipp_2fQmJ8sYv1
    ip_policy_id: ipp_2fQmJ8sYv1
    cidr: 192.0.2.0/24
    action: allow
operations:
  description: The write requests, as in RV(edgeops.ingress.estate#module:operations).
  returned: always
  type: list
  elements: dict
error:
  description: The request that failed, and its response, as in RV(edgeops.ingress.estate#module:error).
  returned: when a request failed
  type: dict
retries:
  description: The total number of retries in this task.
  returned: unless the options are invalid
  type: int
seconds_waited:
  description: The total delay before retries, in seconds.
  returned: unless the options are invalid
  type: float
secrets_not_compared:
  description:
    - The number of declared secrets that were neither compared nor sent, because the service does not return them, or
      because they are in C(write_only). If one of them is new, the service does not have it yet. To send all of them,
      set O(update_secrets=always).
  returned: if there are any
  type: int
msg:
  description: The number of secrets that were not compared, and how to send them, in words. After a failure, the error.
  returned: with RV(secrets_not_compared), and on failure
  type: str
option_errors:
  description: All option errors, each with the path of the option.
  returned: when the options are invalid
  type: list
  elements: str
ids:
  description: The IDs of all objects that match.
  returned: when several objects match
  type: list
  elements: str
"""

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import run
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.object import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
