# SPDX-License-Identifier: GPL-3.0-or-later
"""Stop everything that a process has started when the process is asked to end."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

import psutil

GRACE_SECONDS = 20


def stop_descendants() -> None:
    """Ask all that this process has started to end, wait for that, and end the rest: whatever their groups are."""
    processes = psutil.Process().children(recursive=True)
    for process in processes:
        _send(process.terminate)
    _gone, alive = psutil.wait_procs(processes, GRACE_SECONDS)
    # Some were between two steps of starting something.
    for process in {*alive, *psutil.Process().children(recursive=True)}:
        _send(process.kill)


def _send(order: Callable[[], None]) -> None:
    with suppress(psutil.NoSuchProcess):
        order()


def stop_all_on_termination(last: Callable[[], None]) -> None:
    """Let SIGTERM, and the end of the terminal, stop all that this process has started. `last` is called after that.

    `make` signals only its own child. That is nox, which passes no signal on.
    """

    def stop(number: int, _frame: FrameType | None) -> None:
        for each in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(each, signal.SIG_IGN)
        sys.stderr.write(f"{signal.strsignal(number)}: everything is stopped\n")
        stop_descendants()
        last()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    for each in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(each) is not signal.SIG_IGN:  # as nohup has it
            signal.signal(each, stop)
