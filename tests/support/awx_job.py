# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs as AWX starts them: by ansible-runner, in a private folder, with nothing around them but what they are given."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

SECONDS = 120

Event = dict[str, Any]


@dataclass(frozen=True)
class Job:
    code: int
    output: str
    artifacts: Path
    events: list[Event]

    def of(self, kind: str, task: str | None) -> Event:
        of_kind = [event["event_data"] for event in self.events if event["event"] == kind]
        [found] = [data for data in of_kind if data.get("task") == task]
        return found

    def custom_stats(self) -> Any:
        """What the job hands on: its artifacts in AWX."""
        return self.of("playbook_on_stats", None)["artifact_data"]

    def kept_files(self) -> dict[str, str]:
        """What is kept of the job, without `command`: that is how the job was started, with its environment."""
        files = [path for path in self.artifacts.rglob("*") if path.is_file() and path.name != "command"]
        return {path.name: path.read_text(encoding="utf-8") for path in files}


class ControlNode:
    """Runs the playbooks of a project, with the collection from one folder only."""

    def __init__(self, folder: Path, project: Path, collections_path: Path) -> None:
        self.project = folder / "project"
        self._folder = folder
        # All that a job gets from its surroundings. Ansible's own commands are next to the Python that runs this.
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}"
        self._environment = {"PATH": path, "HOME": str(folder / "home"), "LC_ALL": "C.UTF-8"}
        self._environment["ANSIBLE_COLLECTIONS_PATH"] = str(collections_path)
        self._hosts: dict[str, Any] = {}
        self._jobs = 0
        shutil.copytree(project, self.project)
        for name in ("env", "inventory", "home"):
            (folder / name).mkdir()

    def set_accounts(self, variables: Mapping[str, Mapping[str, Any]]) -> None:
        """Replace the hosts of the project by these accounts, each with its variables."""
        for name, declared in variables.items():
            path = self.project / "host_vars" / f"{name}.yml"
            path.write_text(yaml.safe_dump(dict(declared)), encoding="utf-8")
        inventory = {"accounts": {"hosts": dict.fromkeys(variables)}}
        (self.project / "inventory" / "accounts.yml").write_text(yaml.safe_dump(inventory), encoding="utf-8")
        self.synchronize("inventory/accounts.yml")

    def synchronize(self, source: str) -> None:
        folder = str((self.project / source).parent)
        listed = self._run("ansible", "inventory", "-i", source, "--list", "--export", "--playbook-dir", folder)
        assert listed.returncode == 0, listed.stderr
        self._hosts = json.loads(listed.stdout)
        self.deal(1, 1)

    def _run(self, *command: str) -> subprocess.CompletedProcess[str]:
        how: Any = {"cwd": self.project, "env": self._environment, "timeout": SECONDS}
        return subprocess.run([sys.executable, "-m", *command], check=False, capture_output=True, text=True, **how)

    def deal(self, number: int, count: int) -> None:
        """Let jobs be this slice of so many: every so-many-th host, by name. They get their hosts from a script."""
        names = sorted({host for group in self._hosts.values() for host in group.get("hosts", ())})
        dealt = names[number - 1 :: count]
        hosts = {name: dict(group) for name, group in self._hosts.items()}
        for group in hosts.values():
            if "hosts" in group:
                group["hosts"] = [host for host in group["hosts"] if host in dealt]
        script = self._folder / "inventory" / "hosts"
        script.write_text(f"#! {sys.executable}\nprint({json.dumps(hosts)!r})\n", encoding="utf-8")
        script.chmod(script.stat().st_mode | stat.S_IXUSR)

    def job(
        self,
        playbook: str,
        arguments: Sequence[str],
        extra_vars: Mapping[str, Any] | str,
        environment: Mapping[str, str],
    ) -> Job:
        self._jobs += 1
        files = {"envvars": environment, "extravars": extra_vars, "cmdline": shlex.join(arguments)}
        for name, content in files.items():
            text = content if isinstance(content, str) else json.dumps(content)
            (self._folder / "env" / name).write_text(text, encoding="utf-8")
        options = ("--playbook", playbook, "--ident", str(self._jobs), "--quiet")
        run = self._run("ansible_runner", "run", str(self._folder), *options)
        artifacts = self._folder / "artifacts" / str(self._jobs)
        assert (artifacts / "stdout").exists(), run.stdout + run.stderr
        events = [json.loads(path.read_text(encoding="utf-8")) for path in (artifacts / "job_events").glob("*.json")]
        output = (artifacts / "stdout").read_text(encoding="utf-8")
        return Job(run.returncode, output, artifacts, sorted(events, key=lambda event: event["counter"]))
