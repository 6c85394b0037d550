# SPDX-License-Identifier: GPL-3.0-or-later
"""The checkout as Ansible wants to see it: below a folder ansible_collections/edgeops/ingress."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
COLLECTIONS_PATH = CHECKOUT / ".ansible" / "collections"
INSIDE_COLLECTIONS_PATH = Path("ansible_collections", "edgeops", "ingress")
MODULES = sorted(path.stem for path in (CHECKOUT / "plugins" / "modules").glob("*.py") if path.stem != "__init__")


def link_checkout() -> Path:
    """Make the checkout visible below COLLECTIONS_PATH, and return that path."""
    link = COLLECTIONS_PATH / INSIDE_COLLECTIONS_PATH
    link.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):  # made before, or by another worker just now
        # Relative, so that the checkout can be moved.
        link.symlink_to(os.path.relpath(CHECKOUT, link.parent), target_is_directory=True)
    return COLLECTIONS_PATH


def tracked_files(*patterns: str) -> list[str]:
    """Return the paths, from the checkout's root, of files that git tracks, or would: all, or those that match."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=CHECKOUT,
        check=True,
        capture_output=True,
        text=True,
    )
    paths = ((name, CHECKOUT / name) for name in filter(None, listing.stdout.split("\0")))
    return [name for name, path in paths if path.is_file() or path.is_symlink()]  # none that is deleted, but tracked


def copy_checkout(folder: Path) -> Path:
    """Copy the tracked files below `folder`, and return the copy's root.

    ansible-test resolves the link above and skips everything in a folder that git ignores; a build from the
    checkout would have to know every folder that a developer keeps there. Both get such a copy.
    """
    copy = folder / INSIDE_COLLECTIONS_PATH
    for name in tracked_files():
        target = copy / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(CHECKOUT / name, target, follow_symlinks=False)
    return copy
