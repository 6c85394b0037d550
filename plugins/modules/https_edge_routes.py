#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: https_edge_routes
short_description: Manage the routes of an HTTPS edge as a set
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description:
  - Declares any number of routes of one HTTPS edge. The edge is read once, with its routes, and only differences are
    written.
  - Undeclared routes are kept, unless O(purge=true). Omitted options of declared routes are left unchanged.
  - A route that has to wait for another one, for example because it takes over its match or its protection, is written
    after it. Undeclared routes are purged last.
  - If a route fails, the other routes are still processed, except for those that wait for it. The task then fails and
    lists each failure. If you run it again, it continues from there.
  - IDs are part of the digest for O(expect_plan), and an edge that an earlier task creates has none yet in check mode.
    To approve the plan for a new edge, declare it with its routes in M(edgeops.ingress.estate).
  - The suboptions of routes are described briefly here. For the details, see M(edgeops.ingress.https_edge_route).
extends_documentation_fragment:
  - edgeops.ingress._common.update_secrets
  - edgeops.ingress._attributes
  - edgeops.ingress._connection
  - edgeops.ingress._common.set
  - edgeops.ingress._common.reject_openings
  - edgeops.ingress._common.requirements
  - edgeops.ingress._route.set
attributes:
  diff_mode:
    details: There is one diff for each changed route. Secrets are masked.
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
      - With V(false), a task that would do that fails and does not change the object concerned, because the cause might
        be a variable that is not set.
    type: bool
    default: false
seealso:
  - module: edgeops.ingress.https_edge
  - module: edgeops.ingress.https_edge_route
  - module: edgeops.ingress.estate
"""

EXAMPLES = r"""
- name: Declare all routes of the blog
  edgeops.ingress.https_edge_routes:
    edge: blog.example.com:443
    purge: true
    routes:
      - match_type: path_prefix
        match: /
        description: The blog
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
          client_id: blog
          client_secret: "{{ oidc_client_secret }}"
  register: set

- name: Move one route, stop compression on another, and keep the rest
  edgeops.ingress.https_edge_routes:
    edge: blog.example.com:443
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
    edge: blog.example.com:443
    purge: true
    allow_empty: true
    routes: []
"""

RETURN = r"""
https_edge_routes:
  description:
    - The declared routes in their order, with their state after the task, or the predicted state in check mode. Each
      has the format of RV(edgeops.ingress.https_edge_route#module:https_edge_route).
    - Undeclared routes are not included. After a failure, neither are those that do not exist.
    - Of an unchanged route, only its C(id), C(match_type), and C(match), unless O(unchanged=states).
  returned: success, and when some objects failed
  type: list
  elements: dict
summary:
  description:
    - The number of objects by result, or by predicted result in check mode. C(deleted) does not include routes of
      deleted edges. Objects that are C(failed) may have been changed by RV(operations) before. Those that are
      C(withheld) were left as they are, or not finished, because another object failed.
  returned: success, and when some objects failed
  type: dict
  sample: {created: 1, updated: 2, deleted: 0, unchanged: 7, failed: 0, withheld: 0}
plan:
  description: The plan, in the format of RV(edgeops.ingress.estate#module:plan).
  returned: success, when some objects failed, and when the plan is not executed
  type: list
  elements: dict
plan_digest:
  description: The digest of the plan, for O(expect_plan). Empty if an object could not be planned.
  returned: success, when some objects failed, and when the plan is not executed
  type: str
undeclared:
  description:
    - The live objects that the task has read, and that are neither declared nor purged, in the format of
      RV(edgeops.ingress.estate#module:undeclared).
  returned: success, when some objects failed, and when the plan is not executed, unless O(undeclared=none)
  type: list
  elements: dict
undeclared_counts:
  description: The number of all these objects by C(kind).
  returned: success, when some objects failed, and when the plan is not executed, unless O(undeclared=none)
  type: dict
not_examined:
  description: What the task could not read, or had no reason to read. Each entry has an C(object) and a C(why).
  returned: success, when some objects failed, and when the plan is not executed
  type: list
  elements: dict
expected_plan_digest:
  description: The value of O(expect_plan).
  returned: when the plan has another digest
  type: str
findings:
  description:
    - The routes that do not meet O(requirements), as in RV(edgeops.ingress.exposure_info#module:findings). C(created)
      is whether the plan causes this.
  returned: when the plan leaves O(requirements) unmet
  type: list
  elements: dict
planned_deletions:
  description: The deletions in the plan, as in RV(operations), each with its C(object). Nothing was changed.
  returned: when there are more than O(max_deletions)
  type: list
  elements: dict
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
secrets_not_compared:
  description:
    - The number of declared secrets that were neither compared nor sent, because the service does not return them.
      If one of them is new, the service does not have it yet. To send all of them, set O(update_secrets=always).
  returned: if there are any
  type: int
msg:
  description: The number of secrets that were not compared, and how to send them, in words. After a failure, the error.
  returned: with RV(secrets_not_compared), and on failure
  type: str
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
failures:
  description: The objects that failed, as in RV(edgeops.ingress.estate#module:failures).
  returned: when some objects failed
  type: list
  elements: dict
"""

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import run
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.https_edge_routes import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
