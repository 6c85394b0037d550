# SPDX-License-Identifier: GPL-3.0-or-later
"""The benchmarks: times every row, prints the table and writes docs/benchmarks.md. Nothing is asserted.

`make bench` runs it. Arguments are the number of rounds (5) and names of rows (all).
"""

from __future__ import annotations

import platform
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import requests  # noqa: E402
from ansible import release  # noqa: E402
from ansible.plugins.loader import init_plugin_loader  # noqa: E402

from collection_tree import CHECKOUT, link_checkout  # noqa: E402
from reference_service_process import running_reference_service  # noqa: E402

PAGE = CHECKOUT / "docs" / "benchmarks.md"
HEAD = """<!-- SPDX-License-Identifier: GPL-3.0-or-later -->
# Benchmarks

`make bench` has written this page. Each row is the ratio of two things that were timed in turn, {rounds} times, in the
same run, on loopback against the reference service: how many times more the second takes than the first, as median,
minimum and maximum. Everything is unchanged at the service unless the row says otherwise. The figures are the medians
of the two. What ansible-playbook takes to start is taken off where the work is a loop, a few tasks or a reading.

Versions: ansible-core {core}, Python {python}, requests {requests}.

| Work | Against | To reach | Ratio | Figures |
|---|---|---|---|---|
"""


def main(rounds: int = 5, *names: str) -> None:
    init_plugin_loader([str(link_checkout())])
    from rows import Bench  # noqa: PLC0415 - the collection can be imported from here on

    page = HEAD.format(
        rounds=rounds, core=release.__version__, python=platform.python_version(), requests=requests.__version__
    )
    with tempfile.TemporaryDirectory() as folder, running_reference_service(Path(folder)) as service:
        for row in Bench(service, Path(folder), rounds).rows():
            if not names or row.__name__ in names:
                line = f"| {' | '.join(row().cells())} |\n"
                print(line, end="", flush=True)
                page += line
    if not names:
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main(*(int(word) if word.isdigit() else word for word in sys.argv[1:]))
