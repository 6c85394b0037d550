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
pytestmark = [pytest.mark.every_core, pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")]

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


def worker(interruptions: Interruptions, describe: Callable[[], str], *numbers: int, **how: bool) -> int | None:
    """The exit code of a forked process that gets these signals while it reports, or after that."""

    def work() -> None:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN if how.get("ignored") else signal.SIG_DFL)
        with interruptions.reporting(describe):
            if not how.get("late"):
                end()
        end()

    def end() -> None:
        for number in numbers:
            os.kill(os.getpid(), number)
        os._exit(7)

    process = FORKING.Process(target=work)
    process.start()
    process.join(30)
    return process.exitcode


def described_in_spite_of_a_second_signal() -> str:
    os.kill(os.getpid(), signal.SIGTERM)
    return "a line"


@pytest.mark.parametrize("number", SIGNALS)
def test_a_line_of_each_worker(printed: list[str], number: signal.Signals) -> None:
    interruptions = opened()
    lines: list[Callable[[], str]] = [lambda: "one\x00é", lambda: "x" * 10_000, described_in_spite_of_a_second_signal]
    assert [worker(interruptions, line, number) for line in lines] == [-number] * 3
    interruptions.print_all()
    assert printed == ["one\x00é", "x" * 1000, "a line"]


def test_nothing_is_said_without_need(printed: list[str]) -> None:
    interruptions, number = opened(), signal.SIGINT
    assert worker(interruptions, str, number) == -number
    assert worker(interruptions, lambda: "too late", number, late=True) == -number
    assert worker(Interruptions(), lambda: "never opened, so nobody prints this", number) == -number
    assert worker(interruptions, lambda: "not interrupted", number, ignored=True) == 7
    interruptions.print_all()
    assert printed == []


def test_other_threads_report_nothing() -> None:
    interruptions, found = opened(), []

    def work() -> None:
        with interruptions.reporting(str):
            found.extend(map(signal.getsignal, SIGNALS))

    before = list(map(signal.getsignal, SIGNALS))
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == before
