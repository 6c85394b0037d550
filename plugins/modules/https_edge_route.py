#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: https_edge_route
short_description: Manage a route of an HTTPS edge
version_added: 1.0.0
author:
  - edgeops.ingress contributors (@edgeops)
description:
  - A route matches requests to an HTTPS edge, and sends them to a backend. Its traffic modules process them.
  - Omitted options are left unchanged.
  - Traffic modules are removed after all other changes, so that the route is never less protected than both before and
    after the task.
  - While one of O(oauth), O(oidc), and O(saml) replaces another, the route is closed by disabling its backend. If the
    task fails in the meantime, the route stays closed, and the error says so.
extends_documentation_fragment:
  - edgeops.ingress.attributes
  - edgeops.ingress.connection
  - edgeops.ingress.state
  - edgeops.ingress.update_secrets
  - edgeops.ingress.route
attributes:
  idempotent:
    support: partial
    details: With O(update_secrets=always), declared secrets that the service does not return are sent in every run.
seealso:
  - module: edgeops.ingress.https_edge
  - module: edgeops.ingress.https_edge_routes
  - module: edgeops.ingress.estate
"""

EXAMPLES = r"""
# The environment variables INGRESS_BASE_URL and INGRESS_API_KEY configure the connection. In a playbook, you can set
# base_url and api_key for all modules instead, in the module_defaults of group/edgeops.ingress.all.

- name: Create the edge of the shop
  edgeops.ingress.https_edge:
    hostports:
      - shop.example.com:443
  register: shop

- name: Send its requests to one backend, and stop them for a while if it fails
  edgeops.ingress.https_edge_route:
    edge_id: "{{ shop.https_edge.id }}"
    match_type: path_prefix
    match: /
    description: The shop
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
    edge_id: "{{ shop.https_edge.id }}"
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
            - example/shop
  register: office

- name: Switch the back office to OpenID Connect
  edgeops.ingress.https_edge_route:
    edge_id: "{{ shop.https_edge.id }}"
    id: "{{ office.https_edge_route.id }}"
    absent_modules:
      - oauth
    oidc:
      issuer: https://login.example.com
      client_id: shop
      client_secret: "{{ oidc_client_secret }}"
      scopes:
        - openid
        - email

- name: Accept only signed webhooks for payments
  edgeops.ingress.https_edge_route:
    edge_id: "{{ shop.https_edge.id }}"
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
    edge_id: "{{ shop.https_edge.id }}"
    match_type: path_prefix
    match: /office
    state: absent
