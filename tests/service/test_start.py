# SPDX-License-Identifier: GPL-3.0-or-later
"""Start options, and stopping."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest
import requests
from running_service import API_KEY, HEADERS, command, environment, running


def test_options(tmp_path: Path) -> None:
    seed = tmp_path / "seed.json"
    seed.write_text(json.dumps({"tunnels": [{"id": "tn_1"}], "https_edges": [{"id": "edghts_1"}]}))
    keys = ("--api-key", API_KEY, "--api-key", "ak_second")
    options = ("--base-path", "/v2/", "--version-header", "Own-Version", "--seed", str(seed), *keys)
    switches = ("--switch", "page_size=7", "--switch", "extra_keys=true", "--switch", "missing_operation=501")
    own = {"Authorization": "Bearer ak_second", "Own-Version": "2"}
    with running(tmp_path, *options, *switches) as service:
        assert service.base_url.endswith("/v2")
        assert service.done("GET", "/tunnels", headers=own)["uri"] == f"{service.base_url}/tunnels"
        edge = service.done("GET", "/edges/https/edghts_1", headers=own)
        assert edge["uri"] == f"{service.base_url}/edges/https/edghts_1"
        assert "Own-Version" in service.refused("GET", "/tunnels", headers={**own, "Own-Version": "1"})["msg"]
        service.refused("GET", "/tunnels", headers=HEADERS)
        service.refused("GET", service.base_url.removesuffix("/v2") + "/tunnels", headers=own, status=404)
        assert service.journal()[0]["path"] == "/v2/tunnels"
        found = service.control("GET", "switches")
        assert (found["page_size"], found["extra_keys"], found["missing_operation"]) == (7, True, 501)
        service.switches(next_page="relative", page_size=1)
        service.control("POST", "seed", {"tunnels": [{}]})
        assert service.done("GET", "/tunnels", headers=own)["next_page_uri"].startswith("/v2/tunnels?")
    with running(tmp_path, *options) as again:
        assert len(again.control("GET", "state")["tunnels"]) == 2, "the seed is for an empty state only"


def test_stops_cleanly(tmp_path: Path) -> None:
    with running(tmp_path) as service:
        service.new_edge()
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(30) == 0
    assert not (tmp_path / "state.sqlite-wal").exists()


def test_ipv6_loopback(tmp_path: Path) -> None:
    try:
        with running(tmp_path, "--host", "::1") as service:
            assert service.base_url.startswith("http://[::1]:")
            assert service.done("GET", "/tunnels")["uri"] == f"{service.base_url}/tunnels"
    except AssertionError as fault:
        if "Cannot assign requested address" not in str(fault):
            raise
        pytest.skip("this machine has no IPv6 loopback")


def refused_start(*options: str) -> str:
    done = subprocess.run(command(*options), env=environment(), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.com", "127.0.0.2", ""])
def test_only_loopback(host: str) -> None:
    assert "--host" in refused_start("--host", host)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--switch", "colour=red"), "colour"),
        (("--switch", "lists=backwards"), "lists"),
        (("--switch", "lists"), "NAME=VALUE"),
        (("--seed", "/nonexistent/seed.json"), "/nonexistent/seed.json"),
        (("--port", "x"), "--port"),
        (("--port", "70000"), "port"),
        (("--state", "/nonexistent/state.sqlite"), "/nonexistent/state.sqlite"),
    ],
)
def test_wrong_option(options: tuple[str, ...], named: str) -> None:
    assert named in refused_start(*options)


def test_wrong_seed(tmp_path: Path) -> None:
    seed = tmp_path / "seed.json"
    for text in ("{", '{"edges": []}', '{"tunnels": [{"id": "x"}]}'):
        seed.write_text(text)
        assert "seed.json" in refused_start("--seed", str(seed))


def test_port_in_use(tmp_path: Path) -> None:
    with running(tmp_path) as service:
        port = service.base_url.rpartition(":")[2]
        assert "in use" in refused_start("--port", port)
        assert requests.get(f"{service.base_url}/_control/health", timeout=30).json()["status"] == "ok"
