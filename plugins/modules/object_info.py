#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: object_info
short_description: Read objects of any collection
version_added: 1.1.0
author:
  - edgeops.ingress contributors (@edgeops)
description:
  - Lists the objects of a collection, or those that match, as the service returns them.
extends_documentation_fragment:
  - edgeops.ingress.attributes
  - edgeops.ingress.connection
  - edgeops.ingress.object.collection
attributes:
  check_mode:
    details: This module changes nothing.
  diff_mode:
    support: N/A
    details: This module changes nothing.
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
# The environment variables INGRESS_BASE_URL and INGRESS_API_KEY configure the connection. In a playbook, you can set
# base_url and api_key for all modules instead, in the module_defaults of group/edgeops.ingress.all.

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

# Written by `make format`, from dev/return_values.yml.
RETURN = r"""
objects:
  description: The objects, in the order in which the service lists them, with masked secrets.
  returned: success
  type: list
  elements: dict
  sample:
    - id: ipp_2fQmJ8sYv1
      uri: https://api.example.com/ip_policies/ipp_2fQmJ8sYv1
      created_at: '2026-01-31T12:00:00Z'
      description: Office
      metadata: ''
error:
  description: The request that failed, and the response of the service.
  returned: when a request failed
  type: dict
  contains:
    method:
      description: The HTTP method.
      type: str
    path:
      description: The path below O(base_url).
      type: str
    retries:
      description: The number of retries of this request.
      type: int
    status:
      description: The status code. Null if there was no response.
      type: int
    error_code:
      description: The service's error code, or null.
      type: str
    msg:
      description: The service's error message, or null.
      type: str
    operation_id:
      description: Its ID in the service's logs, or null.
      type: str
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
  version_added: 1.1.0
  sample:
    - 'base_url: not a valid URL; expected a URL such as https://api.example.com or https://host:8443/base'
"""

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import run
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.object_info import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
