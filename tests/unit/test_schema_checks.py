# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables that contradict themselves are rejected when they are built."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._model.field import ContradictoryTable, Field
from ansible_collections.edgeops.ingress.plugins.module_utils._model.kinds import Boolean, Text
from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object

ENABLED = Field("enabled", Boolean(), default=True)
BACKEND = Field("backend", Object(fields=(ENABLED,), module=True))
LOGIN = Field("oauth", Object(fields=(ENABLED,), module=True, protects="login"))


def text(name: str = "a", **facts: Any) -> Field:
    return Field(name, Text(), **facts)


ONCE = "must occur only once"
# What a field, or an object with these fields, is built with, and why it is rejected.
FIELDS: list[tuple[dict[str, Any], str]] = [
    ({"read_only": True, "default": "x"}, "both read_only and default"),
    ({"read_only": True, "required": True}, "both read_only and required"),
    ({"required": True, "default": "x"}, "both required and default"),
    ({"read_only": True, "needs": ("b",)}, "both read_only and needs"),
    ({"read_only": True, "forbidden_when": ("b", 1)}, "read_only and forbidden_when"),
    ({"required": True, "forbidden_when": ("b", 1)}, "required and forbidden_when"),
    ({"read_only": True, "cleared": True}, "both read_only and cleared"),
    ({"aliases": ("a",)}, f"a {ONCE}"),
    ({"aliases": ("b", "b")}, f"b {ONCE}"),
    ({"response": "b", "aliases": ("b",)}, f"b {ONCE}"),
    ({"needs": ("a",)}, f"a {ONCE}"),
]
OBJECTS: list[tuple[tuple[Field, ...], dict[str, Any], str]] = [
    ((text(), text()), {}, f"fields: a {ONCE}"),
    ((text(), text("b", aliases=("a",))), {}, f"a {ONCE}"),
    ((text(), text("b", response="a")), {}, "responses: a must occur"),
    ((text(needs=("b",)),), {}, "a.needs: no field is called b"),
    ((text(forbidden_when=("b", 1)),), {}, "a.forbidden_when: no field is called b"),
    ((text(required_unless=("b", "x")),), {}, "a.required_unless: no field is called b"),
    ((LOGIN,), {"exclusive": ("saml",)}, "exclusive: no field"),
    ((BACKEND,), {"exclusive": ("backend",)}, "exclusive"),
    ((LOGIN,), {"exclusive": ("oauth",) * 2}, "oauth must occur only"),
    ((LOGIN,), {"closed_by": "backend"}, "closed_by: no field"),
    ((text(),), {"closed_by": "a"}, "closed_by: no field"),  # not a module
    ((LOGIN,), {"closed_by": "oauth"}, "closed_by: no field"),  # one that protects
    ((), {"always_sent": ("a",)}, "always_sent: no field is called a"),
    ((), {"cleared_by_some": ("a",)}, "cleared_by_some: no field is called a"),
    ((text(read_only=True),), {"always_sent": ("a",)}, "always_sent: no field is called a"),
    ((), {"resource": True, "module": True}, "both resource and module"),
]


@pytest.mark.parametrize(("facts", "message"), FIELDS)
def test_a_contradiction_in_a_field_is_rejected(facts: dict[str, Any], message: str) -> None:
    with pytest.raises(ContradictoryTable, match=message):
        text(**facts)


@pytest.mark.parametrize(("fields", "facts", "message"), OBJECTS)
def test_a_contradiction_in_an_object_is_rejected(
    fields: tuple[Field, ...], facts: dict[str, Any], message: str
) -> None:
    with pytest.raises(ContradictoryTable, match=message):
        Object(fields=fields, **facts)


def test_a_consistent_table_is_accepted() -> None:
    fields = (text(aliases=("c",), needs=("b",)), text("b", forbidden_when=("a", 1)), BACKEND, LOGIN)
    kind = Object(fields=fields, exclusive=("oauth",), closed_by="backend", always_sent=("a", "b"))
    assert list(kind.named) == ["a", "b", "backend", "oauth"]
