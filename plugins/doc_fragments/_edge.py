# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The options of an HTTPS edge: how it is found, by its own task or others, its fields, and its traffic modules."""

from __future__ import annotations

from ansible_collections.edgeops.ingress.plugins.doc_fragments._nesting import Options, described, fragment
from ansible_collections.edgeops.ingress.plugins.doc_fragments._traffic_modules import (
    DESCRIPTION_AND_METADATA,
    EMPTY_LIST,
    MIN_VERSION,
    NOTES,
    PURGE_MODULES,
    absent_modules,
    modules,
)
from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import EDGE_MODULES, HTTPS_EDGE

_EDGE = """
edge:
  - The edge, in place of C(edge_id). One of its hostports, such as V(shop.example.com:443), or a dictionary with its
    C(metadata). The service must support listing edges. All items of a loop share one request.
  - Also what an earlier task returned for the edge, such as C(shop.https_edge) if its result was registered as
    C(shop). In check mode, this stands for an edge that does not exist yet.
"""

EDGE_OF_TASK = described(_EDGE, {"edge": {"type": "raw"}})

_IDENTITY = """
id:
  - The ID of the edge, which starts with V(edghts_).
  - The service assigns it, so omit this option to create an edge.
  - If omitted, the edge is looked up by C(find_by).
find_by:
  - How to find the edge if C(id) is omitted.
  - If no edge matches, one is created. If several edges match, the task fails and lists their IDs.
  - V(hostports) finds the edge that has at least one of the declared C(hostports).
  - V(metadata) finds the edge whose metadata have the same meaning as the declared C(metadata). If only an edge whose
    metadata differ in spelling exists, such as in letter case, or are cut off, the task fails instead of creating
    another one.
  - V(none) skips the search and creates an edge in every run, so the task is not idempotent. Use it if the service
    does not support listing edges, which the other two require.
"""

_HOSTPORTS = """
hostports:
  - The hostports, such as V(shop.example.com:443).
  - Each hostport is a host name and a port that the edge serves. Order and letter case are ignored. A hostport can
    belong to one edge only.
  - Internationalized names are compared in their DNS form, and sent as they are written.
  - If omitted, the current value is kept. Otherwise, this is the whole list.
  - An edge gives up a hostport only with permission, which is V(hostports) in O(edgeops.ingress.estate#module:purge),
    or O(edgeops.ingress.https_edge#module:purge_hostports=true).
"""

_CERTIFICATE_AUTHORITY_IDS = f"""
certificate_authority_ids:
  - The IDs of the authorities.
  - These certificate authorities may have issued a client's certificate. Order is ignored.
  - {EMPTY_LIST} Required if nothing but C(enabled=true) is declared with it.
"""

_MODULES = modules(
    EDGE_MODULES,
    {
        "mutual_tls": ("Requires a valid client certificate.", "", _CERTIFICATE_AUTHORITY_IDS),
        "tls_termination": ("Configures how TLS is terminated.", "", MIN_VERSION),
    },
)

_SPEC = {
    **HTTPS_EDGE.options(),
    "id": {"type": "str"},
    "find_by": {"type": "str", "choices": ["hostports", "metadata", "none"], "default": "hostports"},
}

OPTIONS: Options = {
    **described(_IDENTITY + _HOSTPORTS + DESCRIPTION_AND_METADATA, _SPEC),
    **_MODULES,
    **absent_modules(_MODULES),
    **PURGE_MODULES,
}


class ModuleDocFragment:
    DOCUMENTATION: str = fragment(OPTIONS, NOTES)
