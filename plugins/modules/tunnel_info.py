#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: tunnel_info
short_description: List online tunnels
version_added: 1.0.0
author:
  - edgeops.ingress contributors (@edgeops)
description:
  - Lists the online tunnels of the account, or reads a single one.
  - If you set several options that select tunnels, only tunnels that match all of them are returned.
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
  id:
    description:
      - The ID of the tunnel to read, which starts with V(tn_).
      - If the tunnel is not online, the list is empty.
      - If omitted, all online tunnels are listed.
    type: str
  proto:
    description:
      - Return only tunnels with this protocol. Tunnels that serve backends have no protocol.
      - If omitted, tunnels are returned regardless of their protocol.
    type: str
    choices:
      - http
      - https
      - tcp
      - tls
  region:
    description:
      - Return only tunnels that run in this region.
      - If omitted, tunnels are returned regardless of their region.
    type: str
  labels:
    description:
      - Return only tunnels that have all of these labels with these values. They can have further labels.
      - If omitted or empty, tunnels are returned regardless of their labels.
    type: dict
  metadata:
    description:
      - Return only tunnels with exactly this metadata.
      - If omitted, tunnels are returned regardless of their metadata.
    type: str
"""

EXAMPLES = r"""
# The environment variables INGRESS_BASE_URL and INGRESS_API_KEY configure the connection. In a playbook, you can set
# base_url and api_key for all modules instead, in the module_defaults of group/edgeops.ingress.all.

- name: List all online tunnels
  edgeops.ingress.tunnel_info:
  register: all

- name: Show their number
  ansible.builtin.debug:
    msg: "{{ all.tunnels | length }} tunnels are online"

- name: Find the SSH ports of the devices in one region
  edgeops.ingress.tunnel_info:
    proto: tcp
    region: eu
    metadata: ssh
  register: devices

- name: Show their URLs
  ansible.builtin.debug:
    msg: "{{ devices.tunnels | map(attribute='public_url') }}"

- name: Find the tunnels that serve the backend of the shop
  edgeops.ingress.tunnel_info:
    labels:
      service: shop
  register: shop

- name: Check whether one of them is still online
  edgeops.ingress.tunnel_info:
    id: "{{ shop.tunnels[0].id }}"
"""

# Written by `make format`, from dev/return_values.yml.
RETURN = r"""
tunnels:
  description: The tunnels, in the order in which the service lists them. Values that a tunnel does not
    have are empty.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: The ID of the tunnel.
      type: str
      sample: tn_2fQmJ8sYv1
    public_url:
      description: The URL of the public endpoint. Empty if the tunnel serves backends.
      type: str
      sample: tcp://1.tcp.example.net:12345
    started_at:
      description: The time at which the tunnel was started.
      type: str
      sample: '2026-01-31T12:00:00Z'
    metadata:
      description: The metadata from the configuration file of the agent.
      type: str
    proto:
      description: The protocol of the public endpoint. Empty if the tunnel serves backends.
      type: str
      sample: tcp
    region:
      description: The region in which the tunnel runs.
      type: str
      sample: eu
    tunnel_session:
      description: The session of the agent that started the tunnel. Null if the service does not return
        it.
      type: dict
      contains: &id001
        id:
          description: The ID.
          type: str
        uri:
          description: The URI.
          type: str
    endpoint:
      description: The public endpoint. Null if the tunnel serves backends.
      type: dict
      contains: *id001
    labels:
      description: The labels by which backends select the tunnel. Empty if the tunnel has a public endpoint.
      type: dict
    backends:
      description: The backends that the tunnel serves.
      type: list
      elements: dict
      contains: *id001
    forwards_to:
      description: The URL or network address to which the agent forwards the traffic.
      type: str
      sample: localhost:22
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.tunnel_info import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
