# SPDX-License-Identifier: GPL-3.0-or-later
"""The role `reference_service`: what it shows of its key, who else runs it, and what it says if it fails.

Its installation is not looked at here: the folder has what the role would install, under the names that it looks for.
"""

from __future__ import annotations

import json
import os
import shlex
import socket
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from playbook_run import Ansible, Run, attempts
from reference_service_process import SOURCES, ReferenceService, background, remote_control

pytestmark = pytest.mark.every_core

KEY = "ak-canary-of-the-role"
SECRET = "canary-of-the-seed"
ROUTE = {"match_type": "exact_path", "match": "/", "webhook_verification": {"provider": "slack", "secret": SECRET}}
SEED = {"https_edges": [{"id": "edghts_seeded", "routes": [ROUTE]}]}
ROLE = """
- ansible.builtin.include_role:
    name: edgeops.ingress.reference_service
- name: Show
  ansible.builtin.debug:
    var: reference_service_base_url
"""


class Role:
    """The role, with a folder of its own."""

    def __init__(self, ansible: Ansible, home: Path) -> None:
        self.ansible = ansible
        self.home = home

    def variables(self, **given: Any) -> dict[str, Any]:
        own = {"home": str(self.home), "port": 0, "api_key": KEY, "seed": SEED, **given}
        return {f"reference_service_{name}": value for name, value in own.items()}

    def run(self, *arguments: str, tasks: str = ROLE, hosts: int = 1, **given: Any) -> Run:
        """Run the role on this many hosts, all of which are this machine."""
        variables = {"ansible_python_interpreter": sys.executable, **self.variables(**given)}
        play = {"hosts": "all", "connection": "local", "vars": variables}
        inventory = "".join(f"host{number}," for number in range(hosts))
        return self.ansible.tasks(tasks, "-i", inventory, *arguments, play=play)


@pytest.fixture
def role(service: ReferenceService, tmp_path: Path) -> Iterator[Role]:
    home = tmp_path / "home of it"
    interpreter = home / "venv" / "bin" / "python"
    interpreter.parent.mkdir(parents=True)
    # A link would be taken for the Python that it leads to, without the packages of its environment.
    interpreter.write_text(f'#! /bin/sh\nexec {shlex.quote(remote_control.service_python())} "$@"\n', encoding="utf-8")
    interpreter.chmod(interpreter.stat().st_mode | stat.S_IXUSR)
    requirements = (SOURCES / "requirements.txt").read_text(encoding="utf-8")
    (home / "venv" / "installed-requirements.txt").write_text(requirements, encoding="utf-8")
    yield Role(Ansible(tmp_path, service), home)
    background.stop(home / "ready.json")


def addresses(run: Run) -> list[str]:
    return [each["result"]["reference_service_base_url"] for each in run.records if each["task"] == "Show"]


def changed(run: Run) -> list[str]:
    return [each["task"] for each in run.records if each["result"].get("changed")]


def status(address: str, key: str = KEY) -> int:
    headers = {"Authorization": f"Bearer {key}", "Svc-Version": "2"}
    return requests.get(f"{address}/tunnels", headers=headers, timeout=30).status_code


@pytest.mark.long(cores=0)
def test_files_of_the_role_are_private_and_no_secret_is_shown(role: Role) -> None:
    dry = role.run("--check")
    assert dry.code == 0, dry.output
    assert changed(dry), "there would be something to do"
    assert not (role.home / "ready.json").exists()
    before = os.umask(0)
    try:
        first = role.run("-vvvv", "--diff")
    finally:
        os.umask(before)
    files = {path.name: stat.S_IMODE(path.stat().st_mode) for path in role.home.iterdir() if path.is_file()}
    assert files.keys() >= {"api_key", "seed.json", "ready.json", "service.log", "state.sqlite"}
    assert set(files.values()) == {0o600}, files
    assert stat.S_IMODE(role.home.stat().st_mode) == 0o700
    second = role.run("-vvvv", "--diff", api_key=f"{KEY}-2")
    for run in (first, second):
        assert run.code == 0, run.output
        # With this verbosity, the output has each command as it was started.
        assert "EXEC /bin/sh -c" in run.output
        assert "PYTHONPYCACHEPREFIX" in run.output
        assert KEY not in run.output + json.dumps(run.records)
        assert SECRET not in run.output + json.dumps(run.records)
        assert changed(run)
    [address] = addresses(second)
    assert (status(address), status(address, f"{KEY}-2")) == (401, 200)
    pid = json.loads((role.home / "ready.json").read_bytes())["pid"]
    command_line = Path(f"/proc/{pid}/cmdline")
    assert not command_line.exists() or KEY.encode() not in command_line.read_bytes()
    # What nothing can stop is not taken for stopped.
    venv = role.home / "venv"
    venv.rename(role.home / "elsewhere")
    run = role.run(state="stopped")
    venv.with_name("elsewhere").rename(venv)
    assert run.code == 2
    assert "ready.json" in run.result("Fail if a running service cannot be stopped")["msg"]


@pytest.mark.long(cores=0)
def test_hosts_that_run_the_role_in_parallel_share_one_service(role: Role) -> None:
    first = role.run("--forks", "2", hosts=2)
    assert first.code == 0, first.output
    found = addresses(first)
    assert found == found[:1] * 2
    assert status(found[0]) == 200
    again = role.run("--forks", "2", hosts=2)
    assert addresses(again) == found
    assert changed(again) == []
    assert role.run("--forks", "2", hosts=2, state="stopped").code == 0
    with pytest.raises(requests.ConnectionError):
        status(found[0])


NO_START = "The reference service did not start: "
REJECTED: list[tuple[dict[str, Any], str, str]] = [
    ({"seed": {"tunnels": [{"colour": SECRET}]}}, NO_START, "tunnels.0.colour"),
    ({"seeds": "{{ nothing_of_that_name }}"}, "reference_service_seeds: ", "unknown variable."),
    ({"state": "stopped", "hom": "/"}, "reference_service_hom: ", "unknown variable."),
    ({"home": ""}, 'reference_service_home: "" ', "expected a path that starts with /"),
]


@pytest.mark.long(cores=0)
def test_a_rejected_start_of_the_role_fails_with_its_reason(role: Role) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = {"port": taken.getsockname()[1]}
        rejected = [*REJECTED, (port, NO_START, "Set reference_service_port to another one")]
        tasks = attempts("reference_service", *(role.variables(**given) for given, *_said in rejected))
        run = role.run(tasks=tasks)
    assert len(run.errors()) == len(rejected), run.output
    for message, (_given, beginning, said) in zip(run.errors(), rejected, strict=True):
        assert message.startswith(beginning)
        assert said in message
        assert SECRET not in message
    assert not (role.home / "ready.json").exists()
