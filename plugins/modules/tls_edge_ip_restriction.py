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

RETURN = r"""
ip_restriction:
  description:
    - The module as it is after the task; in check mode, as it would be. It is null where it is absent.
  returned: success
  type: dict
  contains:
    enabled:
      description: Whether the module is in force.
      type: bool
    ip_policy_ids:
      description: The IP policies, in alphabetical order of their ids.
      type: list
      elements: str
      sample:
        - ipp_2fQmJ8sYv1
operations:
  description:
    - The requests that changed something, for each object in the order in which they were sent; in check mode, those
      that would be.
    - After a failure, those that have taken effect.
  returned: always
  type: list
  elements: dict
  contains:
    method:
      description: The HTTP method.
      type: str
    path:
      description: The path below O(base_url).
      type: str
    reason:
      description: Why the request was needed.
      type: str
  sample:
    - method: PUT
      path: /edges/tls/edgtls_2fQmJ8sYv1/ip_restriction
      reason: "is not set yet"
error:
  description: The request that failed, and what the service answered.
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
      description: How often this request had been tried again before it failed.
      type: int
    status:
      description: The status code; null where no answer came.
      type: int
    error_code:
      description: The service's own code for the error; null where it has none.
      type: str
    msg:
      description: The service's own message; null where it has none.
      type: str
    operation_id:
      description: What the service calls the request in its own logs; null where it does not say.
      type: str
  sample:
    method: GET
    path: /edges/https
    retries: 0
    status: 403
    error_code: ERR_EDGES_OFF
    msg: Edges are switched off for this account.
    operation_id: op_2fQmJ8sYv1
retries:
  description: How often requests of this task had to be sent again.
  returned: unless the options are wrong
  type: int
  sample: 0
seconds_waited:
  description: How many seconds the task spent waiting before it sent requests again.
  returned: unless the options are wrong
  type: float
  sample: 0.0
faults:
  description: Everything that is wrong with the options, each with the option's name.
  returned: when the options are wrong
  type: list
  elements: str
  sample:
    - "description: 256 bytes (90 characters) are too long; the limit is 255 bytes"
"""

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import run
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.tls_edge_module import (
    IP_RESTRICTION as DEFINITION,
)


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
