#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: estate_info
short_description: Read the live configuration in the format that estate accepts
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description:
  - Reads HTTPS edges with their routes, TLS edges with their traffic modules, and event subscriptions with their event
    sources, in exactly the format that M(edgeops.ingress.estate) accepts. If you declare the result, nothing changes.
  - Secrets are omitted, except in a C(policy), so the current ones are kept. If another option requires the secret,
    such as the C(client_id) of an OAuth provider, the mask V(********) is returned, which means the same. So are the
    values of headers that are named like secrets, and values with such names in strings that contain JSON. Before you
    apply the result to another service, or after a deletion, set the secrets.
  - A string that contains a secret of the task, such as its O(api_key), is omitted, so the current one is kept. If it
    cannot be omitted, it is masked. The module warns about either.
  - HTTPS edges and routes are returned without their C(id), so that edges are found by their hostports, and routes by
    C(match_type) and C(match). If this is ambiguous, for example for edges without hostports, C(id) is included.
  - If the service holds a value that M(edgeops.ingress.estate) does not accept, such as a hostport without a port, the
    module returns it unchanged and warns. Change or remove that value before you apply the result.
  - Rules of a C(policy) in another format, such as YAML, are not returned, and the module warns. If you apply the
    result unchanged, the service keeps them.
extends_documentation_fragment:
  - edgeops.ingress._attributes.info
  - edgeops.ingress._attributes
  - edgeops.ingress._connection
  - edgeops.ingress._estate.read
options:
  objects:
    description:
      - The paths of collections to read whose objects have no module of their own, such as V(ip_policies) and
        V(backends/http_response). They are returned in the format of O(edgeops.ingress.estate#module:objects).
      - References from and to these objects are returned as V(ref:NAME). If you apply the result to a service without
        these objects, it creates them.
      - Objects are found by their description, or otherwise by all their fields that are strings. If both are
        ambiguous, C(id) is included. Remove fields that your service returns and does not accept in requests.
    type: list
    elements: str
    default: []
  tls_edges:
    description:
      - The IDs of the TLS edges to read, which start with V(edgtls_). The API reference defines no list of them.
      - If the service returns 404 for both traffic modules, the TLS edge does not exist or has no traffic modules. Some
        services do not distinguish the two. The task then warns, and RV(tls_edges_not_found) lists the TLS edge.
seealso:
  - module: edgeops.ingress.estate
"""

EXAMPLES = r"""
- name: Read the live configuration
  edgeops.ingress.estate_info:
    tls_edges:
      - edgtls_2fQmJ8sYv1
    event_subscriptions:
      - esb_2fQmJ8sYv1
  register: live

- name: Write it to a variables file for the role edgeops.ingress.estate
  ansible.builtin.copy:
    content: "{{ declared | edgeops.ingress.declaration_yaml }}"
    dest: "{{ playbook_dir }}/estate.yml"
    mode: "0600"
  vars:
    declared:
      estate_https_edges: "{{ live.estate.https_edges }}"
      estate_tls_edges: "{{ live.estate.tls_edges }}"
      estate_event_subscriptions: "{{ live.estate.event_subscriptions }}"

- name: Declare the result, which changes nothing
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
"""

RETURN = r"""
estate:
  description:
    - The live configuration, in the format of the options of M(edgeops.ingress.estate). Unset values are omitted.
    - C(objects) contains the objects of the collections in O(objects), oldest first, C(https_edges) the HTTPS edges,
      each with C(routes), C(tls_edges) and C(event_subscriptions) those in O(tls_edges) and O(event_subscriptions) in
      their order. Each of these lists is omitted if it was not read.
    - The HTTPS edges are in the reverse order of the list of the service, which means oldest first if the service lists
      the newest edge first. Event types are in alphabetical order.
  returned: success
  type: dict
  sample:
    https_edges:
      - hostports:
          - shop.example.com:443
        routes:
          - match_type: path_prefix
            match: /
            backend:
              enabled: true
              backend_id: bk_2fQmJ8sYv1
tls_edges_not_found:
  description:
    - The IDs of those O(tls_edges) for which the service returns 404 for both traffic modules. They do not exist, or
      have no traffic modules. RV(estate) contains them without traffic modules.
  returned: success
  type: list
  elements: str
collected_at:
  description: When the task began to read, in UTC. M(edgeops.ingress.report) shows it.
  returned: success
  type: str
  sample: "2026-01-31T12:00:00Z"
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.estate_info import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
