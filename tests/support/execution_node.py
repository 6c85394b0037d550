# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs on execution nodes: AWX transmits a job, a worker runs it there, and AWX processes what the worker sends back.

The worker has what an execution environment has: a collection that it must not change, and no home.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from awx_job import environment_of
from processes import kill_all

RUNNER = (sys.executable, "-m", "ansible_runner")
SECONDS = 300

NO_HOME = "/dev/null/home"
"""Nobody can create it, not even root."""

Hosts = Mapping[str, Mapping[str, Any]]


@dataclass
class Slice:
    """A job that a worker runs, with the folder of the job and everything that the worker sends back so far."""

    folder: Path
    worker: subprocess.Popen[bytes]
    sent_back: BinaryIO

    def kill(self) -> None:
        """End the worker and all that it has started, as if the machine went away."""
        kill_all(self.worker.pid)

    def artifacts(self) -> tuple[int, dict[str, Any], str]:
        """Wait for the worker. Returns its exit code, what the job hands on, and its output, as AWX gets them."""
        code = self.worker.wait(SECONDS)
        self.sent_back.seek(0)
        processed = subprocess.run(
            [*RUNNER, "process", str(self.folder), "--ident", "job"],
            stdin=self.sent_back,
            check=False,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        self.sent_back.close()
        kept = self.folder / "artifacts" / "job"
        events = [json.loads(path.read_text(encoding="utf-8")) for path in (kept / "job_events").glob("*.json")]
        ends = [event["event_data"] for event in events if event["event"] == "playbook_on_stats"]
        output = "\n".join(event["stdout"] for event in sorted(events, key=lambda event: event["counter"]))
        return code, ends[0]["artifact_data"] if ends else {}, output + processed.stderr


class ExecutionNodes:
    """Starts jobs of a project on workers, each with the collections in one folder only."""

    def __init__(self, folder: Path, project: Path, collections_path: Path) -> None:
        self._folder, self._project, self._collections_path = folder, project, collections_path
        self._slices: list[Slice] = []

    def start(self, playbook: str, hosts: Hosts, extra_vars: Mapping[str, Any], arguments: Sequence[str] = ()) -> Slice:
        """Transmit a job for these hosts of the group `accounts`, with their variables, to a worker of its own."""
        job = Path(tempfile.mkdtemp(prefix="job", dir=self._folder))
        files = {
            "env/extravars": dict(extra_vars),
            "env/cmdline": None,
            "inventory/hosts.json": {"accounts": {"hosts": {name: dict(own) for name, own in hosts.items()}}},
        }
        for name, content in files.items():
            (job / name).parent.mkdir(parents=True, exist_ok=True)
            (job / name).write_text(" ".join(arguments) if content is None else json.dumps(content), encoding="utf-8")
        (job / "project").symlink_to(self._project, target_is_directory=True)
        sent_back = tempfile.TemporaryFile()  # noqa: SIM115 - the worker writes to it after this
        with tempfile.TemporaryFile() as transmitted:
            subprocess.run(
                [*RUNNER, "transmit", str(job), "--playbook", playbook, "--ident", "job"],
                stdout=transmitted,
                check=True,
                timeout=SECONDS,
            )
            transmitted.seek(0)
            worker = subprocess.Popen(
                [*RUNNER, "worker", "--private-data-dir", tempfile.mkdtemp(prefix="node", dir=self._folder)],
                stdin=transmitted,
                stdout=sent_back,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                env={
                    **environment_of(NO_HOME, self._collections_path),
                    "ANSIBLE_LOCAL_TEMP": str(self._folder / "temporary"),
                },
            )
        self._slices.append(each := Slice(job, worker, sent_back))
        return each

    def stop(self) -> None:
        for each in self._slices:
            if each.worker.poll() is None:
                each.kill()
                each.worker.wait(SECONDS)
