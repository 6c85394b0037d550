# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures of a whole run, for docs/contributing/torture.md."""

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
from opened import OPENED

LEAK = "a secret is in the result"
"""What complaints of a secret begin with."""

PAGE = CHECKOUT / "docs" / "contributing" / "torture.md"
HEAD = """<!-- SPDX-License-Identifier: GPL-3.0-or-later -->
# Torture test results

`make torture` wrote this page on {day}, with the seed {seed}, in {minutes} minutes. *Lost* counts the runs after which
a run without faults did not restore every declared object, *leaked* those with a secret in a result, and *opened* those
in which somebody got through who did so neither before nor after. A dash means that the test does not look for it.

Versions: ansible-core {core}, Python {python}, requests {requests}.

| Test | Runs | Faults | Lost | Leaked | Opened |
|---|---|---|---|---|---|
"""


@dataclass
class Figures:
    """Counts what was tried, by what it was."""

    runs: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    leaked: Counter[str] = field(default_factory=Counter)
    opened: Counter[str] = field(default_factory=Counter)
    checked: set[str] = field(default_factory=set)
    watched: set[str] = field(default_factory=set)
    started: float = field(default_factory=time.monotonic)

    def tried(
        self, what: str, faults: int = 0, complaints: Sequence[str] | None = None, *, is_watched: bool = False
    ) -> None:
        """Count a run. `complaints` are None if nothing could be lost or leaked; who gets through is looked at only
        if it `is_watched`.
        """
        self.runs[what] += 1
        self.faults[what] += faults
        if is_watched:
            self.watched.add(what)
        if complaints is not None:
            self.checked.add(what)
            leaks, opened = (sum(one.startswith(kind) for one in complaints) for kind in (LEAK, OPENED))
            self.leaked[what] += bool(leaks)
            self.opened[what] += bool(opened)
            self.lost[what] += leaks + opened < len(complaints)

    def write(self) -> None:
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
            opened = self.opened[what] if what in self.watched else "-"
            page += f"| {what} | {runs} | {self.faults[what]} | {results} | {opened} |\n"
        PAGE.write_text(page, encoding="utf-8")
