# SPDX-License-Identifier: GPL-3.0-or-later
"""The archive that users get, built once, and a folder it was installed into."""

from __future__ import annotations

import own_tests  # noqa: F401 - before anything reads settings, as Ansible does when it is imported

# isort: split
from pathlib import Path

import pytest

from build_archive import write_release
from collection_tree import copy_checkout
from installed_collection import Installed, installed_from

COMMITTED = 1_800_000_000


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What belongs to a release of what is here now, as if that had been committed at this time."""
    folder = tmp_path_factory.mktemp("dist")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", str(COMMITTED))
        write_release(folder, copy_checkout)
    return folder


@pytest.fixture(scope="session")
def archive(dist: Path) -> Path:
    [archive] = dist.glob("*.tar.gz")
    return archive


@pytest.fixture(scope="session")
def installed(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return installed_from(archive, tmp_path_factory.mktemp("own") / "installed")
