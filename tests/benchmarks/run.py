# SPDX-License-Identifier: GPL-3.0-or-later
"""The benchmarks: times every row, prints the table and writes docs/contributing/benchmarks.md. Nothing is asserted.

`make bench` runs it. Arguments are the number of rounds (5) and names of rows (all).
"""

from __future__ import annotations

import platform
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support"), str(HERE.parents[1] / "dev")]

import requests  # noqa: E402
from ansible import release  # noqa: E402
from ansible.plugins.loader import init_plugin_loader  # noqa: E402

from collection_tree import CHECKOUT, link_checkout  # noqa: E402
from reference_service_process import running_reference_service  # noqa: E402

PAGE = CHECKOUT / "docs" / "contributing" / "benchmarks.md"
HEAD = """<!-- SPDX-License-Identifier: GPL-3.0-or-later -->
# Benchmarks

`make bench` writes this page. Each row compares two things that were timed in turn, {rounds} times, in the same run,
against the reference service on the loopback interface. The ratio is the median, with the minimum and the maximum: in
"at most" rows first ÷ second, elsewhere second ÷ first. Unless a row says otherwise, the service already matches what
is declared. The start of ansible-playbook does not count.

Versions: ansible-core {core}, Python {python}, requests {requests}.

| Measured | Compared with | Target | Ratio | Figures |
|---|---|---|---|---|
"""
TAIL = """
A task cannot be faster than Ansible's own work for it plus one request. The rows "the limit" measure that: an action
that reads the edge, returns one of its routes, and does nothing else. Each separate task has a process of its own,
whose first use of anything costs more. A large declaration has to reach the task, so it is compared with `set_fact`.
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
                line = str(row())
                print(line, end="", flush=True)
                page += line
    if not names:
        PAGE.write_text(page + TAIL, encoding="utf-8")


if __name__ == "__main__":
    main(*(int(word) if word.isdigit() else word for word in sys.argv[1:]))
