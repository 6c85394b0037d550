# SPDX-License-Identifier: GPL-3.0-or-later
"""`python -m reference_service`: carry out what the command line says."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from . import background, openapi_document
from .app import assembled
from .options import api_keys, base_path, fingerprint, read_options, switch_values
from .refusals import Refusal
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
        except ValidationError as faults:
            raise ValueError(f"{options.seed}: {_without_values(faults)}") from None
    return service


def _without_values(faults: ValidationError) -> str:
    """What is wrong where: the values can be secrets, and this goes into the log."""
    found = faults.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(f"{'.'.join(map(str, each['loc'])) or 'the file'}: {each['msg']}" for each in found)


def _serve(options: argparse.Namespace) -> None:
    if options.ready_file and (running := background.found(Path(options.ready_file))) is not None:
        raise ValueError(f"{options.ready_file}: its service runs already, as process {running['pid']}; stop it first")
    service = _service(options)
    bound = bound_socket(options.host, options.port)
    address = address_of(bound, options.host)
    announcement = {
        "base_url": address + service.base_path,
        "control_url": f"{address}/_control",
        "pid": os.getpid(),
        "options": fingerprint(options),
    }
    serve(assembled(service), bound, announcement, options.ready_file)
    service.store.close()


def _start(options: argparse.Namespace, arguments: list[str]) -> dict[str, Any]:
    """Return the contents of the ready file, and whether the service was started."""
    ready_file = Path(options.ready_file)
    if options.dry_run:
        running = background.found(ready_file)
        return {"changed": not _is_as_asked(running, options), **(running or {})}
    with background.alone(ready_file):
        running = background.found(ready_file)
        if running is not None and _is_as_asked(running, options):
            return {"changed": False, **running}
        background.stop(ready_file)
        serve_instead = ["serve" if each == "start" else each for each in arguments]
        log_file = ready_file.with_name("service.log")
        started = background.start((*background.PROGRAM, *serve_instead), ready_file, log_file, detached=True)
        return {"changed": True, **started.announced}


def _is_as_asked(running: dict[str, Any] | None, options: argparse.Namespace) -> bool:
    return running is not None and running["options"] == fingerprint(options)


def _stop(options: argparse.Namespace) -> dict[str, Any]:
    ready_file = Path(options.ready_file)
    if options.dry_run or not ready_file.parent.exists():
        return {"changed": background.found(ready_file) is not None}
    with background.alone(ready_file):
        return {"changed": background.stop(ready_file)}


def _carry_out(options: argparse.Namespace, arguments: list[str]) -> None:
    match options.command:
        case "openapi":
            sys.stdout.write(openapi_document.text())
        case "start":
            sys.stdout.write(json.dumps(_start(options, arguments)) + "\n")
        case "stop":
            sys.stdout.write(json.dumps(_stop(options)) + "\n")
        case _:
            _serve(options)


def main(arguments: list[str]) -> int:
    try:
        _carry_out(read_options(arguments), arguments)
    except (ValueError, OSError, OverflowError, Refusal, background.BackgroundFailure) as fault:
        sys.stderr.write(f"reference_service: {fault}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
