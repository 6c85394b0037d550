# SPDX-License-Identifier: GPL-3.0-or-later
"""A plugin of pytest for runs with mutants: it notes which lines each test executes, or runs the tests of a list."""

from __future__ import annotations

import faulthandler
import inspect
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
"""In the place of a test: what is executed once for all tests, by whichever comes first."""


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
        self._imported: set[tuple[str, int]] = set()
        self._imports = True
        self._starts_process = False
        sys.addaudithook(self._audit)
        self._tests: dict[str, dict[str, Any]] = {}
        # Since Python 3.12. Much quicker than a trace function, since each line is reported once in each test.
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
        # What a module or a class is made of. Whatever that calls belongs to the import, too.
        self._imports = self._imports or not code.co_flags & inspect.CO_OPTIMIZED
        return self._monitoring.DISABLE

    def _audit(self, event: str, _details: object) -> None:
        self._starts_process = self._starts_process or event == "subprocess.Popen"

    def _note(self, test: str, lines: set[tuple[str, int]], seconds: float) -> None:
        by_path: dict[str, list[int]] = {}
        for path, line in sorted(lines):
            by_path.setdefault(path, []).append(line)
        # What another process executes is not seen here.
        self._tests[test] = {"seconds": seconds, "lines": by_path, "may_execute_anything": self._starts_process}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._end_of_imports()
        self._monitoring.restart_events()
        self._starts_process = False
        started = time.monotonic()
        result = yield
        self._note(item.nodeid, self._lines, time.monotonic() - started)
        self._end_of_imports()
        return result

    def _end_of_imports(self) -> None:
        if self._imports:
            self._imported |= self._lines
        self._lines, self._imports = set(), False

    def pytest_sessionfinish(self) -> None:
        self._note(WHILE_IMPORTED, self._imported, 0.0)
        self._file.write_text(json.dumps(self._tests), encoding="utf-8")


class Ordered:
    """Runs the tests of a list in its order, and ends everything when one takes longer than its limit."""

    def __init__(self, file: Path, stuck: Path) -> None:
        self._limits: dict[str, float] = json.loads(file.read_text(encoding="utf-8"))
        self._stuck = stuck.open("w", encoding="utf-8")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        places = {test: place for place, test in enumerate(self._limits)}
        items[:] = sorted((item for item in items if item.nodeid in places), key=lambda item: places[item.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        faulthandler.dump_traceback_later(self._limits[item.nodeid], exit=True, file=self._stuck)
        try:
            return (yield)
        finally:
            faulthandler.cancel_dump_traceback_later()
