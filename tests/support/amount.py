# SPDX-License-Identifier: GPL-3.0-or-later
"""How much is tried: a sample, or everything if the environment variable TORTURE holds the seed to try it with.

The sample is smaller unless the variable WHOLE is set, as by `make unit`.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from typing import Any, TypeVar

import pytest

Case = TypeVar("Case")

EVERYTHING = "TORTURE" in os.environ
WHOLE = EVERYTHING or "WHOLE" in os.environ
"""Whether what takes long is run in whole, though nothing more is drawn: `make unit` does that."""
SEED = int(os.environ.get("TORTURE", "1"))
COMPARED = "compared"
"""The property of a test that says how much it has compared, which the summary of the run shows."""


def some_of(cases: Sequence[Case], number: int, salt: str) -> list[Case]:
    """All of the cases, or so many of them; always the same ones of the same seed."""
    if EVERYTHING:
        return list(cases)
    return random.Random(f"{SEED} {salt}").sample(cases, min(_for_now(number), len(cases)))


def so_many(few: int, many: int) -> int:
    return many if EVERYTHING else _for_now(few)


def seeds(few: int, many: int, salt: str) -> list[str]:
    """Seeds for runs that draw what happens in them."""
    return [f"{SEED} {salt} {number}" for number in range(so_many(few, many))]


def first_alone(cases: Sequence[Any]) -> list[Any]:
    """The cases of a parametrized test, of which `make test` runs the first one alone. A tuple is several arguments."""
    first, *others = cases
    values = [case if isinstance(case, tuple) else (case,) for case in others]
    return [first, *(pytest.param(*each, marks=pytest.mark.long(cores=0)) for each in values)]


def _for_now(number: int) -> int:
    """As many for `make unit`, a fifth of it for `make test`, but always one."""
    return number if WHOLE else max(1, number // 5)
