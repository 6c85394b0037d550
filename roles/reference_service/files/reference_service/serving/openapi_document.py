# SPDX-License-Identifier: GPL-3.0-or-later
"""The OpenAPI document of the API with the default switches, generated from the models and operations."""

import re
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
    for path, operations in found["paths"].items():
        in_path = [_in_path(name) for name in re.findall(r"{(\w+)}", path)]
        for operation in operations.values():
            others = operation.get("parameters", [])
            operation["parameters"] = [*in_path, *others, {"name": version_header, **_VERSION}]
            operation["responses"].pop("422", None)
    for unused in ("HTTPValidationError", "ValidationError"):
        found["components"]["schemas"].pop(unused, None)
    cleaned: dict[str, Any] = _without_null_defaults(found)
    return cleaned


def _in_path(name: str) -> dict[str, Any]:
    schema = {"title": name.replace("_", " ").title(), "type": "string"}
    return {"in": "path", "name": name, "required": True, "schema": schema}


def _without_null_defaults(part: Any) -> Any:
    """Remove defaults of null, which only mean that a field can be omitted. Most fields reject null."""
    if isinstance(part, list):
        return [_without_null_defaults(each) for each in part]
    if not isinstance(part, dict):
        return part
    return {name: _without_null_defaults(value) for name, value in part.items() if (name, value) != ("default", None)}
