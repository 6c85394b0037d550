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

RETURN = r"""
tunnels:
  description: The tunnels, newest first as far as the service lists them so. What a tunnel does not have is empty.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: The id of the tunnel.
      type: str
      sample: tn_2fQmJ8sYv1
    public_url:
      description: The address of its public endpoint. Empty if the tunnel serves backends.
      type: str
      sample: tcp://1.tcp.example.net:12345
    started_at:
      description: When it was started.
      type: str
      sample: "2026-01-31T12:00:00Z"
    metadata:
      description: What the agent's configuration file says about it.
      type: str
    proto:
      description: The protocol of its public endpoint. Empty if the tunnel serves backends.
      type: str
      sample: tcp
    region:
      description: The region that it runs in.
      type: str
      sample: eu
    tunnel_session:
      description: The session of the agent that started it. It is null where the service does not say it.
      type: dict
      contains: &reference
        id:
          description: The id.
          type: str
        uri:
          description: The address at the service.
          type: str
    endpoint:
      description: Its public endpoint. It is null if the tunnel serves backends.
      type: dict
      contains: *reference
    labels:
      description: The labels by which backends find it. Empty if the tunnel has a public endpoint.
      type: dict
    backends:
      description: The backends that it serves.
      type: list
      elements: dict
      contains: *reference
    forwards_to:
      description: Where the agent sends the traffic.
      type: str
      sample: localhost:22
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.tunnel_info import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
