# SPDX-License-Identifier: GPL-3.0-or-later
"""At every moment of a run, and wherever it stops, nobody gets through who gets through neither before nor after."""

from __future__ import annotations

import pytest

from amount import drawn_seeds, seeds
from figures import Figures
from named_changes import NAMED_CHANGES
from trial import Trial, tried
from watched_change import FAILURES as KINDS
from watched_change import Watched

ALONE = "a drawn change of who gets through"
FAILURES = "a drawn change, with a failure at each write, and with somebody else who writes"


def count(figures: Figures, trial: Trial) -> None:
    found = {case: list(complaints) for case, complaints in trial.complaints.items()}
    figures.tried(ALONE, complaints=found.pop("no failure", []), is_watched=True)
    for _failure in range(trial.failures + bool(trial.real.sent)):
        _case, complaints = found.popitem() if found else ("", [])
        figures.tried(FAILURES, 1, complaints, is_watched=True)


@pytest.mark.parametrize("name", NAMED_CHANGES)
def test_a_named_change_opens_nothing(between: Watched, figures: Figures, name: str) -> None:
    trial = tried(between, name, list(KINDS))
    assert not trial.real.has_failed, trial.report(name)
    count(figures, trial)
    assert not trial.complaints, trial.report(name)


@pytest.mark.parametrize("seed", seeds(160, 2000, "changes"))
def test_a_change_opens_nothing(between: Watched, figures: Figures, seed: str) -> None:
    trial = tried(between, seed)
    count(figures, trial)
    assert not trial.complaints, trial.report(seed)


@pytest.mark.parametrize("seed", drawn_seeds(2000, "changes"))
def test_a_change_that_nobody_has_tried_opens_nothing(between: Watched, figures: Figures, seed: str) -> None:
    trial = tried(between, seed)
    count(figures, trial)
    assert not trial.complaints, trial.report(seed)
