# SPDX-License-Identifier: GPL-3.0-or-later
"""The OpenAPI document of the API with the default switches, generated from the models and operations."""

from __future__ import annotations

import json
from typing import Any

from .app import api_app

_SECURITY = {"ApiKey": {"type": "http", "scheme": "bearer"}}
_VERSION = {
    "in": "header",
    "required": True,
    "description": "The version of the API. The name of this header is a start option.",
    "schema": {"type": "string", "enum": ["2"]},
}


def document(version_header: str) -> dict[str, Any]:
    found: dict[str, Any] = api_app().openapi()
    found["components"]["securitySchemes"] = _SECURITY
    found["security"] = [{name: []} for name in _SECURITY]
    for operations in found["paths"].values():
        for operation in operations.values():
            operation["parameters"] = [*operation.get("parameters", []), {"name": version_header, **_VERSION}]
            operation["responses"].pop("422", None)
    for unused in ("HTTPValidationError", "ValidationError"):
        found["components"]["schemas"].pop(unused, None)
    cleaned: dict[str, Any] = _without_null_defaults(found)
    return cleaned


def text(version_header: str) -> str:
    return json.dumps(document(version_header), indent=2, sort_keys=True) + "\n"


def _without_null_defaults(part: Any) -> Any:
    """Remove defaults of null, which only mean that a field can be omitted. Most fields reject null."""
    if isinstance(part, list):
        return [_without_null_defaults(each) for each in part]
    if not isinstance(part, dict):
        return part
    return {name: _without_null_defaults(value) for name, value in part.items() if (name, value) != ("default", None)}
