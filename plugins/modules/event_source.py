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

- name: Stop triggering it for each HTTP request
  edgeops.ingress.event_source:
    subscription_id: esb_2fQmJ8sYv1
    type: http_request_complete.v0
    state: absent
"""

# Written by `make format`, from dev/return_values.yml.
RETURN = r"""
event_source:
  description:
    - The state of the event source after the task, or the predicted state in check mode. Null if it does
      not exist.
  returned: success
  type: dict
  contains:
    type:
      description: The event type, such as V(ip_policy_updated.v0).
      type: str
      sample: ip_policy_updated.v0
    uri:
      description: The URI of the event source. Empty in check mode if the event source does not exist
        yet.
      type: str
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
    - method: POST
      path: /event_subscriptions/esb_2fQmJ8sYv1/sources
      reason: does not exist yet
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
option_errors:
  description: All option errors, each with the path of the option.
  returned: when the options are invalid
  type: list
  elements: str
  version_added: 1.1.0
  sample:
    - 'base_url: not a valid URL; expected a URL such as https://api.example.com or https://host:8443/base'
"""

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import run
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.event_source import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
