# SPDX-License-Identifier: GPL-3.0-or-later
"""The protection of one route, as options to declare on another one. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._model.declaration import declaration
from .._model.objects import Object, join
from .._model.secret import Secret
from .subjects import Route


def copied_protection(guard: Route, route: Route) -> dict[str, Any]:
    """Return the options with which `route` requires what `guard` does, empty if options of a route cannot do that."""
    paths = [path for requirement in guard.required.values() for path in requirement]
    modules = {
        f.name: f.kind for f in guard.table.fields if isinstance(f.kind, Object) and join(guard.path, f.name) in paths
    }
    if len(modules) < len(paths):
        return {}  # The edge itself protects the other route.
    # A login takes the place of another one, which may have settings that nobody wants to lose.
    others = {name for name in route.table.exclusive if route.state[name] is not None}
    if others and others.isdisjoint(modules) and not modules.keys().isdisjoint(route.table.exclusive):
        return {}
    options = {name: declaration(kind, guard.state[name]) or {} for name, kind in modules.items()}
    return {} if any(_needs_secret(modules[name], options[name]) for name in options) else options


def _needs_secret(kind: Any, options: Mapping[str, Any]) -> bool:
    """Return whether this declaration may have a secret, which nobody could copy. Exports omit it."""
    return any(
        (isinstance(f.kind, Secret) and all(name in options for name in f.needs))
        or (isinstance(f.kind, Object) and f.name in options and _needs_secret(f.kind, options[f.name]))
        for f in kind.declarable
    )
