# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The options of a TLS edge and its traffic modules, each of which has a module of its own."""

from __future__ import annotations

from ansible_collections.edgeops.ingress.plugins.doc_fragments._edge import EDGE_OF_TASK
from ansible_collections.edgeops.ingress.plugins.doc_fragments._nesting import Options, described, fragment
from ansible_collections.edgeops.ingress.plugins.doc_fragments._traffic_modules import (
    ENABLED,
    IP_POLICY_IDS,
    KEPT_OR_CHOSEN,
    MIN_VERSION,
)
from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import TLS_EDGE_MODULES

_EDGE_ID = """
edge_id:
  - The ID of the TLS edge.
  - It starts with V(edgtls_). To create a TLS edge, use M(edgeops.ingress.object), if the service supports it.
  - If the edge does not exist, setting a traffic module fails. Some services return the same response for an edge
    without traffic modules, so check mode can only warn that the edge might not exist.
"""

EDGE_ID = described(_EDGE_ID, {"edge_id": {"type": "str", "required": True}})
_OF_TASK = (
    described(f"{_EDGE_ID}  - Either this or C(edge) is required.\n", {"edge_id": {"type": "str"}}) | EDGE_OF_TASK
)

TERMINATION = f"""
terminate_at:
  - Where TLS is terminated.
  - With V(edge), the service terminates it.
  - With V(upstream), the encrypted traffic is passed to the agent or to the application behind it. Most other traffic
    modules then cannot be used, because they cannot read the traffic.
  - {KEPT_OR_CHOSEN}
{MIN_VERSION.strip()}
  - Cannot be used with C(terminate_at=upstream). Changing to V(upstream) clears it.
"""

# These modules have no note about this.
_ENABLED = ENABLED.replace(
    "  - If omitted", "  - With V(false), its settings are kept, but traffic bypasses it.\n  - If omitted"
)

_NOTE = (
    "The service replaces this traffic module as a whole, so declare all of its settings. The description of each "
    "option says what happens if you omit it. Declare at least one option, unless O(state=absent)."
)


def _options(module: str, sentences: str) -> Options:
    return {**_OF_TASK, **described(_ENABLED + sentences, TLS_EDGE_MODULES[module].options())}


class ModuleDocFragment:
    IP_RESTRICTION: str = fragment(_options("ip_restriction", IP_POLICY_IDS), [_NOTE])
    TLS_TERMINATION: str = fragment(_options("tls_termination", TERMINATION), [_NOTE])
