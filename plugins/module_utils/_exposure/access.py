# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets through: what a visitor must have, because enabled traffic modules require it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .._model.kinds import Mark
from .._model.objects import Object, join
from .._model.schema import ROUTE_MODULES
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

Layer = tuple[str, Object, State]
"""The path, the kind, and the state of an object."""

Required = Mapping[str, Sequence[str]]
"""What is required, with the paths of the traffic modules that require it."""


def required_by(layers: Iterable[Layer]) -> Required:
    """Return what the traffic modules of these objects require together, except those with nothing to check against."""
    found: dict[str, list[str]] = {}
    for path, kind, state in layers:
        for name, requirement in _protections(kind, state).items():
            if not _is_hollow(kind, name, state[name]):
                found.setdefault(requirement, []).append(join(path, name))
    return {name: found[name] for name in REQUIREMENTS if name in found}


def hollow_modules(kind: Object, state: State) -> list[str]:
    """Return the enabled traffic modules that lack what they check with: they may let everyone through, or nobody."""
    return [name for name in _protections(kind, state) if _is_hollow(kind, name, state[name])]


def lacks_secret(webhook_verification: Mapping[str, Any]) -> bool:
    """Return whether there is certainly no secret, although the provider needs one."""
    secret = ROUTE_MODULES["webhook_verification"].named["secret"]
    return not webhook_verification["secret"] and not secret.is_exempt({}, webhook_verification)


def _protections(kind: Object, state: State) -> dict[str, str]:
    return protections(kind, {name: value for name, value in state.items() if value is not Mark.KEEP})


def _is_hollow(kind: Object, name: str, state: Mapping[str, Any]) -> bool:
    module: Any = kind.named[name].kind
    required = [f.name for f in module.fields if f.required]
    if required:
        lacks = name == "webhook_verification" and lacks_secret(state)
        return lacks or not all(_has_content(state[one]) for one in required)
    return not any(state[f.name] for f in module.fields if f.restricts)


def _has_content(value: Any) -> bool:
    """Return whether a required field has a value; for identity providers, whether one may be in use."""
    if isinstance(value, Mapping):
        return bool(getattr(value, "unclear", ())) or any(one is not None for one in value.values())
    return bool(value)


def needs(required: Required) -> str:
    """Return what is required, in words."""
    return " and ".join(REQUIREMENTS[name] for name in required)
