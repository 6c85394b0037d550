# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs on this machine. Not every machine has a `ps`."""

from __future__ import annotations

from contextlib import suppress

import psutil


def kill_all(ancestor: int) -> None:
    """End a process and all that it has started. Ansible's workers are not in its group.

    All are suspended first, so that none of them can react to the end of another one.
    """
    first = psutil.Process(ancestor)
    found: list[psutil.Process] = []
    # A process may start another one before it is suspended itself.
    while new := [one for one in (first, *first.children(recursive=True)) if one not in found]:
        for process in new:
            with suppress(psutil.NoSuchProcess):
                process.suspend()
        found += new
    for process in found:
        with suppress(psutil.NoSuchProcess):
            process.kill()


def command_lines() -> list[str]:
    """The command line of each process that may be looked at, its arguments separated by blanks."""
    lines = (process.info["cmdline"] for process in psutil.process_iter(["cmdline"]))
    return [" ".join(arguments) for arguments in lines if arguments]
