# SPDX-License-Identifier: GPL-3.0-or-later
"""How the action plugin is wired: the task's modes go to the core, and its progress to the screen."""

from __future__ import annotations

import gc
import multiprocessing
import os
from types import SimpleNamespace
from typing import Any

import pytest
from ansible import constants

from ansible_collections.edgeops.ingress.plugins.action.tunnel_info import ActionModule
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from ansible_collections.edgeops.ingress.plugins.plugin_utils import _in_process as in_process
from supported_cores import CORES

pytestmark = pytest.mark.every_core

VARIABLES = {"inventory_hostname": "gate"}


class Run:
    """One task, done in the worker; `passed` is what the core got, `shown` what came to the screen."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, callback: str = "default", **task: Any) -> None:
        self.shown: list[str] = []
        self.passed: tuple[Any, ...] = ()
        monkeypatch.setattr(in_process.display, "display", self.shown.append)
        monkeypatch.setattr(constants, "DEFAULT_STDOUT_CALLBACK", callback)
        monkeypatch.setattr(in_process.entry, "result_of", self._result_of)
        settings = {"check_mode": False, "diff": False, "no_log": False, "collections": [], **task}
        arguments = {"base_url": "http://127.0.0.1:9", "api_key": "ak_canary"}
        described = SimpleNamespace(
            action="edgeops.ingress.tunnel_info", args=arguments, get_name=lambda: "Read tunnels", **settings
        )
        self.result = ActionModule(described, *[None] * 5)._run_in_worker(VARIABLES)

    def _result_of(self, *passed: Any) -> dict[str, Any]:
        *self.passed, progress = passed  # type: ignore[assignment]
        assert isinstance(progress, Progress)
        if progress._report_line is not None:
            progress._report_line("3 of 9 objects")
        return {"changed": False}


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("diff", [True, False])
def test_the_modes_of_the_task_go_to_the_core(monkeypatch: pytest.MonkeyPatch, check: bool, diff: bool) -> None:
    run = Run(monkeypatch, check_mode=check, diff=diff)
    assert run.passed[-2:] == [check, diff]


def test_tasks_run_as_ordinary_modules_with_a_core_that_was_not_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    assert tuple(core.version for core in CORES) == in_process.SEEN_ON
    tested = {"2.16.0": True, "2.22.0rc1": True, "2.23.0.dev0": True, "2.1.0": False, "2.15.13": False, "2.23.0": False}
    assert {version: in_process.is_tested(version) for version in tested} == tested
    monkeypatch.setattr(in_process, "ansible_version", "2.23.0")
    reasons = in_process.InProcessAction(*[None] * 6)._reasons_for_a_process(VARIABLES)
    assert next(reasons) == "it was not tested with ansible-core 2.23.0"


def test_progress_goes_to_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Run(monkeypatch).shown == ["Read tunnels [gate]: 3 of 9 objects"]


SILENT = [("default", True), ("json", False), ("ansible.posix.jsonl", False), ("null", False), ("minimal", False)]


@pytest.mark.parametrize(("callback", "no_log"), SILENT)
def test_progress_stays_silent(monkeypatch: pytest.MonkeyPatch, callback: str, no_log: bool) -> None:
    assert Run(monkeypatch, callback, no_log=no_log).shown == []


def test_the_last_words_of_an_interrupted_task(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "DEFAULT_STDOUT_CALLBACK", "default")
    task = SimpleNamespace(no_log=False, get_name=lambda: "Keep the edges")
    plugin = in_process.InProcessAction(task, *[None] * 5)
    progress = Progress()
    assert plugin._interruption(progress, {}, VARIABLES) == ""
    progress.add_planned(3)
    begin = "Keep the edges [gate]: Interrupted after 0 of 3 objects."
    approved = {"expect_plan": "0" * 32}
    for options, advice in (({}, "Run the task again"), (approved, "Approve the plan of the remaining changes")):
        assert plugin._interruption(progress, options, VARIABLES) == f"{begin} {advice} to continue."
    task.no_log = True
    assert plugin._interruption(progress, {}, VARIABLES) == ""


def _frozen_objects(results: Any) -> None:
    in_process._spare_inherited_memory(os.getpid())
    results.put(gc.get_freeze_count())


# Ansible forks its workers in the same way.
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_only_a_forked_worker_excludes_objects_from_garbage_collection() -> None:
    forking = multiprocessing.get_context("fork")
    results = forking.SimpleQueue()
    worker = forking.Process(target=_frozen_objects, args=(results,))
    worker.start()
    assert results.get() > 10_000
    worker.join(10)
    before = gc.get_freeze_count()
    in_process._spare_inherited_memory(os.getpid())
    assert gc.get_freeze_count() == before
