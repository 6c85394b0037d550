#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: https_edge
short_description: Manage an HTTPS edge
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description:
  - An HTTPS edge is a public entry point for web traffic. M(edgeops.ingress.https_edge_route) manages its routes, which
    send the traffic to backends.
  - Omitted options are left unchanged.
  - With O(state=absent), an edge that is found by O(hostports) is deleted only if the task declares all of its
    hostports. Its routes are deleted with it.
extends_documentation_fragment:
  - edgeops.ingress._attributes
  - edgeops.ingress._connection
  - edgeops.ingress._common.state
  - edgeops.ingress._common.allow_empty
  - edgeops.ingress._common.reject_openings
  - edgeops.ingress._edge
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
- name: Create the edge of the shop with both of its names
  edgeops.ingress.https_edge:
    hostports:
      - shop.example.com:443
      - www.shop.example.com:443
    description: The shop
    metadata:
      team: web
      service: shop
    mutual_tls:
      certificate_authority_ids:
        - ca_2fQmJ8sYv1
    tls_termination:
      min_version: "1.2"

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

RETURN = r"""
https_edge:
  description:
    - The state of the edge after the task, or the predicted state in check mode. Null if the edge does not exist.
    - It has the format of the options, with C(metadata) as a string, and lists in alphabetical order. Traffic modules
      that are not set are null. C(terminate_at) in C(tls_termination) is always V(edge).
    - C(routes) contains the routes, each in the format of RV(edgeops.ingress.https_edge_route#module:https_edge_route).
    - In check mode, C(id) is a placeholder such as V(edghts_3f2a91c07be4_would-be-created) if the edge does not exist
      yet, and C(created_at) and C(uri) are empty.
  returned: success
  type: dict
  sample:
    id: edghts_2fQmJ8sYv1
    description: The shop
    metadata: '{"service":"shop","team":"web"}'
    hostports:
      - shop.example.com:443
    mutual_tls: null
    tls_termination:
      enabled: true
      terminate_at: edge
      min_version: "1.2"
    routes: []
    created_at: "2026-01-31T12:00:00Z"
    uri: https://api.example.com/edges/https/edghts_2fQmJ8sYv1
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.https_edge import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
