# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection as users install it, a reference service, and the Java that ansible-rulebook needs."""

from __future__ import annotations

import own_tests  # noqa: F401 - before anything reads settings, as Ansible does when it is imported

# isort: split
from collections.abc import Iterator
from pathlib import Path

import pytest

from build_archive import build_archive
from installed_collection import installed_from
from java_home import VERSION, java_home
from reference_service_process import ReferenceService, running_reference_service
from rulebook_run import Rulebooks

JAVA = java_home()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip everything without Java, so that nobody needs it for the other checks."""
    if JAVA is None:
        for item in items:
            item.add_marker(pytest.mark.skip(reason=f"Java {VERSION} is not installed"))


@pytest.fixture(scope="session")
def collections_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("collection")
    return installed_from(build_archive(folder), folder / "installed").collections_path


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ReferenceService]:
    (tmp_path / "service").mkdir()
    with running_reference_service(tmp_path / "service") as running:
        yield running


@pytest.fixture
def rulebooks(collections_path: Path, service: ReferenceService, tmp_path: Path) -> Rulebooks:
    assert JAVA is not None
    return Rulebooks(tmp_path, collections_path, JAVA, service)
