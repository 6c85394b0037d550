# SPDX-License-Identifier: GPL-3.0-or-later
"""The traffic modules of edges (API reference, sections 2.2, 2.5, and 4.2). Those of HTTPS edges are extensions."""

from __future__ import annotations

from fastapi import APIRouter

from .module_operations import add_module_operations
from .objects import HTTPS_EDGE_MODULES, TLS_EDGE_MODULES
from .strict_route import EXTENSION, StrictRoute

router = APIRouter(route_class=StrictRoute)

for _name, _model in HTTPS_EDGE_MODULES.items():
    _path = f"/edges/https/{{id}}/{_name}"
    add_module_operations(router, _path, _name, _model, "https_edge", openapi_extra=EXTENSION, tags=["HTTPS edges"])
for _name, _model in TLS_EDGE_MODULES.items():
    add_module_operations(router, f"/edges/tls/{{id}}/{_name}", _name, _model, "tls_edge", tags=["TLS edges"])
