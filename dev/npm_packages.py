# SPDX-License-Identifier: GPL-3.0-or-later
"""Packages of npm that the checks use, in the versions of a package-lock.json."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

OLDEST_NODE = (20, 18)


def has_node() -> bool:
    """Return whether this machine has npm and a Node.js that can run textlint."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return False
    version = subprocess.run(["node", "--version"], check=False, capture_output=True, text=True).stdout
    return tuple(int(number) for number in re.findall(r"\d+", version)[:2]) >= OLDEST_NODE


def install_packages(source: Path, folder: Path) -> None:
    """Install the packages of the lock file in `source` below the folder, unless they are installed there."""
    lock = folder / "package-lock.json"
    wanted = (source / lock.name).read_text(encoding="utf-8")
    if (folder / "complete").exists() and lock.read_text(encoding="utf-8") == wanted:
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(source / "package.json", folder)
    shutil.copy(source / lock.name, folder)
    # The user's settings say where packages come from. All that npm writes stays in the folder.
    own = {
        "HOME": str(folder),
        "NPM_CONFIG_USERCONFIG": os.environ.get("NPM_CONFIG_USERCONFIG") or str(Path.home() / ".npmrc"),
        "NPM_CONFIG_CACHE": str(folder / "cache"),
    }
    quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")
    subprocess.run(["npm", "ci", *quiet], cwd=folder, env={**os.environ, **own}, stdout=subprocess.DEVNULL, check=True)
    (folder / "complete").touch()
