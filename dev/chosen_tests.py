# SPDX-License-Identifier: GPL-3.0-or-later
"""A plugin of pytest for runs with mutants: it notes which lines each test executes, or runs the tests of a list."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
from hypothesis import Phase, settings

WHILE_IMPORTED = ""
"""In the place of a test: what is executed before the first one."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("mutants")
    group.addoption("--record", type=Path, help="a file to write the lines and seconds of each test to")
    group.addoption("--lines-of", default="", help="the folder, from the root, whose lines are noted")
    group.addoption("--order", type=Path, help="a file with the tests to run, in order")


def pytest_configure(config: pytest.Config) -> None:
    if config.option.record:
        config.pluginmanager.register(Recorder(config.option.record, config.option.lines_of))


def pytest_sessionstart() -> None:
    """Once conftest.py has made its settings: the same examples each time, and no search for the simplest one."""
    settings.register_profile(
        "mutants", settings(), derandomize=True, database=None, phases=(Phase.explicit, Phase.generate)
    )
    settings.load_profile("mutants")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.option.order:
        places = {test: place for place, test in enumerate(json.loads(config.option.order.read_text("utf-8")))}
        items[:] = sorted((item for item in items if item.nodeid in places), key=lambda item: places[item.nodeid])


class Recorder:
    """Notes the lines that each test executes in some folder, whichever thread it does that in."""

    def __init__(self, file: Path, folder: str) -> None:
        self._file, self._folder = file, f"/{folder}/"
        self._lines: dict[str, list[int]] = {}
        self._starts_process = False
        self._tests: dict[str, dict[str, Any]] = {}
        sys.addaudithook(self._audit)
        # Since Python 3.12. Much quicker than a trace function, since each line is reported once in each test.
        self._monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
        tool, events = self._monitoring.COVERAGE_ID, self._monitoring.events
        self._monitoring.use_tool_id(tool, "mutants")
        self._monitoring.register_callback(tool, events.LINE, self._executes)
        self._monitoring.set_events(tool, events.LINE)

    def _executes(self, code: CodeType, line: int) -> Any:
        if self._folder in code.co_filename:
            self._lines.setdefault(code.co_filename.rpartition(self._folder)[2], []).append(line)
        return self._monitoring.DISABLE

    def _audit(self, event: str, _details: object) -> None:
        self._starts_process = self._starts_process or event == "subprocess.Popen"

    def _note(self, test: str, seconds: float = 0.0) -> None:
        # What another process executes is not seen here.
        self._tests[test] = {"seconds": seconds, "lines": self._lines, "may_execute_anything": self._starts_process}
        self._lines, self._starts_process = {}, False
        self._monitoring.restart_events()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        if not self._tests:
            self._note(WHILE_IMPORTED)
        started = time.monotonic()
        result = yield
        self._note(item.nodeid, time.monotonic() - started)
        return result

    def pytest_sessionfinish(self) -> None:
        self._file.write_text(json.dumps(self._tests), encoding="utf-8")
