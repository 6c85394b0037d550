# SPDX-License-Identifier: GPL-3.0-or-later
"""What an interrupted worker leaves is printed by the process that has forked it, and the signal does its work."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable

import pytest

from ansible_collections.edgeops.ingress.plugins.plugin_utils import _interruptions
from ansible_collections.edgeops.ingress.plugins.plugin_utils._interruptions import Interruptions

# Ansible forks its workers in the same way.
pytestmark = [pytest.mark.every_python, pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")]

FORKING = multiprocessing.get_context("fork")
SIGNALS = [signal.SIGINT, signal.SIGTERM]


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    lines: list[str] = []
    monkeypatch.setattr(_interruptions.Display, "display", lambda self, line, stderr: lines.append(line))
    return lines


def opened() -> Interruptions:
    interruptions = Interruptions()
    interruptions.open()
    return interruptions


def worker(work: Callable[[], None]) -> int | None:
    """The exit code of a forked process that does this work with the default handlers."""

    def with_default_handlers() -> None:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        work()

    process = FORKING.Process(target=with_default_handlers)
    process.start()
    process.join(30)
    return process.exitcode


@pytest.mark.parametrize("number", SIGNALS)
def test_a_line_of_each_worker(printed: list[str], number: signal.Signals) -> None:
    interruptions = opened()
    for line in ("one\x00é", "x" * 10_000):

        def work(line: str = line) -> None:
            with interruptions.reporting(lambda: line):
                os.kill(os.getpid(), number)
                os._exit(0)

        assert worker(work) == -number
    interruptions.print_all()
    assert printed == ["one\x00é", "x" * 1000]


def test_a_second_signal_does_not_stop_the_line(printed: list[str]) -> None:
    interruptions = opened()

    def describe() -> str:
        os.kill(os.getpid(), signal.SIGTERM)
        return "a line"

    def work() -> None:
        with interruptions.reporting(describe):
            os.kill(os.getpid(), signal.SIGINT)
            os._exit(0)

    assert worker(work) == -signal.SIGINT
    interruptions.print_all()
    assert printed == ["a line"]


def test_nothing_is_said_without_need(printed: list[str]) -> None:
    interruptions = opened()

    def nothing_to_say() -> None:
        with interruptions.reporting(str):
            os.kill(os.getpid(), signal.SIGINT)
            os._exit(0)

    def afterwards() -> None:
        with interruptions.reporting(lambda: "too late"):
            pass
        os.kill(os.getpid(), signal.SIGINT)
        os._exit(0)

    def never_opened() -> None:
        with Interruptions().reporting(lambda: "nobody prints this"):
            os.kill(os.getpid(), signal.SIGINT)
            os._exit(0)

    assert [worker(work) for work in (nothing_to_say, afterwards, never_opened)] == [-signal.SIGINT] * 3
    interruptions.print_all()
    assert printed == []


def test_an_ignored_signal_stays_ignored(printed: list[str]) -> None:
    interruptions = opened()

    def work() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with interruptions.reporting(lambda: "not interrupted"):
            os.kill(os.getpid(), signal.SIGINT)
            os._exit(7)

    assert worker(work) == 7
    interruptions.print_all()
    assert printed == []


def test_other_threads_report_nothing() -> None:
    interruptions = opened()
    before = [signal.getsignal(number) for number in SIGNALS]
    found = []

    def work() -> None:
        with interruptions.reporting(str):
            found.extend(signal.getsignal(number) for number in SIGNALS)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == before
