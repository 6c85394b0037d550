# SPDX-License-Identifier: GPL-3.0-or-later
"""The rulebooks of the collection as users run them: with an installed collection, an inventory, and variables."""

from __future__ import annotations

import own_tests  # noqa: F401 - before anything reads settings, as Ansible does when it is imported

# isort: split
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests

from build_archive import build_archive
from installed_collection import installed_from
from java_home import VERSION, java_home
from reference_service_process import ReferenceService, running_reference_service
from scripted_service import as_json, in_turn, scripted_service

JAVA = java_home()
# Nobody needs it for the other checks.
pytestmark = pytest.mark.skipif(JAVA is None, reason=f"Java {VERSION} is not installed")

BIN = Path(sys.executable).parent
SECONDS = 60
LOCAL = {"ansible_connection": "local", "ansible_python_interpreter": "{{ ansible_playbook_python }}"}
LOCALHOST = {"localhost": LOCAL}


@dataclass
class RulebookRun:
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def output(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def until(self, is_so: Callable[[], bool]) -> None:
        end = time.monotonic() + SECONDS
        while not is_so():
            assert time.monotonic() < end, self.output
            assert self.process.poll() is None, self.output
            time.sleep(0.1)

    def shows(self, text: str) -> None:
        self.until(lambda: text in self.output)


Running = Callable[..., AbstractContextManager[RulebookRun]]


@pytest.fixture(scope="session")
def collections_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("collection")
    return installed_from(build_archive(folder), folder / "installed").collections_path


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ReferenceService]:
    (tmp_path / "service").mkdir()
    with running_reference_service(tmp_path / "service") as running:
        yield running


@pytest.fixture
def running(collections_path: Path, service: ReferenceService, tmp_path: Path) -> Running:
    """Runs a rulebook of the collection, or one in a file, from its first polls until the block ends."""
    own = {
        "ANSIBLE_COLLECTIONS_PATH": str(collections_path),
        "ANSIBLE_NOCOLOR": "true",
        "INGRESS_BASE_URL": service.base_url,
        "INGRESS_API_KEY": service.api_key,
        "INGRESS_EVENT_TYPE_FIELD": "payload.event_type",
        "JAVA_HOME": str(JAVA),
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
    }

    @contextmanager
    def running(
        rulebook: str, *, inventory: Any = LOCALHOST, polls: bool = True, **variables: Any
    ) -> Iterator[RulebookRun]:
        # JSON is YAML.
        for name, content in {"vars": variables, "inventory": {"all": {"hosts": inventory}}}.items():
            (tmp_path / f"{name}.yml").write_text(json.dumps(content), encoding="utf-8")
        command = (str(BIN / "ansible-rulebook"), "-r", rulebook, "-e", "vars.yml", "-i", "inventory.yml")
        how: Any = {"cwd": tmp_path, "env": {**os.environ, **own}, "stderr": subprocess.STDOUT}
        log = tmp_path / "rulebook.log"
        with log.open("wb") as output, subprocess.Popen(command, stdout=output, **how) as process:
            try:
                run = RulebookRun(process, log)
                run.until(lambda: not polls or len({one["at"] for one in service.journal()}) > 2)
                yield run
            finally:
                process.terminate()
                try:
                    process.wait(SECONDS)
                except subprocess.TimeoutExpired:
                    process.kill()
                    raise

    return running


SSH = {"id": "tn_ssh", "region": "eu", "proto": "tcp", "public_url": "tcp://1.tcp.example.net:12345"}
EDGE = {"hostports": ["shop.example.com:443"], "description": "The shop"}


def test_a_changed_edge_runs_the_drift_check(running: Running, service: ReferenceService) -> None:
    [edge] = service.seed(https_edges=[EDGE])["https_edges"]
    inventory = {"shop": {**LOCAL, "estate_https_edges": [EDGE]}}
    with running("edgeops.ingress.check_drift", inventory=inventory, ingress_interval=0.5) as run:
        headers = {"Authorization": f"Bearer {service.api_key}", "Svc-Version": "2"}
        url = f"{service.base_url}/edges/https/{edge['id']}"
        assert requests.patch(url, json={"description": "Mine now"}, headers=headers, timeout=10).ok
        run.shows("shop differs from its declaration")
        assert '-    "description": "Mine now"' in run.output
        assert not [one for one in service.journal() if one["method"] not in ("GET", "PATCH")]


