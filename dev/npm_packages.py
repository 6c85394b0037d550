# SPDX-License-Identifier: GPL-3.0-or-later
"""Packages of npm that the checks use, in the versions of a package-lock.json."""

from __future__ import annotations

import os
import re
import shutil
import ssl
import subprocess
from pathlib import Path

OLDEST_NODE = (20, 18)

# Debian, Fedora, openSUSE, and others. Not every Python knows the one of its system.
SYSTEM_STORES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)


def has_node() -> bool:
    """Return whether this machine has npm and a Node.js that can run textlint."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return False
    version = subprocess.run(["node", "--version"], check=False, capture_output=True, text=True).stdout
    return tuple(int(number) for number in re.findall(r"\d+", version)[:2]) >= OLDEST_NODE


def _certificates() -> dict[str, str]:
    """Return the variable that lets Node.js trust what this machine trusts, such as the authority of a company.

    Node.js has certificates of its own, and does not read those of the system.
    """
    known = (os.environ.get("NODE_EXTRA_CA_CERTS"), ssl.get_default_verify_paths().cafile)
    stores = (*known, *(each for each in SYSTEM_STORES if Path(each).is_file()))
    return {"NODE_EXTRA_CA_CERTS": found} if (found := next(filter(None, stores), None)) else {}


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
        **_certificates(),
    }
    quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")
    subprocess.run(["npm", "ci", *quiet], cwd=folder, env={**os.environ, **own}, stdout=subprocess.DEVNULL, check=True)
    (folder / "complete").touch()
