#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: tls_edge_info
short_description: Read the traffic modules of a TLS edge
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description:
  - Reads the IP restriction and the TLS termination of a TLS edge.
  - The API reference defines neither a list of TLS edges nor the other fields of a TLS edge, so O(id) is required.
extends_documentation_fragment:
  - edgeops.ingress._attributes.info
  - edgeops.ingress._attributes
  - edgeops.ingress._connection
options:
  id:
    description:
      - The ID of the TLS edge, which starts with V(edgtls_).
      - If the service returns 404 for both traffic modules, the TLS edge does not exist or has no traffic modules. Some
        services do not distinguish the two. The task then warns, and C(found) in RV(tls_edges) is V(false).
    type: str
    required: true
seealso:
  - module: edgeops.ingress.tls_edge_ip_restriction
  - module: edgeops.ingress.tls_edge_tls_termination
"""

EXAMPLES = r"""
- name: Read the traffic modules of a TLS edge
  edgeops.ingress.tls_edge_info:
    id: edgtls_2fQmJ8sYv1
  register: edge

- name: Show whether the IP restriction is set
  ansible.builtin.debug:
    msg: "{{ edge.tls_edges[0].ip_restriction is not none }}"
"""

RETURN = r"""
tls_edges:
  description:
    - A list with the TLS edge. C(ip_restriction) and C(tls_termination) have the format of
      RV(edgeops.ingress.tls_edge_ip_restriction#module:ip_restriction) and
      RV(edgeops.ingress.tls_edge_tls_termination#module:tls_termination), and are null if they are not set.
    - C(found) is whether the service returns a traffic module of the TLS edge.
  returned: success
  type: list
  elements: dict
  sample:
    - id: edgtls_2fQmJ8sYv1
      found: true
      ip_restriction:
        enabled: true
        ip_policy_ids:
          - ipp_2fQmJ8sYv1
      tls_termination: null
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.tls_edge_info import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
