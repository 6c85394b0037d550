# SPDX-License-Identifier: GPL-3.0-or-later
"""A playbook is killed at one of its writes, before or after that takes effect: the next run makes everything good."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from amount import some_of
from estate_in_trouble import ESTATE, EstateInTrouble
from fault_proxy import Fault
from figures import Figures
from module_task import WRITES
from processes import kill_all
from reference_service_process import API_KEY

LONGEST_RUN_SECONDS = 60


@pytest.mark.parametrize("takes_effect", [False, True], ids=["before", "after"])
def test_the_next_run_converges(trouble: EstateInTrouble, figures: Figures, tmp_path: Path, takes_effect: bool) -> None:
    trouble.run({})
    positions = [request.number for request in trouble.proxy.requests if request.method in WRITES]
    play = tmp_path / "play.yml"
    tasks = [{"edgeops.ingress.estate": {**ESTATE, "concurrency": 1}}]
    play.write_text(yaml.safe_dump([{"hosts": "localhost", "gather_facts": False, "tasks": tasks}]), encoding="utf-8")
    for position in some_of(positions, 2, f"killed {takes_effect}"):
        _run_and_kill(trouble, play, position, takes_effect)
        found = trouble.complaints({"failed": True, "msg": "killed at /", "error": {}})
        figures.tried("a playbook killed at a write", 1, found)
        assert found == [], position


def _run_and_kill(trouble: EstateInTrouble, play: Path, position: int, takes_effect: bool) -> None:
    trouble.start_over()
    process: list[subprocess.Popen[bytes]] = []

    async def kill(writer: asyncio.StreamWriter, _response: bytes) -> None:
        kill_all(process[0].pid)

    trouble.proxy.begin({position: Fault(kill, takes_effect)})
    environment = {"INGRESS_BASE_URL": trouble.proxy.base_url, "INGRESS_API_KEY": API_KEY}
    command = [str(Path(sys.executable).with_name("ansible-playbook")), "-i", "localhost,", "-c", "local", str(play)]
    process.append(
        subprocess.Popen(
            command,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    )
    ended = process[0].wait(LONGEST_RUN_SECONDS)
    trouble.proxy.raise_errors()
    assert ended == -signal.SIGKILL
    assert trouble.proxy.injected == [position]
