# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs as automation controllers run them: by ansible-runner, which keeps their output and an event for each result."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from playbook_run import COLLECTION, IN_WORKER, Ansible, playbook_of
from reference_service_process import API_KEY, ReferenceService
from secret_canaries import TASKS, prepared, shown

pytestmark = pytest.mark.every_core

JOB_SECONDS = 300


def test_a_job_runs_in_the_worker_and_shows_no_secret(service: ReferenceService, tmp_path: Path) -> None:
    artifacts = run_job(prepared(service, tmp_path), TASKS)

    output = (artifacts / "stdout").read_text(encoding="utf-8")
    assert (artifacts / "rc").read_text(encoding="utf-8") == "0", output
    events = [json.loads(path.read_text(encoding="utf-8")) for path in (artifacts / "job_events").iterdir()]
    done = [event["event_data"] for event in events if event["event"] in ("runner_on_ok", "runner_on_failed")]
    ours = [one for one in done if one["task_action"].startswith(COLLECTION)]
    assert len(ours) == TASKS.count(f"  {COLLECTION}.")
    assert output.count(f" runs {IN_WORKER}") == len(ours)
    # Its own `command` is the environment that the job was started with, key included.
    files = [path for path in artifacts.rglob("*") if path.is_file() and path.name != "command"]
    assert shown({path.name: path.read_text(encoding="utf-8") for path in files}) == []


def run_job(ansible: Ansible, tasks: str) -> Path:
    """Run the tasks, and return the folder of what is kept of the job."""
    defaults = {f"group/{COLLECTION}.all": {"base_url": ansible.service.base_url}}
    play = {"hosts": "localhost", "gather_facts": False, "ignore_errors": True, "module_defaults": defaults}
    (ansible.folder / "project").mkdir()
    (ansible.folder / "project" / "job.yml").write_text(playbook_of(tasks, play), encoding="utf-8")
    run = subprocess.run(
        [
            *(sys.executable, "-m", "ansible_runner", "run", str(ansible.folder), "--playbook", "job.yml"),
            *("--ident", "job", "--quiet", "-vvvv"),
            *("--cmdline", f"--diff --extra-vars @{ansible.folder / 'variables.json'}"),
        ],
        check=False,
        capture_output=True,
        text=True,
        timeout=JOB_SECONDS,
        env={
            **os.environ,
            # Ansible's own commands are next to the Python that runs this.
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "ANSIBLE_HOME": str(ansible.folder / "ansible_home"),
            "ANSIBLE_INJECT_INVOCATION": "true",
            "INGRESS_API_KEY": API_KEY,
        },
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return ansible.folder / "artifacts" / "job"
