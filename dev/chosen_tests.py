# SPDX-License-Identifier: GPL-3.0-or-later
"""A plugin of pytest for runs with mutants: it notes which lines each test executes, or runs those of a list first."""

from __future__ import annotations

import faulthandler
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
"""In the place of a test: what no test executes by itself."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("mutants")
    group.addoption("--record", type=Path, help="a file to write the lines and seconds of each test to")
    group.addoption("--lines-of", default="", help="the folder, from the root, whose lines are noted")
    group.addoption("--order", type=Path, help="a file with the tests to run, in order, each with its time limit")
    group.addoption("--stuck", type=Path, help="a file to write to when a test has taken longer than that")


def pytest_configure(config: pytest.Config) -> None:
    if config.option.record:
        config.pluginmanager.register(Recorder(config.option.record, config.option.lines_of))
    if config.option.order:
        config.pluginmanager.register(Ordered(config.option.order, config.option.stuck))


def pytest_sessionstart() -> None:
    """Once conftest.py has made its settings: the same examples each time, and no search for the simplest one."""
    settings.register_profile(
        "mutants", settings(), derandomize=True, database=None, phases=(Phase.explicit, Phase.generate)
    )
    settings.load_profile("mutants")


class Recorder:
    """Notes the lines that each test executes in some folder, whichever thread it does that in."""

    def __init__(self, file: Path, folder: str) -> None:
        self._file, self._folder = file, f"/{folder}/"
        self._lines: set[tuple[str, int]] = set()
        self._tests: dict[str, dict[str, Any]] = {}
        # Since Python 3.12. Much quicker than a trace function, since each line tells of itself once in each test.
        self._monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
        self._tool = self._monitoring.COVERAGE_ID
        self._monitoring.use_tool_id(self._tool, "mutants")
        events = self._monitoring.events
        self._monitoring.register_callback(self._tool, events.PY_START, self._starts)
        self._monitoring.register_callback(self._tool, events.LINE, self._executes)
        self._monitoring.set_events(self._tool, events.PY_START)

    def _starts(self, code: CodeType, offset: int) -> Any:
        if self._folder in code.co_filename:
            self._monitoring.set_local_events(self._tool, code, self._monitoring.events.LINE)
        return self._monitoring.DISABLE

    def _executes(self, code: CodeType, line: int) -> Any:
        self._lines.add((code.co_filename.rpartition(self._folder)[2], line))
        return self._monitoring.DISABLE

    def _note(self, test: str, seconds: float) -> None:
        lines: dict[str, list[int]] = {}
        for path, line in sorted(self._lines):
            lines.setdefault(path, []).append(line)
        self._tests[test] = {"seconds": seconds, "lines": lines}
        self._lines = set()

    def pytest_collection_finish(self) -> None:
        self._note(WHILE_IMPORTED, 0.0)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._monitoring.restart_events()
        started = time.monotonic()
        result = yield
        self._note(item.nodeid, time.monotonic() - started)
        return result

    def pytest_sessionfinish(self) -> None:
        self._file.write_text(json.dumps(self._tests), encoding="utf-8")


class Ordered:
    """Runs the tests in the order of a list, and ends everything when one takes longer than its limit."""

    def __init__(self, file: Path, stuck: Path) -> None:
        self._limits: dict[str, float] = json.loads(file.read_text(encoding="utf-8"))
        self._stuck = stuck.open("w", encoding="utf-8")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        places = {test: place for place, test in enumerate(self._limits)}
        items.sort(key=lambda item: places.get(item.nodeid, len(places)))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        faulthandler.dump_traceback_later(self._limits.get(item.nodeid, 60.0), exit=True, file=self._stuck)
        try:
            return (yield)
        finally:
            faulthandler.cancel_dump_traceback_later()
