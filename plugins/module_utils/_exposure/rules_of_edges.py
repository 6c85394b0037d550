# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules about how edges are reached: TLS, and certificates of clients. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .finding import Hit, Hits, not_judged
from .subjects import Estate

_VERSION = re.compile(r"(?:(?:tls|ssl)[ _-]?v?)?(\d)(?:[._]?(\d))?", re.IGNORECASE)
_LEAST = (1, 2)


def old_tls(estate: Estate) -> Hits:
    for subject in (*estate.edges, *estate.tls_edges):
        termination = subject.enabled("tls_termination")
        given = termination["min_version"] if termination else ""
        if not given:
            continue  # The service chooses a safe version.
        found = _VERSION.fullmatch(given.strip())
        option = "tls_termination.min_version"
        if found is None:
            yield not_judged(subject, option, "The API does not list the TLS versions, and this one is not understood.")
            continue
        is_ssl, version = given.strip().lower().startswith("ssl"), (int(found[1]), int(found[2] or 0))
        if is_ssl or version < _LEAST:
            message = f"Clients can connect with {given}, which is obsolete."
            fix_options = {"tls_termination": {"min_version": _like(given, found)}}
            yield Hit(subject, option, message, fix_options, degree=(int(is_ssl), -version[0], -version[1]))


def _like(given: str, found: re.Match[str]) -> str:
    """Return the oldest acceptable version, spelled like the given one; empty stands for the choice of the service."""
    if found[2] is None or given.strip().lower().startswith("ssl"):
        return ""
    text = given.strip()
    return f"{text[: found.start(1)]}{_LEAST[0]}{text[found.end(1) : found.start(2)]}{_LEAST[1]}"


def mutual_tls_without_authorities(estate: Estate) -> Iterator[Hit]:
    for edge in estate.edges:
        mutual_tls = edge.enabled("mutual_tls")
        if mutual_tls is not None and not mutual_tls["certificate_authority_ids"]:
            message = "mutual_tls is enabled without any certificate authority."
            yield Hit(edge, "mutual_tls.certificate_authority_ids", message)
