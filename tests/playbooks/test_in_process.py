# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a task is done, with all that a task can say about how it is to run, and with every way to start it. Workers
find loaded what their tasks need, nothing else is loaded, and the next run compiles none of it again.
"""

from __future__ import annotations

import json
import shlex
import socket
import sys
from pathlib import Path

import pytest
import yaml

from amount import first_alone
from cases import cases
from collection_tree import CONTROL_NODE_MODULES, MODULES
from playbook_run import COLLECTION, IN_PROCESS_OF_ITS_OWN, IN_WORKER, Ansible

pytestmark = pytest.mark.every_core

# The keywords of a task in addition to its module, and a part of the reason why it does not run in the worker. The last
# two may well fail where the tests run, once they are on their way.
KEYWORDS = cases(
    """
    nothing | {} | ''
    check mode | {check_mode: true} | ''
    run once | {run_once: true} | ''
    throttle | {throttle: 1} | ''
    delegation | {delegate_to: 127.0.0.1} | ''
    an empty environment | {environment: {}} | ''
    its own interpreter | {vars: {ansible_python_interpreter: *python}} | ''
    any interpreter | {vars: {ansible_python_interpreter: auto_silent}} | ''
    no opt-out | {vars: {ansible_edgeops_in_process: 'yes'}} | ''
    become that is set to false | {become: false, become_method: su} | ''
    async | {async: 60, poll: 1} | it uses async
    an environment | {environment: {A: b}} | environment
    another interpreter | {vars: {ansible_python_interpreter: '{{ other_python }}'}} | interpreter
    delegation to one with another interpreter | {delegate_to: another} | interpreter
    opt-out | {vars: {ansible_edgeops_in_process: false}} | ansible_edgeops_in_process
    opt-out as text | {vars: {ansible_edgeops_in_process: "{{ 'n' ~ 'o' }}"}} | ansible_edgeops_in_process
    become | {become: true, become_method: su, timeout: 20, ignore_errors: true} | it uses become
    another connection | {vars: *ssh, ignore_unreachable: true, ignore_errors: true} | is ssh
    """,
    python=sys.executable,
    ssh={"ansible_connection": "ssh", "ansible_host": "127.0.0.1", "ansible_port": 9},
)


@pytest.mark.long(cores=1)
def test_keywords_of_a_task(ansible: Ansible) -> None:
    other = ansible.folder / "other_python"
    other.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n', encoding="utf-8")
    other.chmod(0o755)
    pythons = {"localhost": "{{ ansible_playbook_python }}", "another": "{{ other_python }}"}
    hosts = {name: {"ansible_python_interpreter": python} for name, python in pythons.items()}
    variables = {"ansible_connection": "local", "other_python": str(other)}
    inventory = {"all": {"hosts": hosts, "vars": variables}}
    (ansible.folder / "inventory.yml").write_text(yaml.safe_dump(inventory), encoding="utf-8")
    tasks = [{"name": name, f"{COLLECTION}.tunnel_info": {}, **keywords} for name, (keywords, _) in KEYWORDS.items()]
    run = ansible.done(yaml.safe_dump(tasks), "-vvvv", "-i", "inventory.yml")
    expected = {name: IN_PROCESS_OF_ITS_OWN if reason else IN_WORKER for name, (_, reason) in KEYWORDS.items()}
    ways = dict(zip(KEYWORDS, run.ways(), strict=True))
    assert {name: way.way for name, way in ways.items()} == expected
    assert [way.reason for name, way in ways.items() if KEYWORDS[name][1] not in way.reason] == []
    assert [way.reason for way in run.ways() if way.way == IN_WORKER and way.reason] == []
    done = [name for name in KEYWORDS if "ignore_errors" not in KEYWORDS[name][0]]
    assert {name: run.result(name).get("tunnels") for name in done} == {name: [] for name in done}


def test_modules_with_short_names_run_in_process_and_a_time_limit_is_no_bug_to_report(ansible: Ansible) -> None:
    tasks = [{"name": module, module: {}, "ignore_errors": True} for module in MODULES]
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        deaf_url = f"http://127.0.0.1:{deaf.getsockname()[1]}"
        tasks.append({"name": "Wait", "tunnel_info": {"base_url": deaf_url}, "timeout": 1, "ignore_errors": True})
        run = ansible.tasks(yaml.safe_dump(tasks), "-vvvv", play={"collections": [COLLECTION]})
    assert [way.way for way in run.ways()] == [IN_WORKER] * len(tasks), run.output
    # Some do something even without options; the others say which they need.
    failed = [record for record in run.records if record["failed"]]
    assert [one["task"] for one in failed if "option_errors" not in one["result"]] == ["Wait"]
    assert "TimeoutError" not in run.result("Wait")["msg"]  # but Ansible's own words


@pytest.mark.parametrize(
    ("keep", "way"),
    first_alone([("false", IN_WORKER), ("true", f"{IN_PROCESS_OF_ITS_OWN}: ANSIBLE_KEEP_REMOTE_FILES is set")]),
)
def test_an_ad_hoc_command_runs_in_process_unless_files_are_kept(ansible: Ansible, keep: str, way: str) -> None:
    arguments = " ".join(f"{name}={value}" for name, value in {**ansible.connection, "path": "/tunnels"}.items())
    run = ansible.command(
        *("", "localhost", "-m", f"{COLLECTION}.api", "-a", arguments, "-vvvv", "--check"),
        environment={"ANSIBLE_KEEP_REMOTE_FILES": keep},
    )
    assert run.code == 0, run.output
    assert f"<localhost> {COLLECTION}.api runs {way}" in run.output
    assert '"status": 200' in run.output


# Python imports this when it starts, and calls the hook for everything that is compiled or executed later.
SITECUSTOMIZE = """
import os, sys

