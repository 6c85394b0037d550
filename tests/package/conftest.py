# SPDX-License-Identifier: GPL-3.0-or-later
"""The archive that users get, built once, and a folder it was installed into."""

from __future__ import annotations

import own_tests  # noqa: F401 - before anything reads settings, as Ansible does when it is imported

# isort: split
from pathlib import Path

import pytest

from build_archive import build_archive
from installed_collection import Installed, installed_from


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_archive(tmp_path_factory.mktemp("archive"))


@pytest.fixture(scope="session")
def installed(archive: Path) -> Installed:
    return installed_from(archive, archive.parent / "installed")
