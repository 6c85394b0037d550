# SPDX-License-Identifier: GPL-3.0-or-later
"""A service in a process of its own: started once, found again by its ready file, and stopped if it is still that one.

A process id alone proves nothing, since it can have gone to another process. What is asked for its id is the address
in the ready file, and only the service itself can answer with the same id.

Who imports this needs none of the service's packages, only a Python that has them.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from .private_files import opened_private

SOURCES = Path(__file__).resolve().parents[1]
START_SECONDS = 60
STOP_SECONDS = 20
HEALTH_SECONDS = 5
PROGRAM = ("-m", "reference_service")
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class BackgroundFailure(Exception):
    """The service didn't start, or didn't stop. The text says why."""


class Started(NamedTuple):
    """A process that listens, and what its ready file says: base_url, control_url, pid, options."""

    process: subprocess.Popen[bytes]
    announced: dict[str, Any]


def found(ready_file: Path) -> dict[str, Any] | None:
    """What the ready file says, if the service that wrote it still answers; else None.

    Raises BackgroundFailure where something listens and does not answer: that may be the service.
    """
    try:
        announced: dict[str, Any] = json.loads(ready_file.read_bytes())
        with _DIRECT.open(f"{announced['control_url']}/health", timeout=HEALTH_SECONDS) as answer:
            health = json.loads(answer.read())
        return announced if health["pid"] == announced["pid"] else None
    except (OSError, ValueError, KeyError, TypeError) as fault:
        if isinstance(fault, TimeoutError) or isinstance(getattr(fault, "reason", None), TimeoutError):
            raise BackgroundFailure(
                f"{ready_file}: the service that it names does not answer, and may still run as process "
                f"{announced.get('pid')}; end that process or delete the file"
            ) from None
        return None


def start(
    arguments: Sequence[str],
    ready_file: Path,
    log_file: Path,
    python: str = sys.executable,
    variables: Mapping[str, str] | None = None,
    *,
    detached: bool,
) -> Started:
    """Start a service by this Python with these arguments, and with these environment variables beside our own.

    Returns once it listens. A detached one outlives its terminal. Raises BackgroundFailure, with what it printed.
    """
    ready_file.unlink(missing_ok=True)
    with opened_private(log_file) as log:
        try:
            process = subprocess.Popen(
                [python, *arguments],
                env={**os.environ, **(variables or {}), "PYTHONPATH": str(SOURCES)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=detached,
            )
        except OSError as fault:
            raise BackgroundFailure(f"{python} cannot be run: {fault.strerror}") from None
    try:
        announced = _announced(ready_file, process)
    except BaseException:  # whoever interrupts this could not stop what nothing tells of yet
        _end(process)
        raise
    if announced is not None:
        return Started(process, announced)
    ended = process.poll() is not None
    _end(process)
    how = f"ended with {process.returncode}" if ended else f"did not listen within {START_SECONDS} seconds"
    raise BackgroundFailure(f"the service {how}; its output was:\n{log_file.read_text(errors='replace').strip()}")


def _announced(ready_file: Path, process: subprocess.Popen[bytes]) -> dict[str, Any] | None:
    """What the ready file says once the process listens, or None if it never does."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if (announced := found(ready_file)) is not None:
            return announced
        time.sleep(0.05)
    return None


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


@contextmanager
def alone(ready_file: Path) -> Iterator[None]:
    """Until the block ends, no other start or stop of this ready file goes on.

    Two starts at the same moment would both find no service, and the ready file would tell of the second alone.
    """
    with opened_private(ready_file.with_name(f"{ready_file.name}.lock")) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def stop(ready_file: Path) -> bool:
    """Stop the service of this ready file. Returns whether there was one."""
    announced = found(ready_file)
    if announced is not None:
        os.kill(announced["pid"], signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        while _lives(announced["pid"]):
            if time.monotonic() > deadline:
                raise BackgroundFailure(f"process {announced['pid']} does not stop")
            time.sleep(0.05)
    ready_file.unlink(missing_ok=True)
    return announced is not None


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
