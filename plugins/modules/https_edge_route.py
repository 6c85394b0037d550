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
    Examples are at the end of this page, below the options.
  - Omitted options and traffic modules are left unchanged. The service chooses the omitted options of a new traffic
    module, unless their documentation says something else.
  - Traffic modules are removed after all other changes, so that the route is never less protected than both before and
    after the task.
  - While one of O(oauth), O(oidc), and O(saml) replaces another, the route is closed by disabling its backend. If the
    task fails in the meantime, the route stays closed, and the error says so.
extends_documentation_fragment:
  - edgeops.ingress.attributes
  - edgeops.ingress.connection
  - edgeops.ingress.state
  - edgeops.ingress.allow_empty
  - edgeops.ingress.reject_openings
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

# Written by `make format`, from dev/return_values.yml.
RETURN = r"""
https_edge_route:
  description:
    - The state of the route after the task, or the predicted state in check mode. Null if the route does
      not exist.
    - Apart from read-only fields, it has the format of the options.
  returned: success
  type: dict
  contains:
    id:
      description: The ID of the route. In check mode, a placeholder such as V(edghtsrt_3f2a91c07be4_would-be-created)
        if the route does not exist yet.
      type: str
      sample: edghtsrt_2fQmJ8sYv1
    edge_id:
      description: The ID of the edge to which the route belongs.
      type: str
      sample: edghts_2fQmJ8sYv1
    match_type:
      description: How C(match) is compared with requests.
      type: str
      sample: path_prefix
    match:
      description: The path, host, or host and path to match.
      type: str
      sample: /
    description:
      description: The description for human readers. Empty if it is not set.
      type: str
    metadata:
      description: Data for your own tools. Returned as a string. Empty if it is not set.
      type: str
    backend:
      description: Sends the requests to a backend. Null if it is not set.
      type: dict
      contains:
        enabled: &id001
          description: Whether the traffic module is active.
          type: bool
        backend_id:
          description: The ID of the backend. Empty if the service does not return it.
          type: str
    ip_restriction:
      description: Allows only the addresses of IP policies. Null if it is not set.
      type: dict
      contains:
        enabled: *id001
        ip_policy_ids:
          description: The IDs of the IP policies. In alphabetical order.
          type: list
          elements: str
    circuit_breaker:
      description: Stops requests to a failing backend. Null if it is not set.
      type: dict
      contains:
        enabled: *id001
        tripped_duration:
          description: Seconds that the circuit stays open. Null if the service does not return it.
          type: int
        rolling_window:
          description: The statistics window, in seconds. Null if the service does not return it.
          type: int
        num_buckets:
          description: The number of buckets for the counts. Null if the service does not return it.
          type: int
        volume_threshold:
          description: Minimum requests to open the circuit. Null if the service does not return it.
          type: int
        error_threshold_percentage:
          description: The fraction of errors that opens the circuit. Null if the service does not return
            it.
          type: float
    compression:
      description: Compresses responses. Null if it is not set.
      type: dict
      contains: &id008
        enabled: *id001
    request_headers:
      description: Changes the headers of requests. Null if it is not set.
      type: dict
      contains: &id002
        enabled: *id001
        add:
          description: The headers to add, with their values. The names are in lower case.
          type: dict
        remove:
          description: The names of the headers to remove. In alphabetical order.
          type: list
          elements: str
    response_headers:
      description: Changes the headers of responses. Null if it is not set.
      type: dict
      contains: *id002
    webhook_verification:
      description: Accepts only signed webhooks. Null if it is not set.
      type: dict
      contains:
        enabled: *id001
        provider:
          description: The provider that sends the webhooks. Empty if the service does not return it.
          type: str
        secret: &id003
          description: The mask V(********) if there is a secret or might be one. Otherwise, empty.
          type: str
    oauth:
      description: Requires users to sign in with OAuth. Null if it is not set.
      type: dict
      contains:
        enabled: *id001
        provider:
          description: The identity providers that users may sign in with, each like C(github), but without
            C(teams) and C(organizations). Null if it is not set.
          type: dict
          contains:
            github:
              description: Which users may sign in with GitHub. Null if it is not set.
              type: dict
              contains:
                client_id:
                  description: The client ID of your OAuth app. Empty if the service does not return it.
                  type: str
                client_secret: *id003
                scopes: &id007
                  description: The scopes to request. In alphabetical order.
                  type: list
                  elements: str
                email_addresses:
                  description: The email addresses to allow. In alphabetical order.
                  type: list
                  elements: str
                email_domains:
                  description: The email domains to allow. In alphabetical order.
                  type: list
                  elements: str
                teams:
                  description: The teams to allow. In alphabetical order.
                  type: list
                  elements: str
                organizations:
                  description: The organizations to allow. In alphabetical order.
                  type: list
                  elements: str
            facebook:
              description: Which users may sign in with Facebook. Null if it is not set.
              type: dict
            microsoft:
              description: Which users may sign in with Microsoft. Null if it is not set.
              type: dict
            google:
              description: Which users may sign in with Google. Null if it is not set.
              type: dict
            linkedin:
              description: Which users may sign in with LinkedIn. Null if it is not set.
              type: dict
            gitlab:
              description: Which users may sign in with GitLab. Null if it is not set.
              type: dict
            twitch:
              description: Which users may sign in with Twitch. Null if it is not set.
              type: dict
            amazon:
              description: Which users may sign in with Amazon. Null if it is not set.
              type: dict
        options_passthrough:
          description: Whether OPTIONS requests may pass. Null if the service does not return it.
          type: bool
        cookie_prefix:
          description: The prefix of the session cookie. Empty if the service does not return it.
          type: str
        inactivity_timeout:
          description: Idle seconds until a session ends. Null if the service does not return it.
          type: int
        maximum_duration:
          description: Maximum seconds of a session. Null if the service does not return it.
          type: int
        auth_check_interval:
          description: Seconds between access checks. Null if the service does not return it.
          type: int
    saml:
      description: Requires users to sign in with SAML. Null if it is not set.
      type: dict
      contains:
        enabled: *id001
        options_passthrough: &id005
          description: See C(oauth). Null if the service does not return it.
          type: bool
        cookie_prefix: &id006
          description: See C(oauth). Empty if the service does not return it.
          type: str
        inactivity_timeout: &id004
          description: See C(oauth). Null if the service does not return it.
          type: int
        maximum_duration: *id004
        idp_metadata:
          description: The metadata of the identity provider. Empty if the service does not return it.
          type: str
        force_authn:
          description: Whether to always prompt for credentials. Null if the service does not return it.
          type: bool
        allow_idp_initiated:
          description: Whether the IdP may start a login. Null if the service does not return it.
          type: bool
        authorized_groups:
          description: The groups to allow. In alphabetical order.
          type: list
          elements: str
        nameid_format:
          description: The format of the name identifiers. Empty if the service does not return it.
          type: str
        entity_id:
          description: The entity ID of the service, which is the same URL as C(metadata_url).
          type: str
        assertion_consumer_service_url:
          description: The URL to which the identity provider sends its assertions.
          type: str
        single_logout_url:
          description: The URL to which the identity provider sends users who log out.
          type: str
        request_signing_certificate_pem:
          description: The certificate of the key pair that signs requests to the identity provider.
          type: str
        metadata_url:
          description: The URL of the metadata of the service.
          type: str
    oidc:
      description: Requires users to sign in with OpenID Connect. Null if it is not set.
      type: dict
      contains:
        enabled: *id001
        options_passthrough: *id005
        cookie_prefix: *id006
        inactivity_timeout: *id004
        maximum_duration: *id004
        issuer:
          description: The URL of the OpenID provider. Empty if the service does not return it.
          type: str
        client_id:
          description: The client ID at the provider. Empty if the service does not return it.
          type: str
        client_secret: *id003
        scopes: *id007
    websocket_tcp_converter:
      description: Converts WebSocket to TCP. Null if it is not set.
      type: dict
      contains: *id008
    user_agent_filter:
      description: Filters clients by their user agent. Null if it is not set.
      type: dict
      contains:
        enabled: *id001
        allow:
          description: The user agents to allow. In alphabetical order.
          type: list
          elements: str
        deny:
          description: The user agents to deny. In alphabetical order.
          type: list
          elements: str
    policy:
      description: Applies rules with conditions and actions. Null if it is not set.
      type: dict
      contains:
        enabled: *id001
        inbound:
          description: The rules for requests. Always a list, as are the actions of each rule.
          type: list
          elements: dict
          contains: &id009
            name:
              description: The name of the rule.
              type: str
            expressions:
              description: The CEL expressions.
              type: list
              elements: str
            actions:
              description: The actions.
              type: list
              elements: dict
              contains:
                type:
                  description: The type of the action.
                  type: str
                config:
                  description: The configuration, without empty values.
                  type: dict
        outbound:
          description: The rules for responses. Always a list, as are the actions of each rule.
          type: list
          elements: dict
          contains: *id009
    created_at:
      description: The time at which the route was created. Empty in check mode if the route does not
        exist yet.
      type: str
      sample: '2026-01-31T12:00:00Z'
    uri:
      description: The URI of the route. Empty in check mode if the route does not exist yet.
      type: str
operations:
  description:
    - The write requests that took effect, in the order in which they were sent for each object. In check
      mode, the requests that would be sent.
  returned: always
  type: list
  elements: dict
  contains:
    method: &id010
      description: The HTTP method.
      type: str
    path: &id011
      description: The path below O(base_url).
      type: str
    reason:
      description: The reason for the request.
      type: str
  sample:
    - method: PATCH
      path: /edges/https/edghts_2fQmJ8sYv1/routes/edghtsrt_2fQmJ8sYv1
      reason: 'differs: compression'
error:
  description: The request that failed, and the response of the service.
  returned: when a request failed
  type: dict
  contains:
    method: *id010
    path: *id011
    retries:
      description: The number of retries of this request.
      type: int
    status:
      description: The status code. Null if there was no response.
      type: int
    error_code:
      description: The service's error code, or null.
      type: str
    msg:
      description: The service's error message, or null.
      type: str
    operation_id:
      description: Its ID in the service's logs, or null.
      type: str
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
    - The number of declared secrets that were neither compared nor sent, because the service does not
      return them, or because they are in C(write_only). If one of them is new, the service does not have
      it yet. To send all of them, set O(update_secrets=always).
  returned: if there are any
  type: int
msg:
  description: The number of secrets that were not compared, and how to send them, in words. After a failure,
    the error.
  returned: with RV(secrets_not_compared), and on failure
  type: str
option_errors:
  description: All option errors, each with the path of the option.
  returned: when the options are invalid
  type: list
  elements: str
  version_added: 1.1.0
  sample:
    - 'base_url: not a valid URL; expected a URL such as https://api.example.com or https://host:8443/base'
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
