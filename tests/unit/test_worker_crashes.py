# SPDX-License-Identifier: GPL-3.0-or-later
"""A worker that is lost makes the run fail."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from collection_tree import CHECKOUT

CONFTEST = """
from worker_crashes import pytest_internalerror, pytest_sessionfinish


def pytest_runtest_makereport(item):
    if item.name == "test_crashes":
        raise SystemError("nothing is reported")
"""
TESTS = "def test_passes(): pass\ndef test_crashes(): pass\n"


def test_a_lost_worker_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (tmp_path / "test_two.py").write_text(TESTS, encoding="utf-8")
    helpers = json.dumps(str(CHECKOUT / "tests" / "support"))
    (tmp_path / "pytest.toml").write_text(f"[pytest]\npythonpath = [{helpers}]\n", "utf-8")
    command = (sys.executable, "-m", "pytest", "-n", "2", "-p", "no:cacheprovider", "-p", "no:hypothesispytest")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert "nothing is reported" in done.stdout
    assert done.returncode == pytest.ExitCode.INTERNAL_ERROR, done.stdout


@pytest.mark.parametrize("folder", ["", "service", "lint"])
def test_all_runs_with_workers_detect_crashes(folder: str) -> None:
    conftest = (CHECKOUT / "tests" / folder / "conftest.py").read_text(encoding="utf-8")
    assert re.search(r"^from worker_crashes import pytest_internalerror, pytest_sessionfinish", conftest, re.MULTILINE)
