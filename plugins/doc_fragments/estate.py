# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""What an estate is declared by: lists of edges, TLS edges and event subscriptions."""

from __future__ import annotations

from ansible_collections.edgeops.ingress.plugins.doc_fragments import edge, event_subscription, route, tls_edge
from ansible_collections.edgeops.ingress.plugins.doc_fragments.nesting import nested
from ansible_collections.edgeops.ingress.plugins.doc_fragments.traffic_modules import (
    IP_POLICY_IDS,
    NOTES,
    absent_modules,
    module,
)

_ROUTES = route.routes(
    "- Left out, the edge keeps the routes that it has, even with V(routes) in O(purge). An empty list declares that\n"
    "  there are none, which has an effect with V(routes) in O(purge) only.\n"
)

_TLS_EDGE_MODULES = {
    "ip_restriction": module(
        "ip_restriction", "Lets in source addresses by IP policies, and keeps out the others.", IP_POLICY_IDS
    ),
    "tls_termination": module("tls_termination", "Where TLS is terminated, and how.", tls_edge.TERMINATION),
}

_SOURCES = event_subscription.types(
    "sources",
    "types",
    "- An empty list declares that there are none, which has an effect with V(sources) in O(purge) only.\n",
)

_OPTIONS = f"""
https_edges:
  description:
    - The HTTPS edges, each with its routes, in any order.
    - Two of them with the same C(id) are an error, and so are two without that have a hostport in common. Two that turn
      out to be the same edge, one by its C(id), fail, both.
    - If omitted, no HTTPS edge is touched.
    - An empty list with V(edges) in O(purge) declares that there are none at all, which needs O(allow_empty=true).
    - At least one of O(https_edges), O(tls_edges) and O(event_subscriptions) is required.
  type: list
  elements: dict
  suboptions:
{nested(edge.OPTIONS + _ROUTES, 2)}
tls_edges:
  description:
    - The TLS edges, each with its modules, in any order. Two of them with the same C(edge_id) are an error.
    - TLS edges that are left out are not touched.
  type: list
  elements: dict
  suboptions:
{nested("".join((tls_edge.EDGE_ID, *_TLS_EDGE_MODULES.values(), absent_modules(_TLS_EDGE_MODULES))), 2)}
event_subscriptions:
  description:
    - The event subscriptions, each with its sources, in any order. Two of them with the same C(subscription_id) are an
      error.
    - Event subscriptions that are left out are not touched.
  type: list
  elements: dict
  suboptions:
{nested(event_subscription.SUBSCRIPTION_ID + _SOURCES, 2)}
"""


class ModuleDocFragment:
    DOCUMENTATION: str = f"notes:\n{nested(NOTES)}options:\n{nested(_OPTIONS + event_subscription.ALLOW_UNKNOWN_TYPE)}"
