# SPDX-License-Identifier: GPL-3.0-or-later
"""Habits of services that show less of an object in a list, or another value than the one that was sent."""

import json
from typing import Any

from ..store import Document
from ..switches import Switches

_IDENTITY = ("id", "uri")


def listed(switches: Switches, found: Document) -> Document:
    """Return an object as a member of a list contains it."""
    if switches.list_members == "id_and_uri":
        return _identity(found)
    if switches.list_members == "short_routes" and found.get("routes"):
        return {**found, "routes": [_identity(route) for route in found["routes"]]}
    left_out = {
        "without_routes": ["routes"],
        "without_parts": [name for name, value in found.items() if isinstance(value, (dict, list))],
        "without_texts": ["description", "metadata"],
    }.get(switches.list_members, [])
    return {name: value for name, value in found.items() if name not in left_out}


def _identity(found: Document) -> Document:
    return {name: found[name] for name in _IDENTITY}


def text(switches: Switches, name: str, value: Any) -> Any:
    """Return the value of a field as the service shows it."""
    if name == "metadata" and isinstance(value, str):
        return _metadata(switches, value)
    if name == "address" and isinstance(value, str) and switches.changed_identity == "addresses":
        return value.removesuffix(":443")
    return value


def _metadata(switches: Switches, value: str) -> str:
    if switches.changed_identity == "metadata":
        return value.upper()
    if switches.metadata == "kept":
        return value
    try:
        found = json.loads(value) if switches.metadata == "rewritten" else None
    except ValueError:
        found = None
    return json.dumps(dict(sorted(found.items()))) if isinstance(found, dict) else value.strip()
