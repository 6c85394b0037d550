# SPDX-License-Identifier: GPL-3.0-or-later
"""One browser for all tests of the page, without a network."""

from __future__ import annotations

import own_tests  # noqa: F401 - before anything reads settings, as Ansible does when it is imported

# isort: split
from collections.abc import Iterator
from pathlib import Path

import pytest
from ansible.plugins.loader import init_plugin_loader

from collection_tree import link_checkout

init_plugin_loader([str(link_checkout())])

# isort: split
from report_page import Page, missing_program, running_page  # noqa: E402 - the collection can be imported now


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip everything without a browser, so that nobody needs one for the other checks."""
    for item in items if (missing := missing_program()) else ():
        item.add_marker(pytest.mark.skip(reason=f"{missing} is not installed"))


@pytest.fixture(scope="session")
def browsing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with running_page(tmp_path_factory.mktemp("browser")) as page:
        yield page


@pytest.fixture
def page(browsing: Page) -> Iterator[Page]:
    """The report on the accounts of the tests, on a desktop. No test may cause an error or a request."""
    browsing.desktop()
    browsing.scheme("light")
    browsing.problems(), browsing.requests()
    yield browsing
    assert browsing.problems() == []
    assert browsing.requests() == []


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")
