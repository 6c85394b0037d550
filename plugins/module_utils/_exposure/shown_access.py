# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets through an object, in the form of results: the traffic modules on the way, and whom they admit. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._access.locks import POLICY, Member, locks_by_module
from .._model.kinds import Mark
from .._model.objects import Object, join
from .._model.protection import CHECKS, is_enabled, protecting_modules
from .subjects import Route, Subject

_ORDER = (*CHECKS, POLICY)
_MOST_ADMITTED = 5
_EVERYONE = {"oauth": "any user of {}", "saml": "any user"}
"""Whom logins admit that do not restrict the users of a provider. Those of `oidc` are known by their issuer."""


def exposed(subject: Subject) -> dict[str, Any]:
    """Return who gets through an object."""
    return {
        **place_of(subject),
        "kind": subject.kind,
        "path": subject.path,
        "id": subject.id,
        "access": subject.access,
        "by": {} if subject.is_closed else {name: list(paths) for name, paths in subject.required.items()},
        "locks": locks(subject),
    }


def place_of(subject: Subject) -> dict[str, Any]:
    """Return the name of an object, and the edge, the route, and the backend that belong to it."""
    route = subject if isinstance(subject, Route) else None
    edge = route.edge if route else subject
    hostports = {"hostports": list(edge.state["hostports"])} if edge.kind == "https_edge" else {}
    return {
        "object": subject.name,
        "edge": None if edge.kind == "tunnel" else {"id": edge.id, **hostports},
        "route": {name: route.state[name] for name in ("match_type", "match")} if route else None,
        "backend_id": route.backend_id if route else None,
    }


def locks(subject: Subject, *, is_options: bool = False) -> list[dict[str, Any]]:
    """Return the traffic modules of an object, and of its edge, that can keep visitors out, in the documented order.

    Requests with the method OPTIONS can be exempt from a login.
    """
    return sorted(_locks(subject, is_options), key=lambda one: _ORDER.index(one["requires"]))


def _locks(subject: Subject, is_options: bool) -> Iterator[dict[str, Any]]:
    layers = [subject.edge, subject] if isinstance(subject, Route) else [subject]
    for layer in layers:
        for name, kind in protecting_modules(layer.table).items():
            settings = layer.state[name]
            is_exempt = is_options and name in layer.table.exclusive and settings and settings["options_passthrough"]
            if settings is not None and not is_exempt:
                state, admits = _state_of_lock(layer.table, name, settings)
                yield {
                    "module": name,
                    "path": join(layer.path, name),
                    "requires": kind.protects,
                    "state": state,
                    "admits": admits[:_MOST_ADMITTED],
                    "admits_count": len(admits),
                }


def _state_of_lock(kind: Object, name: str, settings: Any) -> tuple[str, list[str]]:
    """Return whether a traffic module checks visitors, and in short whom it admits if it is enabled.

    Of a policy, these are the names of its rules, because nobody knows what its actions do.
    """
    if settings is Mark.KEEP:
        return "unknown", []
    found = list(locks_by_module(kind, {name: {**settings, "enabled": True}}))
    admits = [_in_short(name, member) for _name, _dimension, members in found for member in sorted(members)]
    if name == POLICY:
        admits = [str(rule.get("name") or "rule") for rule in (*settings["inbound"], *settings["outbound"])]
    if not is_enabled(settings):
        return "off", admits
    return "open" if not found else "unknown" if name == POLICY else "on", admits


def _in_short(name: str, member: Member) -> str:
    is_everyone = len(member) == 1 or name == "oidc"
    return _EVERYONE.get(name, "{}").format(member[0]) if is_everyone else member[-1]
