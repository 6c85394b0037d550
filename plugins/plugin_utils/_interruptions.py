# SPDX-License-Identifier: GPL-3.0-or-later
"""Says at the end of an interrupted run how far its tasks got.

A worker that is interrupted cannot do this itself: Ansible ends it immediately, no longer reads what it displays, and
gives it no terminal. So it leaves a line in a pipe, and the process that has forked it prints the line when it exits.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.util import Finalize
from typing import Any

from ansible.utils.display import Display

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""What ends a worker. A terminal sends SIGINT to it only if it is in the same process group, otherwise Ansible does,
or Ansible sends SIGTERM to workers that are still running after it was interrupted itself."""

_LONGEST_LINE = 1000
"""Characters. A short line is written in one piece, so lines of several workers do not mix."""


class Interruptions:
    """The lines of interrupted workers. Nothing is left, or printed, before this is `open`."""

    def __init__(self) -> None:
        self._ends: tuple[int, int] | None = None

    def open(self) -> None:
        """Let this process print what the workers leave that it forks from now on."""
        if self._ends is None:
            self._ends = os.pipe()
            for end in self._ends:
                os.set_blocking(end, False)
            Finalize(None, self.print_all, exitpriority=-1)  # below 0: after all child processes have ended

    @contextmanager
    def reporting(self, describe: Callable[[], str]) -> Iterator[None]:
        """If the block is interrupted, leave the line that `describe` returns, unless it is empty."""
        before: dict[int, Any] = {}
        # Only the main thread can watch signals.
        if self._ends is not None and threading.current_thread() is threading.main_thread():
            handlers = {int(number): signal.getsignal(number) for number in _SIGNALS}
            before = {number: one for number, one in handlers.items() if one not in (None, signal.SIG_IGN)}

        def leave(number: int, _frame: Any) -> None:
            # Ansible sends a second signal immediately, which must not end the process before the line is written.
            for each in before:
                signal.signal(each, signal.SIG_IGN)
            if (line := describe()) and self._ends is not None:
                with suppress(OSError):  # a full pipe
                    os.write(self._ends[1], f"{line[:_LONGEST_LINE]}\n".encode("utf-8", "replace"))
            # Now do what the signal would have done.
            signal.signal(number, before[number])
            os.kill(os.getpid(), number)

        for number in before:
            signal.signal(number, leave)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def print_all(self) -> None:
        if self._ends is not None:
            with suppress(BlockingIOError):  # an empty pipe
                for line in os.read(self._ends[0], 2**20).decode("utf-8", "replace").splitlines():
                    Display().display(line, stderr=True)


INTERRUPTIONS = Interruptions()
