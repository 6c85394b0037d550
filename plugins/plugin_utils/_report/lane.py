# SPDX-License-Identifier: GPL-3.0-or-later
"""A lane: what one route, TLS edge, or tunnel puts between the visitor and the backend. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .exposure import Judged
from .gates import BACKEND, GATES, MODULES, OTHERS, POLICY, label

_PROPERTIES = ("id", "edge_id", "description", "metadata", "forwards_to", "proto", "region", "started_at", "labels")
"""What the details of a lane contain in addition to its traffic modules."""

_PLACE = re.compile(r"([a-z_]+\[\d+\](?:\.routes\[\d+\])?)(?:\.(\w+))?")


@dataclass(frozen=True)
class Gate:
    """One traffic module on a lane.

    It is `on` if it requires its check, or if nobody gets to it, `off` if it is disabled, and `open` if it is enabled
    and lets everybody through. It is `weak` if a finding is about it, and `unknown` if it cannot be judged.
    """

    check: str
    module: str
    label: str
    state: str
    weak: bool = False
    unknown: bool = False


@dataclass(frozen=True)
class Lane:
    """What is drawn of one object. Without `access`, nobody has judged it."""

    access: Sequence[str]
    gates: Sequence[Gate]
    others: Sequence[tuple[str, bool]]
    backend: str
    backend_state: str
    details: Mapping[str, Any]

    @property
    def openness(self) -> str:
        """Return how open it is, in the words of the overview."""
        if not self.access:
            return "unknown"
        if self.access[0] in ("public", "closed"):
            return self.access[0]
        return "one" if len(self.access) == 1 else "several"


@dataclass(frozen=True)
class Judgement:
    """What the judge says about one object, as far as a lane shows it."""

    access: Sequence[str] = ()
    required: frozenset[str] = frozenset()
    weak: frozenset[str] = frozenset()
    unknown: frozenset[str] = frozenset()


class ModulesByPlace:
    """The traffic modules that some paths are about, by the path of the object that they belong to."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._found: dict[str, set[str]] = {}
        for path in paths:
            parts = _PLACE.match(path)
            if parts and parts[2] in MODULES:
                self._found.setdefault(parts[1], set()).add(parts[2])

    def at(self, path: str) -> frozenset[str]:
        """Return the traffic modules of the object at this path, and those of its edge."""
        own, edge = self._found.get(path, ()), self._found.get(path.partition(".")[0], ())
        return frozenset({*own, *edge})


def judgement_of(judged: Judged | None, weak: ModulesByPlace, unknown: ModulesByPlace) -> Judgement:
    """Return the judgement of an object, with the traffic modules that have a finding or cannot be judged."""
    if judged is None:
        return Judgement()
    required = frozenset(path.rpartition(".")[2] for paths in judged.by.values() for path in paths)
    return Judgement(judged.access, required, weak.at(judged.path), unknown.at(judged.path))


def details_of(parts: Mapping[str, Any], noun: str) -> dict[str, Any]:
    """Return the traffic modules of an object, and its other properties below its `noun`."""
    properties = {name: parts[name] for name in _PROPERTIES if parts.get(name)}
    modules = {name: value for name, value in parts.items() if name in MODULES and isinstance(value, Mapping)}
    return {**({noun: properties} if properties else {}), **modules}


def lane(parts: Mapping[str, Any], judgement: Judgement, noun: str = "route") -> Lane:
    """Return the lane of an object with these traffic modules, those of its edge included."""
    modules = {name: value for name, value in parts.items() if isinstance(value, Mapping) and name in MODULES}
    backend = modules.get(BACKEND)
    return Lane(
        access=tuple(judgement.access),
        gates=[
            _gate(check, name, modules[name], judgement)
            for check, names in (*GATES.items(), (POLICY, (POLICY,)))
            for name in names
            if name in modules
        ],
        others=[(name, is_enabled(modules[name])) for name in OTHERS if name in modules],
        backend=str((backend or {}).get("backend_id") or parts.get("forwards_to") or ""),
        backend_state=_backend_state(parts, backend),
        details=details_of(parts, noun),
    )


def _backend_state(parts: Mapping[str, Any], backend: Mapping[str, Any] | None) -> str:
    if backend is None:
        return "on" if parts.get("forwards_to") else "none"
    return "on" if is_enabled(backend) else "off"


def _gate(check: str, name: str, module: Mapping[str, Any], judgement: Judgement) -> Gate:
    # Of a closed lane, and of one that nobody has judged, it is not known what its traffic modules would require.
    is_known = bool(judgement.access) and judgement.access[0] != "closed"
    is_on = name in judgement.required or (check != POLICY and not is_known)
    state = ("on" if is_on else "open") if is_enabled(module) else "off"
    is_unknown = name in judgement.unknown or not judgement.access
    return Gate(check, name, label(name, module), state, state != "off" and name in judgement.weak, is_unknown)


def is_enabled(module: Mapping[str, Any]) -> bool:
    return module.get("enabled") is not False


def drawn_from_judgement(judged: Judged, judgement: Judgement) -> Lane:
    """Return the lane of an object of which only the judgement is known, without the options of its modules."""
    gates = [
        Gate(check, path.rpartition(".")[2], path.rpartition(".")[2].replace("_", " "), "on")
        for check in GATES
        for path in judged.by.get(check, ())
    ]
    backend = str(judged.entry.get("backend_id") or "")
    return Lane(judgement.access, gates, [], backend, "on" if backend else "none", {})
