# SPDX-License-Identifier: GPL-3.0-or-later
"""The table in docs/sameness.md that says what an omitted suboption of a traffic module means."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ansible_collections.edgeops.ingress.plugins.module_utils._model import schema
from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object
from collection_tree import CHECKOUT

PAGE = CHECKOUT / "docs" / "sameness.md"
HEAD = "| Traffic module | Empty if omitted | Kept if omitted | Required |\n|---|---|---|---|\n"
_TABLE = re.compile(rf"(?<={re.escape(HEAD)})(\|.*\n)+")


def table() -> str:
    """Return the rows of the table."""
    return "".join(f"{row}\n" for row in _rows())


def with_table() -> str:
    """Return the page with the rows of its table as they should be."""
    return _TABLE.sub(lambda _: table(), PAGE.read_text(encoding="utf-8"), count=1)


def _rows() -> Iterator[str]:
    """Return a row for each traffic module, those of routes first. `enabled` is described in the text of the page."""
    for name, module in schema.ROUTE_MODULES.items():
        yield _row(f"`{name}`", module)
        if name == "oauth":
            yield _row("each provider of `oauth`", merged(module))
    for name, module in schema.EDGE_MODULES.items():
        yield _row(f"`{name}` of an HTTPS edge", module)
    for name, module in schema.TLS_EDGE_MODULES.items():
        yield _row(f"`{name}` of a TLS edge", module)


def _row(name: str, module: Object) -> str:
    undeclared = [field for field in module.declarable if field.default is None]
    empty = ", ".join(f"`{field.name}`" for field in undeclared if field.clears_when_omitted)
    kept = ", ".join(f"`{field.name}`" for field in undeclared if not field.clears_when_omitted)
    required = ", ".join(f"`{field.name}`" for field in undeclared if field.required)
    return f"| {name} | {empty} | {kept} | {required} |"


def merged(oauth: Object) -> Object:
    """Return an object with every field that any of the identity providers has."""
    providers = oauth.named["provider"].kind
    assert isinstance(providers, Object)
    kinds = [provider.kind for provider in providers.declarable if isinstance(provider.kind, Object)]
    fields = {field.name: field for kind in kinds for field in kind.declarable}
    return Object(fields=tuple(fields.values()))
