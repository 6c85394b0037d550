# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection as users get it: built, and installed from the archive into a folder that holds nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from collection_tree import copy_checkout


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archive")
    _galaxy(folder, "build", "--output-path", str(folder), str(copy_checkout(folder / "source")))
    [archive] = folder.glob("*.tar.gz")
    return archive


@pytest.fixture(scope="session")
def collections_path(archive: Path) -> Path:
    folder = archive.parent / "installed"
    _galaxy(archive.parent, "install", "--offline", "-p", str(folder), str(archive))
    return folder


def _galaxy(folder: Path, *arguments: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "ansible", "galaxy", "collection", *arguments],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "ANSIBLE_HOME": str(folder / "ansible_home"), "ANSIBLE_COLLECTIONS_PATH": str(folder)},
    )
    assert run.returncode == 0, run.stdout + run.stderr
