# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables in docs/api_reference.md that list the fields of each object, below the sections that the code cites."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ansible_collections.edgeops.ingress.plugins.module_utils._model import schema
from ansible_collections.edgeops.ingress.plugins.module_utils._model.field import Field
from ansible_collections.edgeops.ingress.plugins.module_utils._model.kinds import Fraction, Integer, Kind, Seconds, Text
from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object
from collection_tree import CHECKOUT
from sameness_table import merged

PAGE = CHECKOUT / "docs" / "api_reference.md"
HEAD = "| Object | Fields | Only in responses |\n|---|---|---|\n"
_TABLE = re.compile(rf"(?<=\n### )(2\.\d) ([^#]*?{re.escape(HEAD)})(?:\|.*\n)+")
_TYPES = {"bool": "boolean", "dict": "map", "list": "list"}

SECTIONS: Mapping[str, Mapping[str, Kind]] = {
    "2.1": {"tunnel": schema.TUNNEL},
    "2.2": {"edge": schema.HTTPS_EDGE, **schema.EDGE_MODULES},
    "2.3": {"route": schema.HTTPS_EDGE_ROUTE},
    "2.4": {**schema.ROUTE_MODULES, "each provider": merged(schema.ROUTE_MODULES["oauth"])},
    "2.5": schema.TLS_EDGE_MODULES,
    "2.6": {"event source": schema.EVENT_SOURCE},
}


def with_fields() -> str:
    """Return the page with the rows of its tables as they should be."""
    return _TABLE.sub(
        lambda found: f"{found[1]} {found[2]}{''.join(_rows(SECTIONS[found[1]]))}", PAGE.read_text(encoding="utf-8")
    )


def _rows(objects: Mapping[str, Kind]) -> Iterator[str]:
    for name, kind in objects.items():
        assert isinstance(kind, Object)
        shown = [field for field in kind.fields if field.name != "enabled" and not _is_module(field)]
        sent, read = ([_described(field) for field in shown if field.read_only is only] for only in (False, True))
        yield f"| {name} | {', '.join(sent)} | {', '.join(read)} |\n"


def _is_module(field: Field) -> bool:
    return isinstance(field.kind, Object) and field.kind.module


def _described(field: Field) -> str:
    name = f"`{field.name}`" + (f" (`{field.response}` in responses)" if field.response else "")
    return f"{name}{_type(field.kind)}{_rule(field)}"


def _type(kind: Kind) -> str:
    if isinstance(kind, Seconds):
        return " in seconds"
    if isinstance(kind, Fraction):
        return f" from {kind.minimum:g} to {kind.maximum:g}"
    if isinstance(kind, Integer):
        return " number" if kind.maximum == Integer.maximum else f" up to {kind.maximum:g}"
    if isinstance(kind, Text):
        limit = f" up to {kind.max_bytes} bytes" if kind.max_bytes else ""
        return limit + (f" ({' or '.join(f'`{choice}`' for choice in kind.choices)})" if kind.choices else "")
    name = _TYPES.get(str(kind.argument().get("type")))
    return f" {name}" if name else ""


def _rule(field: Field) -> str:
    if field.forbidden_when is None:
        return ""
    name, value = field.forbidden_when
    return f" (null if `{name}` is `{value}`)"
