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

# Written by `make format`, from dev/return_values.yml.
RETURN = r"""
https_edges:
  description:
    - The edges, in the order in which the service lists them.
    - Apart from read-only fields, each has the format of the options of M(edgeops.ingress.https_edge).
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: The ID of the edge.
      type: str
      sample: edghts_2fQmJ8sYv1
    description:
      description: The description for human readers. Empty if it is not set.
      type: str
    metadata:
      description: Data for your own tools. Returned as a string. Empty if it is not set.
      type: str
      sample: '{"service":"shop","team":"web"}'
    hostports:
      description: The hostports, such as V(shop.example.com:443). In lower case and alphabetical order.
      type: list
      elements: str
      sample:
        - shop.example.com:443
    mutual_tls:
      description: Requires a valid client certificate. Null if it is not set.
      type: dict
      contains:
        enabled: &id001
          description: Whether the traffic module is active.
          type: bool
        certificate_authority_ids:
          description: The IDs of the authorities. In alphabetical order.
          type: list
          elements: str
    tls_termination:
      description: Configures how TLS is terminated. Null if it is not set.
      type: dict
      contains:
        enabled: *id001
        terminate_at:
          description: Where TLS is terminated, which is always V(edge). Empty if the service does not
            return it.
          type: str
        min_version:
          description: The lowest TLS version that clients may use. Empty if the service does not return
            it.
          type: str
    routes:
      description: The routes, each in the format of RV(edgeops.ingress.https_edge_route#module:https_edge_route).
      type: list
      elements: dict
    created_at:
      description: The time at which the edge was created.
      type: str
      sample: '2026-01-31T12:00:00Z'
    uri:
      description: The URI of the edge.
      type: str
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.https_edge_info import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
