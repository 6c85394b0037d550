# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of pages that are made from the schema and the rules: tables of fields, of suboptions, and of rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from textwrap import fill

from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.judge import RULES
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.rules_of_public_access import PUBLIC_BY_NATURE
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.rules_of_tunnels_and_events import SERVICES
from ansible_collections.edgeops.ingress.plugins.module_utils._model import schema
from ansible_collections.edgeops.ingress.plugins.module_utils._model.field import Field
from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object
from ansible_collections.edgeops.ingress.plugins.module_utils._values.kinds import (
    Fraction,
    Integer,
    Kind,
    Seconds,
    Text,
)

_FIELDS = "| Object | Fields | Only in responses |\n|---|---|---|\n"
_OMITTED = "| Traffic module | Empty if omitted | Kept if omitted | Required |\n|---|---|---|---|\n"
_ROWS = re.compile(r"(?:\|.*\n)*")
_TYPES = {"bool": "boolean", "dict": "map", "list": "list"}


def api_reference(page: str) -> str:
    """Return the page with the fields of each object below the sections that the code cites."""
    sections: Mapping[str, Mapping[str, Kind]] = {
        "2.1": {"tunnel": schema.TUNNEL},
        "2.2": {"edge": schema.HTTPS_EDGE, **schema.EDGE_MODULES},
        "2.3": {"route": schema.HTTPS_EDGE_ROUTE},
        "2.4": {**schema.ROUTE_MODULES, "each provider": _any_provider()},
        "2.5": schema.TLS_EDGE_MODULES,
        "2.6": {"event source": schema.EVENT_SOURCE},
    }
    for section, objects in sections.items():
        start, title, rest = page.partition(f"\n### {section} ")
        page = start + title + _with_rows(rest, _FIELDS, _fields(objects))
    return page


def sameness(page: str) -> str:
    """Return the page with the table that says what an omitted suboption of a traffic module means.

    It has a row for each traffic module, those of routes first. `enabled` is described in the text of the page.
    """
    rows: list[str] = []
    for name, module in schema.ROUTE_MODULES.items():
        rows.append(_row(f"`{name}`", module))
        if name == "oauth":
            rows.append(_row("each provider of `oauth`", _any_provider()))
    for edge, modules in (("an HTTPS edge", schema.EDGE_MODULES), ("a TLS edge", schema.TLS_EDGE_MODULES)):
        rows += [_row(f"`{name}` of {edge}", module) for name, module in modules.items()]
    return _with_rows(page, _OMITTED, rows)


def exposure(page: str) -> str:
    """Return the page with the list of the rules of `exposure_info` at its end."""
    segments = ", ".join(f"`{segment}`" for segment in sorted(PUBLIC_BY_NATURE))
    ports = ", ".join(f"{port} ({name})" for port, name in sorted(SERVICES.items()))
    texts = (
        (
            "A public route is not a finding of `hole_below_protected_prefix` if its path is `/`, or if the first or "
            f"the last segment of its path below the prefix is one of these: {segments}."
        ),
        f"`service_port_in_the_open` knows these ports: {ports}.",
    )
    wrapped = (fill(text, 120, break_long_words=False, break_on_hyphens=False) for text in texts)
    head = "\n## Rules\n\n| Rule | Severity | What it finds |\n|---|---|---|\n"
    rows = "".join(f"| `{rule.name}` | {rule.severity} | {rule.meaning} |\n" for rule in RULES)
    return page.partition(head)[0] + head + rows + "".join(f"\n{text}\n" for text in wrapped)


def _with_rows(text: str, head: str, rows: Iterable[str]) -> str:
    """Return a text with other rows in the first table that has this head."""
    start, _, rest = text.partition(head)
    return f"{start}{head}{''.join(rows)}{_ROWS.sub('', rest, count=1)}"


def _fields(objects: Mapping[str, Kind]) -> Iterator[str]:
    for name, kind in objects.items():
        assert isinstance(kind, Object)
        shown = [field for field in kind.fields if field.name != "enabled" and not getattr(field.kind, "module", False)]
        sent, read = ([_described(field) for field in shown if field.read_only is only] for only in (False, True))
        yield f"| {name} | {', '.join(sent)} | {', '.join(read)} |\n"


def _described(field: Field) -> str:
    name = f"`{field.name}`" + (f" (`{field.response}` in responses)" if field.response else "")
    rule = " (null if `{}` is `{}`)".format(*field.forbidden_when) if field.forbidden_when else ""
    return f"{name}{_type(field.kind)}{rule}"


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


def _row(name: str, module: Object) -> str:
    undeclared = [field for field in module.declarable if field.default is None]
    empty = [field for field in undeclared if field.clears_when_omitted]
    kept = [field for field in undeclared if not field.clears_when_omitted]
    required = [field for field in undeclared if field.required]
    cells = [", ".join(f"`{field.name}`" for field in fields) for fields in (empty, kept, required)]
    return f"| {name} | {' | '.join(cells)} |\n"


def _any_provider() -> Object:
    """Return an object with every field that any of the identity providers of `oauth` has."""
    providers = schema.ROUTE_MODULES["oauth"].named["provider"].kind
    assert isinstance(providers, Object)
    kinds = [provider.kind for provider in providers.declarable if isinstance(provider.kind, Object)]
    fields = {field.name: field for kind in kinds for field in kind.declarable}
    return Object(fields=tuple(fields.values()))
