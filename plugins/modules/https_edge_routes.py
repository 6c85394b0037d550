#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: https_edge_routes
short_description: Manage the routes of an HTTPS edge as a set
version_added: 1.0.0
author:
  - edgeops.ingress contributors (@edgeops)
description:
  - Declares any number of routes of one HTTPS edge. The edge is read once, with its routes, and only differences are
    written.
  - Undeclared routes are kept, unless O(purge=true). Omitted options of declared routes are left unchanged.
  - The routes are written in sequence, in the order in which they are declared. Undeclared routes are purged last.
  - If a route fails, the other routes are still processed. The task then fails and lists each failure. If you run it
    again, it continues from there.
  - The suboptions of routes are described briefly here. For the details, see M(edgeops.ingress.https_edge_route).
extends_documentation_fragment:
  - edgeops.ingress.attributes
  - edgeops.ingress.connection
  - edgeops.ingress.update_secrets
  - edgeops.ingress.route.set
attributes:
  diff_mode:
    details: There is one diff for each changed route. Secrets are masked.
  idempotent:
    support: partial
    details: With O(update_secrets=always), declared secrets that the service does not return are sent in every run.
options:
  purge:
    description:
      - Whether to delete the routes of the edge that are not declared.
      - If a declared route cannot be planned, for example because its C(id) is unknown, no route is purged, because any
        of them might be the one that you meant. Each route that is kept for this reason is reported as a failure.
    type: bool
    default: false
  allow_empty:
    description:
      - Whether O(purge=true) may delete all routes of the edge, because O(routes) is an empty list.
      - With V(false), the task fails, because the cause might be a variable that is not set.
    type: bool
    default: false
    version_added: 1.1.0
  max_deletions:
    description:
      - Maximum number of deletions, V(0) or more. If the plan contains more, the task fails before it writes anything.
        In check mode, the task fails as well.
      - All deletions of routes and of their traffic modules count.
      - If the service has changed in the meantime, further deletions are planned during the run. They also count, and
        those that exceed the maximum are not sent.
    type: int
    default: 10
    version_added: 1.1.0
seealso:
  - module: edgeops.ingress.https_edge
  - module: edgeops.ingress.https_edge_route
  - module: edgeops.ingress.estate
"""

EXAMPLES = r"""
# The environment variables INGRESS_BASE_URL and INGRESS_API_KEY configure the connection. In a playbook, you can set
# base_url and api_key for all modules instead, in the module_defaults of group/edgeops.ingress.all.

- name: Create the edge of the shop
  edgeops.ingress.https_edge:
    hostports:
      - shop.example.com:443
  register: shop

- name: Declare all of its routes
  edgeops.ingress.https_edge_routes:
    edge_id: "{{ shop.https_edge.id }}"
    purge: true
    routes:
      - match_type: path_prefix
        match: /
        description: The shop
        backend:
          backend_id: bk_2fQmJ8sYv1
        compression:
          enabled: true
      - match_type: path_prefix
        match: /office
        description: The back office
        backend:
          backend_id: bk_2fQmJ8sYv1
        oidc:
          issuer: https://login.example.com
          client_id: shop
          client_secret: "{{ oidc_client_secret }}"
      - match_type: exact_path
        match: /hooks/payment
        backend:
          backend_id: bk_2fQmJ8sYv1
        webhook_verification:
          provider: stripe
          secret: "{{ payment_webhook_secret }}"
  register: set

- name: Move one route, stop compression on another, and keep the rest
  edgeops.ingress.https_edge_routes:
    edge_id: "{{ shop.https_edge.id }}"
    routes:
      - id: "{{ set.https_edge_routes[1].id }}"
        match_type: path_prefix
        match: /back-office
      - match_type: path_prefix
        match: /
        absent_modules:
          - compression

- name: Delete all routes
  edgeops.ingress.https_edge_routes:
    edge_id: "{{ shop.https_edge.id }}"
    purge: true
    allow_empty: true
    routes: []
"""

RETURN = r"""
https_edge_routes:
  description:
    - The declared routes as they are after the task, in the order in which they are declared; in check mode, as they
      would be. Each is as RV(edgeops.ingress.https_edge_route#module:https_edge_route) has it.
    - Routes that are not declared are not among them, whether or not they are purged. After a failure, those that are
      not there are left out.
  returned: success, and when some objects failed
  type: list
  elements: dict
planned_deletions:
  description: The deletions that the plan has. Nothing was changed.
  returned: when there are more than O(max_deletions)
  type: list
  elements: dict
  contains:
    object:
      description: The object, as messages and diffs name it.
      type: str
    method:
      description: The HTTP method.
      type: str
    path:
      description: The path below O(base_url).
      type: str
    reason:
      description: Why the request is needed.
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
    - method: DELETE
      path: /edges/https/edghts_2fQmJ8sYv1/routes/edghtsrt_2fQmJ8sYv1
      reason: is not declared, and is purged
error: &error
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
faults: &faults
  description: Everything that is wrong with the options, each with the option's name.
  returned: when the options are wrong
  type: list
  elements: str
  sample:
    - "description: 256 bytes (90 characters) are too long; the limit is 255 bytes"
failures:
  description:
    - What went wrong, for each object that failed. The task went on with the others.
  returned: when some objects failed
  type: list
  elements: dict
  contains:
    object:
      description: The object, as messages and diffs name it.
      type: str
    msg:
      description: What went wrong with it.
      type: str
    error: *error
    faults: *faults
    ids:
      description: The ids of the objects that match, none of which is touched.
      returned: when it is not clear which object is meant
      type: list
      elements: str
"""

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import run
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.https_edge_routes import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
