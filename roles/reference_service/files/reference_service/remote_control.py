# SPDX-License-Identifier: GPL-3.0-or-later
"""A service that runs during a block of code, and its control calls: for the demo, for tests, and for your own tests.

Like the collection, it requires the package requests. If `REFERENCE_SERVICE_PYTHON` names a Python that has the
packages of the service, it requires none of them itself.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import requests

from .background import PROGRAM, SOURCES, STOP_SECONDS, BackgroundFailure, Started, start

PYTHON_VARIABLE = "REFERENCE_SERVICE_PYTHON"
REQUIREMENTS = SOURCES / "requirements.txt"


class ControlFailure(Exception):
    """A control call returned an unexpected status."""


class ReferenceService:
    """A running reference service."""

    def __init__(self, base_url: str, control_url: str, api_key: str) -> None:
        self.base_url = base_url
        self.api_key = api_key
        self._control_url = control_url
        self._session = requests.Session()
        self._session.trust_env = False  # requests to loopback addresses need no proxy

    def reset(self) -> None:
        """Delete all objects, clear the request log, and reset all switches."""
        self.control("POST", "reset")

    def switches(self, **switches: Any) -> None:
        """Set these switches, and reset the others to their defaults."""
        self.control("PUT", "switches", switches)

    def seed(self, **objects: Any) -> Any:
        """Add objects, including those that the API cannot create: tunnels, TLS edges, event subscriptions."""
        return self.control("POST", "seed", objects)

    def journal(self, after: int = 0) -> list[dict[str, Any]]:
        """Return the request log without control calls, oldest first, starting with the number `after` + 1.

        Each entry has number, at, method, path, query, headers, body, and status.
        """
        requests_seen: list[dict[str, Any]] = self.control("GET", f"journal?after={after}")["requests"]
        return requests_seen

    def forget_journal(self) -> None:
        """Clear the request log."""
        self.control("DELETE", "journal")

    def state(self) -> Any:
        """Return all objects."""
        return self.control("GET", "state")

    def control(self, method: str, call: str, body: Any = None, status: int | None = None) -> Any:
        """Send a control call, and return its response. Raises ControlFailure for any other status, or for an error."""
        response = self._session.request(method, f"{self._control_url}/{call}", json=body, timeout=30)
        if not (response.ok if status is None else response.status_code == status):
            raise ControlFailure(f"{method} {response.url} returned {response.status_code}: {response.text}")
        return response.json() if response.content else None


@contextmanager
def running_program(arguments: Sequence[str], ready_file: Path, variables: Mapping[str, str]) -> Iterator[Started]:
    """Run a program with a Python that has the packages of the service, until the block ends.

    The program can import the service. Its log is next to the ready file that it writes.
    """
    # If this process writes no bytecode, the other one does not write it to the directory of the service either.
    own = {"PYTHONDONTWRITEBYTECODE": "1"} if sys.dont_write_bytecode else {}
    log_file = ready_file.with_name("service.log")
    started = start(arguments, ready_file, log_file, service_python(), {**own, **variables}, detached=False)
    try:
        yield started
    finally:
        started.process.terminate()
        try:
            started.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            started.process.kill()
            started.process.wait()


@contextmanager
def service_process(folder: Path, api_key: str, *options: str) -> Iterator[Started]:
    """Run the service with its files in `folder`, on a free port, until the block ends."""
    ready_file = folder / "ready.json"
    files = ("--state", str(folder / "state.sqlite"), "--ready-file", str(ready_file))
    with running_program((*PROGRAM, *files, *options), ready_file, {"INGRESS_API_KEY": api_key}) as started:
        yield started


@contextmanager
def running_reference_service(folder: Path, api_key: str) -> Iterator[ReferenceService]:
    """Run the service until the block ends. The value has its URLs and control calls."""
    with service_process(folder, api_key) as started:
        yield ReferenceService(started.announced["base_url"], started.announced["control_url"], api_key)


def service_python() -> str:
    """Return the Python that runs the service. Raises BackgroundFailure if no Python with FastAPI is known."""
    if python := os.environ.get(PYTHON_VARIABLE):
        if shutil.which(python) is None:
            raise BackgroundFailure(
                f"{PYTHON_VARIABLE}: {python} cannot be run; name a Python that has the packages in {REQUIREMENTS}."
            )
        return python
    if importlib.util.find_spec("fastapi"):
        return sys.executable
    raise BackgroundFailure(
        f"The reference service needs FastAPI. Install the packages in {REQUIREMENTS}, or set `{PYTHON_VARIABLE}` to a "
        "Python that has them."
    )
