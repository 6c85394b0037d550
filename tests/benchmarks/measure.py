# SPDX-License-Identifier: GPL-3.0-or-later
"""How the benchmarks are timed: two things in turn, several times, and the ratio of each pair."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).resolve().parent
ANSIBLE_PLAYBOOK = Path(sys.executable).with_name("ansible-playbook")
AT_MOST = "at most"
"""How targets begin that limit how many times as much ours takes. Others say how many times as much theirs has to."""


@dataclass(frozen=True)
class Ran:
    """What a process took: seconds from start to end, its peak memory in MiB (on Linux only), and what it printed."""

    seconds: float
    mebibytes: float
    output: str = ""


@dataclass(frozen=True)
class Row:
    """One line of the table: what was timed against what, and the figures of both in each round."""

    work: str
    against: str
    target: str
    pairs: list[tuple[float, float]]
    note: str = ""
    unit: str = "s"

    def __str__(self) -> str:
        is_limit = self.target.startswith(AT_MOST)
        ratios = [ours / theirs if is_limit else theirs / ours for ours, theirs in self.pairs]
        middle, least, most = (_shown(of(ratios)) for of in (statistics.median, min, max))
        figures = " and ".join(f"{statistics.median_high(each):.2f}" for each in zip(*self.pairs, strict=True))
        figures = "; ".join(filter(None, (f"{figures} {self.unit}", self.note)))
        return f"| {self.work} | {self.against} | {self.target} | {middle} ({least} to {most}) | {figures} |\n"


def _shown(ratio: float) -> str:
    """The ratio with two digits that count, and with one decimal from 10 on."""
    return f"{ratio:.1f}" if ratio >= 10 or ratio == 0 else f"{ratio:.2g}"


def playbook(tasks: list[dict[str, Any]], environment: dict[str, str], **variables: Any) -> tuple[Ran, list[float]]:
    """Run a play of these tasks on localhost, and return also the seconds of each of them."""
    names = {"ansible_python_interpreter": sys.executable, **variables}
    play = [{"hosts": "localhost", "gather_facts": False, "vars": names, "tasks": tasks}]
    with tempfile.TemporaryDirectory() as folder:
        path, log = Path(folder, "play.yml"), Path(folder, "task_seconds.json")
        path.write_text(yaml.safe_dump(play), encoding="utf-8")
        timing = {
            "ANSIBLE_ACTION_PLUGINS": str(HERE / "action_plugins"),
            "ANSIBLE_CALLBACK_PLUGINS": str(HERE / "callbacks"),
            "ANSIBLE_CALLBACKS_ENABLED": "task_seconds",
            "TASK_SECONDS": str(log),
        }
        command = [str(ANSIBLE_PLAYBOOK), "-i", "localhost,", "-c", "local", str(path)]
        return process(command, {**environment, **timing}), json.loads(log.read_text(encoding="utf-8"))


def process(command: list[str], environment: dict[str, str]) -> Ran:
    """Run a command to its end. Raises RuntimeError with its output if it fails."""
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
