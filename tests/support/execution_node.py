# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs on execution nodes: AWX transmits a job, and a worker runs it there.

The worker has what an execution environment has: a collection in a folder of its own, and no home.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from awx_job import environment_of

RUNNER = (sys.executable, "-m", "ansible_runner")
SECONDS = 300

NO_HOME = "/dev/null/home"
"""Nobody can create it, not even root."""


class ExecutionNodes:
    """Starts jobs of a project on workers, each with the collections in one folder only."""

    def __init__(self, folder: Path, project: Path, collections_path: Path) -> None:
        self._folder, self._project, self._collections_path = folder, project, collections_path

    def exit_code(self, playbook: str, hosts: Mapping[str, Mapping[str, Any]]) -> int:
        """Transmit a job for these hosts of the group `accounts`, with their variables, and wait for its worker."""
        job = Path(tempfile.mkdtemp(prefix="job", dir=self._folder))
        (job / "inventory").mkdir()
        inventory = {"accounts": {"hosts": {name: dict(own) for name, own in hosts.items()}}}
        (job / "inventory" / "hosts.json").write_text(json.dumps(inventory), encoding="utf-8")
        (job / "project").symlink_to(self._project, target_is_directory=True)
        command = [*RUNNER, "transmit", str(job), "--playbook", playbook, "--ident", "job"]
        transmitted = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=SECONDS).stdout
        temporary = {"ANSIBLE_LOCAL_TEMP": str(self._folder / "temporary")}
        return subprocess.run(
            [*RUNNER, "worker", "--private-data-dir", tempfile.mkdtemp(prefix="node", dir=self._folder)],
            input=transmitted,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
            timeout=SECONDS,
            env={**environment_of(NO_HOME, self._collections_path), **temporary},
        ).returncode
