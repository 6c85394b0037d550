# SPDX-License-Identifier: GPL-3.0-or-later
"""The archive that users get, installed by ansible-galaxy."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SECONDS = 120


def install(archive: Path, folder: Path) -> None:
    """Install the archive into an empty folder, without a warning."""
    output = _galaxy(archive.parent, "install", "--offline", "-p", str(folder), str(archive))
    assert "WARNING" not in output, output


def _galaxy(folder: Path, *arguments: str) -> str:
    # No other collection is to be seen, and nothing is to be left in a home folder.
    alone = {"ANSIBLE_HOME": str(folder / "ansible_home"), "ANSIBLE_COLLECTIONS_PATH": str(folder / "installed")}
    run = subprocess.run(
        [sys.executable, "-m", "ansible", "galaxy", "collection", *arguments],
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        env={**os.environ, **alone},
    )
    assert run.returncode == 0, run.stdout
    return run.stdout
