#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: event_source
short_description: Manage an event source of an event subscription
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description:
  - An event source is an event type that triggers an event subscription. This module adds an event source to the
    subscription, or deletes it.
  - If the event subscription does not exist, the task fails, in check mode as well. With O(state=absent), it changes
    nothing.
extends_documentation_fragment:
  - edgeops.ingress._attributes
  - edgeops.ingress._connection
  - edgeops.ingress._common.state
  - edgeops.ingress._event_subscription.source
seealso:
  - module: edgeops.ingress.event_sources
"""

EXAMPLES = r"""
- name: Trigger the subscription when an IP policy changes
  edgeops.ingress.event_source:
    subscription_id: esb_2fQmJ8sYv1
    type: ip_policy_updated.v0

- name: Stop triggering it for each HTTP request
  edgeops.ingress.event_source:
    subscription_id: esb_2fQmJ8sYv1
    type: http_request_complete.v0
    state: absent
"""

RETURN = r"""
event_source:
  description:
    - The state of the event source after the task, or the predicted state in check mode. Null if it does not exist.
    - In check mode, the C(uri) of a new event source is empty.
  returned: success
  type: dict
  sample:
    type: ip_policy_updated.v0
    uri: https://api.example.com/event_subscriptions/esb_2fQmJ8sYv1/sources/ip_policy_updated.v0
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
"""

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import run
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.event_source import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
