# SPDX-License-Identifier: GPL-3.0-or-later
"""HTTPS edges: sections 2.2 and 4.3 of the description. An edge without an id is found by the list operation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from .. import plan
from ..addresses import path_of
from ..apply import Outcome, converge
from ..arguments import STATE, identifier_faults, module_faults, module_options
from ..client import Client
from ..errors import Ambiguous, Missing, NotOffered, NotThere, Protected
from ..placeholders import is_placeholder, placeholder
from ..schema import EDGE_MODULES, EDGE_PREFIX, HTTPS_EDGE
from ..work import Options, Work

_COLLECTION = path_of("edges", "https")


def edge_path(edge_id: str) -> str:
    return path_of("edges", "https", edge_id)


def read_edge(client: Client, edge_id: str) -> Any:
    """The edge as the service shows it, or None; one that a dry run would create has nothing on it yet."""
    return {"id": edge_id} if is_placeholder(edge_id) else client.get_or_none(edge_path(edge_id))


def _faults(options: Options, check_mode: bool) -> Iterator[str]:
    yield from identifier_faults(options, "id", EDGE_PREFIX, check_mode)
    yield from HTTPS_EDGE.faults(options, "")
    yield from module_faults(options, EDGE_MODULES)
    find_by = options.get("find_by")
    if options.get("id"):
        return
    if find_by == "none" and options.get("state") == "absent":
        yield "find_by: none finds no edge that state absent could delete; give id or another find_by"
    elif find_by in ("hostports", "metadata") and not options.get(find_by):
        yield f"{find_by}: needed to find the edge by; give it, or id, or find_by: none to create an edge in any case"


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    return converge(client, lambda: _look(client, options), "https_edge", check_mode)


def _look(client: Client, options: Options) -> plan.Plan:
    wire = _find(client, options)
    have = None if wire is None else HTTPS_EDGE.read(wire, "")
    subject = f"https_edge {_name(options, have)}"
    path = edge_path(have["id"]) if have else ""
    if options["state"] == "absent":
        if have is not None:
            _refuse_to_delete_more(subject, have, options)
        return plan.absent(subject, HTTPS_EDGE, path, have)
    if have is None and options["id"]:
        raise Missing(
            f"https_edge: the service knows no edge {options['id']}. The service chooses the id of a new edge, so "
            "leave it out to create one."
        )
    made = plan.present(
        subject,
        HTTPS_EDGE,
        plan.Place(_COLLECTION, path),
        have,
        options,
        absent_modules=options["absent_modules"],
        purge_modules=options["purge_modules"],
        identity={"id": placeholder(EDGE_PREFIX)},
    )
    return replace(made, repeatable=bool(options["id"]) or options["find_by"] != "none")


def _find(client: Client, options: Options) -> Any:
    if options["id"]:
        return read_edge(client, options["id"])
    if options["find_by"] == "none":
        return None
    field = HTTPS_EDGE.named[options["find_by"]]
    wanted = field.kind.normal(options[field.name])
    matches = [wire for wire in _listed(client) if _matches(field.kind.read(wire.get(field.name), field.name), wanted)]
    if len(matches) > 1:
        ids = [str(wire.get("id")) for wire in matches]
        raise Ambiguous(
            f"https_edge: {len(ids)} edges match by {field.name}: {', '.join(ids)}. Give the id of the one you mean.",
            ids,
        )
    return matches[0] if matches else None


def _listed(client: Client) -> Iterator[dict[str, Any]]:
    try:
        yield from client.listed(_COLLECTION, "https_edges")
    except NotThere as refusal:
        raise NotOffered(
            f"https_edge: the service does not offer the list of its HTTPS edges ({refusal}), so that an edge can't be "
            "found by its hostports or metadata. Give its id; or say find_by: none, which creates a new one each time."
        ) from refusal


def _matches(have: Any, wanted: Any) -> bool:
    return bool(set(have) & set(wanted)) if isinstance(wanted, list) else have == wanted


def _refuse_to_delete_more(subject: str, have: plan.State, options: Options) -> None:
    """Deleting is stricter than finding: nothing may go that the task does not name."""
    if options["id"] or options["hostports"] is None:
        return
    more = sorted(set(have["hostports"]) - set(HTTPS_EDGE.named["hostports"].kind.normal(options["hostports"])))
    if more:
        raise Protected(
            f"{subject}: not deleted, for it also serves {', '.join(more)}. Declare all its hostports, or give its id."
        )


def _name(options: Options, have: plan.State | None) -> str:
    """How people know the edge: by what it serves, else by its id."""
    hostports = (have or {}).get("hostports") or HTTPS_EDGE.named["hostports"].kind.normal(options["hostports"])
    edge_id = have["id"] if have else options["id"]
    return " ".join(filter(None, (", ".join(hostports), f"({edge_id})" if edge_id else ""))) or "without hostports"


WORK = Work(
    options={
        "id": {"type": "str"},
        "find_by": {"type": "str", "choices": ["hostports", "metadata", "none"], "default": "hostports"},
        "state": STATE,
        **HTTPS_EDGE.options(),
        **module_options(EDGE_MODULES),
    },
    faults=_faults,
    perform=_perform,
)
