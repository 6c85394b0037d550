# SPDX-License-Identifier: GPL-3.0-or-later
"""Start and stop in the background, as the role uses them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import requests

from reference_service import background
from running_service import ended


def run(verb: str, folder: Path, *options: str) -> Any:
    """Run a command for the service of a folder, and return its output."""
    done = ended(verb, "--ready-file", str(folder / "ready.json"), *options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    run("stop", tmp_path)


def responds(started: dict[str, Any]) -> bool:
    try:
        health = requests.get(f"{started['control_url']}/health", timeout=30).json()
        return bool(health["pid"] == started["pid"])
    except requests.ConnectionError:
        return False


def test_a_second_start_and_a_second_stop_change_nothing(folder: Path) -> None:
    assert run("start", folder, "--check") == {"changed": True}
    first = run("start", folder)
    assert (first["changed"], responds(first)) == (True, True)
    assert run("start", folder) == {**first, "changed": False}
    assert run("start", folder, "--switch", "extra_keys=true", "--check") == first
    other = run("start", folder, "--switch", "extra_keys=true")
    assert (other["changed"], responds(other), responds(first)) == (True, True, False)
    assert (run("stop", folder, "--check"), responds(other)) == ({"changed": True}, True)
    assert (run("stop", folder), responds(other)) == ({"changed": True}, False)
    assert run("stop", folder) == run("stop", folder / "nowhere") == {"changed": False}
    assert not (folder / "nowhere").exists()


def test_another_process_is_left_alone(folder: Path) -> None:
    started = run("start", folder)
    ready = folder / "ready.json"
    own = ready.read_text()
    bystander = subprocess.Popen(["sleep", "60"])
    try:
        ready.write_text(json.dumps({**json.loads(own), "pid": bystander.pid}))
        assert run("stop", folder) == {"changed": False}
        assert bystander.poll() is None
        assert responds(started)
    finally:
        bystander.kill()
        bystander.wait()
        ready.write_text(own)


@pytest.mark.parametrize(
    ("options", "services"),
    [([()] * 4, {1}), ([("--switch", f"page_size={number}") for number in (1, 2, 3)], {1, 2, 3})],
)
def test_of_simultaneous_starts_one_service_remains(folder: Path, options: list[Any], services: set[int]) -> None:
    with ThreadPoolExecutor(len(options)) as pool:
        started = list(pool.map(lambda each: run("start", folder, *each), options))
    assert sum(each["changed"] for each in started) == len({each["pid"] for each in started}) in services
    assert len({each["pid"] for each in started if responds(each)}) == 1
    assert run("stop", folder) == {"changed": True}
    assert not any(responds(each) for each in started)


def test_a_second_service_does_not_take_the_ready_file_of_the_first(folder: Path) -> None:
    started = run("start", folder)
    done = ended("serve", "--ready-file", str(folder / "ready.json"))
    assert (done.returncode, "ready.json" in done.stderr) == (2, True)
    assert run("start", folder) == {**started, "changed": False}


def test_a_service_that_does_not_respond_is_an_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "HEALTH_SECONDS", 0.5)
    pid = run("start", folder)["pid"]
    ready_file = folder / "ready.json"
    os.kill(pid, signal.SIGSTOP)
    try:
        for act in (background.found, background.stop):
            with pytest.raises(background.BackgroundFailure, match=f"process {pid}"):
                act(ready_file)
        assert ready_file.exists()
    finally:
        os.kill(pid, signal.SIGCONT)


@pytest.mark.parametrize("detached", [True, False])
def test_interrupted_starts_leave_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, detached: bool) -> None:
    begun: list[subprocess.Popen[bytes]] = []

    def interrupted(ready_file: Path, process: subprocess.Popen[bytes], log_file: Path) -> None:
        begun.append(process)
        raise KeyboardInterrupt

    monkeypatch.setattr(background, "_announced", interrupted)
    files = tmp_path / "ready.json", tmp_path / "service.log"
    with pytest.raises(KeyboardInterrupt):
        background.start(("-c", "import time; time.sleep(600)"), *files, detached=detached)
    assert [process.poll() for process in begun] == [-signal.SIGKILL]


def test_no_key_is_on_a_command_line(folder: Path) -> None:
    key_file = folder / "key"
    key_file.write_text("ak_in_a_file")
    started = run("start", folder, "--api-key-file", str(key_file))
    command_line = Path(f"/proc/{started['pid']}/cmdline")
    if command_line.exists():  # only Linux has such files
        assert b"reference_service" in command_line.read_bytes()
        assert b"ak_in_a_file" not in command_line.read_bytes()
    headers = {"Authorization": "Bearer ak_in_a_file", "Svc-Version": "2"}
    assert requests.get(f"{started['base_url']}/tunnels", headers=headers, timeout=30).status_code == 200
    key_file.write_text("ak_another")
    assert run("start", folder, "--api-key-file", str(key_file))["pid"] != started["pid"]


def test_a_failed_start_says_why(tmp_path: Path) -> None:
    done = ended("start", "--ready-file", str(tmp_path / "ready.json"), "--switch", "colour=red")
    assert (done.returncode, "colour" in done.stderr) == (2, True)
