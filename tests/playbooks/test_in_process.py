# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a task is done, with all that a task can say about how it is to run, and with every way to start it."""

from __future__ import annotations

import json
import shlex
import sys

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
    run = ansible.tasks(yaml.safe_dump(tasks), "-vvvv", "-i", "inventory.yml")
    assert run.code == 0, run.output
    expected = {name: IN_PROCESS_OF_ITS_OWN if reason else IN_WORKER for name, (_, reason) in KEYWORDS.items()}
    ways = dict(zip(KEYWORDS, run.ways(), strict=True))
    assert {name: way.way for name, way in ways.items()} == expected
    assert [way.reason for name, way in ways.items() if KEYWORDS[name][1] not in way.reason] == []
    assert [way.reason for way in run.ways() if way.way == IN_WORKER and way.reason] == []
    done = [name for name in KEYWORDS if "ignore_errors" not in KEYWORDS[name][0]]
    assert {name: run.result(name).get("tunnels") for name in done} == {name: [] for name in done}


def test_a_time_limit_is_not_a_bug_that_the_plugin_should_report(ansible: Ansible) -> None:
    ansible.service.switches(response_delay_ms=20000)
    task = {"name": "Wait", f"{COLLECTION}.tunnel_info": {}, "timeout": 1, "ignore_errors": True}
    run = ansible.tasks(yaml.safe_dump([task]), "-vvvv")
    assert run.of("Wait")["failed"]
    assert "TimeoutError" not in run.result("Wait")["msg"]  # but Ansible's own words
    assert [way.way for way in run.ways()] == [IN_WORKER]


def test_modules_with_short_names_run_in_process(ansible: Ansible) -> None:
    tasks = [{"name": module, module: {}, "ignore_errors": True} for module in MODULES]
    run = ansible.tasks(yaml.safe_dump(tasks), "-vvvv", play={"collections": [COLLECTION]})
    assert [way.way for way in run.ways()] == [IN_WORKER] * len(MODULES), run.output
    # Some do something even without options; the others say which they need.
    assert [
        record["result"] for record in run.records if record["failed"] and "option_errors" not in record["result"]
    ] == []


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


def test_ansible_doc_finds_every_module(ansible: Ansible) -> None:
    run = ansible.command("doc", "--list", "--json", "--type", "module", COLLECTION)
    assert set(json.loads(run.output)) == {f"{COLLECTION}.{module}" for module in (*MODULES, *CONTROL_NODE_MODULES)}
