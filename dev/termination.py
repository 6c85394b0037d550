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


def stop_all_on_termination(last: Callable[[], None]) -> None:
    """Let SIGTERM, and the end of the terminal, stop all that this process has started. `last` is called after that.

    `make` signals only its own child. That is nox, which passes no signal on.
    """

    def stop(number: int, _frame: FrameType | None) -> None:
        for each in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(each, signal.SIG_IGN)
        sys.stderr.write(f"{signal.strsignal(number)}: everything is stopped\n")
        started = psutil.Process().children(recursive=True)
        _signal(started, signal.SIGTERM)
        _gone, alive = psutil.wait_procs(started, GRACE_SECONDS)
        # Some were between two steps of starting something.
        _signal([*alive, *psutil.Process().children(recursive=True)], signal.SIGKILL)
        last()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    for each in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(each) is not signal.SIG_IGN:  # as nohup has it
            signal.signal(each, stop)


def _signal(processes: list[psutil.Process], number: signal.Signals) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(number)
