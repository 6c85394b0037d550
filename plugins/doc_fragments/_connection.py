# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The options for the connection to the service. All modules and the inventory plugin have them."""

from __future__ import annotations

from collections.abc import Callable

from ansible_collections.edgeops.ingress.plugins.module_utils._transport.connection import CONNECTION_OPTIONS


def _sources(kind: str, prefix: str, spelled: Callable[[str], str]) -> str:
    """Return where each of the options comes from in addition, under its name with a prefix."""
    sources = (f"  {name}:\n    {kind}:\n      - name: {prefix}{spelled(name)}\n" for name in CONNECTION_OPTIONS)
    return "options:\n" + "".join(sources)


class ModuleDocFragment:
    DOCUMENTATION = r"""
requirements:
  - requests
notes:
  - If a connection option is omitted, its environment variable is used, unless that is empty. Its name is E(INGRESS_)
    and the option's name in capital letters, such as E(INGRESS_API_KEY) for O(api_key).
  - Do not set E(INGRESS_API_KEY) with the keyword C(environment) of a task. At C(-vvv), Ansible itself prints the
    environment of the task, with the key. Set O(api_key) in C(module_defaults) instead, from a vaulted variable.
  - E(HTTPS_PROXY), E(NO_PROXY), and the other proxy variables of the Python package C(requests) are used, unless
    O(base_url) points to this machine (a loopback address, V(localhost), or a name that ends in V(.localhost)).
options:
  base_url:
    description:
      - The URL of the service's API, for example V(https://api.example.com). A trailing slash is ignored.
      - HTTP URLs must point to a loopback address, unless O(allow_http=true). If a name such as V(localhost) does not
        resolve to one, the task fails before it sends the API key.
    type: str
    required: true
  api_key:
    description:
      - The API key that authenticates each request. It is never displayed, and is sent only to the origin of
        O(base_url).
    type: str
    required: true
  version_header:
    description: The name of the HTTP header that carries the API version. This name differs between services.
    type: str
    default: Svc-Version
  api_version:
    description: The API version. This collection supports version 2.
    type: str
    default: "2"
  timeout:
    description:
      - Maximum number of seconds for one request, from opening the connection to the last byte of the response. Must be
        greater than 0 and at most 3600.
    type: float
    default: 30.0
  retries:
    description:
      - Maximum number of retries for each request. V(0) disables all retries. Otherwise, rate-limited requests
        (HTTP 429) are retried until O(retry_max_wait) is used up, however many retries this takes.
      - A request whose outcome is unknown is repeated only if that is harmless. If not, the object is read first.
    type: int
    default: 5
  retry_max_wait:
    description:
      - Maximum number of seconds to wait between retries, in total. If the next delay exceeds the remaining time, the
        task fails immediately.
    type: float
    default: 600.0
  requests_per_minute:
    description:
      - Maximum number of requests that the task, with all items of a loop, sends in any 60 seconds, from 1 to 100,000.
        It waits for the rest, so that jobs can share the limit of a service. By default, there is no limit.
    type: int
  validate_certs:
    description:
      - Whether to validate the TLS certificate of the service. With V(false), anyone who can intercept the connection
        can read the API key.
    type: bool
    default: true
  ca_path:
    description:
      - A file or directory with the certificates of trusted authorities. By default, the file in E(REQUESTS_CA_BUNDLE)
        or the authorities that C(requests) knows are used.
    type: path
  allow_http:
    description:
      - Whether to allow unencrypted HTTP to other machines, including proxies. The API key is then sent in clear text,
        so use V(true) only on a network that you trust.
    type: bool
    default: false
"""

    # Modules read these environment variables through their argument specs. Other plugins read them from here.
    PLUGIN: str = _sources("env", "INGRESS_", str.upper)

    # Lookups do not get the `module_defaults` of a play, so they read variables as well.
    VARIABLES: str = _sources("vars", "ingress_", str)
