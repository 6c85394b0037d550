# SPDX-License-Identifier: GPL-3.0-or-later
"""At every moment of a run, and wherever it stops, nobody gets through who gets through neither before nor after."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from amount import seeds
from any_change import Change
from figures import Figures
from meddling import sending
from named_changes import EDGE, NAMED_CHANGES, of_edge
from places import KEY
from trial import Trial, change_of, tried
from watched_change import FAILURES as KINDS
from watched_change import Watched

ALONE = "a drawn change of who gets through"
FAILURES = "a drawn change, with failures at its writes, with somebody else who writes, and with writes ignored"
OPENINGS = "a drawn change, whose plan is compared with what it opens"


def has_to_open_nothing(between: Watched, figures: Figures, seed: str, kinds: Sequence[str] | None = None) -> Trial:
    trial = tried(between, seed, kinds)
    found = {case: list(complaints) for case, complaints in trial.complaints.items()}
    figures.tried(ALONE, complaints=found.pop("no failure", []), is_watched=True)
    # Somebody else writes in one more run, the service ignores some writes in another one, and breaks off in a third.
    for _case in range(trial.failures + 3 * bool(trial.real.sent)):
        _case, complaints = found.popitem() if found else ("", [])
        figures.tried(FAILURES, 1, complaints, is_watched=True)
    assert not trial.complaints, trial.report(seed)
    return trial


@pytest.mark.parametrize("name", NAMED_CHANGES)
def test_a_named_change_opens_nothing(between: Watched, figures: Figures, name: str) -> None:
    trial = has_to_open_nothing(between, figures, name, list(KINDS))
    assert not trial.real.has_failed, trial.report(name)


def test_a_route_that_somebody_else_gives_another_match_is_not_found_any_more(between: Watched) -> None:
    """The task has closed it, and finds it by its match."""
    options = {"edge_id": EDGE, **KEY, "absent_modules": ["backend", "oidc"]}
    change = Change(of_edge("/ oidc ->").live, "https_edge_route", options)
    between.start_over(change)
    other_match = sending("PATCH", f"/edges/https/{EDGE}/routes/edghtsrt_a0", {**KEY, "match": "/admin"})
    run = between.run(change, meddling={0: other_match})
    assert "does not exist any more" in run.result["msg"], run.result


FOUND = (
    # The response was lost to a PATCH whose description the service had cleared.
    "24 changes 149",
    "24 changes 347",
    # After a failure, a new route would have taken the requests of a closed one that moved.
    "24 changes 1474",
    # After a failure, a route that was reopened too early was in the way of its edge.
    "9c9f28b69d46387f changes 985",
    # A route that took the place of another one kept that one's login next to its own.
    "25 changes 1253",
    # Another task gave a declared route the match of a new one, which then took that route for its own.
    "26 changes 1651",
    # A new IP policy without rules counted as one that lets nobody through.
    "1 changes 34",
    # A service that returns one of several IP policies made two routes look as if the others were the same ones.
    "g2 70",
    # A new edge was retried without end, because the service ignored that another one gives up its hostport.
    "45 objects 51",
    # A policy without rules, which may allow everybody, counted as if what another one denies did not matter to it.
    "s43 openings with objects 54",
    "s43 openings with objects 91",
    # A policy was removed of which a task knows that it has no rules, because it has read all of them.
    "46 changes 1247",
    "47 changes 1507",
    # The restriction of an edge was removed while the edge changed, and counted as if that had emptied it.
    "103 objects 55",
    # A rule that has no safe order held back a route, which the next run created: it counted as an opening.
    "111 objects 1519",
    # Of two TLS edges whose hostports nobody knows, only what the first one opens was said.
    "114 objects 1546",
    # An edge failed after it had got other hosts, at which a route was reopened that could not be changed.
    "116 replaced objects 291",
)
"""Drawn changes after a failure of which a declaration was not restored, or only half, or seemed to open something,
until that was fixed."""


LAST = 4
"""So many of them are run by `make test`, the others by `make test-all`."""


@pytest.mark.parametrize(
    "seed", [*(pytest.param(one, marks=pytest.mark.long(cores=0)) for one in FOUND[:-LAST]), *FOUND[-LAST:]]
)
def test_a_change_that_was_once_lost_is_restored(between: Watched, figures: Figures, seed: str) -> None:
    has_to_open_nothing(between, figures, seed)


@pytest.mark.parametrize(
    "seed",
    [
        *seeds(80, 2000, "changes"),
        *seeds(40, 2000, "objects"),
        *seeds(4, 100, "redistributions"),
        *seeds(20, 500, "replaced objects"),
        *seeds(8, 150, "silent replaced objects"),
    ],
)
def test_a_change_opens_nothing(between: Watched, figures: Figures, seed: str) -> None:
    has_to_open_nothing(between, figures, seed)


MOVED = tuple(f"{one} redistributions {other}" for one, other in ((23, 411), (26, 39), (26, 216), (27, 338)))
"""Drawn redistributions for which once no safe order was found, or one whose changes waited for each other."""


@pytest.mark.parametrize(
    "seed",
    [
        *MOVED,
        *seeds(80, 2000, "openings with objects"),
        *seeds(40, 500, "emptied objects"),
        *seeds(40, 500, "replaced objects"),
        *seeds(60, 250, "silent emptied objects"),
        *seeds(40, 250, "silent replaced emptied objects"),
        *seeds(10, 500, "redistributions"),
    ],
)
def test_a_plan_says_what_it_opens(between: Watched, figures: Figures, seed: str) -> None:
    trial = Trial(between, change_of(seed), seed)
    trial.try_without_failures()
    complaints = [one for found in trial.complaints.values() for one in found]
    figures.tried(OPENINGS, complaints=complaints, is_watched=True)
    assert not trial.complaints, trial.report(seed)
