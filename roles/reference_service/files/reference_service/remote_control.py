# SPDX-License-Identifier: GPL-3.0-or-later
"""A service for as long as a block of code lasts, and its control calls: for the demo, for tests, and for yours.

It needs requests, as the collection does, and none of the service's own packages where `REFERENCE_SERVICE_PYTHON` names
a Python that has these.
"""

from __future__ import annotations

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
    """A control call was answered otherwise than it had to be."""


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
        self.control("POST", "reset")

    def switches(self, **switches: Any) -> None:
        """Make these switches the only ones that differ from their defaults."""
        self.control("PUT", "switches", switches)

    def seed(self, **objects: Any) -> Any:
        """Put in what the interface itself cannot create: tunnels, TLS edges, event subscriptions."""
        return self.control("POST", "seed", objects)

    def journal(self, after: int = 0) -> list[dict[str, Any]]:
        """Return the requests it got, control calls left out, oldest first, from the one numbered `after` + 1 on.

        Each has number, at, method, path, query, headers, body and status.
        """
        requests_seen: list[dict[str, Any]] = self.control("GET", f"journal?after={after}")["requests"]
        return requests_seen

    def forget_journal(self) -> None:
        """Empty the journal."""
        self.control("DELETE", "journal")

    def state(self) -> Any:
        """Return everything it holds."""
        return self.control("GET", "state")

    def control(self, method: str, call: str, body: Any = None, status: int | None = None) -> Any:
        """Send a control call, which must be answered with this status, or else with success. Returns the answer."""
        answer = self._session.request(method, f"{self._control_url}/{call}", json=body, timeout=30)
        if not (answer.ok if status is None else answer.status_code == status):
            raise ControlFailure(f"{method} {answer.url} was answered {answer.status_code}: {answer.text}")
        return answer.json() if answer.content else None


@contextmanager
def running_program(arguments: Sequence[str], ready_file: Path, variables: Mapping[str, str]) -> Iterator[Started]:
    """Run a program, with its log beside the ready file that it writes, by a Python that has the service's packages.

    It can import the service, and is stopped when the block ends.
    """
    own: dict[str, str] = {}
    if sys.dont_write_bytecode:  # who leaves the folder of these sources as it is wants that of the service, too
        own["PYTHONDONTWRITEBYTECODE"] = "1"
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
    """Run the service with its files in `folder`, on a port that is free, until the block ends."""
    ready_file = folder / "ready.json"
    files = ("--state", str(folder / "state.sqlite"), "--ready-file", str(ready_file))
    with running_program((*PROGRAM, *files, *options), ready_file, {"INGRESS_API_KEY": api_key}) as started:
        yield started


@contextmanager
def running_reference_service(folder: Path, api_key: str) -> Iterator[ReferenceService]:
    """Run the service as above, and hand on its address and its control calls."""
    with service_process(folder, api_key) as started:
        yield ReferenceService(started.announced["base_url"], started.announced["control_url"], api_key)


def service_python() -> str:
    """Return the Python to run the service with: it needs FastAPI, which this one may not have."""
    if python := os.environ.get(PYTHON_VARIABLE):
        if shutil.which(python) is None:
            raise BackgroundFailure(
                f"{PYTHON_VARIABLE}: {python} cannot be run; name a Python that has the packages of {REQUIREMENTS}."
            )
        return python
    if importlib.util.find_spec("fastapi"):
        return sys.executable
    raise BackgroundFailure(
        f"There is no FastAPI to run the reference service with. Either install the packages of {REQUIREMENTS} "
        f"here, or name a Python that has them in the environment variable {PYTHON_VARIABLE}."
    )
