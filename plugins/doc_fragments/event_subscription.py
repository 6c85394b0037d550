# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""An event subscription and its sources: one, or all of them."""

from __future__ import annotations

from ansible_collections.edgeops.ingress.plugins.doc_fragments.nesting import nested

SUBSCRIPTION_ID = """
subscription_id:
  description:
    - The id of the event subscription, which starts with V(esb_). The service offers no way to create or to find one.
  type: str
  required: true
"""

ALLOW_UNKNOWN_TYPE = """
allow_unknown_type:
  description:
    - Whether any name is taken for a kind of event, for services that have more kinds than the catalogue.
  type: bool
  default: false
"""

_CATALOGUE = """
- A name that is not in the catalogue of events is refused, with those that it may have been meant for, unless
  O(allow_unknown_type=true).
"""

_TYPE = f"""
type:
  description:
    - The kind of event, by its name, such as V(ip_policy_updated.v0).
{nested(_CATALOGUE, 2)}  type: str
  required: true
"""


def types(name: str, alias: str, *more: str) -> str:
    """The option, called `name`, that lists kinds of event; `more` are lines to put below its description."""
    return f"""
{name}:
  description:
    - The kinds of event that trigger the subscription, in any order, each by its name, such as
      V(ip_policy_updated.v0). One that is there twice is an error.
{nested(_CATALOGUE, 2)}{nested("".join(more), 2)}  type: list
  elements: str
  required: true
  aliases:
    - {alias}
"""


_TYPES_OF_SET = types(
    "types",
    "sources",
    "- An empty list declares that there are none, which has an effect with O(purge=true) only, and needs\n"
    "  O(allow_empty=true) then.\n",
)


class ModuleDocFragment:
    SOURCE: str = f"options:\n{nested(SUBSCRIPTION_ID + _TYPE + ALLOW_UNKNOWN_TYPE)}"
    SOURCES: str = f"options:\n{nested(SUBSCRIPTION_ID + _TYPES_OF_SET + ALLOW_UNKNOWN_TYPE)}"
