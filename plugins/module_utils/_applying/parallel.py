# SPDX-License-Identifier: GPL-3.0-or-later
"""Independent calls at the same time, in threads, with their results in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")


def run_in_parallel(make: Callable[[Given], Made], each: Iterable[Given], concurrency: int) -> list[Made]:
    """`make` of each, `concurrency` of them at a time. Raises what the first of them raised, when all have ended."""
    given = list(each)
    if concurrency == 1 or len(given) < 2:  # noqa: PLR2004 - one alone needs no thread
        return [make(one) for one in given]
    with ThreadPoolExecutor(max_workers=concurrency) as pool:
        return list(pool.map(make, given))
