# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of the documentation, walked through from top to bottom."""

from __future__ import annotations

from pathlib import Path

import pytest

from collection_tree import CHECKOUT, tracked_files
from page import blocks
from reference_service_process import ReferenceService
from walk import Walk, is_output

PAGES = sorted(name for name in tracked_files("*.md") if any(blocks(CHECKOUT / name)))
FIRST_PAGES = ("README.md",)
"""What a new user runs. `make test` has time for these only."""


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=[pytest.mark.long(cores=0)] * (page not in FIRST_PAGES)) for page in PAGES]
)
def test_what_a_page_says_happens(page: str, service: ReferenceService, tmp_path: Path) -> None:
    service.reset()
    walk = Walk(tmp_path, service)
    for block in blocks(CHECKOUT / page):
        walk.through(block)


@pytest.mark.parametrize("page", ["README.md", "docs/first_steps.md"])
def test_the_first_pages_hide_nothing(page: str) -> None:
    """A new user sees no comments, so nothing in one may be what makes a page work."""
    assert not [block.line for block in blocks(CHECKOUT / page) if block.seed or block.switches or block.environment]


def test_the_first_page_is_short() -> None:
    lines = (CHECKOUT / "README.md").read_text(encoding="utf-8").splitlines()
    assert lines.index("## Documentation") <= 150


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("ok", "ok\n", True),
        ("ok", "ok\nmore\n", False),
        ("ok\n...", "ok\nmore\nand more\n", True),
        ("...\nlast", "first\nlast\n", True),
        ("a\n...\nb", "a\nb\n", True),
        ("...\nlast", "first\nlast one\n", False),
        ("edghts_1 is there", "edghts_2fQ is there\n", True),
        ("edghts_1 is there", "edgtls_1 is there\n", False),
        ("took 3 s", "took 2.5 s\n", True),
        ("PLAY [x] ****", "PLAY [x] ********\n", True),
        (".*", "anything\n", False),
    ],
)
def test_outputs_are_compared(shown: str, printed: str, same: bool) -> None:
    assert is_output(shown, printed) is same
