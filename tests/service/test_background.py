# SPDX-License-Identifier: GPL-3.0-or-later
"""Start and stop in the background, as the role uses them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from running_service import command, environment


def run(verb: str, folder: Path, *options: str) -> Any:
    """Run one of the commands for the service of a folder. Returns what it says."""
    given = (verb, "--ready-file", str(folder / "ready.json"), *options)
    done = subprocess.run(command(*given), env=environment(), capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder whose service is stopped in the end."""
    yield tmp_path
    run("stop", tmp_path)


def pid_at(started: dict[str, Any]) -> int:
    pid: int = requests.get(f"{started['control_url']}/health", timeout=30).json()["pid"]
    return pid


def test_started_once(folder: Path) -> None:
    assert run("start", folder, "--dry-run") == {"changed": True}
    first = run("start", folder)
    assert first["changed"] is True
    assert pid_at(first) == first["pid"]
    assert run("start", folder) == {**first, "changed": False}
    assert run("start", folder, "--switch", "extra_keys=true", "--dry-run") == first
    other = run("start", folder, "--switch", "extra_keys=true")
    assert other["changed"] is True
    assert pid_at(other) == other["pid"] != first["pid"]


def test_stopped_once(folder: Path) -> None:
    started = run("start", folder)
    assert run("stop", folder, "--dry-run") == {"changed": True}
    assert pid_at(started)
    assert run("stop", folder) == {"changed": True}
    with pytest.raises(requests.ConnectionError):
        pid_at(started)
    assert run("stop", folder) == {"changed": False}


def test_another_process_is_left_alone(folder: Path) -> None:
    started = run("start", folder)
    ready = folder / "ready.json"
    own = ready.read_text()
    bystander = subprocess.Popen(["sleep", "60"])
    try:
        ready.write_text(json.dumps({**json.loads(own), "pid": bystander.pid}))
        assert run("stop", folder) == {"changed": False}
        assert bystander.poll() is None
        assert pid_at(started)
    finally:
        bystander.kill()
        bystander.wait()
        ready.write_text(own)


def test_a_failed_start_says_why(tmp_path: Path) -> None:
    given = command("start", "--ready-file", str(tmp_path / "ready.json"), "--switch", "colour=red")
    done = subprocess.run(given, env=environment(), capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == 2
    assert "colour" in done.stderr
