# SPDX-License-Identifier: GPL-3.0-or-later
"""The checkout as Ansible wants to see it: below a folder ansible_collections/edgeops/ingress."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
SERVICE_SOURCES = CHECKOUT / "roles" / "reference_service" / "files"
COLLECTIONS_PATH = CHECKOUT / ".ansible" / "collections"
INSIDE_COLLECTIONS_PATH = Path("ansible_collections", "edgeops", "ingress")
_PLUGINS = CHECKOUT / "plugins"
_MODULE_FILES = {
    path.stem: path.read_text(encoding="utf-8")
    for path in sorted((_PLUGINS / "modules").glob("*.py"))
    if path.stem != "__init__"
}
MODULES = [name for name, text in _MODULE_FILES.items() if "\ndef main()" in text]
# They run on the control node, by action plugins of their own, and send no requests. The module is documentation only.
CONTROL_NODE_MODULES = [name for name in _MODULE_FILES if name not in MODULES]


def link_checkout() -> Path:
    """Make the checkout visible below COLLECTIONS_PATH, and return that path."""
    link = COLLECTIONS_PATH / INSIDE_COLLECTIONS_PATH
    link.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):  # made before, or by another worker just now
        # Relative, so that the checkout can be moved.
        link.symlink_to(os.path.relpath(CHECKOUT, link.parent), target_is_directory=True)
    return COLLECTIONS_PATH


def tracked_files(*patterns: str) -> list[str]:
    """Return the paths of the files that belong to the collection: those that git does not ignore."""
    listing = _git("ls-files", "-z", "--cached", "--others", "--exclude-standard", *patterns)
    paths = ((name, CHECKOUT / name) for name in filter(None, listing.split("\0")))
    return [name for name, path in paths if path.is_file() or path.is_symlink()]  # none that is deleted, but tracked


def _git(*arguments: str) -> str:
    # A hook of git has variables that name its own repository.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    # Who may run what lies here may also read it, whoever it belongs to.
    command = ["git", "-c", f"safe.directory={CHECKOUT}", *arguments]
    done = subprocess.run(command, cwd=CHECKOUT, env=environment, check=False, capture_output=True, encoding="utf-8")
    if done.returncode != 0:
        raise RuntimeError(f"git {' '.join(arguments)} failed in {CHECKOUT}: {done.stderr.strip()}")
    return done.stdout


def commit_time() -> int:
    """Return the time of what is built, in seconds since 1970: that of the commit, unless SOURCE_DATE_EPOCH is set."""
    return int(os.environ.get("SOURCE_DATE_EPOCH") or _git("log", "-1", "--format=%ct"))


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


def copy_commit(folder: Path) -> Path:
    """Copy the files of the current commit below `folder`, and return the copy's root.

    Raises RuntimeError if there is no commit, or if anything differs from it and git does not ignore it.
    """
    if changes := _git("status", "--porcelain", "--untracked-files=all"):
        raise RuntimeError(
            f"The archive is built from the commit, and these files differ from it:\n{changes}"
            "Commit them, undo the changes, or move new files to a place outside of the clone."
        )
    return copy_checkout(folder)
