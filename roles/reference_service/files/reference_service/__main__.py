# SPDX-License-Identifier: GPL-3.0-or-later
"""`python -m reference_service`: carry out what the command line says.

What starts and stops a service in the background does not import the service itself, which takes a second.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from . import background
from .options import fingerprint, read_options


def _start(options: argparse.Namespace, arguments: list[str]) -> dict[str, Any]:
    """Return the contents of the ready file, and whether the service was started."""
    ready_file = Path(options.ready_file)
    if options.check:
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
    if options.check or not ready_file.parent.exists():
        return {"changed": background.found(ready_file) is not None}
    with background.alone(ready_file):
        return {"changed": background.stop(ready_file)}


def _carry_out(options: argparse.Namespace, arguments: list[str]) -> None:
    match options.command:
        case "openapi":
            from .serving.openapi_document import document  # noqa: PLC0415

            sys.stdout.write(json.dumps(document(options.version_header), indent=2, sort_keys=True) + "\n")
        case "switches":
            from .switches import switch_list  # noqa: PLC0415

            sys.stdout.write(switch_list())
        case "start":
            sys.stdout.write(json.dumps(_start(options, arguments)) + "\n")
        case "stop":
            sys.stdout.write(json.dumps(_stop(options)) + "\n")
        case _:
            from .serving.server import run_service  # noqa: PLC0415

            run_service(options)


def main(arguments: list[str]) -> int:
    try:
        _carry_out(read_options(arguments), arguments)
    except (ValueError, OSError, OverflowError, background.BackgroundFailure) as error:
        sys.stderr.write(f"reference_service: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
