# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The options of an event subscription and its event sources: a single one, or all of them."""

from __future__ import annotations

from ansible_collections.edgeops.ingress.plugins.doc_fragments._nesting import Options, described, fragment

_SPEC = {
    "subscription_id": {"type": "str", "required": True},
    "type": {"type": "str", "required": True},
    "allow_unknown_type": {"type": "bool", "default": False},
}

_SUBSCRIPTION_ID = """
subscription_id:
  - The ID of the event subscription.
  - It starts with V(esb_). To create an event subscription, use M(edgeops.ingress.object), if the service supports it.
"""

_ALLOW_UNKNOWN_TYPE = """
allow_unknown_type:
  - Whether to accept event types that are not in the event catalog.
"""

_CATALOG = (
    "If a name is not in the event catalog, the task fails and suggests similar names, unless "
    "O(allow_unknown_type=true)."
)

_TYPE = f"""
type:
  - The event type, such as V(ip_policy_updated.v0).
  - {_CATALOG}
"""

SUBSCRIPTION_ID, ALLOW_UNKNOWN_TYPE = described(_SUBSCRIPTION_ID, _SPEC), described(_ALLOW_UNKNOWN_TYPE, _SPEC)


def types(name: str, *more: str) -> Options:
    """Return the option `name`, a list of event types. `more` are further sentences of its description."""
    which = (
        "The event types that trigger the subscription, such as V(ip_policy_updated.v0). Order is ignored; duplicates "
        "are errors."
    )
    spec = {name: {"type": "list", "elements": "str", "required": True}}
    return described({name: [which, *more]}, spec)


_TYPES_OF_SET = types(
    "types",
    _CATALOG,
    "An empty list has an effect only with O(purge=true). To delete event sources, it then requires "
    "O(allow_empty=true).",
)


class ModuleDocFragment:
    SOURCE: str = fragment({**SUBSCRIPTION_ID, **described(_TYPE, _SPEC), **ALLOW_UNKNOWN_TYPE})
    SOURCES: str = fragment({**SUBSCRIPTION_ID, **_TYPES_OF_SET, **ALLOW_UNKNOWN_TYPE})
