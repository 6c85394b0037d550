# SPDX-License-Identifier: GPL-3.0-or-later
"""Ctrl-C in the middle of a task: the last words of the run say how far the task got, and the next one goes on."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from playbook_run import COLLECTION, Ansible, playbook_of

pytestmark = pytest.mark.every_core

EDGES = 40
TASK = "Keep the edges"
INTERRUPTED = re.compile(
    rf"^{TASK} \[localhost\]: Interrupted after (\d+) of {EDGES} objects\. "
    r"Requests that were under way may have changed more\. Run the task again to continue\.$",
    re.MULTILINE,
)


def number_of_edges(ansible: Ansible) -> int:
    return len(ansible.service.state()["https_edges"])


# A terminal sends the signal to all processes of its foreground group, a program only to one.
@pytest.mark.parametrize("interrupt", [os.killpg, os.kill], ids=["by a terminal", "by a program"])
def test_the_last_words_say_how_far_the_task_got(ansible: Ansible, interrupt: Callable[[int, int], None]) -> None:
    edges = [{"hostports": [f"shop{number}.example.com:443"]} for number in range(EDGES)]
    defaults = {f"{COLLECTION}.estate": {**ansible.connection, "https_edges": edges, "concurrency": 2}}
    keywords = {"hosts": "localhost", "gather_facts": False, "module_defaults": defaults}
    path = ansible.folder / "playbook.yml"
    path.write_text(playbook_of(f"- name: {TASK}\n  {COLLECTION}.estate:\n", keywords), encoding="utf-8")
    ansible.service.switches(response_delay_ms=100)
    # Whoever runs this test may ignore the signal, as shells do for what is in the background. That is inherited.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    process = subprocess.Popen(
        [sys.executable, "-m", "ansible", "playbook", str(path)],
        cwd=ansible.folder,
        env=ansible._environment(ansible.folder / "results.jsonl"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    signal.signal(signal.SIGINT, before)
    try:
        deadline = time.monotonic() + 60
        while number_of_edges(ansible) < 3 and time.monotonic() < deadline:
            time.sleep(0.05)
        interrupt(process.pid, signal.SIGINT)
        output, _nothing = process.communicate(timeout=60)
    finally:
        process.kill()
        ansible.service.switches()

    assert process.returncode == 99, output
    said = INTERRUPTED.search(output)
    assert said, output
    assert output.splitlines()[-1] == said[0]
    assert 1 <= int(said[1]) <= number_of_edges(ansible) < EDGES
    assert ansible.playbook(path).code == 0
    assert number_of_edges(ansible) == EDGES
