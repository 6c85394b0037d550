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
  - Declares any number of routes of one HTTPS edge. The edge is read once, with its routes, and only what differs is
    written.
  - Routes that are not declared are kept, unless O(purge=true). Of declared routes, options that are left out keep what
    the route has now.
  - The routes are written one after the other, in the order in which they are declared, and what is purged goes last.
    One that fails does not stop the others. The task fails in the end, and tells for each failure what it was. Run
    again, it goes on from there.
  - How a single route is changed, M(edgeops.ingress.https_edge_route) tells.
extends_documentation_fragment:
  - edgeops.ingress.attributes
  - edgeops.ingress.connection
  - edgeops.ingress.update_secrets
  - edgeops.ingress.route.set
attributes:
  diff_mode:
    details: There is one diff for each route that changes. Secrets are not shown, only that they change.
  idempotent:
    support: partial
    details: With O(update_secrets=always), declared secrets that the service does not show are sent in every run.
options:
  purge:
    description:
      - Whether to delete the routes of the edge that are not declared.
      - None is deleted where a declared route could not be planned, such as one with an unknown C(id), because that may
        be the one. Those that stay for that reason are failures, too.
    type: bool
    default: false
  allow_empty:
    description:
      - Whether O(routes) may be an empty list with O(purge=true), so that every route of the edge is removed.
      - If V(false), the task fails then, because an empty list may come from a variable that was never set.
    type: bool
    default: false
    version_added: 1.1.0
  max_deletions:
    description:
      - How many deletions there may be, 0 or more. Where the plan has more, the task fails and nothing at all is
        written, in check mode as well.
      - What counts is all deletions of the plan, of routes and of their modules.
      - Deletions that are planned during the run, because the service has changed meanwhile, count as well. Those that
        are one too many are not sent, and the task fails.
    type: int
    default: 10
    version_added: 1.1.0
seealso:
  - module: edgeops.ingress.https_edge
  - module: edgeops.ingress.https_edge_route
  - module: edgeops.ingress.estate
"""

EXAMPLES = r"""
# The connection is given once, for all tasks: here by the environment variables INGRESS_BASE_URL and INGRESS_API_KEY.
# In a playbook, this does the same:
#
#   module_defaults:
#     group/edgeops.ingress.all:
#       base_url: https://api.example.com
#       api_key: "{{ ingress_api_key }}"

- name: The shop has an edge
  edgeops.ingress.https_edge:
    hostports:
      - shop.example.com:443
  register: shop

- name: It has these routes and no others
  edgeops.ingress.https_edge_routes:
    edge_id: "{{ shop.https_edge.id }}"
    purge: true
    routes:
      - match_type: path_prefix
        match: /
        description: The shop itself
        backend:
          backend_id: bk_2fQmJ8sYv1
        compression:
          enabled: true
      - match_type: path_prefix
        match: /office
        description: Its back office
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

- name: One moves and one is compressed no more; others are left as they are
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

- name: All routes go
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
      reason: not declared; purged
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
