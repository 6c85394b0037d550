# SPDX-License-Identifier: GPL-3.0-or-later
"""A run in which pytest itself failed is not a success. A conftest.py imports these two hooks.

Where a worker of pytest-xdist has an internal error, the run only prints it. It goes on without that worker's tests,
and ends with success if the others pass.
"""

from __future__ import annotations

import pytest

_SEEN: list[BaseException] = []


def pytest_internalerror(excinfo: pytest.ExceptionInfo[BaseException]) -> None:
    _SEEN.append(excinfo.value)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if _SEEN:
        session.exitstatus = pytest.ExitCode.INTERNAL_ERROR
