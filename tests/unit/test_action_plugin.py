# SPDX-License-Identifier: GPL-3.0-or-later
"""How the action plugin is wired: what the core says goes to the screen, and what an interrupted worker leaves to the
process that has forked it, while the signal does its work.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from ansible import constants

from ansible_collections.edgeops.ingress.plugins.action.tunnel_info import ActionModule
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from ansible_collections.edgeops.ingress.plugins.plugin_utils import _in_process as in_process
from ansible_collections.edgeops.ingress.plugins.plugin_utils import _interruptions
from ansible_collections.edgeops.ingress.plugins.plugin_utils._interruptions import Interruptions
from supported_cores import CORES

# Ansible forks its workers as these tests do.
pytestmark = [pytest.mark.every_core, pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")]

VARIABLES = {"inventory_hostname": "gate"}
FORKING = multiprocessing.get_context("fork")


NOTHING = {"check_mode": False, "diff": False, "no_log": False, "collections": []}
NOTHING |= dict.fromkeys(("register", "failed_when", "until", "_parent"))


def run_of(
    monkeypatch: pytest.MonkeyPatch, found: Any = None, callback: str = "default", verbosity: int = 0, **task: Any
) -> tuple[dict[str, Any], list[str]]:
    """The result of a task in the worker, of which the core has `found` this or raises it, and what is displayed."""
    shown: list[str] = []

    def result_of(*passed: Any) -> Any:
        if passed[-1]._report_line is not None:
            passed[-1]._report_line("3 of 9 objects")
        if isinstance(found, Exception):
            raise found
        return found or {"changed": False}

    monkeypatch.setattr(in_process.display, "display", shown.append)
    monkeypatch.setattr(in_process.display, "verbosity", verbosity)
    monkeypatch.setattr(constants, "DEFAULT_STDOUT_CALLBACK", callback)
    monkeypatch.setattr(in_process.entry, "result_of", result_of)
    monkeypatch.setattr(ActionModule, "_reasons_for_a_process", lambda *_self: iter(()))
    arguments = {"base_url": "http://127.0.0.1:9", "api_key": "ak_canary"}
    named = {"action": "edgeops.ingress.tunnel_info", "args": arguments, "get_name": lambda: "Read tunnels"}
    return ActionModule(SimpleNamespace(**{**NOTHING, **named, **task}), *[None] * 5).run(task_vars=VARIABLES), shown


def test_tasks_run_as_ordinary_modules_with_a_core_that_was_not_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    assert tuple(core.version for core in CORES) == in_process.SEEN_ON
    tested = {"2.16.0": True, "2.22.0rc1": True, "2.23.0.dev0": True, "2.1.0": False, "2.15.13": False, "2.23.0": False}
    assert {version: in_process.is_tested(version) for version in tested} == tested
    monkeypatch.setattr(in_process, "ansible_version", "2.23.0")
    reasons = in_process.InProcessAction(*[None] * 6)._reasons_for_a_process(VARIABLES)
    assert next(reasons) == "it was not tested with ansible-core 2.23.0"


def test_a_bug_in_the_core_is_a_failure_without_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    result, _shown = run_of(monkeypatch, LookupError("a bug, with ak_canary in its message"))
    assert result["failed"]
    assert result["msg"].startswith("LookupError: a bug, with ****")
    assert "canary" not in str(result)


NOT_COMPARED = {"secrets_not_compared": 1, "msg": "1 secret was not compared."}
PLAN = [
    {"action": "create", "kind": "https_edge", "object": f"https_edge {number}", "state": {}} for number in range(6)
]
PLANNED = {"plan": PLAN, "summary": {"created": 6}, "undeclared_counts": {"https_edge": 2}, "changed": True}
DIFF = {"diff": [{"before": "a\n", "after": "b\n", "before_header": "- delete it", "after_header": ""}]}
FAILED = {"failed": True, **DIFF}
LONG = {"plan": PLAN * 1000, "changed": True}
REST = "so it is displayed only with -vvv, and to tasks that register it"
SUMMARY, DONE = ("tunnel_info: 6 to create, 2 undeclared", "tunnel_info: 6 created, 2 undeclared")
# The result of the core, the keywords of the task, and a part of each line that is displayed after the progress.
DISPLAYED: list[tuple[dict[str, Any], dict[str, Any], list[str]]] = [
    ({}, {}, []),
    (NOT_COMPARED, {}, ["tunnel_info: 1 secret was not compared."]),
    ({**NOT_COMPARED, "secrets_not_compared": 0}, {}, []),
    (PLANNED, {}, [DONE]),
    (PLANNED, {"diff": True}, [DONE, *["  + create https_edge"] * 6]),
    (PLANNED, {"check_mode": True}, [SUMMARY, *["  + create https_edge"] * 6]),
    ({**PLANNED, "plan": PLAN[:5]}, {"check_mode": True, "diff": True}, [SUMMARY]),
    (DIFF, {"diff": True}, []),
    (FAILED, {}, []),
    (FAILED, {"diff": True}, ["- delete it"]),
    (FAILED, {"diff": True, "callback": "minimal"}, ["- delete it"]),
    (LONG, {"verbosity": 1}, [REST]),
    (LONG, {"verbosity": 2}, [REST]),
    (LONG, {"verbosity": 3}, []),
    (LONG, {}, []),
]


@pytest.mark.parametrize(("result", "task", "lines"), DISPLAYED)
def test_what_is_displayed_of_a_task(
    monkeypatch: pytest.MonkeyPatch, result: dict[str, Any], task: dict[str, Any], lines: list[str]
) -> None:
    found, shown = run_of(monkeypatch, {"changed": False, **result}, **task)
    after_progress = shown if task.get("callback") == "minimal" else shown[1:]
    assert len(after_progress) == len(lines), shown
    assert all(part in line for part, line in zip(lines, after_progress, strict=True))
    assert ("_ansible_verbose_override" in found) == (lines == [REST])
    for callback, no_log in (("default", True), ("json", False), ("ansible.posix.jsonl", False), ("null", False)):
        assert run_of(monkeypatch, result, **{**task, "callback": callback, "no_log": no_log})[1] == []


BLOCK = SimpleNamespace(rescue=[1], _parent=None)
READ_BY: list[dict[str, Any]] = [{"register": "a"}, {"failed_when": ["a"]}, {"until": ["a"]}, {"_parent": BLOCK}]
READ_BY.append({"_parent": SimpleNamespace(_parent=BLOCK)})


def test_a_failed_result_is_short_unless_something_can_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = {**LONG, "failed": True}
    assert run_of(monkeypatch, failed)[0]["omitted"] == {"plan": 6000}
    assert [run_of(monkeypatch, failed, **task)[0].get("plan") for task in READ_BY] == [LONG["plan"]] * len(READ_BY)


def test_the_last_words_of_an_interrupted_task(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "DEFAULT_STDOUT_CALLBACK", "default")
    task = SimpleNamespace(no_log=False, get_name=lambda: "Keep the edges")
    plugin = in_process.InProcessAction(task, *[None] * 5)
    progress = Progress()
    assert plugin._interruption(progress, {}, VARIABLES) == ""
    progress.add_planned(3)
    begin = (
        "Keep the edges [gate]: Interrupted after 0 of 3 objects. Requests that were under way may have changed more."
    )
    approved = {"expect_plan": "0" * 32}
    for options, advice in (({}, "Run the task again"), (approved, "Approve the plan of the remaining changes")):
        assert plugin._interruption(progress, options, VARIABLES) == f"{begin} {advice} to continue."
    task.no_log = True
    assert plugin._interruption(progress, {}, VARIABLES) == ""


def _frozen_objects(results: Any) -> None:
    in_process._spare_inherited_memory(os.getpid())
    results.put(gc.get_freeze_count())


def test_only_a_forked_worker_excludes_objects_from_garbage_collection() -> None:
    results = FORKING.SimpleQueue()
    worker = FORKING.Process(target=_frozen_objects, args=(results,))
    worker.start()
    assert results.get() > 10_000
    worker.join(10)
    before = gc.get_freeze_count()
    in_process._spare_inherited_memory(os.getpid())
    assert gc.get_freeze_count() == before


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
