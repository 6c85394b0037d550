# SPDX-License-Identifier: GPL-3.0-or-later
"""Facts about the fields of the schema do not contradict each other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._model import schema
from ansible_collections.edgeops.ingress.plugins.module_utils._model.field import Field
from ansible_collections.edgeops.ingress.plugins.module_utils._model.listing import Listing
from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object


def objects_in(path: str, kind: object) -> Iterator[tuple[str, Object]]:
    """Yield an object and those inside of it, each with its path."""
    if isinstance(kind, Listing):
        yield from objects_in(path, kind.of)
    elif isinstance(kind, Object):
        yield path, kind
        for f in kind.fields:
            yield from objects_in(f"{path}.{f.name}", f.kind)


TABLES = {**vars(schema), **{f"tls_edges.{name}": kind for name, kind in schema.TLS_EDGE_MODULES.items()}}
OBJECTS = dict(pair for name, kind in TABLES.items() for pair in objects_in(name, kind))
FIELDS = {f"{path}.{f.name}": (f, kind) for path, kind in OBJECTS.items() for f in kind.fields}
APART = {
    "read_only": {"default", "required", "needs", "forbidden_when", "cleared"},
    "required": {"default", "forbidden_when"},
}
"""The facts that exclude another one."""


def true_of(f: Field) -> set[str]:
    plain = Field(f.name, f.kind)
    return {fact for fact in {*APART, *set().union(*APART.values())} if getattr(f, fact) != getattr(plain, fact)}


@pytest.mark.parametrize("path", FIELDS)
def test_the_facts_about_a_field_are_possible_together(path: str) -> None:
    f, kind = FIELDS[path]
    assert [fact for fact, others in APART.items() if fact in true_of(f) and others & true_of(f)] == []
    others = [*f.needs, *(fact[0] for fact in (f.forbidden_when, f.required_unless) if fact)]
    assert set(others) <= kind.named.keys() - {f.name}
    assert len(set(f.needs)) == len(f.needs)


@pytest.mark.parametrize("path", OBJECTS)
def test_the_facts_about_an_object_are_possible_together(path: str) -> None:
    kind = OBJECTS[path]
    modules = {f.name: f.kind.protects for f in kind.declarable if isinstance(f.kind, Object) and f.kind.module}
    for names in ([n for f in kind.fields for n in (f.name, *f.aliases)], [f.response or f.name for f in kind.fields]):
        assert len(set(names)) == len(names)
    assert all(modules[name] for name in kind.exclusive)
    assert kind.closed_by == "" or modules[kind.closed_by] == ""
    assert {*kind.always_sent, *kind.cleared_by_some} <= {f.name for f in kind.declarable} - modules.keys()
    assert not (kind.resource and kind.module)