FILE_OF = {{"compile": lambda source, file: file, "exec": lambda code: code.co_filename}}

def note(event, arguments):
    file = FILE_OF[event](*arguments) if event in FILE_OF else ""
    if "ansible_collections/edgeops/" in str(file):
        line = os.open({log!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(line, f"{{event}} {{'parent' if os.getpid() == MAIN else 'worker'}} {{file}}\\n".encode())
        os.close(line)

MAIN = os.getpid()
sys.addaudithook(note)
"""
TASKS = """
- edgeops.ingress.tunnel_info:
- edgeops.ingress.https_edge_info:
  loop: [1, 2]
- name: A task that is included while the play runs
  ansible.builtin.include_tasks: included.yml
"""
INCLUDED = "- edgeops.ingress.api: {path: /tunnels}"
USED = {"tunnel_info", "https_edge_info", "api"}


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that lists what a run compiled and executed, and in which process."""
    path = tmp_path / "loaded.log"
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(SITECUSTOMIZE.format(log=str(path)), encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "hook"))
    return path


def noted(log: Path, event: str, folder: str = "") -> set[str]:
    """The names of the collection's files in a folder (all if empty) of such an event, for example `exec parent`."""
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    paths = [Path(line.removeprefix(event)) for line in lines if line.startswith(event)]
    return {path.stem for path in paths if folder in ("", path.parent.name)}


@pytest.mark.parametrize(("forbids", "again"), first_alone([("", set()), ("1", {"tunnel_info", "client"})]))
def test_workers_load_nothing_and_the_next_run_compiles_only_what_python_may_not_keep(
    ansible: Ansible, log: Path, monkeypatch: pytest.MonkeyPatch, forbids: str, again: set[str]
) -> None:
    """PYTHONDONTWRITEBYTECODE forbids the cache, as a folder does that cannot be written."""
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(ansible.folder / "cache"))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", forbids)
    (ansible.folder / "included.yml").write_text(INCLUDED, encoding="utf-8")
    for compiled_again in (None, again):
        log.unlink(missing_ok=True)
        run = ansible.done(TASKS, "-vvvv")
        assert [way.way for way in run.ways()] == [IN_WORKER] * 4
        assert noted(log, "exec worker") == noted(log, "compile worker") == set()
        assert noted(log, "exec parent", "_resources") == {"__init__", *USED}, "a play loads only what its tasks need"
        assert noted(log, "exec parent", "_exposure") == noted(log, "exec parent", "modules") == set()
        if compiled_again is not None:
            assert {"tunnel_info", "client"} & noted(log, "compile parent") == compiled_again


def test_ansible_doc_finds_every_module_and_loads_no_action(ansible: Ansible, log: Path) -> None:
    run = ansible.command("doc", "--list", "--json", "--type", "module", COLLECTION)
    assert set(json.loads(run.output)) == {f"{COLLECTION}.{module}" for module in (*MODULES, *CONTROL_NODE_MODULES)}
    assert noted(log, "exec parent", "_resources") == set()
