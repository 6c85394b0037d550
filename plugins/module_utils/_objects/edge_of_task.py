# SPDX-License-Identifier: GPL-3.0-or-later
"""The edge that a task is about: by its ID, a hostport, or its metadata, or as an earlier task has returned it."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from .._definition import Client, Options
from .._errors import Ambiguous, Missing
from .._model.named_secrets import masked
from .._model.schema import EDGE_PREFIX, HTTPS_EDGE, TLS_EDGE_PREFIX
from .._values.hostports import hostport_errors
from .._values.identifiers import placeholder
from .._values.option_error import OptionError, OptionErrors, with_paths
from .._values.option_wording import NeverNull, kind_of, quoted
from .collection_of_objects import Wire, listed_objects, with_fields
from .common_options import identifier_errors
from .finding import check_near_misses
from .https_edges import FOUND_BY, edge_matching, listed_edges

HTTPS, TLS = "edges/https", "edges/tls"
EDGE_OPTIONS: dict[str, Any] = {"edge_id": NeverNull(type="str"), "edge": NeverNull(type="raw")}
_FIELDS = ("id", "metadata", "hostports")
_IN_CHECK_MODE = (
    "In check mode, an edge that an earlier task would create is found if `edge` is what that task has returned, such "
    "as shop.https_edge."
)

_lists: dict[Hashable, Sequence[Wire]] = {}
"""The lists of edges that this process has read. Ansible starts a process for each task, which runs all its items."""


def edge_errors(options: Mapping[str, Any], prefix: str, check_mode: bool) -> OptionErrors:
    given, edge_id = options.get("edge"), options.get("edge_id")
    yield from identifier_errors(options, "edge_id", prefix, check_mode)
    if given is None and edge_id is None:
        yield OptionError("edge_id", "required, or set `edge` to a hostport of the edge")
    elif given is not None and edge_id is not None:
        yield OptionError("edge", "`edge_id` is set as well; remove one of them")
    elif isinstance(given, dict):
        yield from _errors_of_edge(given, prefix, check_mode)
    elif not isinstance(given, str) and given is not None:
        yield OptionError("edge", f"expected a hostport such as shop.example.com:443, got {kind_of(given)}")
    elif given is not None and given.startswith(prefix):
        yield OptionError("edge", f"{quoted(given)} is an ID; set `edge_id` instead")
    elif given is not None:
        yield from hostport_errors(given, "edge")


def _errors_of_edge(given: Mapping[str, Any], prefix: str, check_mode: bool) -> OptionErrors:
    name, value = _found_by(given)
    if not name:
        yield OptionError("edge", "expected `metadata`, or an edge that another task has returned")
    elif name == "id":
        yield from identifier_errors(given, "id", prefix, check_mode, "edge")
        if not isinstance(value, str):
            yield OptionError("edge.id", f"expected a string, got {kind_of(value)}")
    elif name == "metadata":
        yield from HTTPS_EDGE.named["metadata"].kind.option_errors(value, "edge.metadata")
    elif not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        yield OptionError("edge.hostports", "expected a list of hostports, such as [shop.example.com:443]")
    else:
        for where, one in with_paths(value, "edge.hostports"):
            yield from hostport_errors(one, where)


def _found_by(given: Any) -> tuple[str, Any]:
    """Return the field that finds the edge, with its value; the field is empty if there is none."""
    if isinstance(given, str):
        return "hostports", [given]
    set_fields = ((name, given[name]) for name in _FIELDS if given.get(name) and str(given[name]).strip())
    return next(set_fields, ("", None))


def edge_id_of(client: Client, options: Options, check_mode: bool, collection: str = HTTPS) -> str:
    """Return the ID of the edge. Raise Missing if there is no such edge, and Ambiguous if there are several.

    For a task that ensures that something is absent from the edge, a missing edge has a placeholder as its ID. Raise
    Contradiction if it may be an edge in another spelling, from which nothing would be removed.
    """
    given = options.get("edge")
    if given is None:
        return str(options["edge_id"])
    name, value = _found_by(given)
    if name == "id":
        return str(value)
    declared = {"id": None, "find_by": name, "state": options.get("state"), "hostports": None, name: value}
    try:
        found = _found(client, collection, declared)
    except Ambiguous as error:
        choice = f"{len(error.ids)} edges have the declared {name}: {', '.join(error.ids)}"
        raise Ambiguous(f"{choice}. Set `edge_id` to choose one.", error.ids) from None
    if found is None and options.get("state") == "absent":
        return placeholder(EDGE_PREFIX if collection == HTTPS else TLS_EDGE_PREFIX, name, value)
    if found is None:
        shown = quoted(masked(value) if name == "metadata" else ", ".join(value))
        advice = _IN_CHECK_MODE if check_mode else "Check its spelling, or create the edge first."
        raise Missing(f"No edge has the {name.removesuffix('s')} {shown}. {advice}")
    return str(found["id"])


def _found(client: Client, collection: str, declared: Mapping[str, Any]) -> Any:
    field = declared["find_by"]
    listed = _kept(
        (client.account, collection),
        lambda: listed_edges(client, ()) if collection == HTTPS else listed_objects(client, collection),
    )
    # Only one edge can have a hostport, so if the list shows it, what the list leaves out of other edges is not needed.
    is_unique = field == "hostports" and len(declared[field]) == 1
    if is_unique and (found := edge_matching(listed, [declared]).live(0)):
        return found
    whole = _kept((client.account, collection, field), lambda: with_fields(client, collection, listed, (field,)))
    found = edge_matching(whole, [declared]).live(0)
    if found is None and declared["state"] == "absent":
        wanted = {field: HTTPS_EDGE.named[field].kind.normal(declared[field])}
        check_near_misses(whole, wanted, FOUND_BY, "absent", "set `edge_id` to", one_suffices=True)
    return found


def _kept(key: Hashable, read: Callable[[], Sequence[Wire]]) -> Sequence[Wire]:
    # Outside of a worker, the list could be outdated.
    if key not in _lists or multiprocessing.parent_process() is None:
        _lists[key] = read()
    return _lists[key]
