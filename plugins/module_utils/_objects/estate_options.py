# SPDX-License-Identifier: GPL-3.0-or-later
"""What an estate declares, and the errors in it that are found before any request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from .._definition import Options
from .._model import schema
from .._model.named_secrets import secrets_in_routes
from .._model.schema import SUBSCRIPTION_PREFIX, TLS_EDGE_MODULES
from .._planning.named_references import references_in
from .._planning.purge_scope import scope_errors
from .._values.identifiers import PREFIX
from .._values.json_strings import meaning
from .._values.option_error import OptionError, OptionErrors, join, list_of, members_of, with_paths
from .._values.option_wording import DocumentedElsewhere, NeverNull, enumerated
from . import common_options
from .any_object import secrets_of
from .estate_objects import reference_option_errors, without_references
from .event_sources import ALLOW_UNKNOWN_TYPE, sources_errors
from .https_edges import MEMBER_OPTIONS, edge_errors
from .named_objects import NAMED_OBJECTS
from .rejection import rejection_errors
from .routes_of_edge import ROUTES, routes_errors

PURGEABLE = {
    "edges": (["https_edges"], "https_edges is not declared; declare it"),
    "routes": (["https_edges"], "no edge in https_edges declares routes; declare them"),
    "hostports": (["https_edges", "objects"], "neither https_edges nor objects is declared; declare one of them"),
    "modules": (["https_edges", "tls_edges"], "neither https_edges nor tls_edges is declared; declare one of them"),
    "sources": (["event_subscriptions"], "event_subscriptions is not declared; declare it"),
}
"""What a task can purge, with the lists that can declare it, and what to say if none of them does."""

DECLARED: dict[str, Any] = {
    "objects": DocumentedElsewhere(NeverNull(NAMED_OBJECTS)),
    "https_edges": {"type": "list", "elements": "dict", "options": {**MEMBER_OPTIONS, "routes": ROUTES}},
    "tls_edges": {
        "type": "list",
        "elements": "dict",
        "options": {
            "edge_id": {"type": "str", "required": True},
            **{name: kind.argument() for name, kind in TLS_EDGE_MODULES.items()},
            "absent_modules": {"type": "list", "elements": "str", "choices": list(TLS_EDGE_MODULES), "default": []},
        },
    },
    "event_subscriptions": {
        "type": "list",
        "elements": "dict",
        "options": {
            "subscription_id": {"type": "str", "required": True},
            "sources": {"type": "list", "elements": "str", "required": True},
        },
    },
    "allow_unknown_type": ALLOW_UNKNOWN_TYPE,
}
"""The options of a module with a declaration of an estate."""

DECLARABLE = ("objects", "https_edges", "tls_edges", "event_subscriptions")

_NO_HOSTPORT = (
    f"{PREFIX}{{}} is a reference, which an HTTPS edge cannot have as a hostport; write the host name and the port, "
    "such as 'shop.example.com:443'"
)

_EMPTIED = {
    "edges": (schema.HTTPS_EDGE, "https_edges is", "edge of the account"),
    "routes": (schema.HTTPS_EDGE_ROUTE, "all lists of routes are", "route of these edges"),
    "sources": (schema.EVENT_SOURCE, "all lists of sources are", "source of these subscriptions"),
}


def estate_errors(options: Options, check_mode: bool, path: str = "") -> OptionErrors:
    """Yield the errors in an estate; `path` is that of the option of another module that contains it.

    A task that declares nothing compares nothing: its variables may not be set.
    """
    if all(options.get(name) is None for name in DECLARABLE):
        text = f"nothing is declared; set {enumerated(DECLARABLE)}"
        yield OptionError("estate", text, tuple(join(path, name) for name in DECLARABLE))
    else:
        yield from (option_error.within(path) for option_error in _purge_errors(options))
    yield from (option_error.within(path) for option_error in _member_errors(options, check_mode))


def _member_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from reference_option_errors(options, check_mode)
    written = dict(references_in({"https_edges": options.get("https_edges")}))
    options = without_references(options)
    edges = members_of(options.get("https_edges"))
    for path, edge in with_paths(edges, "https_edges"):
        for error in edge_errors(edge, check_mode, path):
            is_reference = error.path in written and error.path.startswith(f"{path}.hostports[")
            yield replace(error, text=_NO_HOSTPORT.format(written[error.path])) if is_reference else error
        yield from routes_errors(edge.get("routes"), check_mode, f"{path}.routes")
    yield from _shared_hostport_errors(edges)
    yield from common_options.duplicate_errors([_metadata_key(edge) for edge in edges], "https_edges")
    for path, edge in with_paths(options.get("tls_edges"), "tls_edges"):
        yield from common_options.identifier_errors(edge, "edge_id", schema.TLS_EDGE_PREFIX, check_mode, path)
        for name, kind in TLS_EDGE_MODULES.items():
            yield from kind.option_errors(edge.get(name), f"{path}.{name}")
        yield from common_options.module_errors(edge, TLS_EDGE_MODULES, path)
    for path, one in with_paths(options.get("event_subscriptions"), "event_subscriptions"):
        yield from common_options.identifier_errors(one, "subscription_id", SUBSCRIPTION_PREFIX, check_mode, path)
        yield from sources_errors(one.get("sources"), bool(options.get("allow_unknown_type")), f"{path}.sources")
    for name, key in (("https_edges", "id"), ("tls_edges", "edge_id"), ("event_subscriptions", "subscription_id")):
        keys = [(str(member.get(key) or ""),) for member in members_of(options.get(name))]
        yield from common_options.duplicate_errors(keys, name)
    yield from common_options.limit_errors(options)
    yield from common_options.requirement_errors(options)
    yield from rejection_errors(options)
    yield from scope_errors(options.get("purge_scope"), "edges" in (options.get("purge") or ()))


def _purge_errors(options: Options) -> OptionErrors:
    """Yield errors for a purge that has no effect: variables of the task may not be set."""
    kinds = list_of(options.get("purge"))
    for kind, (_lists, undeclared) in PURGEABLE.items():
        if kind in kinds and all(one is None for one in _declaring(options, kind)):
            text = f"{kind} is listed, but {undeclared}, or remove {kind} from purge"
            yield OptionError("purge", text, DECLARABLE)


def emptied_lists(options: Options) -> dict[str, str]:
    """Return the kinds of objects of which all lists are empty, with the reason why the task may not purge all of them.

    An account may not have any, so only the plan shows whether that matters. An edge that gives up its last hostport
    has a check of its own.
    """
    kinds = [kind for kind in options["purge"] if kind in _EMPTIED and not any(_declaring(options, kind))]
    return {
        purged.name: f"purge: {kind} is listed, and {what} empty, so every {lost} would be deleted"
        for kind, (purged, what, lost) in ((kind, _EMPTIED[kind]) for kind in kinds if not options["allow_empty"])
    }


def _declaring(options: Options, kind: str) -> list[Any]:
    """Return the lists that could declare what a purge of this kind keeps, None for each that is omitted."""
    lists = [options.get(name) for name in PURGEABLE[kind][0]]
    if kind not in ("routes", "sources"):
        return lists
    return [parent.get(kind) for parent in members_of(lists[0])] or lists


def _metadata_key(edge: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the key of an edge that is found by its metadata; empty for all others."""
    if edge.get("id") or edge.get("find_by") != "metadata" or isinstance(edge.get("metadata"), bool):
        return ()
    return (meaning(schema.HTTPS_EDGE.named["metadata"].kind.normal(edge.get("metadata"))),)


def _shared_hostport_errors(edges: Sequence[Mapping[str, Any]]) -> OptionErrors:
    """Yield an error for each hostport of two declared edges, unless their IDs distinguish them."""
    first: dict[str, int] = {}
    for number, edge in enumerate(edges):
        hostports = list_of(edge.get("hostports")) if not edge.get("id") else []
        for hostport in schema.HTTPS_EDGE.named["hostports"].kind.normal(hostports):
            if first.setdefault(hostport, number) != number:
                other = f"https_edges[{first[hostport]}]"
                text = f"{hostport} is already declared in {other}; a hostport can belong to one edge only"
                yield OptionError(f"https_edges[{number}].hostports", text)


def estate_secrets(options: Options) -> Iterator[str]:
    yield from secrets_in_routes(options)
    for one in members_of(options.get("objects")):
        yield from secrets_of(one)
