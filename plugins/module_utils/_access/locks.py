# SPDX-License-Identifier: GPL-3.0-or-later
"""What traffic modules check, and whom they admit, as sets: all that the rest of this folder knows of them. Pure.

A lock admits the visitors that show one of its members. A member is a path of strings: everyone of a provider is
`("google",)`, and `("google", "email_domains", "example.com")` are some of these.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .._model.identity_providers import IdentityProviders
from .._model.objects import Object
from .._model.protection import is_enabled, protecting_modules
from .._model.references import OneOf
from .._model.schema import ROUTE_MODULES
from .._values.kinds import Mark

NETWORK = ("network",)
POLICY = "policy"
"""What a traffic policy checks. Nobody knows what its actions do: they may restrict access."""

OTHERS = "others than "
"""Begins what stands for the members of a list of which a service has returned only one."""

_NOT_SHOWN = "identity providers that the service does not show"

Dimension = tuple[str, ...]
"""What a lock checks, such as ("network",) or ("login", "oidc")."""

Member = tuple[str, ...]
Locks = Mapping[Dimension, frozenset[Member]]
"""Whom enabled locks admit. A visitor must pass all of them. The members of ("network",) are the IDs of IP policies."""

OF_PROVIDERS = {
    (kind.protects, name)
    for name, kind in ROUTE_MODULES.items()
    if any(isinstance(f.kind, IdentityProviders) for f in kind.fields)
}
"""The dimensions of logins at public identity providers."""

_LONGEST = 100
"""Of a string in a member. A longer one, such as the metadata of an identity provider, is known by its digest."""


ON, OFF, OPEN, UNKNOWN = "on", "off", "open", "unknown"
"""States of a lock: enabled, disabled, enabled with nothing to check against, and with settings that are not known."""


class Lock(NamedTuple):
    """What a traffic module checks, and whom it admits if it is enabled. An open one may admit everyone, or nobody.

    Requests with the method OPTIONS can be exempt from it.
    """

    module: str
    dimension: Dimension
    members: frozenset[Member]
    state: str
    exempts_options: bool = False

    @property
    def check(self) -> str:
        return self.dimension[0]


def locks_of(kind: Object, state: Mapping[str, Any]) -> Iterator[Lock]:
    """Yield the traffic modules of an object that can keep visitors out."""
    for name, module in protecting_modules(kind).items():
        settings = state.get(name)
        dimension = (module.protects, name) if name in kind.exclusive else (module.protects,)
        if settings is Mark.KEEP:
            yield Lock(name, dimension, frozenset(), UNKNOWN)
        elif settings is not None:
            is_hollow = _is_hollow(module, name, settings)
            members = frozenset(() if is_hollow else _members(module, settings, state.get("id")))
            is_on = OPEN if is_hollow else ON
            exempts_options = bool(settings.get("options_passthrough"))
            yield Lock(name, dimension, members, is_on if is_enabled(settings) else OFF, exempts_options)


def _is_hollow(module: Any, name: str, settings: Mapping[str, Any]) -> bool:
    if module.protects == POLICY:
        return not any(rule["actions"] for rule in settings["inbound"])
    required = [f.name for f in module.fields if f.required]
    if required:
        lacks = name == "webhook_verification" and lacks_secret(settings)
        return lacks or not all(_has_content(settings[one]) for one in required)
    return not any(settings[f.name] for f in module.fields if f.restricts)


def lacks_secret(webhook_verification: Mapping[str, Any]) -> bool:
    """Return whether there is certainly no secret, although the provider needs one."""
    secret = ROUTE_MODULES["webhook_verification"].named["secret"]
    return not webhook_verification["secret"] and not secret.is_exempt({}, webhook_verification)


def _has_content(value: Any) -> bool:
    """Return whether a required field has a value; for identity providers, whether one may be in use."""
    if isinstance(value, Mapping):
        return bool(getattr(value, "unclear", ())) or any(one is not None for one in value.values())
    return bool(value)


def _members(kind: Object, settings: Mapping[str, Any], owner: object) -> Iterator[Member]:
    """Yield the members of a lock, which are alternatives: those that are listed, or else everyone it recognizes.

    It recognizes visitors by its required fields, such as the issuer. Other settings do not say who gets in.
    """
    if kind.protects == POLICY:
        yield (_text(json.dumps(settings["inbound"], sort_keys=True, default=str)),)
        return
    own = tuple(_text(settings[f.name], f.kind) for f in kind.fields if f.required and not isinstance(f.kind, Object))
    found = [
        (*own, f.name, _text(value)) for f in kind.fields if f.restricts for value in _listed(settings[f.name], owner)
    ]
    for f in kind.fields:
        if isinstance(f.kind, Object) and settings[f.name] is not None:
            around = () if f.required else (f.name,)
            found += [(*own, *around, *member) for member in _members(f.kind, settings[f.name], owner)]
    # What is not known equals nothing but itself.
    found += [(*own, f"{_NOT_SHOWN} of {owner}")] if getattr(settings, "unclear", ()) else []
    yield from found or [own]


def _listed(values: Sequence[str], owner: object) -> list[str]:
    """Return the values of a list. If the service has returned only one, nobody knows the others of this owner."""
    return [*values, *(f"{OTHERS}{one} of {owner}" for one in values if isinstance(values, OneOf))]


def _text(value: Any, kind: Any = None) -> str:
    text = str(value).lower() if getattr(kind, "fold", False) else str(value)
    return text if len(text) <= _LONGEST else hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
