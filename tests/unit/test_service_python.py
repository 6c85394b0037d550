# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python that the reference service runs with, where the variable for it names something else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from collection_tree import CHECKOUT
from reference_service.background import BackgroundFailure, start
from reference_service.remote_control import PYTHON_VARIABLE


def test_a_file_that_is_not_a_program_does_not_start(tmp_path: Path) -> None:
    program = tmp_path / "python"
    program.write_bytes(b"\x00")
    program.chmod(0o700)
    with pytest.raises(BackgroundFailure, match=r"cannot be run: Exec format error$"):
        start(["-V"], tmp_path / "ready.json", tmp_path / "log", str(program), detached=False)


def run_of_demo(*command: object, **variables: str) -> subprocess.CompletedProcess[str]:
    whole = (sys.executable, *command)
    settings: dict[str, Any] = {"env": {**os.environ, **variables}, "capture_output": True, "text": True, "timeout": 60}
    return subprocess.run(whole, cwd=CHECKOUT / "playbooks", check=False, **settings)


def test_the_demo_says_what_is_wrong_with_the_chosen_python() -> None:
    done = run_of_demo("run_demo.py", **{PYTHON_VARIABLE: "/nope"})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{PYTHON_VARIABLE}: /nope cannot be run; name a Python")


def test_the_demo_says_why_there_is_no_page(tmp_path: Path) -> None:
    written = tmp_path / "written.html"
    (tmp_path / "build" / "ingress_demo.html").mkdir(parents=True)
    (tmp_path / "noxfile.py").touch()
    script = (
        "import pathlib, run_demo\n"
        f"run_demo.COLLECTION = pathlib.Path({str(tmp_path)!r})\n"
        f"print(run_demo.kept_page(pathlib.Path({str(written)!r})))\n"
    )
    assert "because the demo did not reach its end" in run_of_demo("-c", script).stdout
    written.write_text("page")
    assert "cannot be kept in" in run_of_demo("-c", script).stdout
