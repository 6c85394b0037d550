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
  - edgeops.ingress.allow_empty
  - edgeops.ingress.reject_openings
  - edgeops.ingress.edge
attributes:
  idempotent:
    support: partial
    details: With O(find_by=none) and without O(id), every run creates an edge.
options:
  purge_hostports:
    description:
      - Whether to remove the hostports of the edge that O(hostports) does not contain.
      - With V(false), the task fails and names them, so that a list that is too short takes no site off the internet.
      - To remove all of them, O(allow_empty=true) is required as well.
    type: bool
    default: false
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
    purge_hostports: true

- name: Stop requiring client certificates
  edgeops.ingress.https_edge:
    hostports:
      - shop.example.com:443
      - store.example.com:443
    absent_modules:
      - mutual_tls

- name: Delete the edge with its routes, if these are all of its hostports
  edgeops.ingress.https_edge:
    hostports:
      - shop.example.com:443
      - store.example.com:443
    state: absent
"""

# Written by `make format`, from dev/return_values.yml.
RETURN = r"""
https_edge:
  description:
    - The state of the edge after the task, or the predicted state in check mode. Null if the edge does
      not exist.
    - Apart from read-only fields, it has the format of the options.
  returned: success
  type: dict
  contains:
    id:
      description: The ID of the edge. In check mode, a placeholder such as V(edghts_3f2a91c07be4_would-be-created)
        if the edge does not exist yet.
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
      description: The time at which the edge was created. Empty in check mode if the edge does not exist
        yet.
      type: str
      sample: '2026-01-31T12:00:00Z'
    uri:
      description: The URI of the edge. Empty in check mode if the edge does not exist yet.
      type: str
operations:
  description:
    - The write requests that took effect, in the order in which they were sent for each object. In check
      mode, the requests that would be sent.
  returned: always
  type: list
  elements: dict
  contains:
    method: &id002
      description: The HTTP method.
      type: str
    path: &id003
      description: The path below O(base_url).
      type: str
    reason:
      description: The reason for the request.
      type: str
  sample:
    - method: PATCH
      path: /edges/https/edghts_2fQmJ8sYv1
      reason: 'differs: description'
error:
  description: The request that failed, and the response of the service.
  returned: when a request failed
  type: dict
  contains:
    method: *id002
    path: *id003
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
ids:
  description: The IDs of all objects that match.
  returned: when several objects match
  type: list
  elements: str
"""

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import run
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.https_edge import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
