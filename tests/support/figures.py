# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures of a whole run, for docs/contributing/torture.md."""

from __future__ import annotations

import platform
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
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

    rows: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    started: float = field(default_factory=time.monotonic)

    def tried(
        self, what: str, faults: int = 0, complaints: Sequence[str] | None = None, *, is_watched: bool = False
    ) -> None:
        """Count a run. `complaints` are None if nothing could be lost or leaked; who gets through is looked at only
        if it `is_watched`.
        """
        found = complaints or ()
        leaks, opened = (sum(one.startswith(kind) for one in found) for kind in (LEAK, OPENED))
        self.rows[what].update(
            runs=1,
            faults=faults,
            checked=complaints is not None,
            watched=is_watched,
            leaked=int(leaks > 0),
            opened=int(opened > 0),
            lost=int(leaks + opened < len(found)),
        )

    def add(self, rows: Mapping[str, Mapping[str, int]]) -> None:
        for what, row in rows.items():
            self.rows[what].update(row)

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
        for what, row in sorted(self.rows.items()):
            results = f"{row['lost']} | {row['leaked']}" if row["checked"] else "- | -"
            opened = row["opened"] if row["watched"] else "-"
            page += f"| {what} | {row['runs']} | {row['faults']} | {results} | {opened} |\n"
        PAGE.write_text(page, encoding="utf-8")
