# SPDX-License-Identifier: GPL-3.0-or-later
"""The service in the foreground: it listens on the loopback interface, and stops cleanly."""

import argparse
import json
import os
import signal
import socket
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import uvicorn
from pydantic import ValidationError

from .. import background
from ..operations.service import Service
from ..options import DEFAULT_API_KEY, LOOPBACK, api_keys, base_path, fingerprint
from ..private_files import opened_private
from ..store import Store
from ..switches import from_values
from ..values.rejections import Rejection, without_values
from .app import assembled
from .front_door import FrontDoor
from .seeding import Seed, plant


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


def serve(app: FrontDoor, bound: socket.socket, announcement: dict[str, Any], ready_file: str | None) -> None:
    """Process requests until a signal arrives. `announcement` is written to the ready file when the socket listens."""
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, timeout_keep_alive=75, timeout_graceful_shutdown=2, lifespan="off"
    )
    server = uvicorn.Server(config)
    # From here on, not only while it serves. Nothing is raised: while a callback of weakref runs, Python would only
    # print the exception, and the service would go on.
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, server.handle_exit)
    bound.listen(2048)
    sys.stdout.write(f"Listening on {announcement['base_url']}\n")
    sys.stdout.flush()
    if ready_file:
        # Renamed when complete, so that no one reads a part of it.
        unfinished = Path(f"{ready_file}.{os.getpid()}")
        with opened_private(unfinished) as file:
            file.write(json.dumps(announcement).encode())
        unfinished.replace(ready_file)
    server.run(sockets=[bound])


def _service(options: argparse.Namespace) -> Service:
    service = Service(Store(options.state), api_keys(options), base_path(options), options.version_header)
    if wrong := [each for each in options.switch if "=" not in each]:
        raise ValueError(f"--switch: expected NAME=VALUE, got {wrong[0]!r}")
    if options.switch:
        service.set_switches(from_values(dict(each.split("=", 1) for each in options.switch), service.switches))
    if options.seed and service.store.is_empty():
        try:
            plant(service, Seed.model_validate_json(Path(options.seed).read_bytes()))
        except ValidationError as error:
            raise ValueError(f"{options.seed}: {without_values(error)}") from None
    return service


def run_service(options: argparse.Namespace) -> None:
    """Serve until the process is asked to end. Raises ValueError or OSError if the service cannot start."""
    if options.ready_file and (running := background.found(Path(options.ready_file))) is not None:
        raise ValueError(f"{options.ready_file}: its service runs already, as process {running['pid']}; stop it first")
    try:
        service = _service(options)
    except Rejection as rejection:
        raise ValueError(str(rejection)) from None
    except sqlite3.Error as error:
        raise OSError(f"{options.state}: {error}") from None
    bound = bound_socket(options.host, options.port)
    address = address_of(bound, options.host)
    announcement = {
        "base_url": address + service.base_path,
        "control_url": f"{address}/_control",
        "pid": os.getpid(),
        "options": fingerprint(options),
    }
    if not options.ready_file and service.api_keys == (DEFAULT_API_KEY,):
        # Somebody tries it out. A key of their own is secret, and is not printed.
        sys.stdout.write(f"export INGRESS_BASE_URL={announcement['base_url']} INGRESS_API_KEY={DEFAULT_API_KEY}\n")
    with closing(service.store):
        serve(assembled(service), bound, announcement, options.ready_file)
