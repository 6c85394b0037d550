#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: event_sources
short_description: Manage the event sources of an event subscription as a set
version_added: 1.0.0
author:
  - edgeops.ingress contributors (@edgeops)
description:
  - Declares the event types that trigger an event subscription. Its event sources are listed once, and only differences
    are written.
  - Undeclared event sources are kept, unless O(purge=true).
  - The event sources are written in sequence, in the order in which they are declared. Undeclared event sources are
    purged last.
  - If an event source fails, the others are still processed. The task then fails and lists each failure. If you run it
    again, it continues from there.
extends_documentation_fragment:
  - edgeops.ingress.attributes
  - edgeops.ingress.connection
  - edgeops.ingress.event_subscription.sources
attributes:
  diff_mode:
    details: There is one diff for each changed event source.
options:
  purge:
    description:
      - Whether to delete the event sources of the subscription that are not declared.
    type: bool
    default: false
  allow_empty:
    description:
      - Whether O(purge=true) may delete all event sources of the subscription, because O(types) is an empty list.
      - With V(false), the task fails, because the cause might be a variable that is not set.
    type: bool
    default: false
    version_added: 1.1.0
  max_deletions:
    description:
      - Maximum number of deletions, V(0) or more. If the plan contains more, the task fails before it writes anything.
        In check mode, the task fails as well.
      - If the service has changed in the meantime, further deletions are planned during the run. They also count, and
        those that exceed the maximum are not sent.
    type: int
    default: 10
    version_added: 1.1.0
seealso:
  - module: edgeops.ingress.event_source
  - module: edgeops.ingress.estate
"""

EXAMPLES = r"""
# The environment variables INGRESS_BASE_URL and INGRESS_API_KEY configure the connection. In a playbook, you can set
# base_url and api_key for all modules instead, in the module_defaults of group/edgeops.ingress.all.

- name: Also trigger the subscription when an IP policy changes
  edgeops.ingress.event_sources:
    subscription_id: esb_2fQmJ8sYv1
    types:
      - ip_policy_created.v0
      - ip_policy_updated.v0
      - ip_policy_deleted.v0

- name: Trigger it by these two event types only
  edgeops.ingress.event_sources:
    subscription_id: esb_2fQmJ8sYv1
    purge: true
    types:
      - ip_policy_updated.v0
      - domain_updated.v0
"""

RETURN = r"""
event_sources:
  description:
    - The declared event sources as they are after the task, in the order in which they are declared; in check mode, as
      they would be.
    - Sources that are not declared are not among them, whether or not they are purged. After a failure, those that are
      not there are left out.
  returned: success, and when some objects failed
  type: list
  elements: dict
  contains:
    type:
      description: The kind of event.
      type: str
      sample: ip_policy_updated.v0
    uri:
      description: The address of the event source at the service. Empty in check mode, if it does not exist yet.
      type: str
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
      path: /event_subscriptions/esb_2fQmJ8sYv1/sources/http_request_complete.v0
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.event_sources import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
