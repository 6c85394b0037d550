# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls a function for many items in parallel, and returns the results in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def run_in_parallel(function: Callable[[Item], Result], items: Iterable[Item], concurrency: int) -> list[Result]:
    """Call a function for each item, `concurrency` at a time. Raises the first exception after all calls have ended."""
    all_items = list(items)
    if concurrency == 1 or len(all_items) < 2:  # noqa: PLR2004 - a single item needs no thread
        return [function(item) for item in all_items]
    with ThreadPoolExecutor(max_workers=concurrency) as pool:
        return list(pool.map(function, all_items))
