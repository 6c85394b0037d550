#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: https_edge
short_description: Manage an HTTPS edge
version_added: 1.0.0
author:
  - edgeops.ingress contributors (@edgeops)
description:
  - An HTTPS edge is a public entry point for web traffic. M(edgeops.ingress.https_edge_route) manages its routes, which
    send the traffic to backends.
  - Omitted options are left unchanged.
  - With O(state=absent), an edge that is found by O(hostports) is deleted only if the task declares all of its
    hostports. Its routes are deleted with it.
extends_documentation_fragment:
  - edgeops.ingress.attributes
  - edgeops.ingress.connection
  - edgeops.ingress.state
  - edgeops.ingress.edge
attributes:
  idempotent:
    support: partial
    details: With O(find_by=none) and without O(id), every run creates an edge.
seealso:
  - module: edgeops.ingress.https_edge_route
  - module: edgeops.ingress.https_edge_routes
  - module: edgeops.ingress.estate
"""

EXAMPLES = r"""
# The environment variables INGRESS_BASE_URL and INGRESS_API_KEY configure the connection. In a playbook, you can set
# base_url and api_key for all modules instead, in the module_defaults of group/edgeops.ingress.all.

- name: Create the edge of the shop with both of its names
  edgeops.ingress.https_edge:
    hostports:
      - shop.example.com:443
      - www.shop.example.com:443
    description: The shop
    metadata:
      team: web
      service: shop
    tls_termination:
      min_version: "1.2"
  register: shop

- name: Require a client certificate on an edge whose ID is known
  edgeops.ingress.https_edge:
    id: "{{ shop.https_edge.id }}"
    mutual_tls:
      certificate_authority_ids:
        - ca_2fQmJ8sYv1

- name: Change the hostports of the edge with this metadata
  edgeops.ingress.https_edge:
    find_by: metadata
    metadata:
      team: web
      service: shop
    hostports:
      - shop.example.com:443
      - store.example.com:443

- name: Stop requiring client certificates
  edgeops.ingress.https_edge:
    hostports:
      - shop.example.com:443
    absent_modules:
      - mutual_tls

- name: Delete the edge with its routes, if these are all of its hostports
  edgeops.ingress.https_edge:
    hostports:
      - shop.example.com:443
      - store.example.com:443
    state: absent
"""

RETURN = r"""
https_edge:
  description:
    - The edge as it is after the task; in check mode, as it would be. It is null where the edge is absent.
    - Except for what only the service writes, it has the form of the options.
  returned: success
  type: dict
  contains:
    id:
      description: The id of the edge. V(edghts_would-be-created) in check mode, if the edge does not exist yet.
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
      description: The module O(mutual_tls). It is null where it is not set.
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
      description: The module O(tls_termination). It is null where it is not set.
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
      description: When the edge was created. Empty in check mode, if it does not exist yet.
      type: str
      sample: "2026-01-31T12:00:00Z"
    uri:
      description: The address of the edge at the service. Empty in check mode, if it does not exist yet.
      type: str
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
    - method: PATCH
      path: /edges/https/edghts_2fQmJ8sYv1
      reason: "differs: description"
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
ids:
  description: The ids of the objects that match, none of which is touched.
  returned: when more than one matches
  type: list
  elements: str
"""

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import run
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.https_edge import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
