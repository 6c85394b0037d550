# SPDX-License-Identifier: GPL-3.0-or-later
"""Files for their owner alone: the service's hold API keys and secrets of the objects in it."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import IO

_OWNER_ONLY = 0o600
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def opened_private(path: Path) -> IO[bytes]:
    """The file, empty and open for writing, which nobody else can read, also if it was there already."""
    make_private(path)
    return path.open("wb")


def make_private(path: Path) -> None:
    """Make the file if it is not there, and readable by nobody else. Raises OSError where that cannot be."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, _OWNER_ONLY))
    if path.stat().st_mode & _OTHERS:
        path.chmod(_OWNER_ONLY)
