# SPDX-License-Identifier: GPL-3.0-or-later
"""Stop everything that a process has started when the process is asked to end."""

from __future__ import annotations

import os
import signal
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
        started = psutil.Process().children(recursive=True)
        for process in started:
            with suppress(psutil.NoSuchProcess):
                process.terminate()
        psutil.wait_procs(started, GRACE_SECONDS)
        # Some do not listen, and some were between two steps of starting something.
        for process in [*started, *psutil.Process().children(recursive=True)]:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        last()
        os._exit(128 + number)

    for each in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(each) is not signal.SIG_IGN:  # as nohup has it
            signal.signal(each, stop)
