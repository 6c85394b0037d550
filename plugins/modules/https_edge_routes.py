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
  - Up to O(concurrency) routes are written at the same time. A route that has to wait for another one, for example
    because it takes over its match or its protection, is written after it. Undeclared routes are purged last.
  - If a route fails, the other routes are still processed, except for those that wait for it. The task then fails and
    lists each failure. If you run it again, it continues from there.
  - The suboptions of routes are described briefly here. For the details, see M(edgeops.ingress.https_edge_route).
extends_documentation_fragment:
  - edgeops.ingress.attributes
  - edgeops.ingress.connection
  - edgeops.ingress.plan
  - edgeops.ingress.reject_openings
  - edgeops.ingress.requirements
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
      - Whether O(purge=true) may delete all routes of the edge, because O(routes) is an empty list, and whether a new
        traffic module may let everyone in, because all declared lists of those who are let in are empty.
      - With V(false), a task that would do that changes nothing and fails, because the cause might be a variable that
        is not set.
    type: bool
    default: false
    version_added: 1.1.0
  concurrency:
    description:
      - Maximum number of requests at a time, from V(1) to V(32). What depends on something else is sent after it.
    type: int
    default: 4
    version_added: 1.1.0
  max_deletions:
    description:
      - Maximum number of deletions, V(0) or more. If the plan contains more, the task fails before it writes anything.
        In check mode, the task fails as well.
      - All deletions of routes and of their traffic modules count.
      - Deletions that are planned later, because the service has changed, also count. Those that exceed the maximum are
        not sent.
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

