# SPDX-License-Identifier: GPL-3.0-or-later
"""A reference service for tests that run in the environment of ansible-lint, without the rest of the tests' own."""

from __future__ import annotations

import own_tests  # noqa: F401 - before anything reads settings, as Ansible does when it is imported

# isort: split
from collections.abc import Iterator

import pytest

from reference_service_process import ReferenceService, running_reference_service
from worker_crashes import pytest_internalerror, pytest_sessionfinish  # noqa: F401 - pytest calls them


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReferenceService]:
    with running_reference_service(tmp_path_factory.mktemp("reference_service")) as running:
        yield running
