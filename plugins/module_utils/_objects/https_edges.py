# SPDX-License-Identifier: GPL-3.0-or-later
"""HTTPS edges: API reference, sections 2.2 and 4.3. One without an ID is looked up in the list of edges."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from .. import _errors
from .._definition import Client, Options
from .._model.free_form_values import Terms
from .._model.references import wholeness
from .._model.schema import EDGE_MODULES, EDGE_PREFIX, HTTPS_EDGE, HTTPS_EDGE_ROUTE
from .._model.traffic_rules import has_other_rules
from .._planning.changes import plan_present, restricted
from .._planning.given_up_names import NameRule
from .._planning.matching import DeclaredObject, LiveObject, Matching
from .._planning.object_names import edge_name, edge_subject
from .._planning.plan import Name, Plan, State, Target
from .._planning.unique_names import HOSTPORTS, declared_names
from .._transport.addresses import collection_path, object_path
from .._values.identifiers import placeholder
from .._values.json_strings import meaning
from .._values.kinds import Text
from .._values.option_error import OptionError, OptionErrors, join
from .collection_of_objects import CONCURRENCY, Wire, completed, read_member, read_object
from .common_options import identifier_errors, module_errors, module_options
from .finding import check_near_misses

_EDGES = "edges/https"

_COLLECTION = collection_path(_EDGES)

_FIELDS = {f.name: f for kind in (HTTPS_EDGE_ROUTE, HTTPS_EDGE) for f in kind.fields}

_TEXT_FIELDS = frozenset(name for name, f in _FIELDS.items() if isinstance(f.kind, Text) and not f.identifies)

FOUND_BY = Terms(unique=HOSTPORTS)

edge_path = partial(object_path, _EDGES)
read_edge = partial(read_object, collection=_EDGES)

MEMBER_OPTIONS = {
    "id": {"type": "str"},
    "find_by": {"type": "str", "choices": ["hostports", "metadata", "none"], "default": "hostports"},
    **HTTPS_EDGE.options(),
    **module_options(EDGE_MODULES),
}
"""The options of one edge, in a task of its own and as a member of an estate."""


def listed_edges(client: Client, fields: Collection[str] | None = None, concurrency: int = CONCURRENCY) -> list[Wire]:
    """Return all edges as the service returns them. Raise NotSupported if it does not support listing them.

    An edge of which the list lacks one of these fields, or of all if None, is read by its ID.
    """
    try:
        wires = client.list_all(_COLLECTION, "https_edges", identity="id")
    except _errors.POSSIBLY_UNSUPPORTED as rejection:
        raise _errors.NotSupported(
            f"HTTPS edges cannot be listed: {_errors.as_sentence(str(rejection))} If `base_url` is correct, this "
            "service does not support listing them; an edge is then addressed by its ID."
        ) from rejection
    return completed(client, _EDGES, wires, wholeness(HTTPS_EDGE, fields), concurrency)


def live_edges(client: Client, fields: Collection[str] | None = None, concurrency: int = CONCURRENCY) -> list[State]:
    """Return the edges with these fields, or all, and with their routes, oldest first."""
    wires = reversed(listed_edges(client, fields, concurrency))
    return [state for wire in wires if (state := state_of(wire)) is not None]


def compared_fields(declared: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the fields of edges and routes that matter to a task: all but the strings that it does not declare."""
    objects = [one for edge in declared for one in (edge, *(edge.get("routes") or ()))]
    return {name for name in _FIELDS if name not in _TEXT_FIELDS or any(one.get(name) is not None for one in objects)}


def whole_edge(client: Client, wire: Wire | None, fields: Collection[str] | None = None) -> Wire | None:
    """Return an edge of the list, read by its ID if the list leaves out one of these fields."""
    return wire if wire is None or wholeness(HTTPS_EDGE, fields)(wire) else read_member(client, _EDGES, wire)


def edge_errors(options: Options, check_mode: bool, path: str = "") -> OptionErrors:
    yield from identifier_errors(options, "id", EDGE_PREFIX, check_mode, path)
    yield from HTTPS_EDGE.option_errors(options, path)
    yield from module_errors(options, EDGE_MODULES, path)
    find_by = options.get("find_by")
    if not options.get("id") and find_by in ("hostports", "metadata") and not str(options.get(find_by) or "").strip():
        text = f"required to find the edge; set `{find_by}` or `id`, or set `find_by: none` to always create an edge"
        yield OptionError(join(path, find_by), text, premises=(join(path, "id"), join(path, "find_by")))


def edge_matching(
    wires: Sequence[Wire], declared: Sequence[Options], is_purged: Callable[[Wire], bool] = lambda _wire: False
) -> Matching:
    """Return which of the edges each declared one is, by its ID or by the field that `find_by` names.

    A new edge is the one with the same hostports that would be purged. Otherwise, on a service that replaces metadata,
    each run would take the hostports from the edge, and create another one.
    """
    fields = sorted({edge["find_by"] for edge in declared} - {"none"})

    def live(wire: Wire) -> LiveObject:
        likeness = _served_by(wire) if is_purged(wire) else None
        return LiveObject(str(wire.get("id")), _keys_of(wire, fields), wire, likeness)

    return Matching(HTTPS_EDGE, [live(wire) for wire in wires], [_declared(edge) for edge in declared])


