# SPDX-License-Identifier: GPL-3.0-or-later
"""Ansible's commands as users run them, in a folder of their own, and what became of each task."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent, indent
from typing import Any, NamedTuple

import yaml

from reference_service_process import ReferenceService

COLLECTION = "edgeops.ingress"
IN_WORKER = "in the worker"
IN_PROCESS_OF_ITS_OWN = "in a separate process"

_CALLBACKS = Path(__file__).with_name("callbacks")
_SECONDS = 300
_WAY = re.compile(r"^<\S+> \S+ runs (in the worker|in a separate process)(?:: (.*))?$", re.MULTILINE)
_SHOW = "Show the error"

Record = dict[str, Any]


class Way(NamedTuple):
    """Which way a task ran, and why, as `-vvvv` shows it."""

    way: str
    reason: str


@dataclass(frozen=True)
class Run:
    """One run of a command. `records` has what became of each task: host, task, action, failed, result."""

    code: int
    output: str
    records: list[Record]

    def of(self, task: str) -> Record:
        [record] = [record for record in self.records if record["task"] == task]
        return record

    def result(self, task: str) -> Any:
        return self.of(task)["result"]

    def errors(self) -> list[str]:
        """The messages of `attempts`."""
        return [one["result"]["ansible_failed_result.msg"] for one in self.records if one["task"] == _SHOW]

    def ways(self) -> list[Way]:
        """The way of every task of the collection, once for each item and try; with `-vvvv` only."""
        return [Way(*found) for found in _WAY.findall(self.output)]


class Ansible:
    """Ansible's commands against one service, which `module_defaults` or the environment of the run names."""

    def __init__(self, folder: Path, service: ReferenceService | None = None) -> None:
        self.folder = folder
        self._service = service

    @property
    def service(self) -> ReferenceService:
        assert self._service is not None
        return self._service

    @property
    def connection(self) -> dict[str, str]:
        return {"base_url": self.service.base_url, "api_key": self.service.api_key}

    def tasks(self, tasks: str, *arguments: str, play: Mapping[str, Any] | None = None, **how: Any) -> Run:
        """Run the tasks of this text in a play on localhost. `play` are more keywords of that play."""
        defaults = {f"group/{COLLECTION}.all": self.connection}
        keywords = {"hosts": "localhost", "gather_facts": False, "module_defaults": defaults, **(play or {})}
        return self.playbook(playbook_of(tasks, keywords), *arguments, **how)

    def done(self, tasks: str, *arguments: str, **how: Any) -> Run:
        """Run the tasks of this text, which must not stop the play."""
        run = self.tasks(tasks, *arguments, **how)
        assert run.code == 0, run.output
        return run

    def playbook(self, playbook: str | Path, *arguments: str, **how: Any) -> Run:
        """Run a playbook: the path of one, or its text."""
        if isinstance(playbook, str):
            text, playbook = playbook, self.folder / "playbook.yml"
            playbook.write_text(text, encoding="utf-8")
        return self.command("playbook", *arguments, str(playbook), **how)

    def command(self, name: str, *arguments: str, environment: Mapping[str, str] | None = None) -> Run:
        """Run `ansible-<name>`, or `ansible` itself for an empty name."""
        results = self.folder / "results.jsonl"
        results.write_text("", encoding="utf-8")
        run = subprocess.run(
            [sys.executable, "-m", "ansible", name or "adhoc", *arguments],
            cwd=self.folder,
            check=False,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            env={**self._environment(results), **(environment or {})},
        )
        lines = results.read_text(encoding="utf-8").splitlines()
        ran = Run(run.returncode, run.stdout + run.stderr, [json.loads(line) for line in lines])
        found = deprecations(ran.output)
        assert found == [], "\n".join(found)
        return ran

    def _environment(self, results: Path) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("INGRESS_")}
        return {
            **inherited,
            # Whatever the settings of the machine say.
            "ANSIBLE_DEPRECATION_WARNINGS": "true",
            "LC_ALL": "C.UTF-8",
            "ANSIBLE_HOME": str(self.folder / "ansible_home"),
            "ANSIBLE_REMOTE_TEMP": str(self.folder / "remote_tmp"),
            "ANSIBLE_ASYNC_DIR": str(self.folder / "async"),
            "ANSIBLE_NOCOLOR": "true",
            "ANSIBLE_LOCALHOST_WARNING": "false",
            "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
            "ANSIBLE_PIPELINING": "true",
            "ANSIBLE_CALLBACK_PLUGINS": str(_CALLBACKS),
            "ANSIBLE_CALLBACKS_ENABLED": "record_results",
            "RECORDED_RESULTS": str(results),
        }


def playbook_of(tasks: str, keywords: Mapping[str, Any]) -> str:
    """The text of a playbook with one play: its keywords, and the text of its tasks."""
    return f"{yaml.safe_dump([dict(keywords)], sort_keys=False)}  tasks:\n{indent(dedent(tasks), '    ')}"


def attempts(role: str, *variables: Mapping[str, Any]) -> str:
    """Tasks that include the role with each of these variables. It must fail, and the play goes on."""
    include, fail = {"ansible.builtin.include_role": {"name": f"{COLLECTION}.{role}"}}, {"ansible.builtin.fail": None}
    show = {"name": _SHOW, "ansible.builtin.debug": {"var": "ansible_failed_result.msg"}}
    blocks = [{"block": [{**include, "vars": each}, fail], "rescue": [show]} for each in variables]
    return "".join(f"- {json.dumps(block)}\n" for block in blocks)


def deprecations(output: str) -> list[str]:
    """The deprecation warnings in what a command printed."""
    return [line for line in output.splitlines() if "[DEPRECATION WARNING]" in line]
