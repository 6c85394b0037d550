# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures of a whole run, for docs/torture.md."""

from __future__ import annotations

import platform
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone

import requests
from ansible import release

from amount import EVERYTHING, SEED
from collection_tree import CHECKOUT

LEAK = "a secret is in the result"
"""What complaints of a secret begin with."""

PAGE = CHECKOUT / "docs" / "torture.md"
HEAD = """<!-- SPDX-License-Identifier: GPL-3.0-or-later -->
# Torture test results

`make torture` wrote this page on {day}, with the seed {seed}, in {minutes} minutes. [Reliability](reliability.md)
describes what is guaranteed. *Faults* is the number of injected faults. *Lost* is the number of runs after which a
further run without faults did not restore every declared object and field. *Leaked* is the number of runs with a secret
in a result. A dash means that nothing could be lost or leaked.

Versions: ansible-core {core}, Python {python}, requests {requests}.

| Test | Runs | Faults | Lost | Leaked |
|---|---|---|---|---|
"""


@dataclass
class Figures:
    """Counts what was tried, by what it was."""

    runs: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    leaked: Counter[str] = field(default_factory=Counter)
    checked: set[str] = field(default_factory=set)
    started: float = field(default_factory=time.monotonic)

    def tried(self, what: str, faults: int = 0, complaints: Sequence[str] | None = None) -> None:
        """Count a run; `complaints` are None where nothing could be lost or leaked."""
        self.runs[what] += 1
        self.faults[what] += faults
        if complaints is not None:
            self.checked.add(what)
            leaks = [complaint for complaint in complaints if complaint.startswith(LEAK)]
            self.leaked[what] += bool(leaks)
            self.lost[what] += len(leaks) < len(complaints)

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
            results = f"{self.lost[what]} | {self.leaked[what]}" if what in self.checked else "- | -"
            page += f"| {what} | {runs} | {self.faults[what]} | {results} |\n"
        PAGE.write_text(page, encoding="utf-8")
