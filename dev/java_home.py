# SPDX-License-Identifier: GPL-3.0-or-later
"""The Java that ansible-rulebook needs: version 17, as Linux distributions and the hosted checks install it."""

from __future__ import annotations

from pathlib import Path

VERSION = "17"


def java_home() -> Path | None:
    """Return the folder of the Java of this version; None if there is none."""
    releases = (file for place in ("usr/lib/jvm", "opt/java") for file in sorted(Path("/", place).glob("*/release")))
    wanted = f'JAVA_VERSION="{VERSION}.'
    return next((file.parent for file in releases if wanted in file.read_text(encoding="utf-8")), None)
