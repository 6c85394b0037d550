# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets through: what a visitor must have, because enabled traffic modules require it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .._access.locks import hollow_modules
from .._model.kinds import Mark
from .._model.objects import Object, join
from .._model.protection import CHECKS, CLOSED, protections
from .._planning.plan import State

PUBLIC = "public"
CLASSES = (CLOSED, PUBLIC, *CHECKS)

Layer = tuple[str, Object, State]
"""The path, the kind, and the state of an object."""

Required = Mapping[str, Sequence[str]]
"""What is required, with the paths of the traffic modules that require it."""


def required_by(layers: Iterable[Layer]) -> Required:
    """Return what the traffic modules of these objects require together, except those with nothing to check against."""
    found: dict[str, list[str]] = {}
    for path, kind, state in layers:
        known = {name: value for name, value in state.items() if value is not Mark.KEEP}
        hollow = hollow_modules(kind, state)
        for name, requirement in protections(kind, known).items():
            if name not in hollow:
                found.setdefault(requirement, []).append(join(path, name))
    return {name: found[name] for name in CHECKS if name in found}
