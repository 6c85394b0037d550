#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: event_source_info
short_description: Read the event sources of an event subscription
version_added: 1.0.0
author:
  - edgeops.ingress contributors (@edgeops)
description:
  - Lists the event sources of an event subscription, or reads a single one.
extends_documentation_fragment:
  - edgeops.ingress.attributes
  - edgeops.ingress.connection
attributes:
  check_mode:
    details: This module changes nothing.
  diff_mode:
    support: N/A
    details: This module changes nothing.
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
    description:
      - Whether to accept event types that are not in the event catalog.
    type: bool
    default: false
seealso:
  - module: edgeops.ingress.event_source
  - module: edgeops.ingress.event_sources
  - plugin: edgeops.ingress.event_types
    plugin_type: lookup
"""

EXAMPLES = r"""
# The environment variables INGRESS_BASE_URL and INGRESS_API_KEY configure the connection. In a playbook, you can set
# base_url and api_key for all modules instead, in the module_defaults of group/edgeops.ingress.all.

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

# Written by `make format`, from dev/return_values.yml.
RETURN = r"""
event_sources:
  description: The event sources, in the order in which the service lists them.
  returned: success
  type: list
  elements: dict
  contains:
    type:
      description: The event type, such as V(ip_policy_updated.v0).
      type: str
      sample: ip_policy_updated.v0
    uri:
      description: The URI of the event source.
      type: str
error:
  description: The request that failed, and the response of the service.
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.event_source_info import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
