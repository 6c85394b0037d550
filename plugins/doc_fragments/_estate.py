# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The options of an estate: lists of HTTPS edges, TLS edges, and event subscriptions."""

from __future__ import annotations

from ansible_collections.edgeops.ingress.plugins.doc_fragments import _edge as edge
from ansible_collections.edgeops.ingress.plugins.doc_fragments import _event_subscription as event_subscription
from ansible_collections.edgeops.ingress.plugins.doc_fragments import _route as route
from ansible_collections.edgeops.ingress.plugins.doc_fragments import _tls_edge as tls_edge
from ansible_collections.edgeops.ingress.plugins.doc_fragments._nesting import in_brief, nested
from ansible_collections.edgeops.ingress.plugins.doc_fragments._traffic_modules import (
    IP_POLICY_IDS,
    NOTES,
    absent_modules,
    module,
)

_ROUTES = route.routes(
    "- If omitted, the current routes are kept, even with V(routes) in O(purge). If the list is empty,\n"
    "  V(routes) in O(purge) deletes them.\n"
)

_TLS_EDGE_MODULES = {
    "ip_restriction": module("ip_restriction", *route.IP_RESTRICTION, IP_POLICY_IDS),
    "tls_termination": module("tls_termination", "Configures where TLS is terminated.", "", tls_edge.TERMINATION),
}

_TLS_EDGE = "".join((tls_edge.EDGE_ID, *_TLS_EDGE_MODULES.values(), absent_modules(_TLS_EDGE_MODULES)))

_SOURCES = event_subscription.types(
    "sources", "types", "- An empty list has an effect only with V(sources) in O(purge).\n"
)

_OPTIONS = f"""
objects:
  description:
    - Objects without a module of their own, such as backends and IP policies. The suboptions of each object are
      C(name), and C(collection), C(find_by), C(id), C(body), C(state), C(create_only), C(write_only), C(unordered),
      C(always_send), and C(update_method), as in M(edgeops.ingress.object).
    - C(name) is required. References, messages, and results use it. It is not sent to the service.
    - V(ref:NAME) stands for the ID of the object C(NAME), whether or not it exists yet, wherever another option expects
      an ID, and in fields of C(body) and C(find_by) that are named C(id) or C(ids), or whose names end in C(_id) or
      C(_ids), and in C(backends) (the members of a list, or the keys of a dictionary) and C(hostports). It has to be
      the whole value. In other fields, or inside of a longer string, it is an option error. C(description) and all
      values in C(metadata), C(headers), and C(labels) are text, with a warning for each one that would be a reference
      elsewhere.
    - In the same fields, V(ref:NAME.FIELD) stands for another field of that object, such as the C(addr) that a reserved
      address gets.
    - An edge is created after the objects of V(reserved_domains) and V(reserved_addrs) that reserve its hostports, and
      deleted before them.
    - An object is created or updated before everything that refers to it, and deleted after it, live objects included.
      It is not deleted if something failed that may still refer to it.
    - Two entries that turn out to be the same object fail.
    - O(update_secrets=always) also sends the fields in C(write_only).
  type: list
  elements: dict
https_edges:
  description:
    - The HTTPS edges, each with its routes. Order is ignored.
    - Two edges with the same C(id), or with a common hostport and without C(id), are errors. Two entries that turn out
      to be the same edge fail.
    - If omitted, no HTTPS edge is changed.
    - An empty list with V(edges) in O(purge) deletes all edges. If there are any, this requires O(allow_empty=true).
    - At least one of O(objects), O(https_edges), O(tls_edges), and O(event_subscriptions) is required.
  type: list
  elements: dict
  suboptions:
{nested(in_brief(edge.OPTIONS) + _ROUTES, 2)}
tls_edges:
  description:
    - The TLS edges, each with its traffic modules. Order is ignored. Duplicate C(edge_id) values are errors.
  type: list
  elements: dict
  suboptions:
{nested(in_brief(_TLS_EDGE), 2)}
event_subscriptions:
  description:
    - The event subscriptions, each with its event sources. Order is ignored. Duplicate C(subscription_id) values are
      errors.
  type: list
  elements: dict
  suboptions:
{nested(in_brief(event_subscription.SUBSCRIPTION_ID) + _SOURCES, 2)}
"""

_READ = """
https_edges:
  description:
    - Whether to read all HTTPS edges of the account, with their routes.
    - With V(true), the service must support listing edges.
  type: bool
  default: true
tls_edges:
  description:
    - The IDs of the TLS edges to read, which start with V(edgtls_). The API reference defines no list of them.
  type: list
  elements: str
  default: []
event_subscriptions:
  description:
    - The IDs of the event subscriptions to read, which start with V(esb_). The API reference defines no list of them.
    - If an event subscription does not exist, the task fails.
  type: list
  elements: str
  default: []
"""


class ModuleDocFragment:
    DOCUMENTATION: str = f"notes:\n{nested(NOTES)}options:\n{nested(_OPTIONS + event_subscription.ALLOW_UNKNOWN_TYPE)}"
    READ: str = f"options:\n{nested(_READ)}"
