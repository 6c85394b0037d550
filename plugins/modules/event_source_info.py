#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: event_source_info
short_description: Read the event sources of an event subscription
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description: Lists the event sources of an event subscription, or reads a single one.
extends_documentation_fragment:
  - edgeops.ingress._attributes.info
  - edgeops.ingress._attributes
  - edgeops.ingress._connection
options:
  subscription_id:
    description:
      - The ID of the event subscription, which starts with V(esb_).
      - If the event subscription does not exist, the list is empty.
    type: str
    required: true
  type:
    description:
      - The event type of the event source to read, such as V(ip_policy_updated.v0).
      - If the event subscription does not have this event source, the list is empty.
      - If the name is not in the event catalog, the task fails and suggests similar names, unless
        O(allow_unknown_type=true).
      - If omitted, all event sources are listed.
    type: str
  allow_unknown_type:
    description: Whether to accept event types that are not in the event catalog.
    type: bool
    default: false
seealso:
  - module: edgeops.ingress.event_source
  - module: edgeops.ingress.event_sources
  - plugin: edgeops.ingress.event_types
    plugin_type: lookup
"""

EXAMPLES = r"""
- name: List the event sources of a subscription
  edgeops.ingress.event_source_info:
    subscription_id: esb_2fQmJ8sYv1
  register: all

- name: Show the event types that trigger it
  ansible.builtin.debug:
    msg: "{{ all.event_sources | map(attribute='type') }}"

- name: Check whether updated IP policies trigger it
  edgeops.ingress.event_source_info:
    subscription_id: esb_2fQmJ8sYv1
    type: ip_policy_updated.v0
"""

RETURN = r"""
event_sources:
  description: The event sources, in the order in which the service lists them.
  returned: success
  type: list
  elements: dict
  sample:
    - type: ip_policy_updated.v0
      uri: https://api.example.com/event_subscriptions/esb_2fQmJ8sYv1/sources/ip_policy_updated.v0
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.event_source_info import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
