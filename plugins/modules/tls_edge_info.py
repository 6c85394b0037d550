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
  - The API can neither list TLS edges nor return a whole TLS edge, so O(id) is required.
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

- name: Show whether its source addresses are restricted
  ansible.builtin.debug:
    msg: "{{ edge.tls_edges[0].ip_restriction is not none }}"
"""

RETURN = r"""
tls_edges:
  description: A list with the TLS edge.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: The id of the TLS edge.
      type: str
      sample: edgtls_2fQmJ8sYv1
    found:
      description:
        - Whether the service shows anything of the TLS edge.
        - If V(false), it answered 404 for both modules. The edge may not exist, or nothing may be set on it.
      type: bool
      version_added: 1.1.0
      sample: true
    ip_restriction:
      description: Which addresses may connect. It is null where it is not set.
      type: dict
      contains:
        enabled: &enabled
          description: Whether the module is in force.
          type: bool
        ip_policy_ids:
          description: The IP policies, in alphabetical order of their ids.
          type: list
          elements: str
    tls_termination:
      description: Where and how TLS is terminated. It is null where it is not set.
      type: dict
      contains:
        enabled: *enabled
        terminate_at:
          description: Who terminates TLS, V(edge) or V(upstream). Empty where the service does not say it.
          type: str
        min_version:
          description: The lowest version of TLS. Empty where the service does not say it.
          type: str
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.tls_edge_info import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
