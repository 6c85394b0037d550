# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs on this machine. Not every machine has a `ps`."""

from __future__ import annotations

import psutil


def descendants(ancestor: int) -> list[int]:
    """The processes that a process has started, and those that they have: Ansible's workers are not in its group."""
    return sorted(process.pid for process in psutil.Process(ancestor).children(recursive=True))


def command_lines() -> list[str]:
    """The command line of each process that may be looked at, its arguments separated by blanks."""
    lines = (process.info["cmdline"] for process in psutil.process_iter(["cmdline"]))
    return [" ".join(arguments) for arguments in lines if arguments]
