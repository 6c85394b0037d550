# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of omitted options in docs/sameness.md, compared with the schema of the collection."""

from __future__ import annotations

from collections.abc import Iterator

from ansible_collections.edgeops.ingress.plugins.module_utils._model import schema
from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object
from collection_tree import CHECKOUT

HEAD = "| Traffic module | If omitted, empty | If omitted, the service chooses | Required |\n|---|---|---|---|\n"


def test_the_page_has_every_option_whose_omission_means_something() -> None:
    page = (CHECKOUT / "docs" / "sameness.md").read_text(encoding="utf-8")
    table = page.partition(HEAD)[2].partition("\n\n")[0]
    assert table == "\n".join(rows())


def rows() -> Iterator[str]:
    """The rows of the table, modules of routes first. `enabled` is said once above it."""
    for name, module in schema.ROUTE_MODULES.items():
        yield row(f"`{name}`", module)
        if name == "oauth":
            providers = module.named["provider"].kind
            assert isinstance(providers, Object)
            yield row("each provider of `oauth`", one_of(providers))
    for name, module in schema.EDGE_MODULES.items():
        yield row(f"`{name}` of an HTTPS edge", module)
    for name, module in schema.TLS_EDGE_MODULES.items():
        yield row(f"`{name}` of a TLS edge", module)


def row(name: str, module: Object) -> str:
    undeclared = [field for field in module.declarable if field.default is None]
    empty = ", ".join(f"`{field.name}`" for field in undeclared if field.clears_when_omitted)
    chosen = ", ".join(f"`{field.name}`" for field in undeclared if not field.clears_when_omitted)
    required = ", ".join(f"`{field.name}`" for field in undeclared if field.required)
    return f"| {name} | {empty} | {chosen} | {required} |"


def one_of(providers: Object) -> Object:
    """An object with every field that any of the providers has."""
    fields = {field.name: field for provider in providers.declarable for field in provider.kind.declarable}
    return Object(fields=tuple(fields.values()))
