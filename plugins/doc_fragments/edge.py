# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""An HTTPS edge: its fields and its modules."""

from __future__ import annotations

from ansible_collections.edgeops.ingress.plugins.doc_fragments import description_and_metadata
from ansible_collections.edgeops.ingress.plugins.doc_fragments.nesting import nested
from ansible_collections.edgeops.ingress.plugins.doc_fragments.traffic_modules import (
    MIN_VERSION,
    NOTES,
    module,
    taking_modules_off,
)

_HOSTPORTS = """
hostports:
  description:
    - What the edge serves, each a host name with its port, such as V(shop.example.com:443). Neither their order nor
      upper and lower case have a meaning. A hostport can be on one edge only.
    - Left out, what it has now is kept. An empty list clears it.
  type: list
  elements: str
"""

_CERTIFICATE_AUTHORITY_IDS = """
certificate_authority_ids:
  description:
    - The certificate authorities that a client's certificate may come from, by their ids. Their order has no meaning.
    - Left out, it is empty.
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

OPTIONS = "".join((_HOSTPORTS, description_and_metadata.OPTIONS, *_MODULES.values(), taking_modules_off(_MODULES)))


class ModuleDocFragment:
    DOCUMENTATION: str = f"notes:\n{nested(NOTES)}options:\n{nested(OPTIONS)}"
