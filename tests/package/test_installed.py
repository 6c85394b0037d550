# SPDX-License-Identifier: GPL-3.0-or-later
"""The installed collection: its files are as built, and its demo runs from its directory."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from amount import first_alone
from installed_collection import SECONDS, Installed

COLLECTION = "edgeops.ingress"
DEMO = Path("playbooks", "run_demo.py")
# Ansible's community package requires of a collection that it works with these folders alone.
REQUIRED_FOLDERS = {"meta", "playbooks", "plugins", "roles"}
# Each of them has a say in what Ansible, Python, the collection or the terminal do.
HOSTILE = {
    **dict.fromkeys(("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"), "http://127.0.0.1:9"),
    **dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "ANSIBLE_HOME", "ANSIBLE_COLLECTIONS_PATH"), "/proc/nowhere"),
    "INGRESS_VERSION_HEADER": "X-Other",
    "INGRESS_TIMEOUT": "0",
    "INGRESS_BASE_URL": "nonsense",
    "ANSIBLE_FORCE_COLOR": "1",
    "ANSIBLE_CHECK_MODE_MARKERS": "1",
    "ANSIBLE_STDOUT_CALLBACK": "nonsense",
    "ANSIBLE_DISPLAY_OK_HOSTS": "false",
    "ANSIBLE_DIFF_CONTEXT": "nonsense",
    "PYTHONDONTWRITEBYTECODE": "",
    "PYTHONPATH": "/proc/nowhere",
    "PYTHONWARNINGS": "error",
    "FORCE_COLOR": "1",
    "COLUMNS": "20",
    "LC_ALL": "C",
    "TERM": "",
}
ALL_AS_EXPECTED = [("3", "0"), ("3", "0"), ("0", "0"), ("1", "0")]


@pytest.fixture
def temporary() -> Iterator[Path]:
    """A folder for temporary files, with a path so short that the demo takes it."""
    with tempfile.TemporaryDirectory(prefix="t") as folder:
        yield Path(folder).resolve()


@pytest.fixture
def oddly_placed(installed: Installed, tmp_path: Path) -> Iterator[Installed]:
    """The folders that have to be enough, below one whose name shells and Ansible do not take literally."""
    copy = Installed(tmp_path / 'Kä "se" $HOME {{ x }}')
    for folder in REQUIRED_FOLDERS:
        shutil.copytree(installed.root / folder, copy.root / folder)
    yield copy
    # They have to stay as they are.
    for folder in REQUIRED_FOLDERS:
        assert contents(copy.root / folder) == contents(installed.root / folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def command_lines() -> str:
    lines = (process.info["cmdline"] for process in psutil.process_iter(["cmdline"]))
    return "\n".join(" ".join(arguments) for arguments in lines if arguments)


def test_the_demo_runs_from_anywhere_in_any_environment_and_leaves_a_page_alone(
    oddly_placed: Installed, temporary: Path, tmp_path: Path
) -> None:
    (oddly_placed.collections_path / "ansible.cfg").write_text("[defaults]\nstdout_callback = nonsense\n")
    demo = oddly_placed.run("python", str(oddly_placed.root / DEMO), **{**HOSTILE, "TMPDIR": str(temporary)})
    assert demo.returncode == 0, demo.stdout
    assert re.findall(r"changed=(\d+) .* failed=(\d+)", demo.stdout) == ALL_AS_EXPECTED
    # Its page is in the directory from which it was started, and the output says so.
    page = oddly_placed.collections_path / "ingress_demo.html"
    assert "<title>The ingress of the shop</title>" in page.read_text(encoding="utf-8")
    assert demo.stdout.rstrip().splitlines()[-3].strip() == str(page)

    options = json.dumps({"format": "sarif", "accounts": [{"name": "shop"}], "dest": str(tmp_path / "report.sarif")})
    module = ("ansible", "localhost", "-m", f"{COLLECTION}.report", "-a", options)
    written = oddly_placed.run(*module, ANSIBLE_COLLECTIONS_PATH=".")
    assert written.returncode == 0, written.stdout

    # Its service has its files below that folder, and their paths on its command line.
    commands = command_lines()
    assert "pytest" in commands  # so that the next line can fail
    assert str(temporary) not in commands
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("number", first_alone([signal.SIGTERM, signal.SIGHUP, signal.SIGINT]))
def test_a_stopped_demo_leaves_nothing_behind(installed: Installed, temporary: Path, number: signal.Signals) -> None:
    # Whoever runs this test may ignore the signal, as shells do for what is in the background. That is inherited.
    before = signal.signal(number, signal.SIG_DFL)
    demo = subprocess.Popen(
        (sys.executable, str(installed.root / DEMO)),
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    signal.signal(number, before)
    with demo:
        for line in demo.stdout or ():
            if line.startswith("PLAY ["):  # there are its service and a playbook now
                break
        assert str(temporary) in command_lines()
        demo.send_signal(number)
        assert demo.wait(SECONDS) != 0
    assert str(temporary) not in command_lines()
    assert list(temporary.iterdir()) == []


def test_the_collection_was_left_as_it_was(installed: Installed) -> None:
    verified = installed.run("ansible-galaxy", "collection", "verify", "--offline", COLLECTION)
    assert verified.returncode == 0, verified.stdout
