# SPDX-License-Identifier: GPL-3.0-or-later
"""The Java that ansible-rulebook needs: version 17, as Linux distributions and the hosted checks install it."""

from __future__ import annotations

from pathlib import Path

VERSION = "17"
PLACES = ("/usr/lib/jvm/*", "/opt/java/*", "/Library/Java/JavaVirtualMachines/*/Contents/Home")
"""Where each Java has a folder of its own, with its version in the file `release`."""


def java_home(places: tuple[str, ...] = PLACES) -> Path | None:
    """Return the folder of the Java of this version; None if there is none."""
    homes = (home for place in places for home in sorted(Path("/").glob(place.lstrip("/"))))
    return next((home for home in homes if _is_usable(home)), None)


def _is_usable(home: Path) -> bool:
    release = home / "release"
    if not (home / "bin" / "java").is_file() or not release.is_file():
        return False
    return f'JAVA_VERSION="{VERSION}.' in release.read_text(encoding="utf-8", errors="replace")
