# SPDX-License-Identifier: GPL-3.0-or-later
"""The edge that a task is about: by its ID, a hostport, or its metadata, or as an earlier task has returned it."""

from __future__ import annotations

import multiprocessing
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from .._definition import Options
from .._errors import Missing
from .._model.option_error import OptionError, OptionErrors
from .._model.option_specs import NeverNull
from .._model.option_wording import kind_of, quoted
from .._model.schema import HTTPS_EDGE
from .._transport.client import Client
from .collection_of_objects import Wire, listed_objects
from .common_options import identifier_errors
from .https_edge import edge_matching, listed_edges

HTTPS, TLS = "edges/https", "edges/tls"
EDGE_OPTIONS: dict[str, Any] = {"edge_id": NeverNull(type="str"), "edge": NeverNull(type="raw")}
_FIELDS = ("id", "hostports", "metadata")

_lists: dict[Hashable, Sequence[Wire]] = {}
"""The lists of edges that this process has read. Ansible starts a process for each task, which runs all its items."""


def edge_errors(options: Mapping[str, Any], prefix: str, check_mode: bool) -> OptionErrors:
    """Yield the errors in the options that say which edge is meant."""
    given, edge_id = options.get("edge"), options.get("edge_id")
    yield from identifier_errors(options, "edge_id", prefix, check_mode)
    if given is None and edge_id is None:
        yield OptionError("edge_id", "required, or set `edge` to a hostport of the edge")
    elif given is not None and edge_id is not None:
        yield OptionError("edge", "`edge_id` is set as well; remove one of them")
    elif isinstance(given, dict):
        named = {name: given[name] for name in _FIELDS if given.get(name)}
        if not named:
            yield OptionError("edge", "expected `metadata`, or an edge that another task has returned")
        elif isinstance(named.get("id"), str):
            yield from identifier_errors(named, "id", prefix, check_mode, "edge")
    elif given is not None:
        yield from _hostport_errors(given)


def _hostport_errors(given: Any) -> OptionErrors:
    if not isinstance(given, str):
        yield OptionError("edge", f"expected a hostport such as shop.example.com:443, got {kind_of(given)}")
    else:
        for error in HTTPS_EDGE.named["hostports"].kind.option_errors([given], "edge"):
            yield OptionError("edge", error.text)


def edge_id_of(client: Client, options: Options, collection: str = HTTPS) -> str:
    """Return the ID of the edge. Raise Missing if there is no such edge, and Ambiguous if there are several."""
    given = options.get("edge")
    if given is None:
        return str(options["edge_id"])
    if isinstance(given, dict) and given.get("id"):
        return str(given["id"])
    by_metadata = isinstance(given, dict) and bool(given.get("metadata"))
    name, value = ("metadata", given["metadata"]) if by_metadata else ("hostports", _hostports(given))
    declared = {"id": None, "find_by": name, "hostports": None, name: value}
    found = edge_matching(_listed(client, collection, name), [declared]).live(0)
    if found is None:
        shown = quoted(given["metadata"] if by_metadata else ", ".join(value))
        raise Missing(
            f"No edge has the {name.removesuffix('s')} {shown}. In check mode, an edge that an earlier task would "
            "create is found if `edge` is what that task has returned, such as shop.https_edge."
        )
    return str(found["id"])


def _hostports(given: Any) -> list[str]:
    return list(given["hostports"]) if isinstance(given, dict) else [given]


def _listed(client: Client, collection: str, field: str) -> Sequence[Wire]:
    key = (client.account, collection, field)
    # Outside of a worker, the list could be outdated.
    if key not in _lists or multiprocessing.parent_process() is None:
        _lists[key] = listed_edges(client, (field,)) if collection == HTTPS else listed_objects(client, collection)
    return _lists[key]
