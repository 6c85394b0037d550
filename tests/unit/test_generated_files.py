# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of files that `make format` writes, compared with what it would write."""

from __future__ import annotations

from pathlib import Path

import pytest

from collection_tree import CHECKOUT
from generate import generated

FILES = {file.relative_to(CHECKOUT).as_posix(): text for file, text in generated().items()}


@pytest.mark.parametrize("name", FILES)
def test_generated_file_is_current(name: str) -> None:
    assert (CHECKOUT / name).read_text(encoding="utf-8") == FILES[name], "run `make format`"


@pytest.mark.parametrize("name", [name for name in FILES if Path(name).suffix == ".py"])
def test_generated_lines_are_short_enough(name: str) -> None:
    """ruff reports long lines only after they were written, and cannot break them."""
    assert [line for line in FILES[name].splitlines() if len(line) > 120] == []
