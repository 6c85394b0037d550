#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: tls_edge_info
short_description: Read the traffic modules of a TLS edge
version_added: 1.0.0
author:
  - edgeops.ingress contributors (@edgeops)
description:
  - Reads the IP restriction and the TLS termination of a TLS edge.
  - The API reference defines neither a list of TLS edges nor the other fields of a TLS edge, so O(id) is required.
extends_documentation_fragment:
  - edgeops.ingress.attributes
  - edgeops.ingress.connection
attributes:
  check_mode:
    details: This module changes nothing.
  diff_mode:
    support: N/A
    details: This module changes nothing.
options:
  id:
    description:
      - The ID of the TLS edge, which starts with V(edgtls_).
      - If the service returns 404 for both traffic modules, the TLS edge does not exist or has no traffic modules. Some
        services do not distinguish the two. The task then warns, and RV(tls_edges[].found) is V(false).
    type: str
    required: true
    aliases:
      - edge_id
seealso:
  - module: edgeops.ingress.tls_edge_ip_restriction
  - module: edgeops.ingress.tls_edge_tls_termination
"""

EXAMPLES = r"""
# The environment variables INGRESS_BASE_URL and INGRESS_API_KEY configure the connection. In a playbook, you can set
# base_url and api_key for all modules instead, in the module_defaults of group/edgeops.ingress.all.

- name: Read the traffic modules of a TLS edge
  edgeops.ingress.tls_edge_info:
    id: edgtls_2fQmJ8sYv1
  register: edge

- name: Show whether the IP restriction is set
  ansible.builtin.debug:
    msg: "{{ edge.tls_edges[0].ip_restriction is not none }}"
"""

# Written by `make format`, from dev/return_values.yml.
RETURN = r"""
tls_edges:
  description: A list with the TLS edge.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: The ID of the TLS edge.
      type: str
      sample: edgtls_2fQmJ8sYv1
    found:
      description:
        - Whether the service returns a traffic module of the TLS edge.
        - With V(false), it returned 404 for both of them. The TLS edge does not exist, or has no traffic
          modules.
      type: bool
      version_added: 1.1.0
      sample: true
    ip_restriction:
      description: The IP restriction of the TLS edge. Null if it is not set.
      type: dict
      contains:
        enabled: &id001
          description: Whether the traffic module is active.
          type: bool
        ip_policy_ids:
          description: The IDs of the IP policies. In alphabetical order.
          type: list
          elements: str
          sample:
            - ipp_2fQmJ8sYv1
    tls_termination:
      description: The TLS termination of the TLS edge. Null if it is not set.
      type: dict
      contains:
        enabled: *id001
        terminate_at:
          description: Where TLS is terminated. Empty if the service does not return it.
          type: str
          sample: edge
        min_version:
          description: The lowest TLS version that clients may use. Empty if the service does not return
            it.
          type: str
          sample: '1.2'
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.tls_edge_info import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
