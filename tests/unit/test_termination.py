# SPDX-License-Identifier: GPL-3.0-or-later
"""What is asked to end takes along what it has started, and that what it has."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from collection_tree import CHECKOUT

PARENT = """
import signal, subprocess, sys, time
import termination
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever runs this test may ignore it, as nohup does
termination.GRACE_SECONDS = 1
termination.stop_all_on_termination(last=lambda: open(sys.argv[1], "w").close())
for code in sys.argv[2:]:
    subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
print("started", flush=True)
time.sleep(60)
"""
SLEEPS = "import time; time.sleep(60)"
DOES_NOT_LISTEN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); {SLEEPS}"
STARTS_ANOTHER = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {SLEEPS!r}])"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_nothing_is_left(tmp_path: Path, number: signal.Signals) -> None:
    last = tmp_path / "last"
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(last), DOES_NOT_LISTEN, STARTS_ANOTHER],
        cwd=CHECKOUT / "dev",
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert parent.stdout is not None
    with parent:
        assert {parent.stdout.readline() for _line in range(2)} == {b"started\n", b"deaf\n"}
        started: list[psutil.Process] = []
        while len(started) < 3:
            started = psutil.Process(parent.pid).children(recursive=True)
        parent.send_signal(number)
        assert parent.wait(30) == 128 + number
    _gone, alive = psutil.wait_procs(started, 10)
    assert alive == []
    assert last.exists()
