# SPDX-License-Identifier: GPL-3.0-or-later
"""What a command line may say."""

from __future__ import annotations

import argparse
import hashlib
import os
from pathlib import Path
from typing import Any

from .server import LOOPBACK

DEFAULT_API_KEY = "ak_reference"

_COMMANDS = """\
commands:
  serve    run the service in the foreground (the default)
  start    run it in the background, unless it runs so already; needs --ready-file, whose folder gets its log too
  stop     stop the one that was started with this --ready-file
  openapi  print the OpenAPI document
"""


def read_options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="reference_service",
        description="The management API on the loopback interface, for demos and tests.",
        epilog=_COMMANDS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("command", nargs="?", choices=("serve", "start", "stop", "openapi"), default="serve")
    add("--host", choices=LOOPBACK, default="127.0.0.1", help="loopback only")
    add("--port", type=int, default=0, help="0 takes a free one")
    add("--state", default=":memory:", metavar="FILE", help="SQLite file; without it nothing is kept")
    add(
        "--api-key",
        action="append",
        metavar="KEY",
        help=f"may be repeated; default: $INGRESS_API_KEY, or {DEFAULT_API_KEY}",
    )
    add("--base-path", default="", metavar="/PATH", help="where the API begins; control calls stay at the root")
    add("--version-header", default="Svc-Version", metavar="NAME")
    add("--seed", metavar="FILE", help="JSON as the control call takes it, put into an empty state")
    add("--switch", action="append", default=[], metavar="NAME=VALUE", help="may be repeated")
    add("--ready-file", metavar="FILE", help="gets base_url, control_url and pid as JSON once it listens")
    add("--dry-run", action="store_true", help="of start and stop: only say whether they would change anything")
    options = parser.parse_args(arguments)
    if options.command in ("start", "stop") and not options.ready_file:
        parser.error(f"{options.command} needs --ready-file")
    return options


def api_keys(options: argparse.Namespace) -> tuple[str, ...]:
    return tuple(options.api_key or [os.environ.get("INGRESS_API_KEY") or DEFAULT_API_KEY])


def base_path(options: argparse.Namespace) -> str:
    bare = options.base_path.strip("/")
    return f"/{bare}" if bare else ""


def switch_values(options: argparse.Namespace) -> dict[str, Any]:
    """Raises ValueError where one isn't NAME=VALUE."""
    for each in options.switch:
        if "=" not in each:
            raise ValueError(f"--switch takes NAME=VALUE, not {each!r}")
    return dict(each.split("=", 1) for each in options.switch)


def fingerprint(options: argparse.Namespace) -> str:
    """The same for two starts that ask for the same. It is no secret, though it depends on some."""
    asked = {**vars(options), "command": "", "dry_run": "", "api_key": api_keys(options)}
    seed = Path(options.seed).read_bytes() if options.seed else b""
    return hashlib.sha256(repr(sorted(asked.items())).encode() + seed).hexdigest()
