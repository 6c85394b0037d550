# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
---
short_description: Receive events about changes of an account of the ingress service
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description:
  - An event source for rulebooks. Polls the tunnels, edges, routes, and event sources of an account, and judges who
    gets in, as the module C(edgeops.ingress.exposure_info) does. Whatever has changed since the previous poll becomes
    an event.
  - An event has a C(type), which is V(tunnel_online), V(tunnel_offline), V(edge_changed), V(route_changed),
    V(source_changed), V(finding_opened), V(finding_closed), V(polling_failed), or V(polling_recovered). It also has an
    C(id), the C(account), the C(time), the C(kind) and the name of the C(object), its C(ids), and its state C(before)
    and C(after). Events about edges, routes, and sources have an C(action), which is V(created), V(changed), or
    V(deleted), and list the names of the C(changed) fields.
  - Secrets are masked in events and in the state file, and so are the values of headers. If nothing else changes, no
    event is emitted.
  - Failed requests and incomplete lists are not changes. If an object is missing in a list, it is read on its own
    before an event says that it is deleted.
  - The first poll only takes note of what exists, unless O(initial_events) is set.
  - The page C(docs/events.md) of the collection describes the events and what is guaranteed.
requirements:
  - ansible-core and requests, for the Python of ansible-rulebook
options:
  base_url:
    description: The URL of the API. If omitted, the value of the environment variable E(INGRESS_BASE_URL) is used.
    type: str
    required: true
  api_key:
    description: The API key. If omitted, the value of the environment variable E(INGRESS_API_KEY) is used.
    type: str
    required: true
  version_header:
    description:
      - The name of the header with the version of the API. The environment variable is E(INGRESS_VERSION_HEADER).
    type: str
    default: Svc-Version
  api_version:
    description: The version of the API. The environment variable is E(INGRESS_API_VERSION).
    type: str
    default: '2'
  timeout:
    description: Maximum number of seconds that a request may take. The environment variable is E(INGRESS_TIMEOUT).
    type: float
    default: 30.0
  retries:
    description: Maximum number of retries for each request. The environment variable is E(INGRESS_RETRIES).
    type: int
    default: 5
  retry_max_wait:
    description:
      - Maximum number of seconds that a poll waits for retries in total. The next poll is a retry, too.
      - If omitted, the value of the environment variable E(INGRESS_RETRY_MAX_WAIT) is used, up to V(60).
    type: float
    default: 60.0
  requests_per_minute:
    description:
      - Maximum number of requests that the source sends in any 60 seconds, from 1 to 100,000, with retries. A poll that
        needs more takes longer.
      - Sources of one process with the same account and options share the limit. With O(state_file), the requests
        before a restart count as well.
      - If omitted, the value of the environment variable E(INGRESS_REQUESTS_PER_MINUTE) is used.
    type: int
    default: 60
  validate_certs:
    description: Whether to validate the TLS certificate. The environment variable is E(INGRESS_VALIDATE_CERTS).
    type: bool
    default: true
  ca_path:
    description: A file with the certificates of trusted authorities. The environment variable is E(INGRESS_CA_PATH).
    type: path
  allow_http:
    description:
      - Whether to allow a URL without TLS that does not lead to a loopback address. The environment variable is
        E(INGRESS_ALLOW_HTTP).
    type: bool
    default: false
  account:
    description:
      - The name of the account in events. If omitted, it is the host name of O(base_url).
      - The state file of an account with a name can still be used after the API key was replaced.
    type: str
  interval:
    description:
      - Seconds from the start of one poll to the start of the next, from 0.1 to 86,400. If the service asks for a
        longer delay, the next poll starts later, by at most an hour.
    type: float
    default: 60.0
  tunnels:
    description: Whether to poll the tunnels.
    type: bool
    default: true
  https_edges:
    description: Whether to poll the HTTPS edges with their routes.
    type: bool
    default: true
  tls_edges:
    description: The IDs of TLS edges to poll, because the API has no list of them.
    type: list
    elements: str
    default: []
  event_subscriptions:
    description: The IDs of event subscriptions whose event sources to poll, because the API has no list of them.
    type: list
    elements: str
    default: []
  findings:
    description: Whether to judge who gets in, in each poll that could read everything.
    type: bool
    default: true
  accept:
    description:
      - Findings without events, as in the module C(edgeops.ingress.exposure_info). When an exception expires, the
        finding is opened.
    type: list
    elements: dict
    default: []
    suboptions:
      rule:
        description: The rule of the findings.
        type: str
        required: true
      object:
        description: The name of the object, in which V(*) stands for any characters.
        type: str
        required: true
      reason:
        description: Why it is accepted.
        type: str
        required: true
      until:
        description: The last day on which it is accepted, such as V(2027-03-31).
        type: str
  initial_events:
    description:
      - Whether the first poll also emits events, as if everything that exists had just been created. This applies to
        each part of the account that the state file does not contain.
    type: bool
    default: false
  report_failure_after:
    description:
      - Seconds for which something could not be read before a V(polling_failed) event says so, from 0 to 86,400.
    type: float
    default: 300.0
  state_file:
    description:
      - A file in which the source remembers the account and the events that were not delivered, so that it continues
        there after a restart. Its mode is 0600, and no two sources can use the same one.
      - If the file is damaged, belongs to another account, or cannot be written, the source fails before it sends any
        request.
      - If omitted, the first poll after a restart only takes note of what exists.
    type: path
"""

EXAMPLES = r"""
# The URL and the API key are in the environment variables INGRESS_BASE_URL and INGRESS_API_KEY.
- name: Poll everything once a minute, and continue after a restart
  edgeops.ingress.changes:
    account: shop
    state_file: /var/lib/rulebooks/shop.json

- name: Poll another account, with variables of the rulebook
  edgeops.ingress.changes:
    base_url: "{{ wiki_url }}"
    api_key: "{{ wiki_api_key }}"
    account: wiki
    tunnels: false
    event_subscriptions:
      - esb_2fQmJ8sYv1
    accept:
      - rule: old_tls
        object: "* legacy.example.com:443"
        reason: Terminals that cannot be updated
        until: "2027-03-31"
"""

import asyncio
import runpy
from pathlib import Path
from typing import Any

_own_module = runpy.run_path(str(Path(__file__).resolve().parents[1] / "own_package.py"))["own_module"]


async def main(queue: asyncio.Queue[Any], args: dict[str, Any]) -> None:
    """Poll the account, and put what has changed into the queue."""
    await _own_module("plugin_utils._changes.source").run(queue, args)
