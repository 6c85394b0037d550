#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: exposure_info
short_description: Find out who gets in, and what is open by mistake
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description:
  - Returns who gets through each route, TLS edge, and tunnel, and what is probably wrong with that. Reads the live
    configuration, or judges a declaration without any request.
  - A route that is open to everyone is not a finding by itself. Rules look for what contradicts the rest of the
    configuration, for example a public route below a prefix that requires a login.
  - What the API does not define or show is not assumed. RV(not_judged) lists it.
  - If several routes match a request, the most specific one is assumed to take it.
  - Secrets and the values of headers are not returned.
extends_documentation_fragment:
  - edgeops.ingress._attributes.info
  - edgeops.ingress._attributes
  - edgeops.ingress._connection
  - edgeops.ingress._estate.read
options:
  tunnels:
    description: Whether to read all tunnels that are online.
    type: bool
    default: true
  estate:
    description:
      - A declaration to judge instead of the live configuration. Its options are C(objects), C(https_edges),
        C(tls_edges), C(event_subscriptions), and C(allow_unknown_type) of M(edgeops.ingress.estate).
      - Omitted options mean what a new object gets. Omitted secrets may exist, so they are not judged.
      - No request is sent. O(https_edges) and O(tunnels) have no effect. O(tls_edges) and O(event_subscriptions) are
        errors.
    type: dict
  accept:
    description:
      - Exceptions. Findings that match one are returned with its reason, and do not count for O(fail_on).
      - The task warns about exceptions that have expired, and about those that no finding matches.
    type: list
    elements: dict
    default: []
    suboptions:
      rule:
        description: The name of the rule.
        type: str
        required: true
        choices:
          - hole_below_protected_prefix
          - protection_disabled
          - protected_route_deleted
          - login_for_everyone
          - webhook_without_secret
          - restriction_without_entries
          - policy_allows_everyone
          - plain_http_issuer
          - backend_open_elsewhere
          - old_tls
          - credential_in_header
          - service_port_in_the_open
          - any_user_of_idp
          - preflight_unauthenticated
          - route_without_backend
          - changes_without_subscription
      object:
        description:
          - The C(object) of the finding, with or without the ID at its end. C(*) stands for any number of characters.
        type: str
        required: true
      reason:
        description: Why the finding is accepted, for those who read it later.
        type: str
        required: true
      until:
        description:
          - The last day on which the exception counts, such as V(2027-03-31), by the clock of the host that runs the
            task.
          - Put it in quotes. Otherwise, it is a date, and versions of ansible-core before 2.19 turn a variable with the
            whole list into a string.
          - If omitted, it does not expire.
        type: str
  requirements:
    description:
      - What requests to some hosts and paths need. If somebody gets through without that, there is a finding of high
        severity, V(requirement_not_met), with a request as proof. O(accept) does not apply to it.
      - What was not read, IP policies without known rules, a traffic policy, and a traffic module that admits hardly
        fewer than everyone do not meet a requirement.
      - The task warns about hosts that nothing serves. With this option, it also reads TLS edges, TCP edges, endpoints,
        and the rules of IP policies, if the service lists them.
    type: list
    elements: dict
    default: []
    suboptions:
      hosts:
        description:
          - The hosts, without ports, such as V(shop.example.com). V(*.example.com) stands for all hosts below
            C(example.com), and V(*) for all hosts. Letter case is ignored.
        type: list
        elements: str
        default: ['*']
      paths:
        description:
          - The prefixes of the paths. A prefix ends at a slash, so V(/admin) covers C(/admin/users), but not
            C(/administrator).
        type: list
        elements: str
        default: [/]
      needs:
        description:
          - What a visitor must have. One of the listed classes is enough.
          - V(certificate) of a client, a V(network) that is allowed, the V(signature) of a webhook provider, or a
            V(login). V(closed) means that nobody may get through, and cannot be listed with others.
        type: list
        elements: str
        required: true
        choices: [certificate, network, signature, login, closed]
      reason:
        description: Why this is required, for those who read the finding.
        type: str
        required: true
  requests:
    description:
      - The URLs of requests to trace, such as V(https://shop.example.com/admin). If a URL contains no port, its scheme
        decides, which is V(https), V(tls), V(http), or V(tcp). V(tcp) requires a port.
      - V(OPTIONS) and a space before the URL stand for a request with this method, which C(options_passthrough) can
        exempt from a login. Otherwise, the method does not matter.
      - RV(requests) contains what the configuration means for each of them. They are not sent.
    type: list
    elements: str
    default: []
  fail_on:
    description:
      - Fails if there are findings of this severity or a higher one that are not accepted. The result then contains
        the same values as without this option.
    type: str
    choices: [high, medium, low]
seealso:
  - module: edgeops.ingress.estate
  - module: edgeops.ingress.estate_info
"""

EXAMPLES = r"""
- name: Find out who gets in
  edgeops.ingress.exposure_info:
    tls_edges:
      - edgtls_2fQmJ8sYv1
    event_subscriptions:
      - esb_2fQmJ8sYv1
  register: live

- name: Show what is open to everyone
  ansible.builtin.debug:
    msg: "{{ live.exposure | selectattr('access', 'equalto', ['public']) | map(attribute='object') }}"

- name: Find out why a visitor does not get in
  edgeops.ingress.exposure_info:
    requests:
      - https://blog.example.com/drafts/today

- name: Fail if somebody gets into the drafts without a login or an allowed network
  edgeops.ingress.exposure_info:
    fail_on: high
    requirements:
      - hosts:
          - "*.example.com"
        paths:
          - /drafts
        needs:
          - login
          - network
        reason: Drafts are not public.

- name: Judge a declaration before it is applied, and fail if it leaves a hole
  edgeops.ingress.exposure_info:
    estate:
      https_edges:
        - hostports:
            - blog.example.com:443
          routes:
            - match_type: path_prefix
              match: /
              backend:
                backend_id: bk_2fQmJ8sYv1
              ip_restriction:
                ip_policy_ids:
                  - ipp_2fQmJ8sYv1
            - match_type: path_prefix
              match: /feed
              backend:
                backend_id: bk_2fQmJ8sYv1
    fail_on: high
    accept:
      - rule: hole_below_protected_prefix
        object: https_edge_route path_prefix /feed of blog.example.com:443
        reason: Feed readers cannot be in our network.
        until: "2099-12-31"
"""

RETURN = r"""
exposure:
  description:
    - Who gets through. One entry for each route, for each HTTPS edge without routes, for each TLS edge, and for each
      tunnel, which has these keys.
    - C(object) is the name, as in the plans of M(edgeops.ingress.estate). C(kind) is V(https_edge_route),
      V(https_edge), V(tls_edge), or V(tunnel). C(path) is the place in what was judged. C(id) is null if it is not
      known.
    - C(edge) contains the C(id) and the C(hostports) of the edge. It is null for tunnels, and without C(hostports) for
      TLS edges. C(route) contains the C(match_type) and the C(match) of a route, and C(backend_id) the ID of its
      backend. Otherwise, they are null.
    - C(access) is V(public) if everyone gets through, and V(closed) if nobody does. Otherwise, it lists everything that
      a visitor must have. V(certificate) of a client, a V(network) that is allowed, the V(signature) of a webhook
      provider, or a V(login). C(by) contains, for each of these, the paths of the traffic modules that require it.
    - C(locks) lists the traffic modules that can keep visitors out, those of the edge included, in the order of
      C(access). The API does not define in which order they act. C(module) is the name of the traffic module, and
      C(path) its path. C(requires) is what it checks, V(certificate), V(network), V(signature), V(login), or V(policy),
      of which nobody knows what its actions do. C(state) is V(on), V(off) if it is disabled, V(open) if it is enabled,
      but lacks what it checks visitors with, or V(unknown). C(admits) lists the first five of those whom it admits, of
      C(admits_count), such as IP policies, the provider of a webhook, or the teams that may log in. For a policy, these
      are the names of its rules.
  returned: success, and when O(fail_on) applies
  type: list
  elements: dict
  sample:
    - object: https_edge_route path_prefix /office of shop.example.com:443
      kind: https_edge_route
      path: https_edges[3].routes[2]
      id: edghtsrt_2fQmJ8sYv1
      edge:
        id: edghts_2fQmJ8sYv1
        hostports:
          - shop.example.com:443
      route:
        match_type: path_prefix
        match: /office
      access:
        - network
      by:
        network:
          - https_edges[3].routes[2].ip_restriction
      locks:
        - module: ip_restriction
          path: https_edges[3].routes[2].ip_restriction
          requires: network
          state: "on"
          admits:
            - ipp_2fQmJ8sYv1
          admits_count: 1
      backend_id: bk_2fQmJ8sYv1
findings:
  description:
    - What is probably wrong, the most severe first. Each finding has these keys.
    - C(rule) is one of the choices of O(accept[].rule) or V(requirement_not_met), and C(severity) is V(high),
      V(medium), or V(low). C(object) is the name of the object, and C(path) the path of the option that causes the
      finding.
    - C(message) says what was found, C(why) why it matters, and C(fix) what to do about it. C(fix_options) contains the
      options to add to the declaration of the object, as far as they are known.
    - C(also) lists the paths of other objects that are part of the finding, ten at most.
    - C(requirement) is the C(reason) of the requirement that is not met. M(edgeops.ingress.report) recognizes the
      finding by it. Null if the finding is about none, or about all of them.
    - C(accepted) contains the C(reason) and the C(until) of the exception. Otherwise, it is null.
  returned: success, and when O(fail_on) applies
  type: list
  elements: dict
requests:
  description:
    - The way of each of the O(requests), in their order. Each entry contains the C(request), and these keys.
    - C(object), C(edge), C(route), and C(backend_id) are those of the route that takes the request, as in RV(exposure).
      If no route does, C(object) and C(edge) are those of the edge that serves the host, and the others are null. All
      of them are null if nothing that was read serves the host.
    - C(access) is what a visitor must have, as in RV(exposure). V(closed) if nobody gets through, or nothing takes the
      request. A traffic module that admits hardly fewer than everyone does not count.
    - C(locks) lists the traffic modules that can keep the visitor out, as in RV(exposure). For a request with the
      method C(OPTIONS), without those that exempt it.
    - C(unsure) lists what is not certain about this, and why, and where else the request leads if a service works
      otherwise.
  returned: success, and when O(fail_on) applies
  type: list
  elements: dict
not_judged:
  description:
    - What cannot be judged, such as policies whose actions the API does not define. Each entry has an C(object), or
      what is missing, a C(path), and a C(why).
  returned: success, and when O(fail_on) applies
  type: list
  elements: dict
summary:
  description:
    - The totals. C(routes) is the number of routes, C(access) contains the number of entries of RV(exposure) for each
      kind of access, C(findings) the number of findings that are not accepted by severity, and C(accepted) is the
      number of the others. C(requirements) lists the C(reason) of each of the O(requirements).
  returned: success, and when O(fail_on) applies
  type: dict
collected_at:
  description: When the task began to read, in UTC. M(edgeops.ingress.report) shows it.
  returned: when the live configuration was read
  type: str
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
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.exposure_info import DEFINITION


def main() -> None:
    run(DEFINITION)


if __name__ == "__main__":
    main()
