# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection as users get it: built, and installed from the archive into a folder that holds nothing else."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from collection_tree import copy_checkout


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive, beside a folder `installed`. The workers of one run share it: the first of them makes it."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "archive"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "installed").exists():
            copy = copy_checkout(folder / "source")
            _galaxy(folder, "build", "--output-path", str(folder), str(copy))
            _galaxy(folder, "install", "--offline", "-p", str(folder / "installed"), *map(str, folder.glob("*.tar.gz")))
    [archive] = folder.glob("*.tar.gz")
    return archive


@pytest.fixture(scope="session")
def collections_path(archive: Path) -> Path:
    """A path for Ansible to find collections on: this one is the only one there."""
    return archive.parent / "installed"


def _galaxy(folder: Path, *arguments: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "ansible", "galaxy", "collection", *arguments],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "ANSIBLE_HOME": str(folder / "ansible_home"), "ANSIBLE_COLLECTIONS_PATH": str(folder)},
    )
    assert run.returncode == 0, run.stdout + run.stderr
