# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of an account as they are compared and as events show them: without secrets, limited, harmless. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...module_utils._exposure.finding import Finding
from ...module_utils._model.masking import Masks
from ...module_utils._model.schema import HTTPS_EDGE, HTTPS_EDGE_ROUTE, TLS_EDGE_MODULES
from ...module_utils._planning.object_names import edge_subject, route_subject, tls_edge_subject
from ...module_utils._values.json_strings import container
from .._report.concealment import concealed
from .harmless import harmless, harmless_text

Entry = dict[str, Any]
"""What is remembered of an object: its `kind`, its name (`object`), its `ids`, and its `state`."""

Entries = dict[str, Entry]
"""By what identifies an object within its part of the account."""

TUNNEL_KIND, EDGE, ROUTE = "tunnel", "https_edge", "https_edge_route"
TLS_EDGE, SOURCE, FINDING = "tls_edge", "event_source", "finding"

_FREE = frozenset({"labels", "metadata"})
"""Fields whose members have any names."""


@dataclass
class Reading:
    """What one poll has found: the entries of each part, or the error why a part could not be read.

    `findings` are those about each part, None unless everything was read. `unconfirmed` are the units of each part that
    are missing, but still among the entries. `stopped` are the parts after which nothing was read, in this poll and in
    those right before. `retry_after` is the delay in seconds that the service asks for.
    """

    parts: dict[str, Entries] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    findings: dict[str, Entries] | None = None
    unconfirmed: dict[str, frozenset[str]] = field(default_factory=dict)
    stopped: Sequence[str] = ()
    retry_after: float = 0.0


def tunnel_entries(tunnel_id: str, tunnel: Mapping[str, Any]) -> Entries:
    """Return the entry of a tunnel, as `tunnel_info` returns it."""
    name = " ".join(filter(None, ("tunnel", tunnel["public_url"], f"({tunnel_id})")))
    return {tunnel_id: _entry(TUNNEL_KIND, name, {"id": tunnel_id}, tunnel)}


def edge_entries(edge_id: str, state: dict[str, Any]) -> Entries:
    own = {name: value for name, value in HTTPS_EDGE.shown(state).items() if name != "routes"}
    entries = {edge_id: _entry(EDGE, edge_subject({}, state), {"id": edge_id}, own)}
    served = ", ".join(state["hostports"]) or edge_id
    for route in state["routes"]:
        ids = {"id": route["id"], "edge_id": edge_id}
        key = f"{edge_id}\n{route['id']}"  # after that of the edge in the alphabet
        entries[key] = _entry(ROUTE, route_subject(route, served), ids, HTTPS_EDGE_ROUTE.shown(route))
    return entries


def unit_of(key: str) -> str:
    """Return the unit that an entry belongs to: its own ID, or that of the edge of a route."""
    return key.partition("\n")[0]


def tls_edge_entries(edge_id: str, found: tuple[Mapping[str, Any], bool]) -> Entries:
    """Return the entry of a TLS edge with its traffic modules, each None if it is not set."""
    state = {name: TLS_EDGE_MODULES[name].shown(module) for name, module in found[0].items()}
    return {edge_id: _entry(TLS_EDGE, tls_edge_subject(edge_id), {"id": edge_id}, state)}


def source_entries(event_type: str, subscription_id: str) -> Entries:
    name = f"event source {event_type} of {subscription_id}"
    ids = {"id": event_type, "subscription_id": subscription_id}
    return {event_type: _entry(SOURCE, name, ids, {"type": event_type})}


def finding_entry(finding: Finding) -> tuple[str, Entry]:
    """Return what identifies a finding, and its entry.

    A finding stays the same if other objects are created or deleted, so its place in the list is not part of it.
    """
    subject = finding.hit.subject
    ids = {"id": subject.id if subject else None}
    if subject and subject.parent:
        ids["edge_id"] = subject.parent.id
    key = json.dumps([finding.rule.name, *ids.values(), finding.hit.option, finding.hit.cause])
    shown = {name: value for name, value in finding.shown().items() if name not in ("path", "also", "accepted")}
    return key, _entry(FINDING, finding.name, ids, {**shown, "option": finding.hit.option})


def _entry(kind: str, name: str, ids: Mapping[str, Any], state: Mapping[str, Any]) -> Entry:
    # The service may spell its own URL in several ways.
    shown = {name: value for name, value in state.items() if name != "uri"}
    if (found := container(shown.get("metadata") or "")) is not None:
        # Conditions can use what is in metadata that is a JSON object or list.
        shown["metadata"] = found
    return {"kind": kind, "object": name, "ids": ids, "state": concealed({"state": shown})["state"]}


def presentable(entries: Entries, masks: Masks) -> Entries:
    """Return entries for events and for the state file. They are masked first: a secret that was cut is not found."""

    def shown(entry: Entry) -> Entry:
        masked = masks.value(entry)
        for name in _FREE.intersection(masked["state"]):
            masked["state"][name] = _with_masked_names(masked["state"][name], masks)
        return {name: harmless_text(one) if isinstance(one, str) else harmless(one) for name, one in masked.items()}

    return {key: shown(entry) for key, entry in entries.items()}


def _with_masked_names(value: Any, masks: Masks) -> Any:
    """Mask names that somebody has chosen. Elsewhere, names are those of fields."""
    if isinstance(value, Mapping):
        return {masks.text(name): _with_masked_names(member, masks) for name, member in value.items()}
    return [_with_masked_names(member, masks) for member in value] if isinstance(value, list) else value