# Written by `make format`, from dev/return_values.yml.
RETURN = r"""
https_edge_routes:
  description:
    - The declared routes in their order, with their state after the task, or the predicted state in check
      mode. Each has the format of RV(edgeops.ingress.https_edge_route#module:https_edge_route).
    - Undeclared routes are not included. After a failure, neither are those that do not exist.
    - Of an unchanged route, only its C(id), C(match_type), and C(match), unless O(unchanged=states).
  returned: success, and when some objects failed
  type: list
  elements: dict
summary:
  description: The number of objects by result, or by predicted result in check mode.
  returned: success, and when some objects failed
  type: dict
  contains:
    created:
      description: Objects that were created.
      type: int
    updated:
      description: Objects that existed and were updated.
      type: int
    deleted:
      description: Objects that were deleted, without routes of edges.
      type: int
    unchanged:
      description: Objects that already matched.
      type: int
    failed:
      description: Objects that failed, perhaps after RV(operations).
      type: int
    withheld:
      description: Objects that were left as they are, or not finished, because another object failed.
      type: int
      version_added: 1.1.0
  version_added: 1.1.0
plan:
  description:
    - The plan, the same in check mode and in a real run. One entry for each object that the task changes,
      which has these keys.
    - C(object) is the name in messages and diffs, C(kind) is the name of the module for a single object
      of its kind.
    - C(action) is V(create), V(update), or V(delete). C(changes) lists the paths of the options that
      differ.
    - C(opens) lists the first 20 requests with which somebody gets through who does not get through before,
      of the C(opens_count) that would not open without this change. Each has a C(kind), V(unlocked),
      V(others), V(reopened), or V(new), a C(request) such as V(https://shop.example.com/admin), and a
      C(text) that says what has changed.
    - C(gives_up) lists, by option, the names that the object gives up and nothing else takes, such as
      hostports.
    - C(operations) lists the requests, as in RV(operations), with placeholder IDs for objects that do
      not exist yet.
    - C(before) and C(after) are the states as options, with masked secrets. Null if the object does not
      exist.
  returned: success, when some objects failed, and when the plan is not executed
  type: list
  elements: dict
  version_added: 1.1.0
plan_digest:
  description:
    - The digest of the plan, for O(expect_plan). The same declaration and the same live configuration
      have the same digest on every ansible-core. Of secrets, only the fact that they change is part of
      it.
    - Empty if an object could not be planned.
  returned: success, when some objects failed, and when the plan is not executed
  type: str
  version_added: 1.1.0
  sample: 8f2c41d7a95e03b6c1d4f7082ab35e96
undeclared:
  description:
    - The live objects that the task has read, and that are neither declared nor purged. Only the first
      20 of them, unless O(undeclared) requests more. Each entry has these keys.
    - C(object) and C(kind), as in RV(plan). For a traffic module, C(kind) is its name.
    - C(why) is the reason why the object stays.
    - C(option) is the list that can declare the object, or the suboption to set.
    - With O(undeclared=declarations), C(declaration) declares the object, without secrets.
  returned: success, when some objects failed, and when the plan is not executed, unless O(undeclared=none)
  type: list
  elements: dict
  version_added: 1.1.0
undeclared_counts:
  description: The number of all these objects by C(kind).
  returned: success, when some objects failed, and when the plan is not executed, unless O(undeclared=none)
  type: dict
  version_added: 1.1.0
  sample:
    https_edge: 500
    compression: 1
not_examined:
  description: What the task could not read, or had no reason to read. Each entry has an C(object) and
    a C(why).
  returned: success, when some objects failed, and when the plan is not executed
  type: list
  elements: dict
  version_added: 1.1.0
expected_plan_digest:
  description: The value of O(expect_plan).
  returned: when the plan has another digest
  type: str
  version_added: 1.1.0
findings:
  type: list
  elements: dict
  description:
    - The routes that do not meet O(requirements), as in RV(edgeops.ingress.exposure_info#module:findings).
      C(created) is whether the plan causes this.
  returned: when the plan leaves O(requirements) unmet
  version_added: 1.1.0
planned_deletions:
  description:
    - The deletions in the plan, as in RV(operations), each with its C(object). Nothing was changed.
  returned: when there are more than O(max_deletions)
  type: list
  elements: dict
  version_added: 1.1.0
operations:
  description:
    - The write requests that took effect, in the order in which they were sent for each object. In check
      mode, the requests that would be sent.
  returned: always
  type: list
  elements: dict
  contains:
    method: &id001
      description: The HTTP method.
      type: str
    path: &id002
      description: The path below O(base_url).
      type: str
    reason:
      description: The reason for the request.
      type: str
  sample:
    - method: DELETE
      path: /edges/https/edghts_2fQmJ8sYv1/routes/edghtsrt_2fQmJ8sYv1
      reason: not declared; purged
error:
  description: The request that failed, and the response of the service.
  returned: when a request failed
  type: dict
  contains:
    method: *id001
    path: *id002
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
secrets_not_compared:
  description:
    - The number of declared secrets that were neither compared nor sent, because the service does not
      return them, or because they are in C(write_only). If one of them is new, the service does not have
      it yet. To send all of them, set O(update_secrets=always).
  returned: if there are any
  type: int
msg:
  description: The number of secrets that were not compared, and how to send them, in words. After a failure,
    the error.
  returned: with RV(secrets_not_compared), and on failure
  type: str
option_errors:
  description: All option errors, each with the path of the option.
  returned: when the options are invalid
  type: list
  elements: str
  version_added: 1.1.0
  sample:
    - 'base_url: not a valid URL; expected a URL such as https://api.example.com or https://host:8443/base'
failures:
  description: The objects that failed. The others were processed.
  returned: when some objects failed
  type: list
  elements: dict
  contains:
    object:
      description: The name of the object in messages and diffs.
      type: str
    msg:
      description: The error message.
      type: str
    error:
      description: The request that failed, with the keys of RV(error).
      returned: when a request failed
      type: dict
    option_errors:
      description: All option errors, as in RV(option_errors).
      returned: when the options are invalid
      type: list
      elements: str
      version_added: 1.1.0
    ids:
      description: The IDs of all objects that match.
      returned: when several objects match
      type: list
      elements: str
"""

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import run
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.https_edge_routes import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
