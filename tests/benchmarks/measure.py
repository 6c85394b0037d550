# SPDX-License-Identifier: GPL-3.0-or-later
"""How the benchmarks are timed: two things in turn, several times, and the ratio of each pair."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ANSIBLE_PLAYBOOK = Path(sys.executable).with_name("ansible-playbook")
EMPTY: list[dict[str, Any]] = []


@dataclass(frozen=True)
class Ran:
    """What a process took: seconds from start to end, its peak memory in MiB (on Linux only), and what it printed."""

    seconds: float
    mebibytes: float
    output: str = ""


@dataclass(frozen=True)
class Row:
    """One line of the table: what was timed against what, the ratio of each pair of runs, and the figures."""

    work: str
    against: str
    target: str
    ratios: list[float]
    figures: str

    def cells(self) -> list[str]:
        middle, least, most = (_shown(of(self.ratios)) for of in (statistics.median, min, max))
        return [self.work, self.against, self.target, f"{middle} ({least} to {most})", self.figures]


def _shown(ratio: float) -> str:
    """The ratio with two digits that count, and with one decimal from 10 on."""
    return f"{ratio:.1f}" if ratio >= 10 or ratio == 0 else f"{ratio:.2g}"


def in_turn(rounds: int, ours: Callable[[], float], theirs: Callable[[], float]) -> tuple[list[float], list[float]]:
    """The figures of both, taken in turn."""
    pairs = [(ours(), theirs()) for _round in range(rounds)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def playbook(tasks: list[dict[str, Any]], environment: dict[str, str], **variables: Any) -> Ran:
    """Run a play of these tasks on localhost. Raises RuntimeError with its output if it fails."""
    names = {"ansible_python_interpreter": sys.executable, **variables}
    play = [{"hosts": "localhost", "gather_facts": False, "vars": names, "tasks": tasks}]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "play.yml"
        path.write_text(yaml.safe_dump(play), encoding="utf-8")
        return process([str(ANSIBLE_PLAYBOOK), "-i", "localhost,", "-c", "local", str(path)], environment)


def process(command: list[str], environment: dict[str, str]) -> Ran:
    """Run a command to its end."""
    with tempfile.TemporaryFile() as output:
        started = time.monotonic()
        child = subprocess.Popen(
            command, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
        peak = 0
        while child.poll() is None:
            # What the kernel accounts to a process when it has ended includes the parent that it was forked from.
            peak = _peak_kibibytes(child.pid) or peak
            time.sleep(0.01)
        seconds = time.monotonic() - started
        output.seek(0)
        printed = output.read().decode(errors="replace")
    if child.returncode:
        raise RuntimeError(printed[-4000:])
    return Ran(seconds, peak / 1024, printed)


def _peak_kibibytes(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")), 0)
