# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostports in the one form in which they can be compared: lower case, and names outside of ASCII in punycode."""

from __future__ import annotations

import unicodedata


def ascii_form(hostport: str) -> str:
    """`Bücher.example:443` is `xn--bcher-kva.example:443`. What is no host and port comes out in lower case."""
    host, colon, port = hostport.rpartition(":")
    if not colon:
        host, port = hostport, ""
    return ".".join(_ascii_label(label) for label in host.split(".")) + colon + port.lower()


def _ascii_label(label: str) -> str:
    if label.isascii():
        return label.lower()
    # The codec "idna" of Python is the older standard, by which `straße` and `strasse` would be one name.
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", label).lower())
    return folded if folded.isascii() else f"xn--{folded.encode('punycode').decode('ascii')}"
