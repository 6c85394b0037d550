# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs as automation controllers run them."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import ansible_runner
from playbook_run import COLLECTION, IN_WORKER, Ansible, playbook_of
from secret_canaries import TASKS, prepared, shown

from reference_service_process import API_KEY, ReferenceService


def test_a_job_runs_in_the_worker_and_shows_no_secret(service: ReferenceService, tmp_path: Path) -> None:
    job = run_job(prepared(service, tmp_path), TASKS)

    assert job.rc == 0, job.stdout.read()
    done = [event["event_data"] for event in job.events if event["event"] in ("runner_on_ok", "runner_on_failed")]
    ours = [one for one in done if one["task_action"].startswith(COLLECTION)]
    assert len(ours) == TASKS.count(f"  {COLLECTION}.")
    assert job.stdout.read().count(f" runs {IN_WORKER}") == len(ours)
    # Its own `command` is the environment that the job was started with, key included.
    files = [path for path in (tmp_path / "artifacts").rglob("*") if path.is_file() and path.name != "command"]
    assert len([path for path in files if path.parent.name == "job_events"]) > len(ours)
    assert shown({path.name: path.read_text(encoding="utf-8") for path in files}) == []


def run_job(ansible: Ansible, tasks: str) -> Any:
    defaults = {f"group/{COLLECTION}.all": {"base_url": ansible.service.base_url}}
    play = {"hosts": "localhost", "gather_facts": False, "ignore_errors": True, "module_defaults": defaults}
    project = ansible.folder / "project"
    project.mkdir()
    (project / "job.yml").write_text(playbook_of(tasks, play), encoding="utf-8")
    return ansible_runner.run(
        private_data_dir=str(ansible.folder),
        playbook="job.yml",
        cmdline=f"--diff --extra-vars @{ansible.folder / 'variables.json'}",
        envvars={
            # Ansible's own commands lie beside the Python that runs this.
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "ANSIBLE_HOME": str(ansible.folder / "ansible_home"),
            "ANSIBLE_INJECT_INVOCATION": "true",
            "INGRESS_API_KEY": API_KEY,
        },
        verbosity=4,
        quiet=True,
    )
