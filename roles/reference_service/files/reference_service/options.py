# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of the command line."""

import argparse
import hashlib
import os
from pathlib import Path

LOOPBACK = ("127.0.0.1", "::1", "localhost")
CONTROL = "/_control"

DEFAULT_API_KEY = "ak_reference"

_COMMANDS = """\
commands:
  serve     run the service in the foreground (the default)
  start     run it in the background if it is not running; requires --ready-file, and writes a log next to it
  stop      stop the service that was started with this --ready-file
  openapi   print the OpenAPI document
  switches  print the switches, each with its values and what it changes
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
    add("command", nargs="?", choices=("serve", "start", "stop", "openapi", "switches"), default="serve")
    add("--host", choices=LOOPBACK, default="127.0.0.1", help="loopback only")
    add("--port", type=int, default=0, help="0 selects a free port")
    add("--state", default=":memory:", metavar="FILE", help="SQLite file; if omitted, the state is lost at the end")
    add(
        "--api-key-file",
        metavar="FILE",
        help=f"file with an API key on each line; default: the key in $INGRESS_API_KEY, or {DEFAULT_API_KEY}",
    )
    add("--base-path", default="", metavar="/PATH", help="path prefix of the API; control calls stay at the root")
    add("--version-header", default="Svc-Version", metavar="NAME")
    add("--seed", metavar="FILE", help="JSON in the format of the control call, loaded into an empty state")
    add("--switch", action="append", default=[], metavar="NAME=VALUE", help="can be repeated; `switches` lists them")
    add("--ready-file", metavar="FILE", help="gets base_url, control_url, and pid as JSON when the service listens")
    add("--check", action="store_true", help="with start and stop: only report whether they would change anything")
    options = parser.parse_args(arguments)
    if options.command in ("start", "stop") and not options.ready_file:
        parser.error(f"{options.command} requires --ready-file")
    for name in ("state", "api_key_file", "seed", "ready_file"):
        if getattr(options, name) == "":
            parser.error(f"--{name.replace('_', '-')} is empty; expected the name of a file")
    if base_path(options).startswith(CONTROL):
        parser.error(f"--base-path must not begin with {CONTROL}, which is reserved for control calls")
    return options


def api_keys(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the accepted API keys. They are not options, because all users of this machine can read command lines.

    Raises ValueError if the file is not UTF-8, or contains no key: an empty file must not select the default key.
    """
    if options.api_key_file is None:
        return (os.environ.get("INGRESS_API_KEY") or DEFAULT_API_KEY,)
    try:
        lines = Path(options.api_key_file).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:  # its message contains a byte of the file
        raise ValueError(f"{options.api_key_file}: is not UTF-8 text") from None
    keys = tuple(line.strip() for line in lines if line.strip())
    if not keys:
        raise ValueError(f"{options.api_key_file}: contains no API key; expected one on each line")
    return keys


def base_path(options: argparse.Namespace) -> str:
    bare = options.base_path.strip("/")
    return f"/{bare}" if bare else ""


def fingerprint(options: argparse.Namespace) -> str:
    """Return a hash of the options, which is the same for equal options. It reveals no secret."""
    asked = {**vars(options), "command": "", "check": "", "api_key": api_keys(options)}
    seed = Path(options.seed).read_bytes() if options.seed else b""
    return hashlib.sha256(repr(sorted(asked.items())).encode() + seed).hexdigest()
