#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: tls_edge_tls_termination
short_description: Manage the TLS termination of a TLS edge
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description: Configures where TLS is terminated for a TLS edge, and the lowest TLS version.
extends_documentation_fragment:
  - edgeops.ingress._attributes
  - edgeops.ingress._connection
  - edgeops.ingress._common.state_of_traffic_module
  - edgeops.ingress._tls_edge.tls_termination
seealso:
  - module: edgeops.ingress.tls_edge_ip_restriction
"""

EXAMPLES = r"""
- name: Terminate TLS at the service, from version 1.2 on
  edgeops.ingress.tls_edge_tls_termination:
    edge_id: edgtls_2fQmJ8sYv1
    terminate_at: edge
    min_version: "1.2"

- name: Remove the TLS settings of the edge
  edgeops.ingress.tls_edge_tls_termination:
    edge_id: edgtls_2fQmJ8sYv1
    state: absent
"""

RETURN = r"""
tls_termination:
  description:
    - The state of the traffic module after the task, or the predicted state in check mode. Null if it is not set.
    - Strings are empty if the service does not return them.
  returned: success
  type: dict
  sample:
    enabled: true
    terminate_at: edge
    min_version: "1.2"
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.tls_edge import TLS_TERMINATION as DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
