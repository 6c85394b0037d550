# SPDX-License-Identifier: GPL-3.0-or-later
"""The version of this collection, as it was installed or checked out."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

_ROOT = Path(__file__).parents[3]


@cache
def collection_version() -> str:
    """Return the version. Only an archive contains a manifest, and only a checkout what it is made from."""
    manifest = _ROOT / "MANIFEST.json"
    if manifest.exists():
        return str(json.loads(manifest.read_text(encoding="utf-8"))["collection_info"]["version"])
    found = re.search(r"^version: (\S+)", (_ROOT / "galaxy.yml").read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else "unknown"
