# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads and writes files. A file is replaced as a whole, so that nobody ever reads half a report."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path


class FileProblem(Exception):
    """A file that cannot be read or written."""


def current_bytes(path: Path) -> bytes | None:
    """Return the content of a file, None if there is none. Raises FileProblem."""
    try:
        kind = path.stat().st_mode
        if stat.S_ISDIR(kind):
            raise FileProblem(f"{path} is a directory; expected the path of a file")
        if not stat.S_ISREG(kind):
            # A device would be replaced by a file, and reading a pipe can take forever.
            raise FileProblem(f"{path} is a device, a pipe, or a socket; expected the path of a file")
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise FileProblem(f"{path} cannot be read: {error.strerror}") from None


def writable_target(path: Path) -> Path:
    """Return the path without links. Raises FileProblem if its directory does not exist."""
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise FileProblem(f"the directory {target.parent} does not exist; create it first")
    return target


def write_atomically(path: Path, content: bytes) -> None:
    """Replace the content of a file. It keeps its permissions, and a link to it stays a link. Raises FileProblem."""
    target = writable_target(path)
    temporary = None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        _make_like(temporary, target)
        temporary.replace(target)
    except BaseException as error:  # such as the timeout of a task
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()
        if isinstance(error, OSError):
            raise FileProblem(f"{path} cannot be written: {error.strerror}") from None
        raise


def _make_like(temporary: Path, target: Path) -> None:
    """Give the new file the permissions of the one that it replaces, and its owner, who may not be able to read it."""
    try:
        replaced = target.stat()
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(0o666 & ~mask)
        return
    with suppress(OSError):
        os.chown(temporary, replaced.st_uid, replaced.st_gid)
    temporary.chmod(stat.S_IMODE(replaced.st_mode))
