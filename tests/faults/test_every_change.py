# SPDX-License-Identifier: GPL-3.0-or-later
"""All changes of the smallest accounts in which everything can happen, not a sample: what a plan says that it opens,
and whom each of its moments lets in, against visitors who try every request.

`make test` tries all changes of accounts whose objects have fewer states, `make torture` those of all states.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping

import pytest

from amount import COMPARED, EVERYTHING
from declared_locks import certificates
from every_change import CHANGES, FAILURES, REFUSED, Proof
from figures import Figures
from opened import OPENED
from smallest_accounts import ACCOUNTS, EXACT, LOCKED, OPEN, WILD, State, matching

MOST_SHOWN = 3
ROW = "a change of a smallest account, with each failure in each of its states"

MOST_REFUSED = 1 / 1000
"""The share of changes that are refused where hostports move."""

HERE = {"hostports": [EXACT], **certificates("ca_one")}
KNOWN = {
    "a change is refused that would be safe if `second`, which is declared, were closed in between": (
        "moves",
        {"one": {"hostports": [WILD]}, "first": matching(LOCKED, "/"), "two": HERE, "second": matching(OPEN, "/")},
        {"one": None, "two": {**HERE, "hostports": []}, "second": matching(OPEN, "/")},
        REFUSED,
    ),
}
"""What is known to be wrong: the account, what is there before and after, and how the complaints begin."""


@pytest.mark.parametrize("name", ACCOUNTS)
def test_every_change_says_what_it_opens_and_opens_nothing_in_between(
    name: str, figures: Figures, record_property: Callable[[str, object], None]
) -> None:
    account = ACCOUNTS[name]() if EVERYTHING else ACCOUNTS[name]().smaller()
    proof, wrong = Proof(account), defaultdict[str, list[str]](list)
    known = tuple(begins for where, _before, _after, begins in KNOWN.values() if where == name)
    for before, after in account.changes():
        complaints = [one for one in proof.complaints(before, after) if not one.startswith(known)]
        figures.tried(ROW, complaints=[f"{OPENED}: {one}" for one in complaints], is_watched=True)
        for one in complaints[:1]:
            wrong[one.partition(":")[0]].append(f"{one}\n  {account.shown(before)}\n  {account.shown(after)}")
    figures.faults[ROW] += proof.compared[FAILURES]
    record_property(COMPARED, f"{name}: {proof.summary}")
    shown = "\n".join(one for each in wrong.values() for one in sorted(each, key=len)[:MOST_SHOWN])
    assert not wrong, f"{ ({kind: len(each) for kind, each in wrong.items()}) }\n{shown}"
    assert proof.compared[REFUSED] <= MOST_REFUSED * proof.compared[CHANGES]


@pytest.mark.parametrize(("name", "before", "after", "begins"), KNOWN.values(), ids=KNOWN)
@pytest.mark.xfail(strict=True, reason="known, and not mended yet")
def test_what_is_known_to_be_wrong(
    name: str, before: Mapping[str, State], after: Mapping[str, State], begins: str
) -> None:
    account = ACCOUNTS[name]()
    complaints = Proof(account).complaints(account.with_states(before), account.with_states(after))
    assert not [one for one in complaints if one.startswith(begins)]
