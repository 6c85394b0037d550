# SPDX-License-Identifier: GPL-3.0-or-later
"""What all tests share: imports by the collection's full name, and a reference service."""

from __future__ import annotations

import own_tests  # noqa: F401 - before anything reads settings, as Ansible does when it is imported

# isort: split
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import hypothesis
import pytest
from ansible.plugins.loader import init_plugin_loader

from collection_tree import link_checkout
from reference_service_process import ReferenceService, running_reference_service
from worker_crashes import pytest_internalerror, pytest_sessionfinish  # noqa: F401 - pytest calls them

if TYPE_CHECKING:
    from module_task import Tasks


def pytest_configure() -> None:
    """Let ansible_collections.edgeops.ingress be imported from this checkout, and count no milliseconds."""
    collections_path = str(link_checkout())
    os.environ["ANSIBLE_COLLECTIONS_PATH"] = collections_path  # for the Ansible commands that tests start
    init_plugin_loader([collections_path])

    hypothesis.settings.register_profile("no time limit", deadline=None)
    hypothesis.settings.load_profile("no time limit")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Reject a marker that would select nothing, or everything."""
    for item in items:
        for mark in item.iter_markers("long"):
            most = range(2) if item.get_closest_marker("every_core") else range(1)
            if mark.args or mark.kwargs.keys() != {"cores"} or mark.kwargs["cores"] not in most:
                raise pytest.UsageError(f"{item.nodeid}: long(cores=…) needs a number from 0 to {most[-1]}")


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReferenceService]:
    """A reference service, the same for all tests of a worker: `reset()` it first."""
    with running_reference_service(tmp_path_factory.mktemp("reference_service")) as running:
        yield running


@pytest.fixture
def tasks(service: ReferenceService) -> Tasks:
    """Tasks against a service that holds nothing and does nothing unusual."""
    from module_task import Tasks  # noqa: PLC0415 - the collection can be imported once pytest is configured

    service.reset()
    return Tasks(service)
