# SPDX-License-Identifier: GPL-3.0-or-later
"""Which traffic modules protect an object, as the schema says. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .objects import Object


def is_enabled(module: Any) -> bool:
    """Return whether a traffic module is set and applied to traffic."""
    return module is not None and module.get("enabled") is not False


def protecting_modules(kind: Object) -> dict[str, Object]:
    """Return the traffic modules that can protect an object of this kind, by name."""
    return {f.name: f.kind for f in kind.fields if isinstance(f.kind, Object) and f.kind.protects}


def protections(kind: Object, state: Mapping[str, Any] | None) -> dict[str, str]:
    """Return the enabled traffic modules that protect the object, by name, each with its kind of protection."""
    modules = protecting_modules(kind).items()
    return {name: module.protects for name, module in modules if is_enabled((state or {}).get(name))}
