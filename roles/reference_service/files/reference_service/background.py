# SPDX-License-Identifier: GPL-3.0-or-later
"""A service in a separate process: started once, found by its ready file, and stopped.

A process ID alone does not identify the service, because another process can get the same ID later. Therefore, a
request to the URL in the ready file asks for the process ID, and only the service itself returns the same one.

This file can be imported without the packages of the service.
"""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
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
    """The service did not start, or did not stop. The message says why."""


class Started(NamedTuple):
    """A process that listens, and the contents of its ready file: base_url, control_url, pid, options."""

    process: subprocess.Popen[bytes]
    announced: dict[str, Any]


def found(ready_file: Path) -> dict[str, Any] | None:
    """Return the contents of the ready file if the service that wrote it still responds, or None.

    Raises BackgroundFailure if a process listens and does not respond, because this might be the service.
    """
    try:
        announced: dict[str, Any] = json.loads(ready_file.read_bytes())
        with _DIRECT.open(f"{announced['control_url']}/health", timeout=HEALTH_SECONDS) as response:
            health = json.loads(response.read())
        return announced if health["pid"] == announced["pid"] else None
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, TimeoutError) or isinstance(getattr(error, "reason", None), TimeoutError):
            raise BackgroundFailure(
                f"{ready_file}: the service does not respond, and might still run as process "
                f"{announced.get('pid')}; end this process or delete the file"
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
    """Start a service with this Python, these arguments, and these additional environment variables.

    Returns when the service listens. A detached service outlives its terminal. Raises BackgroundFailure with the output
    of the service if it does not start.
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
        except OSError as error:
            raise BackgroundFailure(f"{python} cannot be run: {error.strerror}") from None
    try:
        return Started(process, _announced(ready_file, process, log_file))
    except BaseException:  # after an interrupt, nobody could stop a service that has no ready file yet
        process.kill()
        process.wait()
        raise


def _announced(ready_file: Path, process: subprocess.Popen[bytes], log_file: Path) -> dict[str, Any]:
    """Return the contents of the ready file when the process listens. Raises BackgroundFailure if it does not."""
    deadline = time.monotonic() + START_SECONDS
    while (status := process.poll()) is None and time.monotonic() < deadline:
        if (announced := found(ready_file)) is not None:
            return announced
        time.sleep(0.05)
    how = f"did not listen within {START_SECONDS} seconds" if status is None else f"ended with status {status}"
    raise BackgroundFailure(f"the service {how}; its output was:\n{log_file.read_text(errors='replace').strip()}")


@contextmanager
def alone(ready_file: Path) -> Iterator[None]:
    """Exclude all other starts and stops with this ready file until the block ends.

    Otherwise, two starts at the same moment would both find no service, and the ready file would name only the second.
    """
    with opened_private(ready_file.with_name(f"{ready_file.name}.lock")) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def stop(ready_file: Path) -> bool:
    """Stop the service of this ready file, and return whether one was running."""
    announced = found(ready_file)
    if announced is not None:
        os.kill(announced["pid"], signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        with suppress(ProcessLookupError):
            while time.monotonic() < deadline:
                os.kill(announced["pid"], 0)  # raises this when the process is gone
                time.sleep(0.05)
            raise BackgroundFailure(f"process {announced['pid']} did not stop within {STOP_SECONDS} seconds")
    ready_file.unlink(missing_ok=True)
    return announced is not None
