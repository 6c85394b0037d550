# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of the service, its start and its end, in the foreground and in the background, as the role uses it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import requests

from amount import first_alone
from reference_service import background
from running_service import API_KEY, HEADERS, command, ended, environment, running

SECRET = "words of the tests"


def test_options_of_the_command_line_take_effect(tmp_path: Path) -> None:
    seed = tmp_path / "seed.json"
    seed.write_text(json.dumps({"tunnels": [{"id": "tn_1"}], "https_edges": [{"id": "edghts_1"}]}))
    key_file = tmp_path / "keys"
    key_file.write_text(f"{API_KEY}\n\n  ak_second\n")
    keys = ("--api-key-file", str(key_file))
    options = ("--base-path", "/v2/", "--version-header", "Own-Version", "--seed", str(seed), *keys)
    switches = ("--switch", "page_size=7", "--switch", "extra_keys=true", "--switch", "missing_operation=501")
    own = {"Authorization": "Bearer ak_second", "Own-Version": "2"}
    with running(tmp_path, *options, *switches) as service:
        assert service.base_url.endswith("/v2")
        assert service.done("GET", "/tunnels", headers=own)["uri"] == f"{service.base_url}/tunnels"
        edge = service.done("GET", "/edges/https/edghts_1", headers=own)
        assert edge["uri"] == f"{service.base_url}/edges/https/edghts_1"
        assert "Own-Version" in service.rejected("GET", "/tunnels", headers={**own, "Own-Version": "1"})["msg"]
        service.rejected("GET", "/tunnels", headers=HEADERS)
        service.rejected("GET", service.base_url.removesuffix("/v2") + "/tunnels", headers=own, status=404)
        assert service.journal()[0]["path"] == "/v2/tunnels"
        found = service.control("GET", "switches")
        assert (found["page_size"], found["extra_keys"], found["missing_operation"]) == (7, True, 501)
        service.switches(next_page="relative", page_size=1)
        service.control("POST", "seed", {"tunnels": [{}]})
        assert service.done("GET", "/tunnels", headers=own)["next_page_uri"].startswith("/v2/tunnels?")
    with running(tmp_path, *options) as again:
        assert len(again.control("GET", "state")["tunnels"]) == 2, "the seed is for an empty state only"


