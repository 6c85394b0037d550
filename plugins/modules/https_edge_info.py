#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: https_edge_info
short_description: Read HTTPS edges
version_added: 1.0.0
author:
  - edgeops.ingress contributors (@edgeops)
description:
  - Lists the HTTPS edges of the account with their traffic modules and routes, or reads a single one.
  - If you set several options that select edges, only edges that match all of them are returned.
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
      - The ID of the edge to read, which starts with V(edghts_).
      - If the edge does not exist, the list is empty.
      - If omitted, all edges are listed. If the service does not support listing edges, this option is required.
    type: str
  hostports:
    description:
      - Return only edges that serve at least one of these hostports, each a host name and a port, such as
        V(shop.example.com:443). Letter case is ignored.
      - If omitted or empty, edges are returned regardless of their hostports.
    type: list
    elements: str
  description:
    description:
      - Return only edges with exactly this description. An empty string selects edges without a description.
      - If omitted, edges are returned regardless of their description.
    type: str
  metadata:
    description:
      - Return only edges with exactly this metadata. A dictionary or list is compared as compact JSON, which is how
        M(edgeops.ingress.https_edge) stores it.
      - If omitted, edges are returned regardless of their metadata.
    type: raw
seealso:
  - module: edgeops.ingress.https_edge
  - module: edgeops.ingress.estate_info
"""

EXAMPLES = r"""
# The environment variables INGRESS_BASE_URL and INGRESS_API_KEY configure the connection. In a playbook, you can set
# base_url and api_key for all modules instead, in the module_defaults of group/edgeops.ingress.all.

- name: List all HTTPS edges
  edgeops.ingress.https_edge_info:
  register: all

- name: Show the hostports of all edges
  ansible.builtin.debug:
    msg: "{{ all.https_edges | map(attribute='hostports') }}"

- name: Find the edge of the shop
  edgeops.ingress.https_edge_info:
    hostports:
      - shop.example.com:443
  register: shop

- name: Check whether the edge still exists
  edgeops.ingress.https_edge_info:
    id: "{{ shop.https_edges[0].id | default('edghts_2fQmJ8sYv1') }}"
"""

RETURN = r"""
https_edges:
  description:
    - The edges, in the order in which the service lists them.
    - Except for what only the service writes, each has the form of the options of M(edgeops.ingress.https_edge).
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: The id of the edge.
      type: str
      sample: edghts_2fQmJ8sYv1
    hostports:
      description: What the edge serves, in lower case and in alphabetical order.
      type: list
      elements: str
      sample:
        - shop.example.com:443
    description:
      description: What the edge is for. Empty where it is not set.
      type: str
    metadata:
      description: The data of your own, as the text that the service has. Empty where it is not set.
      type: str
      sample: '{"service":"shop","team":"web"}'
    mutual_tls:
      description: The module that checks clients' certificates. It is null where it is not set.
      type: dict
      contains:
        enabled: &enabled
          description: Whether the module is in force.
          type: bool
        certificate_authority_ids:
          description: The certificate authorities, in alphabetical order of their ids.
          type: list
          elements: str
    tls_termination:
      description: The module that says how TLS is terminated. It is null where it is not set.
      type: dict
      contains:
        enabled: *enabled
        terminate_at:
          description: Who terminates TLS, which is always V(edge). Empty where the service does not say it.
          type: str
        min_version:
          description: The lowest version of TLS. Empty where the service does not say it.
          type: str
    routes:
      description: The routes of the edge, each as RV(edgeops.ingress.https_edge_route#module:https_edge_route) has it.
      type: list
      elements: dict
    created_at:
      description: When the edge was created.
      type: str
      sample: "2026-01-31T12:00:00Z"
    uri:
      description: The address of the edge at the service.
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.https_edge_info import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
