#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: api
short_description: Send a single request to the service
version_added: 1.0.0
author:
  - edgeops.ingress contributors (@edgeops)
description:
  - Sends a request for anything that has no module yet. The connection, retries, and masks are those of the other
    modules.
  - If a module exists, use that instead. This module does not read before it writes, so it does not know whether a
    request changes anything.
extends_documentation_fragment:
  - edgeops.ingress.attributes
  - edgeops.ingress.connection
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
    description:
      - The HTTP method.
    type: str
    choices:
      - GET
      - POST
      - PUT
      - PATCH
      - DELETE
    default: GET
  path:
    description:
      - The path below O(base_url). It starts with a slash and can end with a query, such as V(/edges/https?limit=10).
        Characters that are not allowed in a path must be percent-encoded.
    type: str
    required: true
  body:
    description:
      - The body of the request, a dictionary or list that is sent as JSON.
      - If omitted, the request has no body. V(GET) and V(DELETE) requests cannot have a body.
    type: raw
  reveal:
    description:
      - The secret fields to return unmasked in RV(json). By default, all of them are masked. Use this for a token that
        the service returns only once and that a later task needs.
      - Set C(no_log=true) for such a task. The values of these fields in O(body) are always masked.
    type: list
    elements: str
    choices:
      - aws_secret_access_key
      - client_secret
      - secret
      - token
    default: []
"""

EXAMPLES = r"""
# The environment variables INGRESS_BASE_URL and INGRESS_API_KEY configure the connection. In a playbook, you can set
# base_url and api_key for all modules instead, in the module_defaults of group/edgeops.ingress.all.

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

- name: Stop compressing them
  edgeops.ingress.api:
    method: DELETE
    path: /edges/https/edghts_2fQmJ8sYv1/routes/edghtsrt_2fQmJ8sYv1/compression
"""

RETURN = r"""
status:
  description: The status code of the answer. It is null in check mode, if the request was not sent.
  returned: success
  type: int
  sample: 200
json:
  description:
    - The answer. It is null where it is empty.
    - In check mode, if the request was not sent, it is the body that would be. With V(POST), it has an C(id) such as
      V(edghts_would-be-created) besides, so that the tasks after it can be planned. That starts with V(unknown_) where
      this collection does not know the kind of object.
  returned: success
  type: raw
  sample:
    enabled: true
operations:
  description:
    - The requests that changed something, for each object in the order in which they were sent; in check mode, those
      that would be.
    - After a failure, those that have taken effect.
  returned: always
  type: list
  elements: dict
  contains:
    method:
      description: The HTTP method.
      type: str
    path:
      description: The path below O(base_url).
      type: str
    reason:
      description: Why the request was needed.
      type: str
  sample:
    - method: PUT
      path: /edges/https/edghts_2fQmJ8sYv1/routes/edghtsrt_2fQmJ8sYv1/compression
      reason: "asked for by the task"
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.api import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
