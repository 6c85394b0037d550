# SPDX-License-Identifier: GPL-3.0-or-later
"""Workers find loaded what their tasks need, nothing else is loaded, and the next run compiles none of it again."""

from __future__ import annotations

from pathlib import Path

import pytest

from amount import first_alone
from playbook_run import IN_WORKER, Ansible

# Python imports this when it starts, and calls the hook for everything that is compiled later.
SITECUSTOMIZE = """
import os, sys

def note(event, arguments):
    if event == "compile" and "ansible_collections/edgeops/" in str(arguments[1]):
        line = os.open({log!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(line, f"{{os.getpid() == MAIN}} {{arguments[1]}}\\n".encode())
        os.close(line)

MAIN = os.getpid()
sys.addaudithook(note)
"""


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that lists what a run compiled, and whether its parent process did. Bytecode is cached for this test."""
    path = tmp_path / "compiled.log"
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(SITECUSTOMIZE.format(log=str(path)), encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "hook"))
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path / "cache"))
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    return path


def compiled(log: Path, *, by_parent: bool, folder: str = "") -> list[str]:
    """The names of the collection's files in a folder (all if empty) that the parent, or its workers, compiled."""
    lines = log.read_text(encoding="utf-8").splitlines()
    paths = [Path(line.partition(" ")[2]) for line in lines if line.startswith(str(by_parent))]
    return sorted(path.stem for path in paths if folder in ("", path.parent.name))


USED = {"tunnel_info", "https_edge_info", "api"}
TASKS = """
- edgeops.ingress.tunnel_info:
- edgeops.ingress.https_edge_info:
  loop: [1, 2]
- name: A task that is included while the play runs
  ansible.builtin.include_tasks: included.yml
"""
INCLUDED = "- edgeops.ingress.api: {path: /tunnels}"


@pytest.mark.every_core
def test_workers_compile_nothing(ansible: Ansible, log: Path) -> None:
    (ansible.folder / "included.yml").write_text(INCLUDED, encoding="utf-8")
    run = ansible.tasks(TASKS, "-vvvv")
    assert run.code == 0, run.output
    assert [way.way for way in run.ways()] == [IN_WORKER] * 4
    assert compiled(log, by_parent=False) == []
    assert set(compiled(log, by_parent=True, folder="_resources")) >= USED
    assert compiled(log, by_parent=True, folder="modules") == [], "the documentation is not needed"


@pytest.mark.every_core
@pytest.mark.parametrize(("forbids", "again"), first_alone([("", set()), ("1", {"tunnel_info", "client"})]))
def test_the_next_run_compiles_only_what_python_may_not_keep(
    ansible: Ansible, log: Path, monkeypatch: pytest.MonkeyPatch, forbids: str, again: set[str]
) -> None:
    """PYTHONDONTWRITEBYTECODE forbids the cache, as a folder does that cannot be written."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", forbids)
    for is_second in (False, True):
        log.write_text("", encoding="utf-8")
        # Ansible imports the callbacks of the tests first, and with them some of the collection.
        run = ansible.tasks(
            "- edgeops.ingress.tunnel_info:", environment={"ANSIBLE_CALLBACK_PLUGINS": str(ansible.folder)}
        )
        assert run.code == 0, run.output
        if not is_second:
            assert compiled(log, by_parent=True, folder="_exposure") == [], "a play loads only what its tasks need"
            assert set(compiled(log, by_parent=True, folder="_resources")) == {"__init__", "tunnel_info"}
            assert set(compiled(log, by_parent=True, folder="_objects")) == {"__init__", "common_options", "tunnels"}
    assert {"tunnel_info", "client"} & set(compiled(log, by_parent=True)) == again


def test_looking_at_the_documentation_loads_no_action(ansible: Ansible, log: Path) -> None:
    run = ansible.command("doc", "--list", "edgeops.ingress")
    assert run.code == 0, run.output
    assert not log.exists() or compiled(log, by_parent=True, folder="_resources") == []
