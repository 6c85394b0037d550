# SPDX-License-Identifier: GPL-3.0-or-later
"""A reference service as a process of its own, and the requests that the tests send to it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import requests

CHECKOUT = Path(__file__).resolve().parents[2]
SOURCES = CHECKOUT / "roles" / "reference_service" / "files"
API_KEY = "ak_of_the_service_tests"
HEADERS = {"Authorization": f"Bearer {API_KEY}", "Svc-Version": "2"}
START_SECONDS = 60


class Running:
    """A service that listens. Paths are below its base URL, those of control calls below its control URL."""

    def __init__(self, process: subprocess.Popen[bytes], base_url: str, control_url: str) -> None:
        self.process = process
        self.base_url = base_url
        self._control_url = control_url
        self._session = requests.Session()
        self._session.trust_env = False

    def send(self, method: str, path: str, body: Any = None, **options: Any) -> requests.Response:
        """Send an API request as it should be; `headers=` replaces the headers, `data=` the body."""
        options.setdefault("headers", HEADERS)
        url = path if path.startswith("http:") else self.base_url + path
        return self._session.request(method, url, json=body, timeout=30, **options)

    def done(self, method: str, path: str, body: Any = None, status: int = 200, **options: Any) -> Any:
        """Send a request that must succeed, with this status. Returns the parsed answer."""
        response = self.send(method, path, body, **options)
        assert response.status_code == status, response.text
        return response.json() if response.content else None

    def refused(self, method: str, path: str, body: Any = None, status: int = 400, **options: Any) -> dict[str, Any]:
        """Send a request that must be refused, with an error in the one shape that errors have. Returns the error."""
        response = self.send(method, path, body, **options)
        assert response.status_code == status, response.text
        error: dict[str, Any] = response.json()
        assert set(error) - {"error_code"} == {"status_code", "msg", "details"}
        assert error["status_code"] == status
        assert error["details"]["operation_id"].startswith("op_")
        assert error.get("error_code", "ERR_").startswith("ERR_")
        return error

    def control(self, method: str, call: str, body: Any = None, status: int | None = None) -> Any:
        """Send a control call. Returns the parsed answer."""
        response = self._session.request(method, f"{self._control_url}/{call}", json=body, timeout=30)
        assert response.status_code == status if status else response.ok, response.text
        return response.json() if response.content else None

    def switch(self, **switches: Any) -> None:
        """Make these the only switches that differ from their defaults."""
        self.control("PUT", "switches", switches)

    def journal(self, after: int = 0) -> list[dict[str, Any]]:
        requests_seen: list[dict[str, Any]] = self.control("GET", f"journal?after={after}")["requests"]
        return requests_seen

    def new_edge(self, **fields: Any) -> str:
        """Create an HTTPS edge. Returns its path."""
        return f"/edges/https/{self.done('POST', '/edges/https', fields, status=201)['id']}"

    def new_route(self, edge: str | None = None, **fields: Any) -> str:
        """Create a route on the edge with this path, or on a new one. Returns the route's path."""
        routes = f"{edge or self.new_edge()}/routes"
        body = {"match_type": "path_prefix", "match": "/", **fields}
        return f"{routes}/{self.done('POST', routes, body, status=201)['id']}"

    def new_tls_edge(self, **modules: Any) -> str:
        return f"/edges/tls/{self.control('POST', 'seed', {'tls_edges': [modules]})['tls_edges'][0]['id']}"

    def new_subscription(self, *types: str) -> str:
        """Put in a subscription. Returns the path of its sources."""
        planted = self.control("POST", "seed", {"event_subscriptions": [{"sources": types}]})
        return f"/event_subscriptions/{planted['event_subscriptions'][0]['id']}/sources"


def command(*options: str) -> list[str]:
    return [sys.executable, "-m", "reference_service", *options]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(SOURCES)}


@contextmanager
def running(folder: Path, *options: str) -> Iterator[Running]:
    """Start a service with its files in `folder`, on a free port, and stop it in the end."""
    ready = folder / "ready.json"
    ready.unlink(missing_ok=True)
    given = ["--state", str(folder / "state.sqlite"), "--ready-file", str(ready), "--api-key", API_KEY, *options]
    with (folder / "service.log").open("wb") as log:
        process = subprocess.Popen(command(*given), env=environment(), stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + START_SECONDS
        while not ready.exists():
            assert process.poll() is None, (folder / "service.log").read_text()
            assert time.monotonic() < deadline, "the service did not start"
            time.sleep(0.02)
        announced = json.loads(ready.read_text())
        assert announced["pid"] == process.pid
        yield Running(process, announced["base_url"], announced["control_url"])
    finally:
        process.terminate()
        process.wait(START_SECONDS)
