# SPDX-License-Identifier: GPL-3.0-or-later
"""A state as somebody would declare it: the options that say something, and nothing that only the service writes."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from .kinds import MASK
from .listing import parts as parts_of
from .objects import Object, join
from .secret import Secret

NEW_SECRET = f"{MASK} (a new value)"


def declaration(kind: Object, state: Any, changes: Collection[str] = (), path: str = "") -> dict[str, Any] | None:
    """The options of `state`; secrets are masked, those among `changes` as new. None for what is not set."""
    if state is None:
        return None
    options: dict[str, Any] = {}
    for f in kind.declarable:
        where = join(path, f.name)
        if isinstance(f.kind, Object):
            value: Any = declaration(f.kind, state[f.name], changes, where)
            if value == {} and not f.clears_when_omitted:
                continue
        else:
            value = f.kind.shown(state[f.name])
            if value in ("", [], {}):
                continue
        if value is not None:
            options[f.name] = NEW_SECRET if value == MASK and where in changes else value
    said = (f for f in kind.declarable if f.name in options)
    if kind.module and all(f.default is not None or isinstance(f.kind, Secret) for f in said):
        # A traffic module without content must say so. If omitted, the content could have been forgotten.
        options |= {f.name: f.kind.shown(f.kind.empty) for f in kind.declarable if f.clears_when_omitted}
    return options


def whole_declaration(kind: Object, state: Any) -> dict[str, Any] | None:
    """The same, with the objects that belong to this one."""
    options = declaration(kind, state)
    if options is None:
        return None
    parts = {name: [declaration(part, one) for one in states] for name, part, states in parts_of(kind, state)}
    return {**options, **{name: declarations for name, declarations in parts.items() if declarations}}


def without_secrets(kind: Object, options: dict[str, Any]) -> dict[str, Any]:
    """A declaration that leaves out secrets, which means those in place.

    Where another option may not be given without the secret, the mask stays, which means the same.
    """
    kept = {}
    for f in kind.declarable:
        if f.name not in options or (isinstance(f.kind, Secret) and not f.needs):
            continue
        value = options[f.name]
        kept[f.name] = without_secrets(f.kind, value) if isinstance(f.kind, Object) else value
    return kept
