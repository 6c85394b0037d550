# SPDX-License-Identifier: GPL-3.0-or-later
"""A certificate authority for a test, with certificates that are good, expired, or for somebody else."""

from __future__ import annotations

import ssl
from datetime import datetime, timedelta, timezone
from pathlib import Path

import trustme

_NOW = datetime.now(timezone.utc)
_DAY = timedelta(days=1)


class Authority:
    """Signs certificates; `path` is the file with its own."""

    def __init__(self, folder: Path) -> None:
        self._own = trustme.CA()
        self.path = folder / "authority.pem"
        self._own.cert_pem.write_to_path(str(self.path))

    def context(self, *hosts: str, expired: bool = False, self_signed: bool = False) -> ssl.SSLContext:
        """The TLS of a server with a certificate for these hosts."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        if self_signed:
            other = trustme.CA()
            with trustme.Blob(other.private_key_pem.bytes() + other.cert_pem.bytes()).tempfile() as path:
                context.load_cert_chain(path)
            return context
        ends = _NOW - _DAY if expired else _NOW + _DAY
        self._own.issue_cert(*hosts, not_before=_NOW - 2 * _DAY, not_after=ends).configure_cert(context)
        return context