"""

RETURN = r"""
https_edge_route:
  description:
    - The route as it is after the task; in check mode, as it would be. It is null where the route is absent.
    - Except for what only the service writes, it has the form of the options. Secrets are V(********), or empty where
      there is none.
  returned: success
  type: dict
  contains:
    id:
      description: The id of the route. V(edghtsrt_would-be-created) in check mode, if the route does not exist yet.
      type: str
      sample: edghtsrt_2fQmJ8sYv1
    edge_id:
      description: The id of the edge that the route is on.
      type: str
      sample: edghts_2fQmJ8sYv1
    match_type:
      description: As the option.
      type: str
      sample: path_prefix
    match:
      description: As the option.
      type: str
      sample: /
    description:
      description: What the route is for. Empty where it is not set.
      type: str
    metadata:
      description: The data of your own, as the text that the service has. Empty where it is not set.
      type: str
    backend:
      description: The module O(backend). It is null where it is not set.
      type: dict
      contains:
        enabled: &enabled
          description: Whether the module is in force.
          type: bool
        backend_id: &text
          description: As declared, or as the service chose. Empty where the service does not say it.
          type: str
    ip_restriction:
      description: The module O(ip_restriction). It is null where it is not set.
      type: dict
      contains:
        enabled: *enabled
        ip_policy_ids: &names
          description: As declared, in alphabetical order.
          type: list
          elements: str
    circuit_breaker:
      description: The module O(circuit_breaker). It is null where it is not set.
      type: dict
      contains:
        enabled: *enabled
        tripped_duration: &count
          description: As declared, or as the service chose. It is null where the service does not say it.
          type: int
        rolling_window: *count
        num_buckets: *count
        volume_threshold: *count
        error_threshold_percentage:
          description: As declared, or as the service chose. It is null where the service does not say it.
          type: float
    compression:
      description: The module O(compression). It is null where it is not set.
      type: dict
      contains:
        enabled: *enabled
    request_headers:
      description: The module O(request_headers). It is null where it is not set.
      type: dict
      contains: &header_changes
        enabled: *enabled
        add:
          description: The headers with their values. Their names are in lower case.
          type: dict
        remove: *names
    response_headers:
      description: The module O(response_headers). It is null where it is not set.
      type: dict
      contains: *header_changes
    webhook_verification:
      description: The module O(webhook_verification). It is null where it is not set.
      type: dict
      contains:
        enabled: *enabled
        provider: *text
        secret: &secret
          description: V(********) where there is or may be one, else empty.
          type: str
    oauth:
      description: The module O(oauth). It is null where it is not set.
      type: dict
      contains:
        enabled: *enabled
        provider:
          description: The identity providers. It is null where none is set.
          type: dict
          contains:
            github:
              description: As the option. It is null where it is not used.
              type: dict
              contains:
                client_id: *text
                client_secret: *secret
                scopes: *names
                email_addresses: *names
                email_domains: *names
                teams: *names
                organizations: *names
            facebook: &identity_provider
              description: As the option. It is null where it is not used.
              type: dict
              contains:
                client_id: *text
                client_secret: *secret
                scopes: *names
                email_addresses: *names
                email_domains: *names
            microsoft: *identity_provider
            google: *identity_provider
            linkedin: *identity_provider
            gitlab: *identity_provider
            twitch: *identity_provider
            amazon: *identity_provider
        options_passthrough: &flag
          description: As declared, or as the service chose. It is null where the service does not say it.
          type: bool
        cookie_prefix: *text
        inactivity_timeout: *count
        maximum_duration: *count
        auth_check_interval: *count
    saml:
      description: The module O(saml). It is null where it is not set.
      type: dict
      contains:
        enabled: *enabled
        options_passthrough: *flag
        cookie_prefix: *text
        inactivity_timeout: *count
        maximum_duration: *count
        idp_metadata: *text
        force_authn: *flag
        allow_idp_initiated: *flag
        authorized_groups: *names
        nameid_format: *text
        entity_id:
          description: What the service calls itself towards the identity provider; the same as C(metadata_url).
          type: str
        assertion_consumer_service_url:
          description: Where the identity provider sends its assertions.
          type: str
        single_logout_url:
          description: Where the identity provider sends users who log out.
          type: str
        request_signing_certificate_pem:
          description: The certificate of the key that signs the service's requests to the identity provider.
          type: str
        metadata_url:
          description: Where the identity provider finds the service's own metadata.
          type: str
    oidc:
      description: The module O(oidc). It is null where it is not set.
      type: dict
      contains:
        enabled: *enabled
        options_passthrough: *flag
        cookie_prefix: *text
        inactivity_timeout: *count
        maximum_duration: *count
        issuer: *text
        client_id: *text
        client_secret: *secret
        scopes: *names
    websocket_tcp_converter:
      description: The module O(websocket_tcp_converter). It is null where it is not set.
      type: dict
      contains:
        enabled: *enabled
    user_agent_filter:
      description: The module O(user_agent_filter). It is null where it is not set.
      type: dict
      contains:
        enabled: *enabled
        allow: *names
        deny: *names
    policy:
      description: The module O(policy). It is null where it is not set.
      type: dict
      contains:
        enabled: *enabled
        inbound: &rules
          description: The rules, always as a list, and the actions of each as well.
          type: list
          elements: dict
          contains:
            name: *text
            expressions:
              description: As declared.
              type: list
              elements: str
            actions:
              description: As declared.
              type: list
              elements: dict
              contains:
                type: *text
                config:
                  description: As declared, without members that are empty.
                  type: dict
        outbound: *rules
    created_at:
      description: When the route was created. Empty in check mode, if it does not exist yet.
      type: str
      sample: "2026-01-31T12:00:00Z"
    uri:
      description: The address of the route at the service. Empty in check mode, if it does not exist yet.
      type: str
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
    - method: PATCH
      path: /edges/https/edghts_2fQmJ8sYv1/routes/edghtsrt_2fQmJ8sYv1
      reason: "differs: compression"
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
ids:
  description: The ids of the objects that match, none of which is touched.
  returned: when more than one matches
  type: list
  elements: str
"""

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import run
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.https_edge_route import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
