# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""An HTTPS edge: how it is found, its fields and its modules."""

from __future__ import annotations

from ansible_collections.edgeops.ingress.plugins.doc_fragments import description_and_metadata
from ansible_collections.edgeops.ingress.plugins.doc_fragments.nesting import nested
from ansible_collections.edgeops.ingress.plugins.doc_fragments.traffic_modules import (
    MIN_VERSION,
    NOTES,
    PURGE_MODULES,
    absent_modules,
    module,
)

_IDENTITY = """
id:
  description:
    - The id of the edge, which starts with V(edghts_). The service chooses it, so it can't be given for a new edge.
    - Left out, the edge is found as C(find_by) says.
  type: str
find_by:
  description:
    - How to find the edge where C(id) is left out. Where nothing is found, an edge is created. More than one that match
      are an error, which tells their ids.
    - With V(hostports), it is the edge that has one of the declared C(hostports) or more.
    - With V(metadata), it is the edge whose metadata is the declared C(metadata).
    - With V(none), none is looked for and an edge is created in every run, so such a task is not idempotent. It is for
      services that do not offer the list of edges that the other two need.
  type: str
  choices:
    - hostports
    - metadata
    - none
  default: hostports
"""

_HOSTPORTS = """
hostports:
  description:
    - What the edge serves, each a host name with its port, such as V(shop.example.com:443). Neither their order nor
      upper and lower case have a meaning. A hostport can be on one edge only.
    - Names in other scripts are compared in the form that the DNS has, and sent as they are written.
    - Left out, what it has now is kept. An empty list clears it.
  type: list
  elements: str
"""

_CERTIFICATE_AUTHORITY_IDS = """
certificate_authority_ids:
  description:
    - The certificate authorities that a client's certificate may come from, by their ids. Their order has no meaning.
    - If omitted, it is empty. It is required where nothing but C(enabled=true) is declared with it.
  type: list
  elements: str
"""

_MODULES = {
    "mutual_tls": module(
        "mutual_tls",
        "Asks clients for a certificate and lets in those whose certificate is valid.",
        _CERTIFICATE_AUTHORITY_IDS,
    ),
    "tls_termination": module("tls_termination", "How the edge terminates TLS.", MIN_VERSION),
}

OPTIONS = "".join(
    (
        _IDENTITY,
        _HOSTPORTS,
        description_and_metadata.OPTIONS,
        *_MODULES.values(),
        absent_modules(_MODULES),
        PURGE_MODULES,
    )
)


class ModuleDocFragment:
    DOCUMENTATION: str = f"notes:\n{nested(NOTES)}options:\n{nested(OPTIONS)}"
