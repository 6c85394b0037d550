#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: estate
short_description: Manage the whole configuration in one task
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description:
  - Declares HTTPS edges with their routes, TLS edges with their traffic modules, and event subscriptions with their
    event sources. Everything is planned before anything is written, and only differences are written.
  - Also declares what these refer to, such as backends and IP policies.
  - Undeclared objects and omitted options are left unchanged, unless O(purge) covers them.
  - If the service does not support listing edges, declare all of them with their C(id).
  - If an object fails, what waits for it is withheld, and everything else is processed. The task then fails and lists
    each failure. If you run it again, it continues.
  - A long task reports its progress every five seconds.
  - For details of the suboptions, see M(edgeops.ingress.https_edge), M(edgeops.ingress.https_edge_route),
    M(edgeops.ingress.tls_edge_ip_restriction), and M(edgeops.ingress.tls_edge_tls_termination).
extends_documentation_fragment:
  - edgeops.ingress._attributes
  - edgeops.ingress._connection
  - edgeops.ingress._common.set
  - edgeops.ingress._common.reject_openings
  - edgeops.ingress._common.requirements
  - edgeops.ingress._common.update_secrets
  - edgeops.ingress._estate
attributes:
  diff_mode:
    details: There is one diff for each changed object. Secrets are masked.
  idempotent:
    support: partial
    details: O(update_secrets=always) and C(find_by=none) make changes in every run.
