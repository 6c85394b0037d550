# SPDX-License-Identifier: GPL-3.0-or-later
"""Workers find the collection loaded. Ansible's collection loader caches no bytecode: each would compile it."""

from __future__ import annotations

from pathlib import Path

import pytest

from collection_tree import MODULES
from playbook_run import IN_WORKER, Ansible
from reference_service_process import ReferenceService

# Python imports this when it starts, and tells the hook about everything that is compiled later.
SITECUSTOMIZE = """
import os, sys

def note(event, arguments):
    if event == "compile" and "edgeops" in str(arguments[1]):
        line = os.open({log!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(line, f"{{os.getpid() == MAIN}} {{arguments[1]}}\\n".encode())
        os.close(line)

MAIN = os.getpid()
sys.addaudithook(note)
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """The file that lists what a run compiled, and whether its parent process did."""
    path = tmp_path / "compiled.log"
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(SITECUSTOMIZE.format(log=str(path)), encoding="utf-8")
    return path


def compiled(log: Path, *, by_parent: bool) -> list[str]:
    """The names of the collection's files that the parent, or its workers, compiled."""
    lines = log.read_text(encoding="utf-8").splitlines()
    return [Path(line.partition(" ")[2]).stem for line in lines if line.startswith(str(by_parent))]


def test_workers_compile_nothing(service: ReferenceService, tmp_path: Path, log: Path) -> None:
    service.reset()
    run = Ansible(tmp_path, service).tasks(
        """
        - edgeops.ingress.tunnel_info:
        - edgeops.ingress.https_edge_info:
          loop: [1, 2]
        - edgeops.ingress.estate_info:
        """,
        "-vvvv",
        environment={"PYTHONPATH": str(tmp_path / "hook")},
    )

    assert run.code == 0, run.output
    assert [way.way for way in run.ways()] == [IN_WORKER] * 4
    assert compiled(log, by_parent=False) == []
    assert set(MODULES) <= set(compiled(log, by_parent=True))


def test_only_processes_that_run_tasks_load_the_modules(service: ReferenceService, tmp_path: Path, log: Path) -> None:
    run = Ansible(tmp_path, service).command(
        *("doc", "--list", "edgeops.ingress"), environment={"PYTHONPATH": str(tmp_path / "hook")}
    )
    assert run.code == 0, run.output
    assert not log.exists() or not set(MODULES) & set(compiled(log, by_parent=True))
