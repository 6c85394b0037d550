# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostports in a format in which they can be compared: lower case, with punycode for names outside ASCII."""

from __future__ import annotations

import unicodedata


def ascii_form(hostport: str) -> str:
    """Return `xn--bcher-kva.example:443` for `Bücher.example:443`, and any other string in lower case."""
    host, colon, port = hostport.rpartition(":")
    if not colon:
        host, port = hostport, ""
    return ".".join(_ascii_label(label) for label in host.split(".")) + colon + port.lower()


def _ascii_label(label: str) -> str:
    if label.isascii():
        return label.lower()
    # Python's codec "idna" implements the older standard, in which `straße` and `strasse` are the same name.
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", label).lower())
    return folded if folded.isascii() else f"xn--{folded.encode('punycode').decode('ascii')}"
