# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""A TLS edge and its modules, each as a task of its own."""

from __future__ import annotations

from ansible_collections.edgeops.ingress.plugins.doc_fragments.nesting import nested
from ansible_collections.edgeops.ingress.plugins.doc_fragments.traffic_modules import (
    ENABLED,
    IP_POLICY_IDS,
    MIN_VERSION,
)

EDGE_ID = """
edge_id:
  description:
    - The id of the TLS edge, which starts with V(edgtls_). The service offers no way to create or to find one.
    - If the service does not know the edge, declaring a module on it fails. Some services answer alike for an edge on
      which nothing is set, so check mode can only warn that the edge may not exist.
  type: str
  required: true
"""

_TERMINATE_AT = """
terminate_at:
  description:
    - Who terminates TLS. With V(edge) it is the service. With V(upstream) it is passed through to the agent or to the
      application behind it, and most other modules can't be used, because they can't see into the traffic.
    - Left out, the service chooses, and what it has now is kept.
  type: str
  choices:
    - edge
    - upstream
"""

_NOT_WITH_UPSTREAM = """
    - It must not be given where TLS is terminated V(upstream). Changing to that clears it.
"""

TERMINATION = _TERMINATE_AT + MIN_VERSION + _NOT_WITH_UPSTREAM.lstrip("\n")


class ModuleDocFragment:
    IP_RESTRICTION: str = f"options:\n{nested(EDGE_ID + ENABLED + IP_POLICY_IDS)}"
    TLS_TERMINATION: str = f"options:\n{nested(EDGE_ID + ENABLED + TERMINATION)}"
