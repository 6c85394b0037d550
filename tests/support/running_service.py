# SPDX-License-Identifier: GPL-3.0-or-later
"""A reference service in a separate process, and the requests that the tests send to it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from subprocess import CompletedProcess, run
from typing import Any
from urllib.parse import urlsplit

import requests

from reference_service_process import API_KEY, SOURCES, ReferenceService, background, remote_control

HEADERS = {"Authorization": f"Bearer {API_KEY}", "Svc-Version": "2"}
JSON = {**HEADERS, "Content-Type": "application/json"}


class Running(ReferenceService):
    """A running service, and the requests to it. Paths are relative to its base URL."""

    def __init__(self, started: background.Started) -> None:
        super().__init__(started.announced["base_url"], started.announced["control_url"], API_KEY)
        self.process = started.process

    def send(self, method: str, path: str, body: Any = None, **options: Any) -> requests.Response:
        """Send a valid API request. `headers=` replaces the headers, and `data=` the body, which is JSON."""
        options.setdefault("headers", JSON if "data" in options else HEADERS)
        url = path if path.startswith("http:") else self.base_url + path
        return self._session.request(method, url, json=body, timeout=30, **options)

    def done(self, method: str, path: str, body: Any = None, status: int = 200, **options: Any) -> Any:
        """Send a request that must succeed with this status, and return the parsed response."""
        response = self.send(method, path, body, **options)
        assert response.status_code == status, response.text
        return response.json() if response.content else None

    def rejected(self, method: str, path: str, body: Any = None, status: int = 400, **options: Any) -> dict[str, Any]:
        """Send a request that must be rejected with an error in the documented format, and return the error."""
        response = self.send(method, path, body, **options)
        assert response.status_code == status, response.text
        error: dict[str, Any] = response.json()
        assert set(error) - {"error_code"} == {"status_code", "msg", "details"}
        assert error["status_code"] == status
        assert error["details"]["operation_id"].startswith("op_")
        assert error.get("error_code", "ERR_").startswith("ERR_")
        return error

    def sent(self, method: str, path: str, headers: Iterable[tuple[str, str]], *parts: bytes) -> tuple[int, bytes]:
        """Send exactly these headers and parts of a body, and return the status and the body of the response."""
        address = urlsplit(self.base_url)
        with closing(HTTPConnection(str(address.hostname), address.port, timeout=30)) as connection:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in headers:
                connection.putheader(name, value.encode())
            connection.endheaders()
            for part in parts:
                connection.send(part)
            response = connection.getresponse()
            return response.status, response.read()

    def new_edge(self, **fields: Any) -> str:
        return f"/edges/https/{self.done('POST', '/edges/https', fields, status=201)['id']}"

    def new_route(self, edge: str | None = None, **fields: Any) -> str:
        """Create a route on the edge with this path, or on a new edge, and return the path of the route."""
        routes = f"{edge or self.new_edge()}/routes"
        body = {"match_type": "path_prefix", "match": "/", **fields}
        return f"{routes}/{self.done('POST', routes, body, status=201)['id']}"

    def new_tls_edge(self, **modules: Any) -> str:
        return f"/edges/tls/{self.control('POST', 'seed', {'tls_edges': [modules]})['tls_edges'][0]['id']}"

    def new_subscription(self, *types: str) -> str:
        """Add a subscription, and return the path of its sources."""
        planted = self.control("POST", "seed", {"event_subscriptions": [{"sources": types}]})
        return f"/event_subscriptions/{planted['event_subscriptions'][0]['id']}/sources"


def command(*options: str) -> list[str]:
    return [sys.executable, "-m", "reference_service", *options]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(SOURCES)}


def ended(*options: str) -> CompletedProcess[str]:
    """Run a command to its end, whatever comes of it."""
    return run(command(*options), env=environment(), capture_output=True, text=True, timeout=90, check=False)


@contextmanager
def running(folder: Path, *options: str) -> Iterator[Running]:
    """Start a service with its files in `folder`, on a free port, and stop it at the end."""
    with remote_control.service_process(folder, API_KEY, *options) as started:
        yield Running(started)
