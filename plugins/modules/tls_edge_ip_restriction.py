#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: tls_edge_ip_restriction
short_description: Manage the IP restriction of a TLS edge
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description: Restricts access to a TLS edge to the source addresses that its IP policies allow.
extends_documentation_fragment:
  - edgeops.ingress._attributes
  - edgeops.ingress._connection
  - edgeops.ingress._common.state_of_traffic_module
  - edgeops.ingress._common.allow_empty
  - edgeops.ingress._common.reject_openings
  - edgeops.ingress._tls_edge.ip_restriction
seealso:
  - module: edgeops.ingress.tls_edge_tls_termination
"""

EXAMPLES = r"""
- name: Allow only the addresses of two IP policies
  edgeops.ingress.tls_edge_ip_restriction:
    edge_id: edgtls_2fQmJ8sYv1
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
    - The state of the traffic module after the task, or the predicted state in check mode. Null if it is not set.
    - The IDs are in alphabetical order.
  returned: success
  type: dict
  sample:
    enabled: true
    ip_policy_ids:
      - ipp_2fQmJ8sYv1
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.tls_edge import IP_RESTRICTION as DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
