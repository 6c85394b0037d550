#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: tls_edge_ip_restriction
short_description: Manage the IP restriction of a TLS edge
version_added: 1.0.0
author:
  - edgeops.ingress contributors (@edgeops)
description:
  - Restricts access to a TLS edge to the source addresses that its IP policies allow.
  - The service replaces this traffic module as a whole, so declare all of its settings. The description of each option
    says what happens if you omit it. Declare at least one option, unless O(state=absent).
extends_documentation_fragment:
  - edgeops.ingress.attributes
  - edgeops.ingress.connection
  - edgeops.ingress.state.traffic_module
  - edgeops.ingress.allow_empty
  - edgeops.ingress.reject_openings
  - edgeops.ingress.tls_edge.ip_restriction
seealso:
  - module: edgeops.ingress.tls_edge_tls_termination
"""

EXAMPLES = r"""
# The environment variables INGRESS_BASE_URL and INGRESS_API_KEY configure the connection. In a playbook, you can set
# base_url and api_key for all modules instead, in the module_defaults of group/edgeops.ingress.all.

- name: Allow only the addresses of two IP policies
  edgeops.ingress.tls_edge_ip_restriction:
    edge_id: edgtls_2fQmJ8sYv1
    ip_policy_ids:
      - ipp_2fQmJ8sYv1
      - ipp_7hTnK3rWx9

- name: Allow all addresses for now, but keep the list of IP policies
  edgeops.ingress.tls_edge_ip_restriction:
    edge_id: edgtls_2fQmJ8sYv1
    enabled: false
    ip_policy_ids:
      - ipp_2fQmJ8sYv1
      - ipp_7hTnK3rWx9

- name: Remove the restriction
  edgeops.ingress.tls_edge_ip_restriction:
    edge_id: edgtls_2fQmJ8sYv1
    state: absent
"""

# Written by `make format`, from dev/return_values.yml.
RETURN = r"""
ip_restriction:
  description:
    - The state of the traffic module after the task, or the predicted state in check mode. Null if it
      is not set.
  returned: success
  type: dict
  contains:
    enabled:
      description: Whether the traffic module is active.
      type: bool
    ip_policy_ids:
      description: The IDs of the IP policies. In alphabetical order.
      type: list
      elements: str
      sample:
        - ipp_2fQmJ8sYv1
operations:
  description:
    - The write requests that took effect, in the order in which they were sent for each object. In check
      mode, the requests that would be sent.
  returned: always
  type: list
  elements: dict
  contains:
    method: &id001
      description: The HTTP method.
      type: str
    path: &id002
      description: The path below O(base_url).
      type: str
    reason:
      description: The reason for the request.
      type: str
  sample:
    - method: PUT
      path: /edges/tls/edgtls_2fQmJ8sYv1/ip_restriction
      reason: is not set yet
error:
  description: The request that failed, and the response of the service.
  returned: when a request failed
  type: dict
  contains:
    method: *id001
    path: *id002
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.tls_edge_module import (
    IP_RESTRICTION as DEFINITION,
)


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
