# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets through an object, in the form of results: the traffic modules on the way, and whom they admit. Pure."""

from __future__ import annotations

from typing import Any

from .._access.locks import ON, POLICY, UNKNOWN, Lock, Member
from .._model.objects import join
from .._model.protection import CHECKS
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
    found = sorted(subject.locks, key=lambda one: _ORDER.index(one[1].check))
    return [_shown(owner, lock) for owner, lock in found if not (is_options and lock.exempts_options)]


def _shown(owner: Subject, lock: Lock) -> dict[str, Any]:
    """Return in short what a lock checks, and whom it admits if it is enabled."""
    admits = [_in_short(lock.module, member) for member in sorted(lock.members)]
    if lock.check == POLICY:
        # Nobody knows what its actions do.
        policy = owner.state[lock.module]
        admits = [str(rule.get("name") or "rule") for rule in (*policy["inbound"], *policy["outbound"])]
    return {
        "module": lock.module,
        "path": join(owner.path, lock.module),
        "requires": lock.check,
        "state": UNKNOWN if lock.check == POLICY and lock.state == ON else lock.state,
        "admits": admits[:_MOST_ADMITTED],
        "admits_count": len(admits),
    }


def _in_short(name: str, member: Member) -> str:
    is_everyone = len(member) == 1 or name == "oidc"
    return _EVERYONE.get(name, "{}").format(member[0]) if is_everyone else member[-1]
