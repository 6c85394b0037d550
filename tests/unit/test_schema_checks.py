# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables that contradict themselves are rejected when they are built."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._model.field import Field
from ansible_collections.edgeops.ingress.plugins.module_utils._model.kinds import Boolean, Text
from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object
from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema_checks import ContradictoryTable

ENABLED = Field("enabled", Boolean(), default=True)
BACKEND = Field("backend", Object(fields=(ENABLED,), module=True))
LOGIN = Field("oauth", Object(fields=(ENABLED,), module=True, protects="login"))


def text(name: str = "a", **facts: Any) -> Field:
    return Field(name, Text(), **facts)


FIELDS: dict[str, tuple[Callable[[], Any], str]] = {
    "read-only with a default": (lambda: text(read_only=True, default="x"), "both read_only and default"),
    "read-only and required": (lambda: text(read_only=True, required=True), "both read_only and required"),
    "required with a default": (lambda: text(required=True, default="x"), "both required and default"),
    "read-only with needs": (lambda: text(read_only=True, needs=("b",)), "both read_only and needs"),
    "read-only and forbidden": (lambda: text(read_only=True, forbidden_when=("b", 1)), "read_only and forbidden_when"),
    "required and forbidden": (lambda: text(required=True, forbidden_when=("b", 1)), "required and forbidden_when"),
    "read-only and empty if omitted": (lambda: text(read_only=True, cleared=True), "both read_only and cleared"),
    "an alias that is its name": (lambda: text(aliases=("a",)), "a must occur only once"),
    "an alias twice": (lambda: text(aliases=("b", "b")), "b must occur only once"),
    "an alias that is its name in responses": (lambda: text(response="b", aliases=("b",)), "b must occur only once"),
    "needs itself": (lambda: text(needs=("a",)), "a must occur only once"),
}

OBJECTS: dict[str, tuple[Callable[[], Any], str]] = {
    "two fields of a name": (lambda: Object(fields=(text(), text())), "fields: a must occur only once"),
    "an alias that is a field": (lambda: Object(fields=(text(), text("b", aliases=("a",)))), "a must occur only once"),
    "a response name twice": (lambda: Object(fields=(text(), text("b", response="a"))), "responses: a must occur"),
    "needs an unknown field": (lambda: Object(fields=(text(needs=("b",)),)), "a.needs: no field is called b"),
    "forbidden by an unknown field": (
        lambda: Object(fields=(text(forbidden_when=("b", 1)),)),
        "a.forbidden_when: no field is called b",
    ),
    "required because of an unknown field": (
        lambda: Object(fields=(text(required_unless=("b", "x")),)),
        "a.required_unless: no field is called b",
    ),
    "an unknown exclusive module": (lambda: Object(fields=(LOGIN,), exclusive=("saml",)), "exclusive: no field"),
    "an exclusive module that does not protect": (
        lambda: Object(fields=(BACKEND,), exclusive=("backend",)),
        "exclusive",
    ),
    "an exclusive module twice": (lambda: Object(fields=(LOGIN,), exclusive=("oauth",) * 2), "oauth must occur only"),
    "an unknown module that closes": (
        lambda: Object(fields=(LOGIN,), closed_by="backend"),
        "closed_by: no field",
    ),
    "a module that closes is not a module": (
        lambda: Object(fields=(text(),), closed_by="a"),
        "closed_by: no field",
    ),
    "a module that closes and protects": (
        lambda: Object(fields=(LOGIN,), closed_by="oauth"),
        "closed_by: no field",
    ),
    "an unknown field that is always sent": (lambda: Object(always_sent=("a",)), "always_sent: no field is called a"),
    "an unknown field that some services clear": (
        lambda: Object(cleared_by_some=("a",)),
        "cleared_by_some: no field is called a",
    ),
    "a read-only field that is always sent": (
        lambda: Object(fields=(text(read_only=True),), always_sent=("a",)),
        "always_sent: no field is called a",
    ),
    "a resource that is a module": (lambda: Object(resource=True, module=True), "both resource and module"),
}


@pytest.mark.parametrize(("build", "message"), [*FIELDS.values(), *OBJECTS.values()], ids=[*FIELDS, *OBJECTS])
def test_a_contradiction_is_rejected(build: Callable[[], Any], message: str) -> None:
    with pytest.raises(ContradictoryTable, match=message):
        build()


def test_a_consistent_table_is_accepted() -> None:
    fields = (text(aliases=("c",), needs=("b",)), text("b", forbidden_when=("a", 1)), BACKEND, LOGIN)
    kind = Object(fields=fields, exclusive=("oauth",), closed_by="backend", always_sent=("a", "b"))
    assert list(kind.named) == ["a", "b", "backend", "oauth"]
