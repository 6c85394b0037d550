#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: object_info
short_description: Read objects of any collection
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description: Lists the objects of a collection, or those that match, as the service returns them.
extends_documentation_fragment:
  - edgeops.ingress._attributes.info
  - edgeops.ingress._attributes
  - edgeops.ingress._connection
  - edgeops.ingress._object.collection
options:
  id:
    description:
      - The ID of the object to read. If it does not exist, the list is empty.
      - If omitted, the collection is listed.
    type: str
  find_by:
    description:
      - Fields and the values that the objects must have, compared as those of M(edgeops.ingress.object).
      - If omitted, all objects match.
    type: dict
seealso:
  - module: edgeops.ingress.object
  - plugin: edgeops.ingress.object_id
    plugin_type: lookup
"""

EXAMPLES = r"""
- name: List the IP policies
  edgeops.ingress.object_info:
    collection: ip_policies
  register: policies

- name: Show their IDs by description
  ansible.builtin.debug:
    msg: "{{ policies.objects | items2dict('description', 'id') }}"

- name: List the rules of a policy
  edgeops.ingress.object_info:
    collection: ip_policy_rules
    find_by:
      ip_policy_id: ipp_2fQmJ8sYv1
"""

RETURN = r"""
objects:
  description: The objects, in the order in which the service lists them, with masked secrets.
  returned: success
  type: list
  elements: dict
  sample:
    - id: ipp_2fQmJ8sYv1
      uri: https://api.example.com/ip_policies/ipp_2fQmJ8sYv1
      created_at: "2026-01-31T12:00:00Z"
      description: Office
      metadata: ""
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
option_errors:
  description: All option errors, each with the path of the option.
  returned: when the options are invalid
  type: list
  elements: str
"""

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import run
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.object_info import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
