#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: tunnel_info
short_description: List online tunnels
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description:
  - Lists the online tunnels of the account, or reads a single one.
  - If you set several options that select tunnels, only tunnels that match all of them are returned.
extends_documentation_fragment:
  - edgeops.ingress._attributes.info
  - edgeops.ingress._attributes
  - edgeops.ingress._connection
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
    choices: [http, https, tcp, tls]
  region:
    description:
      - Return only tunnels that run in this region.
      - If omitted, tunnels are returned regardless of their region.
    type: str
  labels:
    description:
      - Return only tunnels that have all of these labels with these values. They can have further labels.
      - Labels are strings. V(true), V(false), and numbers stand for these strings.
      - If omitted or empty, tunnels are returned regardless of their labels.
    type: dict
  metadata:
    description:
      - Return only tunnels with exactly this metadata.
      - If omitted, tunnels are returned regardless of their metadata.
    type: str
"""

EXAMPLES = r"""
- name: List all online tunnels
  edgeops.ingress.tunnel_info:
  register: all

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
"""

RETURN = r"""
tunnels:
  description:
    - The tunnels, in the order in which the service lists them.
    - A tunnel has either a public endpoint (C(public_url), C(proto), and C(endpoint)) or C(labels) by which backends
      select it, with the C(backends) that it serves. Values that it does not have are empty, and references are null.
    - C(metadata) comes from the configuration file of the agent. C(forwards_to) is the URL or network address to which
      the agent forwards the traffic, and C(tunnel_session) the session of the agent.
  returned: success
  type: list
  elements: dict
  sample:
    - id: tn_2fQmJ8sYv1
      public_url: tcp://1.tcp.example.net:12345
      started_at: "2026-01-31T12:00:00Z"
      metadata: ssh
      proto: tcp
      region: eu
      tunnel_session:
        id: ts_2fQmJ8sYv1
        uri: https://api.example.com/tunnel_sessions/ts_2fQmJ8sYv1
      endpoint:
        id: ep_2fQmJ8sYv1
        uri: https://api.example.com/endpoints/ep_2fQmJ8sYv1
      labels: {}
      backends: []
      forwards_to: localhost:22
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.tunnel_info import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
