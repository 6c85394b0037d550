#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: estate
short_description: Manage the whole configuration in one task
version_added: 1.0.0
author:
  - edgeops.ingress contributors (@edgeops)
description:
  - Declares any number of HTTPS edges with their routes, TLS edges with their traffic modules, and event subscriptions
    with their event sources.
  - Everything is read and planned before anything is written. Only differences are written. Undeclared objects and
    omitted options are left unchanged, unless O(purge) covers them.
  - The HTTPS edges are listed once, regardless of their number. If the service does not support listing edges, declare
    all of them with their C(id).
  - If an object fails, the other objects are still processed, except for the routes of an edge that does not exist. The
    task then fails and lists each failure. If you run it again, it continues from there.
  - A long task reports its progress every five seconds, unless it has C(no_log), or a program reads the output.
  - The suboptions of edges and routes are described briefly here. For the details, see M(edgeops.ingress.https_edge),
    M(edgeops.ingress.https_edge_route), M(edgeops.ingress.tls_edge_ip_restriction),
    M(edgeops.ingress.tls_edge_tls_termination), and M(edgeops.ingress.event_source).
extends_documentation_fragment:
  - edgeops.ingress.attributes
  - edgeops.ingress.connection
  - edgeops.ingress.update_secrets
  - edgeops.ingress.estate
attributes:
  diff_mode:
    details: There is one diff for each changed object. Secrets are masked.
  idempotent:
    support: partial
    details: O(update_secrets=always) sends secrets, and C(find_by=none) creates an edge, in every run.
options:
  purge:
    description:
      - The kinds of undeclared objects to purge.
      - V(edges) deletes all HTTPS edges of the account that are not among O(https_edges), with their routes.
      - V(routes) deletes the other routes of the edges that are declared with C(routes).
      - V(modules) removes the other traffic modules of the declared HTTPS edges, routes, and TLS edges.
      - V(sources) deletes the other event sources of the declared event subscriptions.
      - If a declared edge cannot be planned, for example because its C(id) is unknown, no edge is purged, because any
        of them might be the one that you meant. The same applies to the routes of an edge. Each object that is kept for
        this reason is reported as a failure.
      - A kind of which nothing is declared is an error.
    type: list
    elements: str
    choices:
      - edges
      - routes
      - modules
      - sources
    default: []
  allow_empty:
    description:
      - Whether O(purge) may delete all edges, all routes of the declared edges, or all event sources of the declared
        subscriptions, because only empty lists of them are declared.
      - With V(false), the task fails, because the cause might be a variable that is not set. If only some of several
        lists of routes or event sources are empty, this option is not required.
    type: bool
    default: false
    version_added: 1.1.0
  max_deletions:
    description:
      - Maximum number of deletions, V(0) or more. If the plan contains more, the task fails before it writes anything.
        In check mode, the task fails as well.
      - All deletions of edges, routes, traffic modules, and event sources count, purged or declared. An edge with its
        routes counts as one.
      - If the service has changed in the meantime, further deletions are planned during the run. They also count, and
        those that exceed the maximum are not sent.
    type: int
    default: 10
  concurrency:
    description:
      - Maximum number of objects to read or write in parallel, from V(1) to V(32). An edge and its routes are written
        in sequence.
    type: int
    default: 4
seealso:
  - module: edgeops.ingress.estate_info
  - module: edgeops.ingress.https_edge_routes
  - module: edgeops.ingress.event_sources
"""

EXAMPLES = r"""
# The environment variables INGRESS_BASE_URL and INGRESS_API_KEY configure the connection. In a playbook, you can set
# base_url and api_key for all modules instead, in the module_defaults of group/edgeops.ingress.all.

- name: Configure the shop and the blog, the VPN, and the audit trail
  edgeops.ingress.estate:
    https_edges:
      - hostports:
          - shop.example.com:443
        tls_termination:
          min_version: "1.2"
        routes:
          - match_type: path_prefix
            match: /
            backend:
              backend_id: bk_2fQmJ8sYv1
            compression:
              enabled: true
          - match_type: path_prefix
            match: /office
            backend:
              backend_id: bk_2fQmJ8sYv1
            oidc:
              issuer: https://login.example.com
              client_id: shop
              client_secret: "{{ oidc_client_secret }}"
      # The routes of this edge are not declared, so they are left unchanged.
      - hostports:
          - blog.example.com:443
        description: The blog
    tls_edges:
      - edge_id: edgtls_2fQmJ8sYv1
        ip_restriction:
          ip_policy_ids:
            - ipp_2fQmJ8sYv1
    event_subscriptions:
      - subscription_id: esb_2fQmJ8sYv1
        sources:
          - ip_policy_updated.v0
          - domain_updated.v0

- name: Delete all other edges and routes, unless this takes more than 20 deletions
  edgeops.ingress.estate:
    purge:
      - edges
      - routes
    max_deletions: 20
    https_edges:
      - hostports:
          - shop.example.com:443
        routes:
          - match_type: path_prefix
            match: /
            backend:
              backend_id: bk_2fQmJ8sYv1
"""

RETURN = r"""
https_edges:
  description:
    - The declared HTTPS edges as they are after the task, in the order in which they are declared; in check mode, as
      they would be.
  returned: success, and when some objects failed
  type: list
  elements: dict
  contains:
    id:
      description:
        - The id of the edge. V(edghts_would-be-created) in check mode, if the edge does not exist yet.
        - It is null where the edge is not there after a failure.
      type: str
      sample: edghts_2fQmJ8sYv1
    hostports:
      description: What the edge serves, in lower case and in alphabetical order.
      type: list
      elements: str
      sample:
        - shop.example.com:443
    routes:
      description:
        - The declared routes, in the order in which they are declared. After a failure, those that are not there are
          left out.
      type: list
      elements: dict
      contains:
        id:
          description: The id of the route. V(edghtsrt_would-be-created) in check mode, if the route does not exist yet.
          type: str
          sample: edghtsrt_2fQmJ8sYv1
        match_type:
          description: As the option.
          type: str
          sample: path_prefix
        match:
          description: As the option.
          type: str
          sample: /
summary:
  description:
    - How many objects there were, by what happened to them; in check mode, by what would happen.
    - An object is an HTTPS edge, a route, a module of a TLS edge, or an event source. An event subscription whose
      sources can't be read is one that failed.
  returned: success, and when some objects failed
  type: dict
  contains:
    created:
      description: How many were created.
      type: int
    updated:
      description: How many were there and were changed.
      type: int
    deleted:
      description: How many were deleted. Routes that go with their edge are not counted.
      type: int
    unchanged:
      description: How many were as declared already.
      type: int
    failed:
      description: How many failed. Some of what was to be done to them may have been done; RV(operations) tells.
      type: int
  sample:
    created: 2
    updated: 1
    deleted: 0
    unchanged: 997
    failed: 0
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
  sample:
    - object: https_edge shop.example.com:443 (edghts_2fQmJ8sYv1)
      method: DELETE
      path: /edges/https/edghts_2fQmJ8sYv1
      reason: is not declared, and is purged, with its 2 routes
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.estate import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
