# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The option that finds the edge of a task without its ID."""

from __future__ import annotations

EDGE = """
edge:
  description:
    - The edge, in place of C(edge_id). One of its hostports, such as V(shop.example.com:443), or a dictionary with its
      C(metadata). The service must support listing edges. All items of a loop share one request.
    - Also what an earlier task returned for the edge, such as C(shop.https_edge) if its result was registered as
      C(shop). In check mode, this stands for an edge that does not exist yet.
  type: raw
"""
