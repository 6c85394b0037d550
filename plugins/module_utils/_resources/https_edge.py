# SPDX-License-Identifier: GPL-3.0-or-later
"""HTTPS edges: sections 2.2 and 4.3 of the description. An edge without an id is found by the list operation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from .._applying.apply import converge
from .._applying.outcome import Outcome, outcome_of_one
from .._definition import ModuleDefinition, Options
from .._errors import (
    Ambiguous,
    Missing,
    NotOffered,
    NotThere,
    Protected,
    Request,
    UnexpectedAnswer,
    UnusableIdentifier,
    reading,
)
from .._model.objects import join
from .._model.option_types import concluded
from .._model.schema import EDGE_MODULES, EDGE_PREFIX, HTTPS_EDGE
from .._planning import plan
from .._planning.placeholders import is_placeholder, placeholder
from .._transport.addresses import path_of
from .._transport.client import Client
from .common_options import STATE, identifier_errors, module_errors, module_options

_COLLECTION = path_of("edges", "https")

MEMBER_OPTIONS = {
    "id": {"type": "str"},
    "find_by": {"type": "str", "choices": ["hostports", "metadata", "none"], "default": "hostports"},
    **HTTPS_EDGE.options(),
    **module_options(EDGE_MODULES),
}
"""The options of one edge, in a task of its own and as a member of an estate."""


def edge_path(edge_id: object) -> str:
    return path_of("edges", "https", edge_id)


def read_edge(client: Client, edge_id: str) -> Any:
    """The edge as the service shows it, or None; one that a dry run would create has nothing on it yet."""
    if is_placeholder(edge_id):
        return {"id": edge_id}
    path = edge_path(edge_id)
    wire = client.object_at(path)
    if wire is not None and wire.get("id") != edge_id:
        # Something between here and the service may have mixed up answers. To go on would change another edge.
        raise UnexpectedAnswer(
            f"expected the edge {edge_id}, got one with the ID {wire.get('id')}.", Request("GET", path)
        )
    return wire


def listed_edges(client: Client) -> list[dict[str, Any]]:
    """All edges as the service shows them. Raises NotOffered where it does not show them."""
    try:
        return client.listed(_COLLECTION, "https_edges", identity="id")
    except NotThere as refusal:
        begin = "Edges" if refusal.request.is_explained else "If base_url is right, edges"
        raise NotOffered(
            f"The service does not offer the list of its HTTPS edges ({refusal}). {begin} can only be "
            "addressed by ID on this service: set `id`. (To create an edge there, say find_by: none, which makes a new "
            "one each time.)"
        ) from refusal


def edge_errors(options: Options, check_mode: bool, path: str = "") -> Iterator[str]:
    """What is wrong with the options of one edge; `path` is the place of an edge that is a member of something."""
    yield from identifier_errors(options, "id", EDGE_PREFIX, check_mode, path)
    yield from HTTPS_EDGE.option_errors(options, path)
    yield from module_errors(options, EDGE_MODULES, path)
    find_by = options.get("find_by")
    if not options.get("id") and find_by in ("hostports", "metadata") and not options.get(find_by):
        where = join(path, find_by)
        option_error = (
            f"{where}: needed to find the edge by; give it, or id, or find_by: none to create an edge in any case"
        )
        yield concluded(option_error, join(path, "id"), join(path, "find_by"))


def found_edge(wires: Iterable[dict[str, Any]], options: Options) -> Any:
    """Of these edges the one that is declared, or None. Raises Ambiguous where there is more than one."""
    return only_edge(matching_edges(wires, options), options)


def only_edge(matches: Sequence[dict[str, Any]], options: Options) -> Any:
    """The edge of those that match, or None. Raises Ambiguous where there is more than one."""
    if len(matches) > 1:
        ids = [str(wire.get("id")) for wire in matches]
        raise Ambiguous(
            f"{len(ids)} edges match by {options['find_by']}: {', '.join(ids)}. Give the id of the one you mean.", ids
        )
    return matches[0] if matches else None


def matching_edges(wires: Iterable[dict[str, Any]], options: Options) -> list[dict[str, Any]]:
    """Of these edges those that are declared, by their id or by what `find_by` says."""
    if options["id"]:
        return [wire for wire in wires if wire.get("id") == options["id"]]
    if options["find_by"] == "none":
        return []
    name = options["find_by"]
    wanted = HTTPS_EDGE.named[name].kind.normal(options[name])
    return [wire for wire in wires if holds(field_of(wire, name), wanted)]


def holds(have: Any, wanted: Any) -> bool:
    """Whether a field has what is wanted of it: of a list, at least one member."""
    return not set(have).isdisjoint(wanted) if isinstance(wanted, list) else bool(have == wanted)


def state_of(wire: Any) -> plan.State | None:
    """The normal form of what the service shows of an edge. Raises UnexpectedAnswer where that has the wrong shape."""
    with reading(_path_of(wire)):
        state: plan.State | None = HTTPS_EDGE.read(wire, "")
    return state


def field_of(wire: Mapping[str, Any], name: str) -> Any:
    """The normal form of one field of an edge."""
    with reading(_path_of(wire)):
        return HTTPS_EDGE.named[name].kind.read(wire.get(name), name)


def _path_of(wire: Mapping[str, Any] | None) -> str:
    try:
        return edge_path((wire or {}).get("id"))
    except UnusableIdentifier:
        return _COLLECTION


def edge_plan(wire: Any, options: Options, *, purge_modules: bool = False) -> plan.Plan:
    """The plan for one edge that is to be there; `wire` is what the service shows of it."""
    have = state_of(wire)
    if have is None and options["id"]:
        raise Missing(
            f"The service knows no edge {options['id']}. It chooses the id of a new edge itself, so leave id out to "
            "create one.",
            "The service knows no edges with these IDs. It chooses the id of a new edge itself, so leave id out to "
            "create one",
        )
    made = plan.present(
        edge_subject(options, have),
        HTTPS_EDGE,
        plan.Place(_COLLECTION, edge_path(have["id"]) if have else ""),
        have,
        options,
        absent_modules=options["absent_modules"],
        purge_modules=options["purge_modules"] or purge_modules,
        identity={"id": placeholder(EDGE_PREFIX)},
    )
    return replace(
        made,
        repeatable=bool(options["id"]) or options["find_by"] != "none",
        unique=bool(options["hostports"]),  # a hostport belongs to one edge only
    )


def removed_edge_plan(wire: Any, subject: str, reason: str) -> plan.Plan:
    have = state_of(wire)
    return plan.absent(subject, HTTPS_EDGE, edge_path(have["id"]) if have else "", have, reason)


def edge_subject(options: Mapping[str, Any], have: plan.State | None) -> str:
    """How people know the edge: by what it serves, else by its id."""
    served = ", ".join((have or {}).get("hostports") or ()) or declared_hostports(options)
    edge_id = have["id"] if have else options.get("id")
    name = " ".join(filter(None, (served, f"({edge_id})" if edge_id else ""))) or "without hostports"
    return f"https_edge {name}"


def declared_hostports(options: Mapping[str, Any]) -> str:
    return ", ".join(HTTPS_EDGE.named["hostports"].kind.normal(options.get("hostports")))


def _option_errors(options: Options, check_mode: bool) -> Iterator[str]:
    yield from edge_errors(options, check_mode)
    if options.get("state") == "absent" and options.get("find_by") == "none" and not options.get("id"):
        yield "find_by: none finds no edge that state absent could delete; give id or another find_by"


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    def look() -> list[plan.Plan]:
        return [plan.planned(lambda: _look(client, options), edge_subject(options, None), HTTPS_EDGE, "edge")]

    [done] = converge(client, look, check_mode)
    return outcome_of_one(done, "https_edge")


def _look(client: Client, options: Options) -> plan.Plan:
    if options["id"]:
        wire = read_edge(client, options["id"])
    else:
        wire = found_edge(listed_edges(client) if options["find_by"] != "none" else (), options)
    if options["state"] == "present":
        return edge_plan(wire, options)
    have = state_of(wire)
    subject = edge_subject(options, have)
    if have is not None:
        _refuse_to_delete_more(have, options)
    return removed_edge_plan(wire, subject, "is to be absent")


def _refuse_to_delete_more(have: plan.State, options: Options) -> None:
    """Deleting is stricter than finding: nothing may go that the task does not name."""
    if options["id"] or options["hostports"] is None:
        return
    more = sorted(set(have["hostports"]) - set(HTTPS_EDGE.named["hostports"].kind.normal(options["hostports"])))
    if more:
        raise Protected(
            f"It is not deleted, for it also serves {', '.join(more)}. Declare all its hostports, or give its id."
        )


DEFINITION = ModuleDefinition(
    options={"state": STATE, **MEMBER_OPTIONS}, option_errors=_option_errors, perform=_perform
)
