# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn of one route, TLS edge, or tunnel: what a request meets between the visitor and the backend. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from ...module_utils._access.locks import POLICY
from ...module_utils._model.protection import CHECKS as NEEDS
from ...module_utils._model.protection import CLOSED, PUBLIC, is_enabled
from ...module_utils._model.schema import EDGE_MODULES, ROUTE_MODULES, TLS_EDGE_MODULES
from ...module_utils._values.option_error import dictionary_of, members_of
from .exposure import Exposure, strings

CHECKS = (*NEEDS, POLICY)
"""What locks check, in the order in which they are drawn."""

ACCESS = (PUBLIC, *NEEDS, CLOSED)
"""All that `access` can contain."""

STATES = ("on", "unknown", "open", "off")
BACKEND = "backend"
OTHERS = tuple(name for name, kind in ROUTE_MODULES.items() if name != BACKEND and not kind.protects)
"""The traffic modules that let everybody through."""

MODULES = frozenset({*EDGE_MODULES, *ROUTE_MODULES, *TLS_EDGE_MODULES})

_PROPERTIES = ("id", "edge_id", "description", "metadata", "forwards_to", "proto", "region", "started_at", "labels")
"""What the details contain in addition to the traffic modules."""

_SCHEME = re.compile(r"^https?://")


@dataclass(frozen=True)
class Lock:
    """A traffic module that checks visitors, in one of STATES; `is_weak` if a finding is about it."""

    check: str
    module: str
    label: str
    state: str
    is_weak: bool = False
    is_unknown: bool = False


@dataclass(frozen=True)
class Cell:
    """What is drawn of one of CHECKS, or of as many without any lock as its `width` says.

    Only those who passed another check arrive at it, if it `is_behind` one.
    """

    locks: Sequence[Lock]
    is_locked: bool
    is_behind: bool
    width: int = 1


@dataclass(frozen=True)
class Drawing:
    """What is drawn of one object. Without `access`, nobody has judged it."""

    access: Sequence[str] = ()
    locks: Sequence[Lock] = ()
    others: Sequence[tuple[str, bool]] = ()
    backend: str = ""
    backend_state: str = "none"
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def openness(self) -> str:
        """Return how open it is, in the words of the overview."""
        if not self.access:
            return "unknown"
        if self.access[0] in (PUBLIC, CLOSED):
            return self.access[0]
        return "one" if len(self.access) == 1 else "several"

    @property
    def is_guarded(self) -> bool:
        """Whether only those who passed a check arrive at the backend."""
        return any(cell.is_locked for cell in self.cells)

    @property
    def cells(self) -> Iterator[Cell]:
        """Yield what a request meets, from the visitor to the backend; if there are no `others`, with their cell."""
        ordered = sorted(self.locks, key=lambda lock: STATES.index(lock.state))
        pieces = [[lock for lock in ordered if lock.check == check] for check in CHECKS]
        is_behind = False
        for has_locks, group in groupby([*pieces, *([] if self.others else [[]])], key=bool):
            if not has_locks:
                yield Cell((), is_locked=False, is_behind=is_behind, width=len(list(group)))
                continue
            for locks in group:
                is_locked = any(lock.state == "on" and lock.check != POLICY for lock in locks)
                yield Cell(locks, is_locked, is_behind)
                is_behind = is_behind or is_locked


def drawing_of(entry: Mapping[str, Any], exposure: Exposure, parts: Mapping[str, Any] | None, noun: str) -> Drawing:
    """Return what is drawn of an object; `parts` are its options and those of its edge, None if they are not known."""
    access = strings(entry.get("access"))
    locks = [_lock(one, exposure) for one in members_of(entry.get("locks")) if one.get("requires") in CHECKS]
    if parts is None:
        backend = str(entry.get("backend_id") or "")
        return Drawing(access, locks, (), backend, "on" if backend else "none")
    modules = _modules(parts)
    backend_module = modules.get(BACKEND)
    target = dictionary_of(backend_module).get("backend_id") or parts.get("forwards_to")
    is_on = bool(parts.get("forwards_to")) if backend_module is None else is_enabled(backend_module)
    return Drawing(
        access,
        locks,
        [(name, is_enabled(modules[name])) for name in OTHERS if name in modules],
        str(target or ""),
        "on" if is_on else "none" if backend_module is None else "off",
        details_of(parts, noun),
    )


def details_of(parts: Mapping[str, Any], noun: str) -> dict[str, Any]:
    """Return the traffic modules of an object, and its other properties below its `noun`."""
    properties = {name: parts[name] for name in _PROPERTIES if parts.get(name)}
    return {**({noun: properties} if properties else {}), **_modules(parts)}


def _modules(parts: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {name: value for name, value in parts.items() if name in MODULES and isinstance(value, Mapping)}


def _lock(one: Mapping[str, Any], exposure: Exposure) -> Lock:
    module, path = str(one.get("module") or ""), str(one.get("path") or "")
    state = one["state"] if one.get("state") in STATES else "unknown"
    is_weak, is_unknown = state != "off" and path in exposure.weak, state == "unknown" or path in exposure.unknown
    return Lock(str(one["requires"]), module, _label(one, module), state, is_weak, is_unknown)


def _label(one: Mapping[str, Any], module: str) -> str:
    if "admits" not in one:
        return module.replace("_", " ")
    admits, number = strings(one["admits"]), one.get("admits_count")
    more = max(len(admits), number if isinstance(number, int) else 0) - 1
    first = _SCHEME.sub("", admits[0]) if admits else "none"
    return f"{first} +{more}" if more > 0 else first
