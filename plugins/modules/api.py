#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: api
short_description: Send a single request to the service
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description:
  - Sends a request for anything that no other module can do. The connection, retries, and masks are those of the other
    modules.
  - If another module can do it, use that instead. For objects without a module of their own, use
    M(edgeops.ingress.object). This module does not read before it writes, so it does not know whether a request changes
    anything.
extends_documentation_fragment:
  - edgeops.ingress._attributes
  - edgeops.ingress._connection
attributes:
  check_mode:
    support: partial
    details:
      - In check mode, only V(GET) requests are sent. Any other request counts as a change.
      - Instead of a response, RV(json) contains the body of the request for later tasks.
  diff_mode:
    support: none
    details: The module does not know what a request changes.
  idempotent:
    support: none
    details: Any request other than V(GET) is sent in every run, and counts as a change.
options:
  method:
    description: The HTTP method.
    type: str
    choices: [GET, POST, PUT, PATCH, DELETE]
    default: GET
  path:
    description:
      - The path below O(base_url). It starts with a slash and can end with a query, such as V(/edges/https?limit=10).
        Characters that are not allowed in a path must be percent-encoded.
      - Parameters of the query that are named like secrets, such as C(token), are masked in results.
    type: str
    required: true
  body:
    description:
      - The body of the request, a dictionary or list that is sent as JSON.
      - A secret in it, which is recognized by its name, must not be an empty string.
      - If omitted, the request has no body. V(GET) and V(DELETE) requests cannot have a body.
    type: raw
  reveal:
    description:
      - The names of secret fields to return unmasked in RV(json). By default, all of them are masked. Use this for a
        token that the service returns only once and that a later task needs.
      - Set C(no_log=true) for such a task. The values of these fields in O(body) are always masked.
    type: list
    elements: str
    default: []
"""

EXAMPLES = r"""
- name: Read the newest edges
  edgeops.ingress.api:
    path: /edges/https?limit=10
  register: newest

- name: Show their hostports
  ansible.builtin.debug:
    msg: "{{ newest.json.https_edges | map(attribute='hostports') }}"

- name: Compress the responses of a route
  edgeops.ingress.api:
    method: PUT
    path: /edges/https/edghts_2fQmJ8sYv1/routes/edghtsrt_2fQmJ8sYv1/compression
    body:
      enabled: true
"""

RETURN = r"""
status:
  description: The status code of the response. Null in check mode, if the request was not sent.
  returned: success
  type: int
  sample: 200
json:
  description:
    - The response. Null if it is empty.
    - In check mode, the body of a request that was not sent. For V(POST), it also contains an C(id) such as
      V(edghts_3f2a91c07be4_would-be-created), so that later tasks can be planned. The ID starts with V(new_) if this
      collection does not know the kind of object.
  returned: success
  type: raw
  sample:
    enabled: true
operations:
  description: The write requests, as in RV(edgeops.ingress.estate#module:operations).
  returned: always
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.api import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
