# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection as users get it: built, and installed from the archive into a folder that holds nothing else."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from accounts import Services, running_services
from build_archive import build_archive
from installed_collection import installed_from


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive, next to a folder `installed`. The workers of one run share it: the first of them makes it."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "archive"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "installed").exists():
            installed_from(build_archive(folder), folder / "installed")
    [archive] = folder.glob("*.tar.gz")
    return archive


@pytest.fixture(scope="session")
def collections_path(archive: Path) -> Path:
    """A path for Ansible to find collections on: this one is the only one there."""
    return archive.parent / "installed"


@pytest.fixture(scope="session")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """A service for each of many accounts. What one test leaves there, the next one removes."""
    with running_services(tmp_path_factory.mktemp("accounts")) as found:
        yield found
