# SPDX-License-Identifier: GPL-3.0-or-later
"""All changes of the smallest accounts in which everything can happen, not a sample: what a plan says that it opens,
and whom each of its moments lets in, against visitors who try every request.

`make test` tries all changes of accounts whose objects have fewer states, `make torture` those of all states.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

import pytest

from amount import COMPARED, EVERYTHING
from every_change import FAILURES, Proof
from figures import Figures
from opened import OPENED
from smallest_accounts import ACCOUNTS

MOST_SHOWN = 3
ROW = "a change of a smallest account, with each failure in each of its states"


@pytest.mark.parametrize("name", ACCOUNTS)
def test_every_change_says_what_it_opens_and_opens_nothing_in_between(
    name: str, figures: Figures, record_property: Callable[[str, object], None]
) -> None:
    account = ACCOUNTS[name] if EVERYTHING else ACCOUNTS[name].smaller()
    proof, wrong = Proof(account), defaultdict[str, list[str]](list)
    for before, after in account.changes():
        complaints = proof.complaints(before, after)
        figures.tried(ROW, complaints=[f"{OPENED}: {one}" for one in complaints], is_watched=True)
        for one in complaints[:1]:
            wrong[one.partition(":")[0]].append(f"{one}\n  {account.shown(before)}\n  {account.shown(after)}")
    figures.faults[ROW] += proof.compared[FAILURES]
    record_property(COMPARED, f"{name}: {proof.summary}")
    shown = "\n".join(one for each in wrong.values() for one in sorted(each, key=len)[:MOST_SHOWN])
    assert not wrong, f"{ ({kind: len(each) for kind, each in wrong.items()}) }\n{shown}"
