# SPDX-License-Identifier: GPL-3.0-or-later
"""One browser for all tests of the page, without a network."""

from __future__ import annotations

import own_tests  # noqa: F401 - before anything reads settings, as Ansible does when it is imported

# isort: split
import shutil
from collections.abc import Iterator

import pytest
from ansible.plugins.loader import init_plugin_loader
from selenium import webdriver

from collection_tree import link_checkout

init_plugin_loader([str(link_checkout())])

# isort: split
from report_page import DESKTOP, Page  # noqa: E402 - the collection can be imported now

FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
BROWSER, DRIVER = (
    next(filter(None, map(shutil.which, names)), "")
    for names in (("chromium", "chromium-browser", "google-chrome"), ("chromedriver", "chromium.chromedriver"))
)


@pytest.fixture(scope="session")
def browsing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Without a browser, everything is skipped, so that nobody needs one for the other checks."""
    if not (BROWSER and DRIVER):
        pytest.skip(f"{'chromedriver' if BROWSER else 'chromium'} is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    folder = tmp_path_factory.mktemp("browser")
    for flag in (*FLAGS, f"--user-data-dir={folder}", f"--window-size={DESKTOP[0]},{DESKTOP[1]}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    try:
        driver.execute_cdp_cmd("Network.enable", {})
        offline = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
        driver.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
        yield Page(driver)
    finally:
        driver.quit()


@pytest.fixture
def page(browsing: Page) -> Iterator[Page]:
    """The report on the accounts of the tests, on a desktop. No test may cause an error or a request."""
    browsing.size(*DESKTOP)
    browsing.scheme("light")
    browsing.problems(), browsing.requests()
    yield browsing
    assert browsing.problems() == []
    assert browsing.requests() == []
