# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that only their owner can read, because they contain API keys and secrets of objects."""

import os
import stat
from pathlib import Path
from typing import IO

_OWNER_ONLY = 0o600
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def opened_private(path: Path) -> IO[bytes]:
    """Return the file, empty and open for writing. Nobody else can read it, even if it existed before."""
    make_private(path)
    return path.open("wb")


def make_private(path: Path) -> None:
    """Create the file if it does not exist, and make it private. Raises OSError if this is not possible."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, _OWNER_ONLY))
    if path.stat().st_mode & _OTHERS:
        path.chmod(_OWNER_ONLY)
