# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets through: what a visitor must have, because enabled traffic modules require it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .._model.kinds import Mark
from .._model.objects import Object, join
from .._planning.plan import State
from .._planning.widening import protections

REQUIREMENTS = {
    "certificate": "a client certificate",
    "network": "an allowed network",
    "signature": "a valid signature",
    "login": "a login",
}
"""What traffic modules can require, in the order of results. The schema says which of them requires what."""

CLOSED, PUBLIC = "closed", "public"
CLASSES = (CLOSED, PUBLIC, *REQUIREMENTS)

Required = Mapping[str, Sequence[str]]
"""What is required, with the paths of the traffic modules that require it."""


def required_by(layers: Iterable[tuple[str, Object, State]]) -> Required:
    """Return what the traffic modules of these objects require together; a layer is a path, a kind, and a state."""
    found: dict[str, list[str]] = {}
    for path, kind, state in layers:
        known = {name: value for name, value in state.items() if value is not Mark.KEEP}
        for name, requirement in protections(kind, known).items():
            found.setdefault(requirement, []).append(join(path, name))
    return {name: found[name] for name in REQUIREMENTS if name in found}


def classes_of(required: Required, *, is_closed: bool) -> list[str]:
    """Return the access: closed, public, or everything that a visitor must have."""
    return [CLOSED] if is_closed else list(required) or [PUBLIC]


def needs(required: Required) -> str:
    """Return what is required, in words."""
    return " and ".join(REQUIREMENTS[name] for name in required)
