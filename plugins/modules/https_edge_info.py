#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: https_edge_info
short_description: Read HTTPS edges
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description:
  - Lists the HTTPS edges of the account with their traffic modules and routes, or reads a single one.
  - If you set several options that select edges, only edges that match all of them are returned.
extends_documentation_fragment:
  - edgeops.ingress._attributes.info
  - edgeops.ingress._attributes
  - edgeops.ingress._connection
options:
  id:
    description:
      - The ID of the edge to read, which starts with V(edghts_).
      - If the edge does not exist, the list is empty.
      - If omitted, all edges are listed. If the service does not support listing edges, this option is required.
    type: str
  hostports:
    description:
      - Return only edges that serve at least one of these hostports, each a host name and a port, such as
        V(shop.example.com:443). Letter case is ignored.
      - If omitted or empty, edges are returned regardless of their hostports.
    type: list
    elements: str
  description:
    description:
      - Return only edges with exactly this description. An empty string selects edges without a description.
      - If omitted, edges are returned regardless of their description.
    type: str
  metadata:
    description:
      - Return only edges with exactly this metadata. A dictionary or list is compared as compact JSON, which is how
        M(edgeops.ingress.https_edge) stores it.
      - If omitted, edges are returned regardless of their metadata.
    type: raw
seealso:
  - module: edgeops.ingress.https_edge
  - module: edgeops.ingress.estate_info
"""

EXAMPLES = r"""
- name: List all HTTPS edges
  edgeops.ingress.https_edge_info:
  register: all

- name: Show the hostports of all edges
  ansible.builtin.debug:
    msg: "{{ all.https_edges | map(attribute='hostports') }}"

- name: Find the edge of the shop
  edgeops.ingress.https_edge_info:
    hostports:
      - shop.example.com:443
"""

RETURN = r"""
https_edges:
  description:
    - The edges, in the order in which the service lists them, each in the format of
      RV(edgeops.ingress.https_edge#module:https_edge).
  returned: success
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.https_edge_info import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
