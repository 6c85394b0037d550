# SPDX-License-Identifier: GPL-3.0-or-later
"""One service for all tests of a worker, emptied before each."""

from __future__ import annotations

import own_tests  # noqa: F401 - before anything reads settings, as Ansible does when it is imported

# isort: split
from collections.abc import Iterator

import pytest

from running_service import Running, running
from worker_crashes import pytest_internalerror, pytest_sessionfinish  # noqa: F401 - pytest calls them


@pytest.fixture(scope="session")
def _one_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("service")) as started:
        yield started


@pytest.fixture
def service(_one_service: Running) -> Running:
    """Return an empty service, with all switches at their defaults."""
    _one_service.control("POST", "reset")
    return _one_service
