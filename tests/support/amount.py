# SPDX-License-Identifier: GPL-3.0-or-later
"""How much is tried: a sample, or everything where the environment variable TORTURE holds the seed to try it with."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from typing import TypeVar

Case = TypeVar("Case")

EVERYTHING = "TORTURE" in os.environ
WHOLE = EVERYTHING or "WHOLE" in os.environ
"""Whether what takes long is run in whole, though nothing more is drawn: `make unit` does that."""
SEED = int(os.environ.get("TORTURE", "1"))


def some_of(cases: Sequence[Case], number: int, salt: str) -> list[Case]:
    """All of the cases, or so many of them; always the same ones of the same seed."""
    return list(cases) if EVERYTHING else random.Random(f"{SEED} {salt}").sample(cases, min(number, len(cases)))


def so_many(few: int, many: int) -> int:
    """How many cases to draw."""
    return many if EVERYTHING else few


def seeds(few: int, many: int, salt: str) -> list[str]:
    """Seeds for runs that draw what happens in them."""
    return [f"{SEED} {salt} {number}" for number in range(so_many(few, many))]
