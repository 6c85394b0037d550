# SPDX-License-Identifier: GPL-3.0-or-later
"""What a command line may say."""

from __future__ import annotations

import argparse
import hashlib
import os
from pathlib import Path
from typing import Any

LOOPBACK = ("127.0.0.1", "::1", "localhost")
CONTROL = "/_control"

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
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("command", nargs="?", choices=("serve", "start", "stop", "openapi"), default="serve")
    add("--host", choices=LOOPBACK, default="127.0.0.1", help="loopback only")
    add("--port", type=int, default=0, help="0 takes a free one")
    add("--state", default=":memory:", metavar="FILE", help="SQLite file; without it nothing is kept")
    add(
        "--api-key-file",
        metavar="FILE",
        help=f"holds an API key on each line; default: the key in $INGRESS_API_KEY, or {DEFAULT_API_KEY}",
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
    for name in ("state", "api_key_file", "seed", "ready_file"):
        if getattr(options, name) == "":
            parser.error(f"--{name.replace('_', '-')} is empty; expected the name of a file")
    if base_path(options).startswith(CONTROL):
        parser.error(f"--base-path begins with {CONTROL}, where the control calls are")
    return options


def api_keys(options: argparse.Namespace) -> tuple[str, ...]:
    """The keys that are accepted. They are no options themselves: a command line can be read by everybody here.

    Raises ValueError where a file was named that has none, so that an empty one does not stand for the default.
    """
    if options.api_key_file is None:
        return (os.environ.get("INGRESS_API_KEY") or DEFAULT_API_KEY,)
    lines = Path(options.api_key_file).read_text(encoding="utf-8").splitlines()
    keys = tuple(line.strip() for line in lines if line.strip())
    if not keys:
        raise ValueError(f"{options.api_key_file}: there is no API key in it; expected one on each line")
    return keys


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