options:
  purge:
    description:
      - The kinds of undeclared objects to purge.
      - V(edges) deletes all HTTPS edges that are not among O(https_edges), with their routes.
      - V(routes) deletes the other routes of the edges that are declared with C(routes).
      - V(hostports) removes the hostports of the declared edges (HTTPS edges, and the TLS and TCP edges in O(objects))
        that none of them declares. Without it, an edge that would give up such a hostport fails.
      - V(modules) removes the other traffic modules of the declared HTTPS edges, routes, and TLS edges.
      - V(sources) deletes the other event sources of the declared event subscriptions.
      - If a declared edge fails, for example because its C(id) is unknown, no edge is purged, because any of them might
        be the one that you meant. Neither are routes of an edge if the edge or one of them fails.
      - If the task declares nothing of a listed kind, it fails.
    type: list
    elements: str
    choices: [edges, routes, hostports, modules, sources]
    default: []
  purge_scope:
    description:
      - Limits V(edges) in O(purge) to some of the undeclared HTTPS edges, so that several teams can share an account.
      - If both suboptions are set, both must apply. Has no effect on declared edges, or on their routes.
    type: dict
    suboptions:
      hostports:
        description:
          - Patterns, in which C(*) stands for any number of characters. All hostports of an edge must match one of
            them, and it must have hostports.
        type: list
        elements: str
      metadata:
        description:
          - What the metadata of an edge must contain, at any depth. Lists must be equal.
          - An edge whose metadata is not a JSON object is outside of the scope.
        type: dict
  allow_empty:
    description:
      - Whether O(purge) may delete all edges, all routes of the declared edges, or all event sources of the declared
        subscriptions, because all lists of them are empty, and whether it may remove all hostports of an edge.
      - Also whether a traffic module may let everyone in, because all its lists of visitors are or become empty.
      - With V(false), a task that would do that fails and does not change the object concerned, because the cause might
        be a variable that is not set.
    type: bool
    default: false
  reject_findings:
    description:
      - The task fails before it writes anything if the plan creates a finding of M(edgeops.ingress.exposure_info) of
        this severity or a higher one, makes one worse, or is incomplete.
    type: str
    choices: [high, medium, low]
  reject_existing:
    description: Whether O(reject_findings) includes findings that exist.
    type: bool
    default: false
  accept:
    description: Exceptions, as O(edgeops.ingress.exposure_info#module:accept). Requires O(reject_findings).
    type: list
    elements: dict
    default: []
seealso:
  - module: edgeops.ingress.estate_info
  - module: edgeops.ingress.object
  - module: edgeops.ingress.exposure_info
"""

EXAMPLES = r"""
- name: Configure two edges, and the routes of one of them
  edgeops.ingress.estate:
    https_edges:
      - hostports:
          - shop.example.com:443
        routes:
          - match_type: path_prefix
            match: /
            backend:
              backend_id: bk_2fQmJ8sYv1
      - hostports:
          - blog.example.com:443

- name: Let only the office in, and audit its networks
  edgeops.ingress.estate:
    objects:
      - name: office
        collection: ip_policies
        find_by:
          description: Office
      - name: office_network
        collection: ip_policy_rules
        find_by:
          ip_policy_id: ref:office
          cidr: 192.0.2.0/24
        body:
          action: allow
    tls_edges:
      - edge_id: edgtls_2fQmJ8sYv1
        ip_restriction:
          ip_policy_ids:
            - ref:office
    event_subscriptions:
      - subscription_id: esb_2fQmJ8sYv1
        sources:
          - ip_policy_updated.v0

- name: Delete the other edges of the team, unless this takes more than 20 deletions or leaves a hole
  edgeops.ingress.estate:
    purge:
      - edges
    purge_scope:
      metadata:
        team: web
    max_deletions: 20
    reject_findings: high
    https_edges:
      - hostports:
          - shop.example.com:443
        metadata:
          team: web

- name: Restrict the back office, unless somebody gets in who does not get in now, or there without a network or login
  edgeops.ingress.estate:
    reject_openings: true
    requirements:
      - hosts:
          - "*.example.com"
        paths:
          - /office
        needs:
          - network
          - login
        reason: The back office shows the addresses of customers.
    https_edges:
      - hostports:
          - shop.example.com:443
        routes:
          - match_type: path_prefix
            match: /office
            backend:
              backend_id: bk_2fQmJ8sYv1
            oauth:
              provider:
                google:
                  email_domains:
                    - example.com

# Without a default: if the variable is missing, the task fails, and does not execute a plan that nobody has approved.
- name: Execute exactly the plan that was approved
  edgeops.ingress.estate:
    expect_plan: "{{ approved_digest }}"
    https_edges:
      - hostports:
          - shop.example.com:443
        description: Our shop
"""

RETURN = r"""
https_edges:
  description:
    - The declared HTTPS edges in their order, with their state after the task, or the predicted state in check mode.
    - Each has an C(id) and C(hostports), in lower case and alphabetical order. The C(id) is a placeholder such as
      V(edghts_3f2a91c07be4_would-be-created) if the edge exists only in check mode, and null if the edge could not be
      planned or created.
    - Unless it is unchanged, or with O(unchanged=states), C(routes) contains its declared routes that exist, each with
      C(id), C(match_type), and C(match).
  returned: success, and when some objects failed
  type: list
  elements: dict
  sample:
    - id: edghts_2fQmJ8sYv1
      hostports:
        - shop.example.com:443
objects:
  description:
    - The objects in O(objects) by their names. Each has the format of RV(edgeops.ingress.object#module:object). Objects
      that do not exist are omitted.
    - Of an unchanged object, only its C(id) and the fields that it was found by, unless O(unchanged=states).
    - In check mode, a new object has a placeholder as C(id) that contains its name. V(ipp_office_would-be-created) is
      an example.
  returned: success, and when some objects failed
  type: dict
  sample:
    office:
      id: ipp_2fQmJ8sYv1
      description: Office
summary:
  description:
    - The number of objects, HTTPS edges, routes, traffic modules of TLS edges, and event sources by result, or by
      predicted result in check mode. An event subscription counts only if it fails.
    - C(deleted) does not include routes of deleted edges. Objects that are C(failed) may have been changed by
      RV(operations) before. Those that are C(withheld) were left as they are, or not finished, because another object
      failed.
  returned: success, and when some objects failed
  type: dict
  sample: {created: 1, updated: 2, deleted: 0, unchanged: 7, failed: 0, withheld: 0}
plan:
  description:
    - The plan, the same in check mode and in a real run. One entry for each object that the task changes, which has
      these keys.
    - C(object) is the name in messages and diffs, C(kind) is the name of the module for a single object of its kind.
    - C(action) is V(create), V(update), or V(delete). C(changes) lists the paths of the options that differ.
    - C(opens) lists 20 requests with which somebody gets through who does not get through before, of the
      C(opens_count) that would not open without this change. Each has a C(kind), V(unlocked), V(others), V(reopened),
      or V(new), a C(request) such as V(https://shop.example.com/admin), and a C(text) that says what has changed. Those
      of the kind V(new) come last.
    - C(gives_up) lists, by option, the names that the object gives up and nothing else takes, such as hostports.
    - C(operations) lists the requests, as in RV(operations), with placeholder IDs for objects that do not exist yet.
    - C(before) and C(after) are the states as options, with masked secrets. Null if the object does not exist.
  returned: success, when some objects failed, and when the plan is not executed
  type: list
  elements: dict
plan_digest:
  description:
    - The digest of the plan, for O(expect_plan). The same declaration and the same live configuration have the same
      digest on every ansible-core. Of secrets, only the fact that they change is part of it.
    - Empty if an object could not be planned.
  returned: success, when some objects failed, and when the plan is not executed
  type: str
  sample: 8f2c41d7a95e03b6c1d4f7082ab35e96
undeclared:
  description:
    - The live objects that the task has read, and that are neither declared nor purged. Only the first 20 of them,
      unless O(undeclared) requests more. Each entry has these keys.
    - C(object) and C(kind), as in RV(plan). For a traffic module, C(kind) is its name.
    - C(why) is the reason why the object stays.
    - C(option) is the list that can declare the object, or the suboption to set.
    - With O(undeclared=declarations), C(declaration) declares the object, without secrets.
  returned: success, when some objects failed, and when the plan is not executed, unless O(undeclared=none)
  type: list
  elements: dict
undeclared_counts:
  description: The number of all these objects by C(kind).
  returned: success, when some objects failed, and when the plan is not executed, unless O(undeclared=none)
  type: dict
not_examined:
  description:
    - What the task could not read, or had no reason to read. Each entry has an C(object) and a C(why).
    - If the plan takes hostports, one of the entries says what may have them, unknown to the task.
  returned: success, when some objects failed, and when the plan is not executed
  type: list
  elements: dict
expected_plan_digest:
  description: The value of O(expect_plan).
  returned: when the plan has another digest
  type: str
findings:
  description:
    - The findings in the planned state, as in RV(edgeops.ingress.exposure_info#module:findings). C(created) is whether
      the plan creates the finding or makes it worse.
    - If the plan leaves O(requirements) unmet, only these findings.
    - A C(path) such as V(undeclared[30]) is the place in RV(undeclared) with O(undeclared=names).
  returned: when the plan is judged, and when it leaves O(requirements) unmet
  type: list
  elements: dict
not_judged:
  description: What cannot be judged, as in RV(edgeops.ingress.exposure_info#module:not_judged).
  returned: when the plan is judged
  type: list
  elements: dict
planned_deletions:
  description: The deletions in the plan, as in RV(operations), each with its C(object). Nothing was changed.
  returned: when there are more than O(max_deletions)
  type: list
  elements: dict
operations:
  description:
    - The write requests that took effect, each with its C(method), C(path), and C(reason), in the order in which they
      were sent for each object. In check mode, the requests that would be sent.
  returned: always
  type: list
  elements: dict
  sample:
    - method: PATCH
      path: /edges/https/edghts_2fQmJ8sYv1
      reason: "differs: description"
error:
  description:
    - The request that failed (C(method), C(path), C(retries)), and the response (C(status), C(error_code), C(msg), and
      C(operation_id), its ID in the service's logs). What the response lacks is null.
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
    - The number of declared secrets that were neither compared nor sent, because the service does not return them, or
      because they are in C(write_only). If one of them is new, the service does not have it yet. To send all of them,
      set O(update_secrets=always).
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
failures:
  description:
    - The objects that failed, each with its name in messages and diffs as C(object), and a C(msg). Depending on the
      cause, also C(error), C(option_errors), or C(ids), as for a single object. The others were processed.
  returned: when some objects failed
  type: list
  elements: dict
"""

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import run
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.estate import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
