# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
---
short_description: Say what an event of the ingress service is about
description:
  - An event filter for rulebooks that receive the events of the ingress service themselves, from a webhook, a queue, or
    a log, with an event source plugin of another collection.
  - Adds the dictionary C(ingress_event) to each event whose type is in the event catalog, with C(type), such as
    V(ip_policy_updated.v0), C(family), which is V(audit) or V(traffic), C(resource), such as V(ip_policy), and
    C(happening), such as V(updated). Conditions can then name a resource instead of many event types.
  - Other events are not changed, except that a key C(ingress_event) of their own is removed.
  - The API reference describes the fields of the event types, but not in what they are wrapped, which also depends on
    the event source plugin. For this reason, no field is assumed.
options:
  type_field:
    description:
      - The field of the event that contains the event type. Dots separate the names of nested dictionaries.
      - Rulebooks cannot use variables here. If omitted, the value of the environment variable
        E(INGRESS_EVENT_TYPE_FIELD) is used. If this is not set either, the source fails when the first event arrives.
    type: str
"""

EXAMPLES = r"""
# An event source that puts what it receives under the key payload. The name of the field in it is an example.
- name: Receive the events of the service
  eda.builtin.webhook:
    host: 127.0.0.1
    port: 5000
  filters:
    - edgeops.ingress.service_event:
        type_field: payload.event_type
"""

import os
import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_own_module = runpy.run_path(str(Path(__file__).resolve().parents[1] / "own_package.py"))["own_module"]
_TYPES = {one.name: one for one in _own_module("module_utils._values.event_catalog").EVENT_CATALOG}
_KEY = "ingress_event"


def main(event: dict[str, Any], type_field: str | None = None) -> dict[str, Any]:
    """Return the event with what the event catalog says about its type.

    An event whose type is not in the catalog gets nothing, and loses what somebody else has written there.
    """
    field = type_field or os.environ.get("INGRESS_EVENT_TYPE_FIELD")
    if field is not None and not isinstance(field, str):
        raise TypeError(f"type_field: expected a string such as payload.event_type, got {field!r}")
    if not field or not field.strip():
        raise ValueError("type_field: required; set it here, or in the environment variable INGRESS_EVENT_TYPE_FIELD")
    others = {name: value for name, value in event.items() if name != _KEY}
    value: Any = others
    for name in field.strip().split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    found = _TYPES.get(value) if isinstance(value, str) else None
    if found is None:
        return others
    happening = found.name.removeprefix(f"{found.resource}_").partition(".")[0]
    known = {"type": found.name, "family": found.family, "resource": found.resource, "happening": happening}
    return {**others, _KEY: known}
