# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of the service, and its end."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from amount import first_alone
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


def test_a_terminated_service_exits_without_an_error(tmp_path: Path) -> None:
    with running(tmp_path) as service:
        service.new_edge()
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(30) == 0
    assert not (tmp_path / "state.sqlite-wal").exists()


TERMINATED_WHERE_NO_EXCEPTION_GETS_OUT = """
import signal, sys, weakref, uvicorn
from reference_service.__main__ import main

class Gone: pass

def run(server, sockets, run_server=uvicorn.Server.run):
    gone = Gone()
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
            *(
                ((option, ""), f"{option} is empty")
                for option in ("--state", "--api-key-file", "--seed", "--ready-file")
            ),
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


def test_a_state_that_is_damaged_is_named_in_one_line(tmp_path: Path) -> None:
    with running(tmp_path) as service:
        service.new_edge()
    state = tmp_path / "state.sqlite"
    state.write_bytes(state.read_bytes()[:5000])
    [line] = rejected_start("--state", str(state)).splitlines()
    assert line.startswith(f"reference_service: {state}: ")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_an_occupied_port_is_named_in_one_line(host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        [line] = rejected_start("--host", host, "--port", str(port)).splitlines()
    assert line.startswith(f"reference_service: {host}:{port}: ")
    assert "in use" in line


SEEDS: list[tuple[str, str]] = [
    ("{", "seed.json: the file"),
    ('{"edges": []}', "edges"),
    ('{"tunnels": [{"id": "x"}]}', "tunnels.0.id"),
    (json.dumps({"https_edges": [{"routes": [{"oidc": {"client_secret": [SECRET]}}]}]}), "https_edges.0.routes.0.oidc"),
    (json.dumps({"tls_edges": [{"colour": SECRET}]}), "colour"),
    (json.dumps({"objects": {"vault_secrets": [{"value": [SECRET]}]}}), "vault_secrets: value"),
]


@pytest.mark.parametrize(("text", "named"), SEEDS)
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
