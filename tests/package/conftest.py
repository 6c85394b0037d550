# SPDX-License-Identifier: GPL-3.0-or-later
"""The archive that users get, built once, and a folder it was installed into."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from installed_collection import BIN, SECONDS, Installed

from collection_tree import copy_checkout


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive, built from what git tracks."""
    folder = tmp_path_factory.mktemp("archive")
    copy = copy_checkout(tmp_path_factory.mktemp("source"))
    build = (str(BIN / "ansible-galaxy"), "collection", "build", "--output-path", str(folder), str(copy))
    built = subprocess.run(build, capture_output=True, text=True, timeout=SECONDS, check=True)
    return Path(built.stdout.strip().rpartition(" at ")[2])


@pytest.fixture(scope="session")
def installed(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The archive, installed into an empty folder by ansible-galaxy."""
    fresh = Installed(tmp_path_factory.mktemp("collections"))
    done = fresh.run("ansible-galaxy", "collection", "install", "--offline", "-p", ".", str(archive))
    assert done.returncode == 0, done.stdout
    assert "WARNING" not in done.stdout, done.stdout
    return fresh
