#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: api
short_description: Send one request to the service
version_added: 1.0.0
author:
  - edgeops.ingress contributors (@edgeops)
description:
  - Sends a request as you write it, for what has no module in this collection yet, with the connection, the retries and
    the masks of the other modules.
  - Where there is a module, use that. This one does not look before it sends, so it can't tell whether a request
    changes anything.
extends_documentation_fragment:
  - edgeops.ingress.attributes
  - edgeops.ingress.connection
attributes:
  check_mode:
    support: partial
    details:
      - A V(GET) is sent. Any other request is not, and counts as a change.
      - What the tasks after it have instead of an answer is the body of the request; see RV(json).
  diff_mode:
    support: none
    details: It does not know what a request changes.
  idempotent:
    support: none
    details: Everything but a V(GET) is sent in every run, and counts as a change.
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
      - The path below O(base_url), which starts with a slash and may end with a query, such as
        V(/edges/https?limit=10). Characters that a path can't hold have to be written in their percent form.
    type: str
    required: true
  body:
    description:
      - What to send, a dictionary or a list, which is written as JSON.
      - Left out, the request has no body. With V(GET) and V(DELETE) it must be left out.
    type: raw
  reveal:
    description:
      - Fields of these names are masked in the answer, because they hold secrets. Those that are listed here are shown.
        A token that the service shows only once has to be, if a later task needs it.
      - Put C(no_log=true) on such a task. Values of fields of these names in O(body) stay masked in any case.
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
# The connection is given once, for all tasks: here by the environment variables INGRESS_BASE_URL and INGRESS_API_KEY.
# In a playbook, this does the same:
#
#   module_defaults:
#     group/edgeops.ingress.all:
#       base_url: https://api.example.com
#       api_key: "{{ ingress_api_key }}"

- name: Read the newest edges
  edgeops.ingress.api:
    path: /edges/https?limit=10
  register: newest

- name: Tell what they serve
  ansible.builtin.debug:
    msg: "{{ newest.json.https_edges | map(attribute='hostports') }}"

- name: Compress what a route answers, and leave the rest of it alone
  edgeops.ingress.api:
    method: PUT
    path: /edges/https/edghts_2fQmJ8sYv1/routes/edghtsrt_2fQmJ8sYv1/compression
    body:
      enabled: true

- name: Take the compression off again
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
