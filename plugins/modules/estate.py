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
  - Declares any number of HTTPS edges with their routes, TLS edges with their modules, and event subscriptions with
    their sources.
  - Everything is read and planned before anything is written. The HTTPS edges of the account are listed once, with
    their routes, whatever the number of those that are declared; only a single one with its C(id) is read alone. Where
    the service does not offer the list, all have to be declared with their C(id), and each is read. Of TLS edges, the
    modules in question are read; of event subscriptions, the lists of their sources.
  - Only what differs is written. What is not declared is kept, unless O(purge) says otherwise. Of declared objects,
    options that are left out keep what the object has now.
  - The failure of one object does not stop the others, except for the routes of an edge that is not there. The task
    fails in the end, and tells for each failure what it was. Run again, it goes on from there.
  - A run that takes long says every five seconds where it is, unless the task has C(no_log) or a program reads what
    Ansible displays. On a service that limits requests, set O(retry_max_wait) to what the waits may come to in all.
  - How single objects are found and changed, M(edgeops.ingress.https_edge), M(edgeops.ingress.https_edge_route),
    M(edgeops.ingress.tls_edge_ip_restriction), M(edgeops.ingress.tls_edge_tls_termination) and
    M(edgeops.ingress.event_source) tell.
extends_documentation_fragment:
  - edgeops.ingress.attributes
  - edgeops.ingress.connection
  - edgeops.ingress.update_secrets
  - edgeops.ingress.estate
attributes:
  diff_mode:
    details: There is one diff for each object that changes. Secrets are not shown, only that they change.
  idempotent:
    support: partial
    details:
      - With O(update_secrets=always), declared secrets that the service does not show are sent in every run.
      - With C(find_by=none) and without C(id), every run creates another edge.
options:
  purge:
    description:
      - What to remove where it is not declared.
      - With V(edges), every HTTPS edge of the account that is not among O(https_edges), with its routes.
      - With V(routes), the other routes of the declared HTTPS edges that are declared with C(routes).
      - With V(modules), the other modules of the declared HTTPS edges, of their declared routes, and of the declared
        TLS edges.
      - With V(sources), the other sources of the declared event subscriptions.
      - No edge is removed where a declared edge could not be planned, such as one with an unknown C(id), because that
        may be the one; and likewise no route of an edge. What stays for that reason is a failure, too.
      - The task fails if it lists a kind of which nothing is declared - V(edges) without O(https_edges), V(routes)
        without an edge that has C(routes), V(modules) without O(https_edges) and O(tls_edges), V(sources) without
        O(event_subscriptions).
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
      - Whether O(purge) may remove every edge because O(https_edges) is an empty list, every route of the declared
        edges because all their lists of C(routes) are empty, or every source of the declared event subscriptions
        because all their lists of C(sources) are empty.
      - If V(false), the task fails then, because an empty list may come from a variable that was never set.
      - One empty list among others is a declaration like any other and does not need it.
    type: bool
    default: false
    version_added: 1.1.0
  max_deletions:
    description:
      - How many deletions there may be, 0 or more. Where the plan has more, the task fails and nothing at all is
        written, in check mode as well.
      - What counts is all deletions of the plan, purged or declared - edges, routes, modules and event sources. An edge
        that goes with its routes is one.
      - Deletions that are planned during the run, because the service has changed meanwhile, count as well. Those that
        are one too many are not sent, and the task fails.
    type: int
    default: 10
  concurrency:
    description:
      - How many objects may be read or written side by side, 1 to 32. What belongs together, such as an edge with its
        routes, is written one after the other.
    type: int
    default: 4
seealso:
  - module: edgeops.ingress.estate_info
  - module: edgeops.ingress.https_edge_routes
  - module: edgeops.ingress.event_sources
"""

EXAMPLES = r"""
# The connection is given once, for all tasks: here by the environment variables INGRESS_BASE_URL and INGRESS_API_KEY.
# In a playbook, this does the same:
#
#   module_defaults:
#     group/edgeops.ingress.all:
#       base_url: https://api.example.com
#       api_key: "{{ ingress_api_key }}"

- name: The shop, the blog, the VPN and the audit trail are as declared, and everything else stays
  edgeops.ingress.estate:
    https_edges:
      - hostports:
          - shop.example.com:443
        description: The shop
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
      # Its routes are not declared here, so they are not touched.
      - hostports:
          - blog.example.com:443
        description: The blog
    tls_edges:
      - edge_id: edgtls_2fQmJ8sYv1
        ip_restriction:
          ip_policy_ids:
            - ipp_2fQmJ8sYv1
        tls_termination:
          terminate_at: upstream
    event_subscriptions:
      - subscription_id: esb_2fQmJ8sYv1
        sources:
          - ip_policy_updated.v0
          - domain_updated.v0
  register: made

- name: Tell how many objects there were
  ansible.builtin.debug:
    msg: "{{ made.summary.created }} were created, and {{ made.summary.updated }} were changed"

- name: Nothing is there but this, if that takes no more than 20 deletions
  edgeops.ingress.estate:
    purge:
      - edges
      - routes
      - modules
      - sources
    max_deletions: 20
    https_edges:
      - hostports:
          - shop.example.com:443
        routes:
          - match_type: path_prefix
            match: /
            backend:
              backend_id: bk_2fQmJ8sYv1
    tls_edges:
      - edge_id: edgtls_2fQmJ8sYv1
        tls_termination:
          terminate_at: upstream
    event_subscriptions:
      - subscription_id: esb_2fQmJ8sYv1
        sources:
          - domain_updated.v0
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
      reason: not declared; purged; its 2 routes are deleted with it
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.estate import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
