# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The options of an estate: lists of HTTPS edges, TLS edges, and event subscriptions."""

from __future__ import annotations

from ansible_collections.edgeops.ingress.plugins.doc_fragments import (
    _edge as edge,
)
from ansible_collections.edgeops.ingress.plugins.doc_fragments import (
    _event_subscription as event_subscription,
)
from ansible_collections.edgeops.ingress.plugins.doc_fragments import (
    _route as route,
)
from ansible_collections.edgeops.ingress.plugins.doc_fragments import (
    _tls_edge as tls_edge,
)
from ansible_collections.edgeops.ingress.plugins.doc_fragments._nesting import Options, described, fragment, in_brief
from ansible_collections.edgeops.ingress.plugins.doc_fragments._traffic_modules import (
    IP_POLICY_IDS,
    NOTES,
    absent_modules,
    modules,
)
from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import TLS_EDGE_MODULES

_ROUTES = route.routes(
    "If omitted, the current routes are kept, even with V(routes) in O(purge). If the list is empty, V(routes) in "
    "O(purge) deletes them."
)

_TLS_EDGE_MODULES = modules(
    TLS_EDGE_MODULES,
    {
        "ip_restriction": (*route.IP_RESTRICTION, IP_POLICY_IDS),
        "tls_termination": ("Configures where TLS is terminated.", "", tls_edge.TERMINATION),
    },
)

_SOURCES = event_subscription.types("sources", "An empty list has an effect only with V(sources) in O(purge).")

_MEMBERS: dict[str, Options] = {
    "https_edges": {**in_brief(edge.OPTIONS), **_ROUTES},
    "tls_edges": in_brief({**tls_edge.EDGE_ID, **_TLS_EDGE_MODULES, **absent_modules(_TLS_EDGE_MODULES)}),
    "event_subscriptions": {**in_brief(event_subscription.SUBSCRIPTION_ID), **_SOURCES},
}

_OPTIONS = """
objects:
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
https_edges:
  - The HTTPS edges, each with its routes. Order is ignored.
  - Two edges with the same C(id), or with a common hostport and without C(id), are errors. Two entries that turn out
    to be the same edge fail.
  - If omitted, no HTTPS edge is changed.
  - An empty list with V(edges) in O(purge) deletes all edges. If there are any, this requires O(allow_empty=true).
  - At least one of O(objects), O(https_edges), O(tls_edges), and O(event_subscriptions) is required.
tls_edges:
  - The TLS edges, each with its traffic modules. Order is ignored. Duplicate C(edge_id) values are errors.
event_subscriptions:
  - The event subscriptions, each with its event sources. Order is ignored. Duplicate C(subscription_id) values are
    errors.
"""

_READ = """
https_edges:
  - Whether to read all HTTPS edges of the account, with their routes.
  - With V(true), the service must support listing edges.
tls_edges:
  - The IDs of the TLS edges to read, which start with V(edgtls_). The API reference defines no list of them.
event_subscriptions:
  - The IDs of the event subscriptions to read, which start with V(esb_). The API reference defines no list of them.
  - If an event subscription does not exist, the task fails.
"""


_LISTS = described(_OPTIONS, {name: {"type": "list", "elements": "dict"} for name in ("objects", *_MEMBERS)})
for _name, _suboptions in _MEMBERS.items():
    _LISTS[_name]["suboptions"] = _suboptions

_IDS = {"type": "list", "elements": "str", "default": []}
_READ_SPEC = {"https_edges": {"type": "bool", "default": True}, "tls_edges": _IDS, "event_subscriptions": _IDS}


class ModuleDocFragment:
    DOCUMENTATION: str = fragment({**_LISTS, **event_subscription.ALLOW_UNKNOWN_TYPE}, NOTES)
    READ: str = fragment(described(_READ, _READ_SPEC))
