# SPDX-License-Identifier: GPL-3.0-or-later
"""What traffic modules check, and whom they admit, as sets: all that the rest of this folder knows of them. Pure.

A lock admits the visitors that show one of its members. A member is a path of strings: everyone of a provider is
`("google",)`, and `("google", "email_domains", "example.com")` are some of these.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .._model.identity_providers import IdentityProviders
from .._model.kinds import Mark
from .._model.objects import Object
from .._model.protection import protecting_modules, protections
from .._model.references import OneOf
from .._model.schema import ROUTE_MODULES

NETWORK = ("network",)
POLICY = "policy"
"""What a traffic policy checks: nobody knows what its actions do."""

OTHERS = "others than "
"""Begins what stands for the members of a list of which a service has returned only one."""

_NOT_SHOWN = "identity providers that the service does not show"

Dimension = tuple[str, ...]
"""What a lock checks, such as ("network",) or ("login", "oidc")."""

Member = tuple[str, ...]
Locks = Mapping[Dimension, frozenset[Member]]
"""Whom each lock admits. A visitor must pass all of them. The members of ("network",) are the IDs of IP policies."""

_OF_PROVIDERS = {
    (kind.protects, name)
    for name, kind in ROUTE_MODULES.items()
    if any(isinstance(f.kind, IdentityProviders) for f in kind.fields)
}
_LONGEST = 100
"""Of a string in a member. A longer one, such as the metadata of an identity provider, is known by its digest."""


def locks_of(kind: Object, state: Mapping[str, Any], *, is_options: bool = False) -> dict[Dimension, frozenset[Member]]:
    """Return the locks of an object. A traffic module with nothing to check against is none.

    Requests with the method OPTIONS can be exempt from a login.
    """
    found = locks_by_module(kind, state, is_options=is_options)
    return {dimension: members for _name, dimension, members in found}


def locks_by_module(
    kind: Object, state: Mapping[str, Any], *, is_options: bool = False
) -> Iterator[tuple[str, Dimension, frozenset[Member]]]:
    """Yield the traffic modules of an object that are locks, each with what it checks and whom it admits."""
    known = {name: value for name, value in state.items() if value is not Mark.KEEP}
    for name, protects in protections(kind, known).items():
        is_exempt = is_options and known[name].get("options_passthrough")
        if not is_exempt and not _is_hollow(kind, name, known[name]):
            dimension = (protects, name) if name in kind.exclusive else (protects,)
            yield name, dimension, frozenset(_members(protecting_modules(kind)[name], known[name], state.get("id")))


def has_actions(policy: Mapping[str, Any]) -> bool:
    """Return whether a policy acts on requests. What its actions do is not known: they may restrict access."""
    return any(rule["actions"] for rule in policy["inbound"])


def hollow_modules(kind: Object, state: Mapping[str, Any]) -> list[str]:
    """Return the enabled traffic modules that lack what they check with: they may let everyone through, or nobody."""
    known = {name: value for name, value in state.items() if value is not Mark.KEEP}
    found = protections(kind, known).items()
    return [name for name, protects in found if protects != POLICY and _is_hollow(kind, name, known[name])]


def _is_hollow(kind: Object, name: str, settings: Mapping[str, Any]) -> bool:
    module: Any = kind.named[name].kind
    if module.protects == POLICY:
        return not has_actions(settings)
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


def _members(kind: Object, settings: Mapping[str, Any], owner: object, around: Member = ()) -> Iterator[Member]:
    """Yield the members of a lock, which are alternatives: those that are listed, or else everyone it recognizes.

    It recognizes visitors by its required fields, such as the issuer. Other settings do not say who gets in.
    """
    if kind.protects == POLICY:
        yield (_text(json.dumps(settings["inbound"], sort_keys=True, default=str)),)
        return
    own = (*around, *(_text(settings[f.name], f.kind) for f in kind.fields if f.required and not _is_object(f.kind)))
    found = [
        (*own, f.name, _text(value)) for f in kind.fields if f.restricts for value in _listed(settings[f.name], owner)
    ]
    for f in kind.fields:
        inner = settings[f.name] if isinstance(f.kind, Object) else None
        if isinstance(f.kind, Object) and inner is not None:
            found += [(*own, *member) for member in _members(f.kind, inner, owner, () if f.required else (f.name,))]
    # What is not known equals nothing but itself.
    found += [(*own, f"{_NOT_SHOWN} of {owner}")] if getattr(settings, "unclear", ()) else []
    yield from found or [own]


def _listed(values: Sequence[str], owner: object) -> list[str]:
    """Return the values of a list. If the service has returned only one, nobody knows the others of this owner."""
    return [*values, *(f"{OTHERS}{one} of {owner}" for one in values if isinstance(values, OneOf))]


def admits_anyone(dimension: Dimension, members: frozenset[Member]) -> bool:
    """Return whether any account of a public identity provider is enough, or possibly enough."""
    return dimension in _OF_PROVIDERS and any(len(one) == 1 for one in members)


def _is_object(kind: Any) -> bool:
    return isinstance(kind, Object)


def _text(value: Any, kind: Any = None) -> str:
    text = str(value).lower() if getattr(kind, "fold", False) else str(value)
    return text if len(text) <= _LONGEST else hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def are_within(members: frozenset[Member], others: frozenset[Member]) -> bool:
    """Return whether everyone whom these members admit is admitted by the others as well."""
    return all(any(one[:length] in others for length in range(len(one) + 1)) for one in members)
