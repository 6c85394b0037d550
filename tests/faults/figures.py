# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures of a whole run, for docs/torture.md."""

from __future__ import annotations

import platform
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timezone

import requests
from ansible import release

from amount import EVERYTHING, SEED
from collection_tree import CHECKOUT

PAGE = CHECKOUT / "docs" / "torture.md"
HEAD = """<!-- SPDX-License-Identifier: GPL-3.0-or-later -->
# Torture

`make torture` has written this page, on {day}, from the seed {seed}, in {minutes} minutes. What is tried, and what is
promised, is told in [reliability.md](reliability.md). Lost is an object or a field that is not as declared after a run
without faults that follows; leaked is a secret in a result, an output or a request to somebody else.

Versions: ansible-core {core}, Python {python}, requests {requests}.

| What is tried | Runs | Faults | Lost | Leaked |
|---|---|---|---|---|
"""


@dataclass
class Figures:
    """Counts what was tried, by what it was."""

    runs: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    leaked: Counter[str] = field(default_factory=Counter)
    started: float = field(default_factory=time.monotonic)

    def tried(self, what: str, runs: int = 1, faults: int = 0, lost: int = 0, leaked: int = 0) -> None:
        for counter, number in ((self.runs, runs), (self.faults, faults), (self.lost, lost), (self.leaked, leaked)):
            counter[what] += number

    def write(self) -> None:
        """Write the page, after a whole run."""
        if not EVERYTHING:
            return
        page = HEAD.format(
            day=datetime.now(timezone.utc).date(),
            seed=SEED,
            minutes=round((time.monotonic() - self.started) / 60),
            core=release.__version__,
            python=platform.python_version(),
            requests=requests.__version__,
        )
        for what, runs in self.runs.items():
            page += f"| {what} | {runs} | {self.faults[what]} | {self.lost[what]} | {self.leaked[what]} |\n"
        PAGE.write_text(page, encoding="utf-8")