def test_a_channel_shows_findings_and_outages(running: Running, service: ReferenceService, tmp_path: Path) -> None:
    with scripted_service(in_turn(as_json({}))) as channel:
        variables = {
            "ingress_interval": 0.5,
            "ingress_report_failure_after": 1,
            "channel_url": f"{channel.base_url}/hook",
            "ingress_state_file": str(tmp_path / "state.json"),
        }
        with running("edgeops.ingress.notify_channel", **variables) as run:
            for number, change in enumerate(
                (
                    lambda: service.seed(tunnels=[{**SSH, "forwards_to": "localhost:22"}]),
                    service.reset,
                    lambda: service.switches(account="edges_off"),
                    lambda: service.switches(account="normal"),
                )
            ):
                change()
                run.until(lambda count=number: len(channel.received) == count + 1)  # type: ignore[misc]
    opened, closed, failed, recovered = (json.loads(request.body)["text"] for request in channel.received)
    assert opened.startswith("127.0.0.1: The public address leads to port 22")
    assert closed.startswith("127.0.0.1: closed again: service_port_in_the_open")
    [since] = re.findall(r"127\.0\.0\.1: the account cannot be read since (\S+)", failed)
    assert recovered == f"127.0.0.1: the account can be read again. The outage began at {since}."


def test_a_new_tunnel_is_greeted(running: Running, service: ReferenceService) -> None:
    with running("edgeops.ingress.greet_tunnel", ingress_interval=0.5) as run:
        service.seed(tunnels=[SSH])
        run.shows("Welcome, tunnel tcp://1.tcp.example.net:12345 (tn_ssh) in eu")


def test_the_event_types_of_the_service_are_conditions(running: Running) -> None:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]

    def is_listening() -> bool:
        with socket.socket() as tried:
            return tried.connect_ex(("127.0.0.1", port)) == 0

    with running("edgeops.ingress.service_events", polls=False, webhook_port=port) as run:
        run.until(is_listening)
        for payload in (
            {"event_type": "no_event_type.v0"},
            {"event_type": ["ip_policy_updated.v0"]},
            {"event_type": "ip_policy_updated.v0"},
            {"event_type": "tunnel_credential_created.v0"},
            {"event_type": "api_key_updated.v0"},
            {"event_type": "event_destination_deleted.v0"},
            {"event_type": "agent_session_stop.v0"},
            {"event_type": "http_request_complete.v0"},
        ):
            assert requests.post(f"http://127.0.0.1:{port}/endpoint", json=payload, timeout=10).ok
        run.shows("Traffic: http_request")
        time.sleep(0.5)
    said = [line for line in run.output.splitlines() if ": " in line and not line.startswith(("20", "**", "Loading"))]
    assert said == [
        "Access has changed: ip_policy_updated.v0",
        "A credential was created: tunnel_credential_created.v0",
        "The events themselves have changed: event_destination_deleted.v0",
        "Traffic: http_request",
    ]
    assert "An agent has stopped" in run.output


PIPE = "lookup('ansible.builtin.pipe', 'touch {file}')"
HOSTILE = ["{{ PIPE }}", "'{' '{ PIPE }}'", '"\\x7b{ PIPE }}"', "' '{' '{ PIPE }}' '"]

RULEBOOK = """
- name: Hand strings on without any care
  hosts: all
  sources:
    - edgeops.ingress.changes:
        interval: 0.5
  rules:
    - name: A tunnel is online
      condition: event.type == "tunnel_online"
      action:
        run_playbook:
          name: show.yml
          extra_vars:
            bare: "{{ event.after.metadata }}"
            quoted: "'{{ event.after.metadata }}'"
            inside: "{'text': '{{ event.after.metadata }}'}"
"""

PLAYBOOK = """
- name: Show strings
  hosts: all
  gather_facts: false
  tasks:
    - name: Show
      ansible.builtin.debug:
        msg:
          - "{{ [bare, quoted, inside, ansible_eda.event] }}"
          - "shown {{ ansible_eda.event.ids.id }}"
"""


def test_hostile_strings_are_not_evaluated(running: Running, service: ReferenceService, tmp_path: Path) -> None:
    (tmp_path / "rules.yml").write_text(RULEBOOK, encoding="utf-8")
    (tmp_path / "show.yml").write_text(PLAYBOOK, encoding="utf-8")
    with running("rules.yml") as run:
        for number, text in enumerate(HOSTILE):
            metadata = text.replace("PIPE", PIPE.format(file=tmp_path / "evaluated"))
            service.seed(tunnels=[{**SSH, "id": f"tn_{number}", "metadata": metadata}])
            run.shows(f"shown tn_{number}")
    assert not (tmp_path / "evaluated").exists()


def test_errors_in_the_options_end_the_run_with_a_message(running: Running, tmp_path: Path) -> None:
    wrong = RULEBOOK.replace("interval: 0.5", "interval: 0\n        tls_edges: 5")
    (tmp_path / "rules.yml").write_text(wrong, encoding="utf-8")
    with running("rules.yml", polls=False) as run:
        run.process.wait(30)
    assert "interval: 0.0 is out of range" in run.output
    assert "tls_edges[0]: " in run.output
