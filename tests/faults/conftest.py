# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests with faults share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from amount import COMPARED
from certificates import Authority
from fault_proxy import FaultProxy, fault_proxy
from figures import Figures
from reference_service_process import ReferenceService
from scripted_service import ScriptedService, scripted_service

if TYPE_CHECKING:
    from watched_change import Watched


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how much was compared, wherever a test counts that."""
    for report in terminalreporter.stats.get("passed", ()):
        for name, value in report.user_properties:
            if name == COMPARED:
                terminalreporter.line(f"{COMPARED}: {value}")


COUNTED = Figures()
"""By this process; if there are workers, theirs are added at the end to those of the process that started them."""


@pytest.fixture(scope="session")
def figures() -> Figures:
    return COUNTED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    COUNTED.add(getattr(node, "workeroutput", {}).get("figures", {}))


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["figures"] = {what: dict(row) for what, row in COUNTED.rows.items()}
    else:
        COUNTED.write()


@pytest.fixture(scope="session")
def proxy(service: ReferenceService) -> Iterator[FaultProxy]:
    """A proxy before the service, without faults until a test sets some."""
    with fault_proxy(service.base_url) as running:
        yield running


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """An authority that nothing outside of these tests trusts."""
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def responding() -> Iterator[ScriptedService]:
    """A service that returns what the test puts into its script."""
    with scripted_service() as service:
        yield service


@pytest.fixture(scope="module")
def between(service: ReferenceService) -> Iterator[Watched]:
    """What stands before the service, and looks at it after each write."""
    from watched_change import Watched  # noqa: PLC0415 - the collection can be imported by now

    with scripted_service() as standing:
        yield Watched(service, standing)
