# SPDX-License-Identifier: GPL-3.0-or-later
"""Events of the service, which some other program receives. The API reference describes no envelope. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...module_utils._model.event_catalog import EVENT_CATALOG

KEY = "ingress_event"
"""The key of an event under which conditions find what is known about its type."""

_TYPES = {one.name: one for one in EVENT_CATALOG}


def classified(event: dict[str, Any], field: str) -> dict[str, Any]:
    """Return the event with what the event catalog says about its type, which is in `field`, a path with dots.

    An event whose type is not in the catalog gets nothing, and loses what somebody else has written there.
    """
    others = {name: value for name, value in event.items() if name != KEY}
    value: Any = others
    for name in field.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    found = _TYPES.get(value) if isinstance(value, str) else None
    if found is None:
        return others
    happening = found.name.removeprefix(f"{found.resource}_").partition(".")[0]
    known = {"type": found.name, "family": found.family, "resource": found.resource, "happening": happening}
    return {**others, KEY: known}
