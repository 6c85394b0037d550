# SPDX-License-Identifier: GPL-3.0-or-later
"""A test for a copy of the collection to which something was added: a playbook that uses it. pytest does not collect
this file by itself. The task is in `build/added_task.yml`, which whoever made the copy has written.
"""

from __future__ import annotations

from pathlib import Path

import yaml

from collection_tree import CHECKOUT
from playbook_run import COLLECTION, IN_WORKER, Ansible
from reference_service_process import ReferenceService

ROUTE = {"match_type": "path_prefix", "match": "/"}


def test_added_task_is_predicted_and_idempotent(service: ReferenceService, tmp_path: Path) -> None:
    service.reset()
    service.seed(https_edges=[{"id": "edghts_seeded", "hostports": ["seeded.example.com:443"], "routes": [ROUTE]}])
    added = yaml.safe_load((CHECKOUT / "build" / "added_task.yml").read_text(encoding="utf-8"))
    task = {f"{COLLECTION}.{module}": options for module, options in added.items()}
    runs = {"predicted": {"check_mode": True}, "real": {}, "again": {}}
    tasks = yaml.safe_dump([{"name": name, **task, "diff": True, **how} for name, how in runs.items()])

    run = Ansible(tmp_path, service).done(tasks, "-vvvv")

    assert {way.way for way in run.ways()} == {IN_WORKER}
    assert [run.result(name)["changed"] for name in runs] == [True, True, False]
    assert run.result("predicted")["diff"] == run.result("real")["diff"]
