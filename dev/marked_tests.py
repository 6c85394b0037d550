# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the tests with a marker are, so that pytest need not import all others to find them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from collection_tree import CHECKOUT

EVERY_CORE = ("every_core", "every_python")
"""The markers of the tests that are run with more than the main ansible-core."""


def paths_with(markers: Sequence[str], folders: Iterable[str], checkout: Path = CHECKOUT) -> list[str]:
    """Return what to hand to pytest: each folder whose files mostly have one of the markers, and single files."""
    mark = re.compile(rf"\bpytest\.mark\.(?:{'|'.join(markers)})\b")
    paths = []
    for folder in folders:
        files = sorted((checkout / folder).glob("test_*.py"))
        marked = [path for path in files if mark.search(path.read_text(encoding="utf-8"))]
        paths += [folder] if len(marked) * 2 > len(files) else [str(path.relative_to(checkout)) for path in marked]
    return paths
