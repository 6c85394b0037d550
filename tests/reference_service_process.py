# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference service as the tests use it: a process of its own on loopback, and its control calls."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import requests

from collection_tree import CHECKOUT

SOURCES = CHECKOUT / "roles" / "reference_service" / "files"
API_KEY = "ak_of_the_tests"
START_SECONDS = 60
STOP_SECONDS = 10


class ReferenceService:
    """A running reference service."""

    def __init__(self, base_url: str, control_url: str, api_key: str) -> None:
        self.base_url = base_url
        self.api_key = api_key
        self._control_url = control_url
        self._session = requests.Session()
        self._session.trust_env = False  # a proxy has no business between here and loopback

    def reset(self) -> None:
        """Forget all objects and the journal, and set all switches back."""
        self._control("POST", "reset")

    def switches(self, **switches: Any) -> None:
        """Make these switches the only ones that differ from their defaults."""
        self._control("PUT", "switches", json=switches)

    def seed(self, **objects: Any) -> Any:
        """Put in what the interface itself cannot create: tunnels, TLS edges, event subscriptions."""
        return self._control("POST", "seed", json=objects)

    def journal(self, after: int = 0) -> list[dict[str, Any]]:
        """Return the requests it got, control calls left out, oldest first, from the one numbered `after` + 1 on.

        Each has number, at, method, path, query, headers, body and status.
        """
        requests_seen: list[dict[str, Any]] = self._control("GET", "journal", params={"after": after})["requests"]
        return requests_seen

    def forget_journal(self) -> None:
        """Empty the journal."""
        self._control("DELETE", "journal")

    def state(self) -> Any:
        """Return everything it holds."""
        return self._control("GET", "state")

    def _control(self, method: str, call: str, **arguments: Any) -> Any:
        answer = self._session.request(method, f"{self._control_url}/{call}", timeout=30, **arguments)
        if not answer.ok:
            raise AssertionError(f"{method} {answer.url} was answered {answer.status_code}: {answer.text}")
        return answer.json() if answer.content else None


@contextmanager
def running_reference_service(folder: Path) -> Iterator[ReferenceService]:
    """Start the service with its files in `folder`, on a port that is free, and stop it in the end."""
    ready = folder / "ready.json"
    options = ["--port", "0", "--state", str(folder / "state.sqlite"), "--ready-file", str(ready), "--api-key", API_KEY]
    with running(["-m", "reference_service", *options], ready, folder) as addresses:
        yield ReferenceService(addresses["base_url"], addresses["control_url"], API_KEY)


@contextmanager
def running(arguments: Sequence[str], ready: Path, folder: Path) -> Iterator[Any]:
    """Start the service's Python with these arguments, hand on what the ready file says, and stop it in the end."""
    log = folder / "service.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [service_python(), *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(SOURCES)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_for(ready, process, log)
        yield json.loads(ready.read_text(encoding="utf-8"))
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_for(ready: Path, process: subprocess.Popen[bytes], log: Path) -> None:
    """Return once the service has written its ready file. Raises RuntimeError, with what it printed, if it doesn't."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if ready.exists():
            return
        time.sleep(0.05)
    raise RuntimeError(f"The reference service did not start. It printed:\n{log.read_text(errors='replace')}")


def service_python() -> str:
    """Return the Python to run the service with: it needs FastAPI, which the tests' own environment may not have."""
    if python := os.environ.get("REFERENCE_SERVICE_PYTHON"):
        return python
    if importlib.util.find_spec("fastapi"):
        return sys.executable
    raise RuntimeError(
        "There is no FastAPI in this environment to run the reference service with. "
        f"Either install {SOURCES / 'requirements.txt'}, or name a Python that has it in REFERENCE_SERVICE_PYTHON, "
        "or run `make unit`, which takes care of it."
    )
