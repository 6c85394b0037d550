# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of files that `make format` writes, compared with what it would write."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._model import schema
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.plan_document import summary_of
from collection_tree import CHECKOUT, MODULES
from generate import generated
from return_documentation import SOURCE

FILES = {file.relative_to(CHECKOUT).as_posix(): text for file, text in generated().items()}


@pytest.mark.parametrize("name", FILES)
def test_generated_file_is_current(name: str) -> None:
    assert (CHECKOUT / name).read_text(encoding="utf-8") == FILES[name], "run `make format`"


def test_every_module_has_generated_return_values() -> None:
    assert {f"plugins/modules/{module}.py" for module in MODULES} <= FILES.keys()


@pytest.mark.parametrize("name", [name for name in FILES if Path(name).suffix == ".py"])
def test_generated_lines_are_short_enough(name: str) -> None:
    """ruff reports long lines only after they were written, and cannot break them."""
    assert [line for line in FILES[name].splitlines() if len(line) > 120] == []


@pytest.mark.parametrize("path", SOURCE["fields"])
def test_described_fields_are_in_the_schema(path: str) -> None:
    table, _, member = path.partition(".")
    kind = getattr(schema, table)
    if member:
        kind = kind[member] if isinstance(kind, dict) else kind.named[member].kind
    assert SOURCE["fields"][path].keys() <= kind.named.keys()


def test_every_count_of_a_summary_is_described() -> None:
    described = [values["summary"]["contains"] for values in SOURCE.values() if "summary" in values]
    assert described
    assert all(counts.keys() == summary_of([]).keys() for counts in described)
