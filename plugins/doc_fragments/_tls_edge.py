# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The options of a TLS edge and its traffic modules, each of which has a module of its own."""

from __future__ import annotations

from ansible_collections.edgeops.ingress.plugins.doc_fragments._edge_of_task import EDGE
from ansible_collections.edgeops.ingress.plugins.doc_fragments._nesting import nested
from ansible_collections.edgeops.ingress.plugins.doc_fragments._traffic_modules import (
    ENABLED,
    IP_POLICY_IDS,
    KEPT_OR_CHOSEN,
    MIN_VERSION,
)

_EDGE_ID = """
edge_id:
  description:
    - The ID of the TLS edge.
    - It starts with V(edgtls_). To create a TLS edge, use M(edgeops.ingress.object), if the service supports it.
    - If the edge does not exist, setting a traffic module fails. Some services return the same response for an edge
      without traffic modules, so check mode can only warn that the edge might not exist.
{}  type: str
"""

EDGE_ID = f"{_EDGE_ID.format('')}  required: true\n"
_OF_TASK = _EDGE_ID.format("    - Either this or C(edge) is required.\n") + EDGE

_TERMINATE_AT = f"""
terminate_at:
  description:
    - Where TLS is terminated.
    - With V(edge), the service terminates it.
    - With V(upstream), the encrypted traffic is passed to the agent or to the application behind it. Most other traffic
      modules then cannot be used, because they cannot read the traffic.
    - {KEPT_OR_CHOSEN}
  type: str
  choices:
    - edge
    - upstream
"""

_NOT_WITH_UPSTREAM = """
    - Cannot be used with C(terminate_at=upstream). Changing to V(upstream) clears it.
"""

_BYPASSED = """
    - With V(false), its settings are kept, but traffic bypasses it.
"""

TERMINATION = _TERMINATE_AT + MIN_VERSION + _NOT_WITH_UPSTREAM.lstrip("\n")
# These modules have no note about this.
_ENABLED = ENABLED.replace("    - If omitted", _BYPASSED.lstrip("\n") + "    - If omitted")

_NOTES = """
- The service replaces this traffic module as a whole, so declare all of its settings. The description of each option
  says what happens if you omit it. Declare at least one option, unless O(state=absent).
"""


class ModuleDocFragment:
    IP_RESTRICTION: str = f"notes:\n{nested(_NOTES)}options:\n{nested(_OF_TASK + _ENABLED + IP_POLICY_IDS)}"
    TLS_TERMINATION: str = f"notes:\n{nested(_NOTES)}options:\n{nested(_OF_TASK + _ENABLED + TERMINATION)}"
