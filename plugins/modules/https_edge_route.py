#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: https_edge_route
short_description: Manage a route of an HTTPS edge
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description:
  - A route matches requests to an HTTPS edge, and sends them to a backend. Its traffic modules process them.
    Examples are at the end of this page, below the options.
  - Omitted options and traffic modules are left unchanged. The service chooses the omitted options of a new traffic
    module, unless their documentation says something else.
  - Traffic modules are removed after all other changes, so that the route is never less protected than both before and
    after the task.
  - While one of O(oauth), O(oidc), and O(saml) replaces another, the route is closed by disabling its backend. If the
    task fails in the meantime, the route stays closed, and the error says so.
extends_documentation_fragment:
  - edgeops.ingress._common.update_secrets
  - edgeops.ingress._attributes
  - edgeops.ingress._connection
  - edgeops.ingress._common.state
  - edgeops.ingress._common.allow_empty
  - edgeops.ingress._common.reject_openings
  - edgeops.ingress._route
seealso:
  - module: edgeops.ingress.https_edge
  - module: edgeops.ingress.https_edge_routes
  - module: edgeops.ingress.estate
"""

EXAMPLES = r"""
- name: Send the requests of the blog to one backend, and stop them for a while if it fails
  edgeops.ingress.https_edge_route:
    edge: blog.example.com:443
    match_type: path_prefix
    match: /
    description: The blog
    backend:
      backend_id: bk_2fQmJ8sYv1
    compression:
      enabled: true
    circuit_breaker:
      error_threshold_percentage: 0.25
      tripped_duration: 30
    response_headers:
      add:
        Strict-Transport-Security: max-age=31536000
      remove:
        - Server

- name: Allow only one GitHub team in the back office, and only from the office
  edgeops.ingress.https_edge_route:
    edge: blog.example.com:443
    match_type: path_prefix
    match: /office
    backend:
      backend_id: bk_2fQmJ8sYv1
    ip_restriction:
      ip_policy_ids:
        - ipp_2fQmJ8sYv1
    oauth:
      maximum_duration: 28800
      provider:
        github:
          client_id: "{{ github_client_id }}"
          client_secret: "{{ github_client_secret }}"
          scopes:
            - read:org
          teams:
            - example/blog
  register: office

- name: Switch the back office to OpenID Connect
  edgeops.ingress.https_edge_route:
    edge: blog.example.com:443
    id: "{{ office.https_edge_route.id }}"
    absent_modules:
      - oauth
    oidc:
      issuer: https://login.example.com
      client_id: blog
      client_secret: "{{ oidc_client_secret }}"
      scopes:
        - openid
        - email

- name: Accept only signed webhooks for payments
  edgeops.ingress.https_edge_route:
    edge: blog.example.com:443
    match_type: exact_path
    match: /hooks/payment
    backend:
      backend_id: bk_2fQmJ8sYv1
    webhook_verification:
      provider: stripe
      secret: "{{ payment_webhook_secret }}"
    policy:
      inbound:
        - name: Only POST
          expressions:
            - req.method != 'POST'
          actions:
            - type: deny
              config:
                status_code: 405
    purge_modules: true

- name: Delete the route of the back office
  edgeops.ingress.https_edge_route:
    edge: blog.example.com:443
    match_type: path_prefix
    match: /office
    state: absent
"""

RETURN = r"""
https_edge_route:
  description:
    - The state of the route after the task, or the predicted state in check mode. Null if the route does not exist.
    - It has the format of the options, with C(metadata) as a string, names of headers in lower case, and C(inbound),
      C(outbound), and the actions of each rule as lists. Lists whose order is ignored are in alphabetical order.
      Traffic modules that are not set are null. Values that the service does not return are empty or null.
    - Secrets are the mask V(********) if there is one or might be one. Otherwise, they are empty.
    - C(saml) also contains what the identity provider needs to know about the service. C(metadata_url) is the URL of
      its metadata, and C(entity_id) the same URL. C(assertion_consumer_service_url) and C(single_logout_url) receive
      its assertions and logouts, and C(request_signing_certificate_pem) belongs to the key pair that signs requests.
    - In check mode, C(id) is a placeholder such as V(edghtsrt_3f2a91c07be4_would-be-created) if the route does not
      exist yet, and C(created_at) and C(uri) are empty.
  returned: success
  type: dict
  sample:
    id: edghtsrt_2fQmJ8sYv1
    edge_id: edghts_2fQmJ8sYv1
    match_type: path_prefix
    match: /
    description: The shop
    metadata: ""
    backend:
      enabled: true
      backend_id: bk_2fQmJ8sYv1
    compression: null
    created_at: "2026-01-31T12:00:00Z"
    uri: https://api.example.com/edges/https/edghts_2fQmJ8sYv1/routes/edghtsrt_2fQmJ8sYv1
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
secrets_not_compared:
  description:
    - The number of declared secrets that were neither compared nor sent, because the service does not return them.
      If one of them is new, the service does not have it yet. To send all of them, set O(update_secrets=always).
  returned: if there are any
  type: int
msg:
  description: The number of secrets that were not compared, and how to send them, in words. After a failure, the error.
  returned: with RV(secrets_not_compared), and on failure
  type: str
option_errors:
  description: All option errors, each with the path of the option.
  returned: when the options are invalid
  type: list
  elements: str
ids:
  description: The IDs of all objects that match.
  returned: when several objects match
  type: list
  elements: str
"""

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import run
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.https_edge_route import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