@pytest.mark.parametrize(("key", "lines"), [("", 1), (API_KEY, 0)])
def test_only_the_default_key_is_printed_to_be_copied(tmp_path: Path, key: str, lines: int) -> None:
    start = command("--port", "0", "--state", str(tmp_path / "state.sqlite"))
    variables = {**environment(), "INGRESS_API_KEY": key, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(start, env=variables, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        printed = [process.stdout.readline() for _ in range(lines + 1)]
        process.kill()
    pattern = r"export INGRESS_BASE_URL=http://127\.0\.0\.1:\d+ INGRESS_API_KEY=ak_reference\n"
    exports = [line for line in printed if line.startswith("export ")]
    assert (len(exports), all(re.fullmatch(pattern, line) for line in exports)) == (lines, True)


def test_a_terminated_service_exits_without_an_error_and_a_damaged_state_is_named(tmp_path: Path) -> None:
    with running(tmp_path) as service:
        service.new_edge()
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(30) == 0
    assert not (tmp_path / "state.sqlite-wal").exists()
    state = tmp_path / "state.sqlite"
    state.write_bytes(state.read_bytes()[:5000])
    [line] = rejected_start("--state", str(state)).splitlines()
    assert line.startswith(f"reference_service: {state}: ")


TERMINATED_WHERE_NO_EXCEPTION_GETS_OUT = """
import signal, sys, weakref, uvicorn
from reference_service.__main__ import main

def run(server, sockets, run_server=uvicorn.Server.run):
    gone = set()
    callback = weakref.ref(gone, lambda _gone: signal.raise_signal(signal.SIGTERM))
    del gone
    run_server(server, sockets)

uvicorn.Server.run = run
sys.exit(main(sys.argv[1:]))
"""


def test_a_service_is_terminated_at_any_moment_of_its_start(tmp_path: Path) -> None:
    start = [sys.executable, "-c", TERMINATED_WHERE_NO_EXCEPTION_GETS_OUT, "serve", "--port", "0"]
    state = ("--state", str(tmp_path / "state.sqlite"))
    done = subprocess.run([*start, *state], env=environment(), capture_output=True, timeout=30, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_service_can_listen_on_ipv6_loopback(tmp_path: Path) -> None:
    try:
        with running(tmp_path, "--host", "::1") as service:
            assert service.base_url.startswith("http://[::1]:")
            assert service.done("GET", "/tunnels")["uri"] == f"{service.base_url}/tunnels"
    except AssertionError as error:
        if "Cannot assign requested address" not in str(error):
            raise
        pytest.skip("this machine has no IPv6 loopback")


def rejected_start(*options: str) -> str:
    done = ended(*options)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.parametrize(
    ("options", "named"),
    first_alone(
        [
            *((("--host", host), "--host") for host in ("0.0.0.0", "::", "192.0.2.1", "example.com", "127.0.0.2", "")),
            (("--switch", "colour=red"), "colour"),
            (("--switch", "lists=backwards"), "lists"),
            (("--switch", "lists"), "NAME=VALUE"),
            (("--seed", "/dev/null/seed.json"), "/dev/null/seed.json"),
            (("--port", "x"), "--port"),
            (("--port", "70000"), "port"),
            (("--state", "/dev/null/state.sqlite"), "/dev/null/state.sqlite"),
            *(((name, ""), f"{name} is empty") for name in ("--state", "--api-key-file", "--seed", "--ready-file")),
            (("--base-path", "/_control/"), "--base-path"),
            (("--api-key-file", "/dev/null/keys"), "/dev/null/keys"),
            (("--api-key", API_KEY), "--api-key"),
        ]
    ),
)
def test_an_invalid_option_is_named_in_the_error(options: tuple[str, ...], named: str) -> None:
    assert named in rejected_start(*options)


@pytest.mark.parametrize(
    ("option", "content", "problem"),
    [
        ("--state", b"\xff\xfe is neither a database nor text", "file is not a database"),
        ("--api-key-file", b"\xff\xfe is neither a database nor text", "is not UTF-8 text"),
        *(("--api-key-file", content, "contains no API key") for content in (b"", b"\n", b"  \n\n")),
    ],
)
def test_an_unusable_file_is_named_and_left_alone(tmp_path: Path, option: str, content: bytes, problem: str) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    file.chmod(0o644)
    [line] = rejected_start(option, str(file)).splitlines()
    assert line.startswith(f"reference_service: {file}: {problem}")
    assert (stat.S_IMODE(file.stat().st_mode), file.read_bytes()) == (0o644, content)


def test_an_occupied_port_is_named_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        [line] = rejected_start("--host", "localhost", "--port", str(port)).splitlines()
    assert line.startswith(f"reference_service: localhost:{port}: ")
    assert "in use" in line


SEEDS: list[tuple[str, str]] = [
    (json.dumps({"https_edges": [{"routes": [{"oidc": {"client_secret": [SECRET]}}]}]}), "https_edges.0.routes.0.oidc"),
    ("{", "seed.json: the file"),
    ('{"edges": []}', "edges"),
    ('{"tunnels": [{"id": "x"}]}', "tunnels.0.id"),
    (json.dumps({"tls_edges": [{"colour": SECRET}]}), "colour"),
    (json.dumps({"objects": {"vault_secrets": [{"value": [SECRET]}]}}), "vault_secrets: value"),
]


@pytest.mark.parametrize(("text", "named"), first_alone(SEEDS))
def test_the_error_of_a_seed_names_the_place_and_contains_no_secrets(tmp_path: Path, text: str, named: str) -> None:
    seed = tmp_path / "seed.json"
    seed.write_text(text)
    message = rejected_start("--seed", str(seed))
    assert (named in message, SECRET in message) == (True, False)


@pytest.mark.parametrize("umask", first_alone([0o000, 0o022]))
@pytest.mark.parametrize("was_killed", [False, True])
def test_files_of_the_service_are_private(tmp_path: Path, umask: int, was_killed: bool) -> None:
    """Those are, too, which a service has left there that was killed."""
    if was_killed:
        with running(tmp_path) as service:
            service.new_edge()
            service.process.kill()
            service.process.wait()
        for path in tmp_path.iterdir():
            path.chmod(0o666)
    before = os.umask(umask)
    try:
        with running(tmp_path) as service:
            assert len(service.control("GET", "state")["https_edges"]) == was_killed
            service.new_edge()
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert modes.keys() >= {"state.sqlite", "state.sqlite-wal", "state.sqlite-shm", "ready.json", "service.log"}
    assert set(modes.values()) == {0o600}, modes


def run(verb: str, folder: Path, *options: str) -> Any:
    """Run a command for the service of a folder, and return its output."""
    done = ended(verb, "--ready-file", str(folder / "ready.json"), *options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    run("stop", tmp_path)


def responds(started: dict[str, Any]) -> bool:
    try:
        health = requests.get(f"{started['control_url']}/health", timeout=30).json()
        return bool(health["pid"] == started["pid"])
    except requests.ConnectionError:
        return False


def test_a_second_start_and_a_second_stop_change_nothing(folder: Path) -> None:
    assert "colour" in rejected_start("start", "--ready-file", str(folder / "ready.json"), "--switch", "colour=red")
    assert run("start", folder, "--check") == {"changed": True}
    first = run("start", folder)
    assert (first["changed"], responds(first)) == (True, True)
    assert run("start", folder) == {**first, "changed": False}
    assert run("start", folder, "--switch", "extra_keys=true", "--check") == first
    other = run("start", folder, "--switch", "extra_keys=true")
    assert (other["changed"], responds(other), responds(first)) == (True, True, False)
    assert (run("stop", folder, "--check"), responds(other)) == ({"changed": True}, True)
    assert (run("stop", folder), responds(other)) == ({"changed": True}, False)
    assert run("stop", folder) == run("stop", folder / "nowhere") == {"changed": False}
    assert not (folder / "nowhere").exists()


def test_another_process_is_left_alone(folder: Path) -> None:
    started = run("start", folder)
    ready = folder / "ready.json"
    own = ready.read_text()
    bystander = subprocess.Popen(["sleep", "60"])
    try:
        ready.write_text(json.dumps({**json.loads(own), "pid": bystander.pid}))
        assert run("stop", folder) == {"changed": False}
        assert bystander.poll() is None
        assert responds(started)
    finally:
        bystander.kill()
        bystander.wait()
        ready.write_text(own)


@pytest.mark.parametrize(
    ("options", "services"),
    first_alone([([()] * 4, {1}), ([("--switch", f"page_size={number}") for number in (1, 2, 3)], {1, 2, 3})]),
)
def test_of_simultaneous_starts_one_service_remains(folder: Path, options: list[Any], services: set[int]) -> None:
    with ThreadPoolExecutor(len(options)) as pool:
        started = list(pool.map(lambda each: run("start", folder, *each), options))
    assert sum(each["changed"] for each in started) == len({each["pid"] for each in started}) in services
    assert len({each["pid"] for each in started if responds(each)}) == 1
    assert run("stop", folder) == {"changed": True}
    assert not any(responds(each) for each in started)


def test_a_second_service_does_not_take_the_ready_file_of_the_first(folder: Path) -> None:
    started = run("start", folder)
    assert "ready.json" in rejected_start("serve", "--ready-file", str(folder / "ready.json"))
    assert run("start", folder) == {**started, "changed": False}


def test_a_service_that_does_not_respond_is_an_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "HEALTH_SECONDS", 0.5)
    pid = run("start", folder)["pid"]
    ready_file = folder / "ready.json"
    os.kill(pid, signal.SIGSTOP)
    try:
        for act in (background.found, background.stop):
            with pytest.raises(background.BackgroundFailure, match=f"process {pid}"):
                act(ready_file)
        assert ready_file.exists()
    finally:
        os.kill(pid, signal.SIGCONT)


def test_interrupted_starts_leave_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[subprocess.Popen[bytes]] = []

    def interrupted(ready_file: Path, process: subprocess.Popen[bytes], log_file: Path) -> None:
        begun.append(process)
        raise KeyboardInterrupt

    monkeypatch.setattr(background, "_announced", interrupted)
    files = tmp_path / "ready.json", tmp_path / "service.log"
    with pytest.raises(KeyboardInterrupt):
        background.start(("-c", "import time; time.sleep(600)"), *files, detached=True)
    assert [process.poll() for process in begun] == [-signal.SIGKILL]


def test_no_key_is_on_a_command_line(folder: Path) -> None:
    key_file = folder / "key"
    key_file.write_text("ak_in_a_file")
    started = run("start", folder, "--api-key-file", str(key_file))
    command_line = Path(f"/proc/{started['pid']}/cmdline")
    if command_line.exists():  # only Linux has such files
        assert b"reference_service" in command_line.read_bytes()
        assert b"ak_in_a_file" not in command_line.read_bytes()
    headers = {"Authorization": "Bearer ak_in_a_file", "Svc-Version": "2"}
    assert requests.get(f"{started['base_url']}/tunnels", headers=headers, timeout=30).status_code == 200
    key_file.write_text("ak_another")
    assert run("start", folder, "--api-key-file", str(key_file))["pid"] != started["pid"]
