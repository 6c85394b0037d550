# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The options that say where the service is and how it is reached: the same on every plugin."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
requirements:
  - requests
notes:
  - An environment variable that is empty counts as one that is not set.
  - E(HTTPS_PROXY), E(NO_PROXY) and the other proxy variables of the Python package C(requests) are obeyed, except
    for an O(base_url) on this machine (a loopback address, V(localhost), or a name that ends in V(.localhost)). That is
    never reached through a proxy.
options:
  base_url:
    description:
      - The address of the service, with or without a slash at its end, such as V(https://api.example.com).
      - With V(http) instead of V(https) it has to be an address of this machine (loopback), unless O(allow_http=true).
        A name such as V(localhost) has to lead to this machine, too; otherwise the task fails before it sends the key.
      - Left out, it is taken from the environment variable E(INGRESS_BASE_URL).
    type: str
    required: true
  api_key:
    description:
      - The API key that every request is authorized with. It is never shown, and goes to this service only.
      - Left out, it is taken from the environment variable E(INGRESS_API_KEY).
    type: str
    required: true
  version_header:
    description:
      - The name of the header in which every request says for which version of the interface it is written. Services
        put their own name in it.
      - Left out, it is taken from the environment variable E(INGRESS_VERSION_HEADER) where that is set.
    type: str
    default: Svc-Version
  api_version:
    description:
      - The version that goes into that header. This collection is written for version 2.
      - Left out, it is taken from the environment variable E(INGRESS_API_VERSION) where that is set.
    type: str
    default: "2"
  timeout:
    description:
      - How many seconds a request may take, from connecting to the last byte of its answer. More than 0, and at most
        3600.
      - Left out, it is taken from the environment variable E(INGRESS_TIMEOUT) where that is set.
    type: float
    default: 30.0
  retries:
    description:
      - Maximum number of retries for each request. V(0) disables all retries. Otherwise, rate-limited requests
        (HTTP 429) are retried until O(retry_max_wait) is used up, however many retries this takes.
      - Tried again is what failed without a connection and what the service had too many requests for, with growing
        pauses or after the pause that the service asks for. Requests whose effect is not known are tried again where
        doing them twice does no harm; otherwise the object is looked up before anything is sent again.
      - Left out, it is taken from the environment variable E(INGRESS_RETRIES) where that is set.
    type: int
    default: 5
  retry_max_wait:
    description:
      - How many seconds the task may spend in such pauses, all in all. It fails at once where the next pause would be
        longer than what is left.
      - On a service that takes 120 requests a minute, 1000 writes need 500 seconds, nearly all of them waiting.
      - Left out, it is taken from the environment variable E(INGRESS_RETRY_MAX_WAIT) where that is set.
    type: float
    default: 600.0
  validate_certs:
    description:
      - Whether the service's certificate has to be valid. With V(false) anybody on the way can read the key.
      - Left out, it is taken from the environment variable E(INGRESS_VALIDATE_CERTS) where that is set.
    type: bool
    default: true
  ca_path:
    description:
      - A file or a folder with the certificates of the authorities that the service's certificate may come from.
      - Left out, it is taken from the environment variable E(INGRESS_CA_PATH). Where that is not set either, the
        authorities are those that C(requests) knows, or those in the file that E(REQUESTS_CA_BUNDLE) names.
    type: path
  allow_http:
    description:
      - Whether the key may be sent unencrypted to another machine, or to a proxy. Say V(true) only where the way there
        is safe.
      - Left out, it is taken from the environment variable E(INGRESS_ALLOW_HTTP) where that is set.
    type: bool
    default: false
"""

    # Beside the text above, for plugins that are no modules: where Ansible looks for environment variables.
    PLUGIN = r"""
options:
  base_url:
    env:
      - name: INGRESS_BASE_URL
  api_key:
    env:
      - name: INGRESS_API_KEY
  version_header:
    env:
      - name: INGRESS_VERSION_HEADER
  api_version:
    env:
      - name: INGRESS_API_VERSION
  timeout:
    env:
      - name: INGRESS_TIMEOUT
  retries:
    env:
      - name: INGRESS_RETRIES
  retry_max_wait:
    env:
      - name: INGRESS_RETRY_MAX_WAIT
  validate_certs:
    env:
      - name: INGRESS_VALIDATE_CERTS
  ca_path:
    env:
      - name: INGRESS_CA_PATH
  allow_http:
    env:
      - name: INGRESS_ALLOW_HTTP
"""
