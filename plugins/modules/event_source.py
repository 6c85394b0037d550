#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: event_source
short_description: Manage an event source of an event subscription
version_added: 1.0.0
author:
  - edgeops.ingress contributors (@edgeops)
description:
  - An event source is an event type that triggers an event subscription. This module adds an event source to the
    subscription, or deletes it.
  - If the event subscription does not exist, the task fails, in check mode as well. With O(state=absent), it changes
    nothing.
extends_documentation_fragment:
  - edgeops.ingress.attributes
  - edgeops.ingress.connection
  - edgeops.ingress.state
  - edgeops.ingress.event_subscription.source
seealso:
  - module: edgeops.ingress.event_sources
"""

EXAMPLES = r"""
# The environment variables INGRESS_BASE_URL and INGRESS_API_KEY configure the connection. In a playbook, you can set
# base_url and api_key for all modules instead, in the module_defaults of group/edgeops.ingress.all.

- name: Trigger the subscription when an IP policy changes
  edgeops.ingress.event_source:
    subscription_id: esb_2fQmJ8sYv1
    type: ip_policy_updated.v0

- name: Stop triggering it by requests
  edgeops.ingress.event_source:
    subscription_id: esb_2fQmJ8sYv1
    type: http_request_complete.v0
    state: absent
"""

RETURN = r"""
event_source:
  description:
    - The event source as it is after the task; in check mode, as it would be. It is null where it is absent.
  returned: success
  type: dict
  contains:
    type:
      description: The kind of event.
      type: str
      sample: ip_policy_updated.v0
    uri:
      description: The address of the event source at the service. Empty in check mode, if it does not exist yet.
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
    - method: POST
      path: /event_subscriptions/esb_2fQmJ8sYv1/sources
      reason: "does not exist yet"
error:
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
faults:
  description: Everything that is wrong with the options, each with the option's name.
  returned: when the options are wrong
  type: list
  elements: str
  sample:
    - "description: 256 bytes (90 characters) are too long; the limit is 255 bytes"
"""

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import run
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.event_source import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
