# SPDX-License-Identifier: GPL-3.0-or-later
"""Where an object is declared: the file in a repository, and the line with its hostport. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from posixpath import normpath
from typing import Any
from urllib.parse import quote

from .account_view import AccountView, Finding


def physical_location(view: AccountView, finding: Finding, sources: Mapping[str, str]) -> dict[str, Any]:
    """Return the place of the object of a finding, empty if nobody says where the account is declared.

    `sources` are the contents of the files that could be read. Without one, the place is the first line.
    """
    if not view.declaration:
        return {}
    key = view.exposure.key_of(finding.get("path"))
    names = str(key[1]).split(", ") if key else []
    place = {
        "artifactLocation": {"uri": quote(normpath(view.declaration), errors="replace")},
        "region": _region(sources.get(view.declaration, ""), names),
    }
    return {"physicalLocation": place}


def _region(source: str, names: Sequence[str]) -> dict[str, int]:
    """Return the first of the names that is not part of a longer one, else the start of the file."""
    wanted = "|".join(re.escape(name) for name in names if name)
    found = re.search(rf"(?<![\w.-])(?:{wanted})(?![\w.-])", source, re.IGNORECASE) if wanted else None
    start, end = found.span() if found else (0, 0)
    line, before = source.count("\n", 0, start) + 1, source.rfind("\n", 0, start)
    return {"startLine": line, "startColumn": start - before, "endLine": line, "endColumn": end - before}
