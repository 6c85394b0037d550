# SPDX-License-Identifier: GPL-3.0-or-later
"""The server, which listens on the loopback interface and stops cleanly."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn

from .front_door import FrontDoor
from .options import LOOPBACK
from .private_files import opened_private


def bound_socket(host: str, port: int) -> socket.socket:
    """Return a socket on the loopback interface. Port 0 selects a free port.

    Raises OSError if the port is taken, and OverflowError if it is not the number of a port.
    """
    assert host in LOOPBACK
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio disables Nagle's algorithm only if the protocol is set. Otherwise, each response takes 40 ms.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        raise OSError(f"{host}:{port}: {error.strerror}. Set --port to another one, or to 0 for a free one.") from None
    return bound


def address_of(bound: socket.socket, host: str) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{bound.getsockname()[1]}"


class _Server(uvicorn.Server):
    """Prints its URL when it listens, and exits with status 0 when it is stopped."""

    def __init__(self, config: uvicorn.Config, announcement: dict[str, Any], ready_file: str | None) -> None:
        super().__init__(config)
        self._announcement = announcement
        self._ready_file = ready_file

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        sys.stdout.write(f"Listening on {self._announcement['base_url']}\n")
        sys.stdout.flush()
        if self._ready_file:
            # Renamed when complete, so that no one reads a part of it.
            unfinished = Path(f"{self._ready_file}.{os.getpid()}")
            with opened_private(unfinished) as file:
                file.write(json.dumps(self._announcement).encode())
            unfinished.replace(self._ready_file)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle signals. Unlike the inherited method, do not raise the signal again at the end."""
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, self.handle_exit)
        yield


def serve(app: FrontDoor, bound: socket.socket, announcement: dict[str, Any], ready_file: str | None) -> None:
    """Process requests until a signal arrives. `announcement` is written to the ready file when the socket listens."""
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, timeout_keep_alive=75, timeout_graceful_shutdown=2, lifespan="off"
    )
    _Server(config, announcement, ready_file).run(sockets=[bound])
