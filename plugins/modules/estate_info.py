#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: estate_info
short_description: Read the whole configuration in the form in which it is declared
version_added: 1.0.0
author:
  - edgeops.ingress contributors (@edgeops)
description:
  - Reads HTTPS edges with their routes, TLS edges with their modules, and event subscriptions with their sources, in
    exactly the form in which M(edgeops.ingress.estate) takes them. Declared so, nothing changes.
  - Secrets are left out, which means those in place. Where another option may not be given without the secret, as the
    C(client_id) of an OAuth provider, it is V(********), which means the same. At another service or after a deletion,
    the secrets have to be put in.
  - HTTPS edges come without their ids, so that they are found by their hostports, and routes so that they are found by
    C(match_type) and C(match). Where that does not tell which one is meant, as it does not for edges without hostports,
    they have their C(id).
  - If the service holds a value that M(edgeops.ingress.estate) does not accept, such as a hostport without a port, the
    module returns it as it is and warns. The estate can be applied once that value is changed or removed.
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
  https_edges:
    description:
      - Whether to read the HTTPS edges, with their routes. All edges of the account are read.
      - With V(true), the service has to offer the list of its edges.
    type: bool
    default: true
  tls_edges:
    description:
      - The TLS edges to read, by their ids, which start with V(edgtls_). The service offers no list of them.
      - If the service answers 404 for both modules of one, the edge may not exist, or nothing may be set on it;
        services differ in that. The task warns, and RV(tls_edges_not_found) lists it.
    type: list
    elements: str
    default: []
  event_subscriptions:
    description:
      - The event subscriptions to read, by their ids, which start with V(esb_). The service offers no list of them.
      - One that the service does not know is an error.
    type: list
    elements: str
    default: []
seealso:
  - module: edgeops.ingress.estate
"""

EXAMPLES = r"""
# The connection is given once, for all tasks: here by the environment variables INGRESS_BASE_URL and INGRESS_API_KEY.
# In a playbook, this does the same:
#
#   module_defaults:
#     group/edgeops.ingress.all:
#       base_url: https://api.example.com
#       api_key: "{{ ingress_api_key }}"

- name: Read everything that there is
  edgeops.ingress.estate_info:
    tls_edges:
      - edgtls_2fQmJ8sYv1
    event_subscriptions:
      - esb_2fQmJ8sYv1
  register: live

- name: Keep it in a file, whose variables the role edgeops.ingress.estate takes
  ansible.builtin.copy:
    content: "{{ declared | edgeops.ingress.declaration_yaml }}"
    dest: "{{ playbook_dir }}/estate.yml"
    mode: "0600"
  vars:
    declared:
      estate_https_edges: "{{ live.estate.https_edges }}"
      estate_tls_edges: "{{ live.estate.tls_edges }}"
      estate_event_subscriptions: "{{ live.estate.event_subscriptions }}"

- name: What there is, is what is declared, so nothing changes
  edgeops.ingress.estate:
    https_edges: "{{ live.estate.https_edges }}"
    tls_edges: "{{ live.estate.tls_edges }}"
    event_subscriptions: "{{ live.estate.event_subscriptions }}"
    purge:
      - edges
      - routes
      - modules
      - sources
    max_deletions: 0

- name: Read the HTTPS edges only
  edgeops.ingress.estate_info:
  register: edges

- name: Tell which hostports they have
  ansible.builtin.debug:
    msg: "{{ edges.estate.https_edges | map(attribute='hostports', default=[]) | flatten }}"
"""

RETURN = r"""
estate:
  description:
    - What there is, in the form of the options of M(edgeops.ingress.estate). What is not set is left out.
  returned: success
  type: dict
  contains:
    https_edges:
      description:
        - The HTTPS edges, in the form of O(edgeops.ingress.estate#module:https_edges), in the opposite order to the
          service's list, which is oldest first where that starts with the newest. Each has C(routes), which may be
          empty.
      returned: when O(https_edges=true)
      type: list
      elements: dict
      sample:
        - hostports:
            - shop.example.com:443
          description: The shop
          routes:
            - match_type: path_prefix
              match: /
              backend:
                enabled: true
                backend_id: bk_2fQmJ8sYv1
    tls_edges:
      description:
        - The TLS edges, in the form of O(edgeops.ingress.estate#module:tls_edges) and in the order of O(tls_edges).
      returned: when O(tls_edges) is not empty
      type: list
      elements: dict
      sample:
        - edge_id: edgtls_2fQmJ8sYv1
          ip_restriction:
            enabled: true
            ip_policy_ids:
              - ipp_2fQmJ8sYv1
    event_subscriptions:
      description:
        - The event subscriptions, in the form of O(edgeops.ingress.estate#module:event_subscriptions) and in the order
          of O(event_subscriptions). Their C(sources) are in alphabetical order.
      returned: when O(event_subscriptions) is not empty
      type: list
      elements: dict
      sample:
        - subscription_id: esb_2fQmJ8sYv1
          sources:
            - domain_updated.v0
            - ip_policy_updated.v0
tls_edges_not_found:
  description:
    - The IDs of the TLS edges among O(tls_edges) of which the service shows nothing, because it answers 404 for both
      modules. They may not exist, or nothing may be set on them. RV(estate) has them without modules.
  returned: success
  type: list
  elements: str
  version_added: 1.1.0
  sample: []
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.estate_info import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
