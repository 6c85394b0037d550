# SPDX-License-Identifier: GPL-3.0-or-later
"""The service in the foreground, as the options of the command line want it."""

from __future__ import annotations

import argparse
import os
import sqlite3
import sys
from pathlib import Path

from pydantic import ValidationError

from . import background
from .app import assembled
from .options import DEFAULT_API_KEY, api_keys, base_path, fingerprint, switch_values
from .rejections import Rejection
from .seeding import Seed, plant
from .server import address_of, bound_socket, serve
from .service import Service
from .store import Store
from .switches import from_values


def _service(options: argparse.Namespace) -> Service:
    service = Service(Store(options.state), api_keys(options), base_path(options), options.version_header)
    if options.switch:
        service.set_switches(from_values(switch_values(options), service.switches))
    if options.seed and service.store.is_empty():
        try:
            plant(service, Seed.model_validate_json(Path(options.seed).read_bytes()))
        except ValidationError as error:
            raise ValueError(f"{options.seed}: {_without_values(error)}") from None
    return service


def _without_values(error: ValidationError) -> str:
    """What is wrong where: the values can be secrets, and this goes into the log."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(f"{'.'.join(map(str, each['loc'])) or 'the file'}: {each['msg']}" for each in found)


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
    serve(assembled(service), bound, announcement, options.ready_file)
    service.store.close()
