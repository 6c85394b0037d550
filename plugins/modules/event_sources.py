#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: event_sources
short_description: Manage the event sources of an event subscription as a set
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description:
  - Declares the event types that trigger an event subscription. Its event sources are listed once, and only differences
    are written.
  - Undeclared event sources are kept, unless O(purge=true). They are purged last.
  - If an event source fails, the other declared ones are still processed, but none is purged. The task then fails and
    lists each failure. If you run it again, it continues from there.
extends_documentation_fragment:
  - edgeops.ingress._attributes
  - edgeops.ingress._connection
  - edgeops.ingress._common.set
  - edgeops.ingress._event_subscription.sources
attributes:
  diff_mode:
    details: There is one diff for each changed event source.
options:
  purge:
    description: Whether to delete the event sources of the subscription that are not declared.
    type: bool
    default: false
  allow_empty:
    description:
      - Whether O(purge=true) may delete all event sources of the subscription, because O(types) is an empty list.
      - With V(false), a task that would do that changes nothing and fails, because the cause might be a variable that
        is not set.
    type: bool
    default: false
seealso:
  - module: edgeops.ingress.event_source
  - module: edgeops.ingress.estate
"""

EXAMPLES = r"""
- name: Also trigger the subscription when an IP policy changes
  edgeops.ingress.event_sources:
    subscription_id: esb_2fQmJ8sYv1
    types:
      - ip_policy_created.v0
      - ip_policy_updated.v0
      - ip_policy_deleted.v0

- name: Let only these two event types trigger it
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
    - The declared event sources in their order, with their state after the task, or the predicted state in check mode.
      Each has the format of RV(edgeops.ingress.event_source#module:event_source).
    - Undeclared event sources are not included. After a failure, neither are those that do not exist.
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
option_errors:
  description: All option errors, each with the path of the option.
  returned: when the options are invalid
  type: list
  elements: str
failures:
  description: The objects that failed, as in RV(edgeops.ingress.estate#module:failures).
  returned: when some objects failed
  type: list
  elements: dict
"""

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import run
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.event_sources import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