def _keys_of(wire: Mapping[str, Any], fields: Sequence[str]) -> list[tuple[str, Any]]:
    keys = [key for name in fields for key in _keys(name, field_of(wire, name))]
    return [("id", wire["id"]), *keys] if isinstance(wire.get("id"), str) else keys


def _served_by(wire: Wire) -> tuple[str, ...] | None:
    try:
        return tuple(field_of(wire, "hostports"))
    except _errors.UnexpectedResponse:
        return None  # Its own plan says so.


def _declared(options: Options) -> DeclaredObject:
    name = "id" if options["id"] else options["find_by"]
    keys = [] if name == "none" else _keys(name, HTTPS_EDGE.named[name].kind.normal(options[name]))
    hostports = HTTPS_EDGE.named["hostports"].kind.normal(options["hostports"])
    likeness = tuple(hostports) if hostports and name == "metadata" else None
    return DeclaredObject(keys, (name,), likeness, declared_names(HTTPS_EDGE, options))


def _keys(name: str, value: Any) -> list[tuple[str, Any]]:
    return [(name, one) for one in (value if isinstance(value, list) else [meaning(value)])]


def state_of(wire: Any) -> State | None:
    """Return the normal form of an edge. Raise UnexpectedResponse if the response has an unexpected type."""
    with _errors.reading(_path_of(wire)):
        state: State | None = HTTPS_EDGE.read(wire, "")
    return state


OTHER_RULES = "lacks rules that the service holds in another format."


def policies_with_other_rules(edges: Sequence[State]) -> Iterator[str]:
    """Yield the path of each policy of which a list of edges shows less than the service holds."""
    for number, edge in enumerate(edges):
        for position, route in enumerate(edge["routes"]):
            if has_other_rules(route["policy"]):
                yield f"https_edges[{number}].routes[{position}].policy"


def field_of(wire: Mapping[str, Any], name: str) -> Any:
    with _errors.reading(_path_of(wire)):
        return HTTPS_EDGE.named[name].kind.read(wire.get(name), name)


def held_hostports(wire: Wire) -> dict[Name, str]:
    edge = {name: field_of(wire, name) for name in ("id", "hostports")}
    return {("hostports", one): edge_subject({}, edge) for one in edge["hostports"]}


def _path_of(wire: Mapping[str, Any] | None) -> str:
    try:
        return edge_path((wire or {}).get("id"))
    except _errors.UnusableIdentifier:
        return _COLLECTION


def edge_plan(
    wire: Any,
    options: Options,
    key: Hashable,
    others: Sequence[Wire] = (),
    *,
    purge_modules: bool = False,
    allow_empty: bool = False,
    names: NameRule,
) -> Plan:
    """Return the plan for one edge that should exist; `wire` is what the service returns for it.

    `others` are the edges that are not declared.
    """
    current = declared_state(wire, options, others)
    if current is None and options["id"]:
        raise _errors.Missing(
            f"Edge {options['id']} does not exist. To create an edge, omit `id`; the service assigns one.",
            "Edges with these IDs do not exist. To create an edge, omit `id`; the service assigns one",
        )
    target, absent = edge_target(options, current, key), options["absent_modules"]
    purge = options["purge_modules"] or purge_modules
    plan = plan_present(target, current, options, absent_modules=absent, purge_modules=purge)
    return names.applied(restricted(plan, options, allow_empty=allow_empty))


def declared_state(wire: Any, options: Options, others: Sequence[Wire]) -> State | None:
    """Return the state of a declared edge, None if no edge matches it, whether it should exist or not.

    `others` are the edges that are not declared. A missing edge is not one of these in another spelling.
    """
    current, name = state_of(wire), options["find_by"]
    if options["id"] or name == "none" or (current is not None and name == "hostports"):
        return current
    kind = HTTPS_EDGE.named[name].kind
    if current is not None:
        others = [] if kind.same(current[name], kind.normal(options[name])) else [wire]
    state, wanted = options.get("state") or "present", {name: kind.normal(options[name])}
    check_near_misses(others, wanted, FOUND_BY, state, one_suffices=True)
    return current


def edge_target(options: Mapping[str, Any], current: State | None, key: Hashable) -> Target:
    """Return the edge as the target of a plan. Raise UnusableIdentifier if its ID cannot be part of a path.

    In check mode, a new edge has a placeholder as its ID: one for each edge that would be found later.
    """
    find_by = options.get("find_by")
    names = ("hostports", "metadata", "description") if find_by in (None, "none") else (find_by,)
    new_id = placeholder(EDGE_PREFIX, *(HTTPS_EDGE.named[name].kind.normal(options.get(name)) for name in names))
    return Target(
        edge_name(options, current),
        HTTPS_EDGE,
        key,
        path=edge_path(current["id"]) if current else "",
        collection=_COLLECTION,
        identity={"id": new_id},
        repeatable=bool(options.get("id")) or find_by != "none",
        unique=bool(options.get("hostports")),  # a hostport belongs to one edge only
        found_by=() if options.get("id") else (str(find_by),),
    )
