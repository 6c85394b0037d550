# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The options of an event subscription and its event sources: a single one, or all of them."""

from __future__ import annotations

from ansible_collections.edgeops.ingress.plugins.doc_fragments._nesting import nested

SUBSCRIPTION_ID = """
subscription_id:
  description:
    - The ID of the event subscription.
    - It starts with V(esb_). To create an event subscription, use M(edgeops.ingress.object), if the service supports
      it.
  type: str
  required: true
"""

ALLOW_UNKNOWN_TYPE = """
allow_unknown_type:
  description:
    - Whether to accept event types that are not in the event catalog.
  type: bool
  default: false
"""

_CATALOG = """
- If a name is not in the event catalog, the task fails and suggests similar names, unless O(allow_unknown_type=true).
"""

_TYPE = f"""
type:
  description:
    - The event type, such as V(ip_policy_updated.v0).
{nested(_CATALOG, 2)}  type: str
  required: true
"""


def types(name: str, alias: str, more: str) -> str:
    """Return the option `name`, a list of event types. `more` are further lines of its description."""
    return f"""
{name}:
  description:
    - The event types that trigger the subscription, such as V(ip_policy_updated.v0). Order is ignored; duplicates are
      errors.
{nested(more, 2)}  type: list
  elements: str
  required: true
  aliases:
    - {alias}
"""


_TYPES_OF_SET = types(
    "types",
    "sources",
    f"{_CATALOG}- An empty list has an effect only with O(purge=true). To delete event sources, it then requires\n"
    "  O(allow_empty=true).\n",
)


class ModuleDocFragment:
    SOURCE: str = f"options:\n{nested(SUBSCRIPTION_ID + _TYPE + ALLOW_UNKNOWN_TYPE)}"
    SOURCES: str = f"options:\n{nested(SUBSCRIPTION_ID + _TYPES_OF_SET + ALLOW_UNKNOWN_TYPE)}"
