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
against the reference service on the loopback interface. The ratio is given as the median, the minimum, and the maximum.
In "at most" rows, the ratio is first ÷ second; elsewhere, it is second ÷ first. The figures are the medians of the two.
Unless a row says otherwise, the service already matches what is declared. The time that ansible-playbook needs to start
and to read the variables is subtracted. Separate tasks and items of loops run in one playbook with what they are
compared with, in turn, after one of each.

Versions: ansible-core {core}, Python {python}, requests {requests}.

| Measured | Compared with | Target | Ratio | Figures |
|---|---|---|---|---|
"""
TAIL = """
## What limits the speed

A task cannot be faster than Ansible's own work for it plus one request. The rows "the limit" measure exactly that: an
action with the same arguments that reads the edge with `requests`, returns one of its routes, and does nothing else.
What remains on top is the check of the arguments, the plan, and the masking of secrets.

Ansible starts a process for each separate task. In there, all that a task uses for the first time costs more: the
memory that it shares with Ansible is copied page by page, and a connection is opened. The items of a loop share one
process and one connection. The first task of a module also loads what the module needs, once for the whole playbook.
The row with the start shows how long that takes. About half of it is `requests`. The bytecode of what the plugins
import is cached next to it by the first run that may write there, as Python does everywhere but Ansible does not for
collections; without that, it takes twice as long. The rows that do not say "after the first" contain this time.

A large declaration has to reach the task before it can be compared. For that reason, the largest ones are compared with
`set_fact`, which does nothing but receive the same data.

Without options, an inventory evaluates no expression. Ansible evaluates each expression of `filters`, `hostname`,
`compose`, `groups`, and `keyed_groups` for each tunnel, which takes most of the time of the rows with 1,000 tunnels.

The workers of the rows about slices run on one machine with 4 processors, together with the services of all accounts,
and each slice processes 5 accounts at a time. They share the processors, which execution nodes of AWX do not.
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
        PAGE.write_text(page + TAIL, encoding="utf-8")


if __name__ == "__main__":
    main(*(int(word) if word.isdigit() else word for word in sys.argv[1:]))
