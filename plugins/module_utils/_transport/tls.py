# SPDX-License-Identifier: GPL-3.0-or-later
"""TLS with the service: the certificate authorities that this machine trusts, and whether a server expects TLS."""

from __future__ import annotations

import os
import re
import socket
import ssl
from pathlib import Path
from urllib.parse import urlsplit

from .._model.option_error import OptionError

_HASHED = re.compile(r"[0-9a-f]{8}\.[0-9]+")
_LONGEST_LOOK = 2.0


def problem_with_authorities(base_url: str, verify: bool | str | None, is_option: bool) -> OptionError | None:
    """Return the option error for the file or directory of certificate authorities in `verify`, if it is invalid.

    It comes from `ca_path` or, unless it `is_option`, from an environment variable.
    """
    if not isinstance(verify, str) or not base_url.startswith("https:"):
        return None
    name = "ca_path" if is_option else next(filter(os.environ.get, ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")), "ca_path")
    what = ""
    try:
        if not Path(verify).is_dir():
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(verify)
        elif not any(_HASHED.fullmatch(file.name) for file in Path(verify).iterdir()):
            what = "is a directory without certificates that OpenSSL finds; run `openssl rehash` on it, or set a file"
    except FileNotFoundError:
        what = "does not exist"
    except ssl.SSLError:
        what = "contains no certificate; expected certificates of authorities in PEM format"
    except OSError as exc:
        what = f"cannot be read ({exc.strerror})"
    return OptionError(name, f"{verify} {what}") if what else None


def speaks_tls(base_url: str, timeout: float) -> bool:
    """Return whether the server at this URL completes a TLS handshake. Sends nothing else to it."""
    parts = urlsplit(base_url)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    wait = min(timeout, _LONGEST_LOOK)
    try:
        with (
            socket.create_connection((parts.hostname or "", parts.port or 80), wait) as plain,
            context.wrap_socket(plain, server_hostname=parts.hostname),
        ):
            return True
    except (OSError, ValueError):
        return False
