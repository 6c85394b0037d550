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
sys.path[:0] = [str(HERE), str(HERE.parent / "support"), str(HERE.parents[1] / "dev")]

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
of the two. What ansible-playbook takes to start, and to read the variables, is taken off.

Versions: ansible-core {core}, Python {python}, requests {requests}.

| Work | Against | To reach | Ratio | Figures |
|---|---|---|---|---|
"""
TAIL = """
## Where the time goes

These figures are from profiles that were taken when the page was first written; `make bench` does not take them again.

- **A loop item** is Ansible's own work for the most part. Of the 10 milliseconds that an item of `https_edge_route`
  takes (on two processors, which the service, the worker and the process that prints share), `debug` takes 4, the
  service takes 2 to answer, and 3.5 are ours: half of these the library that sends the request, the rest Ansible's
  check of the arguments, the plan and the masks. That is also why the loop against `uri` is not faster than that.
- **20 separate tasks** fork a worker each. With 55 milliseconds a task, less than a fifth is ours.
- **One edge of 1,000 routes** is compared with a script that does nothing but that, in 30 milliseconds. In twice that
  time, Ansible has not even handed the arguments to the task: `set_fact` with the same routes takes ten times as long.
  Ours are 0.25 seconds: a third is Ansible's check of the arguments, a quarter the plan, a fifth the masks, and reading
  the edge takes 30 milliseconds, as in the script. What is left is presumably the handing over of the result.
- **The estate of 10,000 routes** spends 0.6 seconds in Ansible's check of its arguments, 0.25 in reading, 0.9 in
  planning and 0.4 in the masks. More than all of these had gone into tags: Ansible marks every text with where it came
  from, and sends the task's arguments back with its result. They go without these marks now: 3.5 seconds, not 7.9.
- **The inventory of 10,000 tunnels** takes the plugin 0.9 seconds of processor time without options, and 1.2 with a
  filter, `keyed_groups` and a constant in `compose`: plain expressions are evaluated without Ansible templating,
  which took 23 seconds for the same. An expression that needs it (`region | upper`) costs 0.6 milliseconds for each
  host. The rest of what `ansible-inventory` takes is Ansible's own: it looks for files of variables of each host, and
  writes.
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
