# SPDX-License-Identifier: GPL-3.0-or-later
"""Which tests to hand to pytest: those with a marker, so that it need not import all others, or those asked for."""

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


def folder_unless_named(folder: str, arguments: Iterable[str], checkout: Path = CHECKOUT) -> list[str]:
    """Return the folder to hand to pytest in addition to these arguments: none if they already name tests in it."""
    tests = (checkout / folder).resolve()
    named = (Path.cwd() / argument.partition("::")[0] for argument in arguments if not argument.startswith("-"))
    return [] if any(path.resolve().is_relative_to(tests) for path in named) else [folder]
