# SPDX-License-Identifier: GPL-3.0-or-later
"""The traffic modules of a TLS edge (API reference, sections 2.5 and 4.2). The edge itself has no operations."""

from __future__ import annotations

from fastapi import APIRouter

from .addressed import tls_edge
from .module_operations import add_module_operations
from .objects import TLS_EDGE_MODULES
from .strict_route import StrictRoute

router = APIRouter(route_class=StrictRoute, tags=["TLS edges"])


for _name, _model in TLS_EDGE_MODULES.items():
    add_module_operations(router, f"/edges/tls/{{id}}/{_name}", _name, _model, tls_edge)
