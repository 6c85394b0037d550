# SPDX-License-Identifier: GPL-3.0-or-later
"""An installed collection, and Ansible's commands on it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from collection_tree import INSIDE_COLLECTIONS_PATH

BIN = Path(sys.executable).parent
SECONDS = 300


class Installed:
    """The collection below a folder of its own, and Ansible's commands that see no other."""

    def __init__(self, folder: Path) -> None:
        self.collections_path = folder
        self.root = folder / INSIDE_COLLECTIONS_PATH

    def run(self, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command from the directory of the Python of these tests. Its output has both streams."""
        own = {
            "ANSIBLE_COLLECTIONS_PATH": str(self.collections_path),
            "ANSIBLE_NOCOLOR": "true",
            "PYTHONDONTWRITEBYTECODE": "1",  # what is compiled would be more than what was installed
        }
        return subprocess.run(
            (str(BIN / command[0]), *command[1:]),
            cwd=self.collections_path,
            env={**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", **own, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            check=False,
        )


def installed_from(archive: Path, folder: Path) -> Installed:
    """The collection of an archive, which ansible-galaxy installs into a new folder without a warning."""
    folder.mkdir()
    installed = Installed(folder)
    command = ("ansible-galaxy", "collection", "install", "--offline", "-p", str(folder), str(archive))
    done = installed.run(*command, ANSIBLE_HOME=str(folder.parent / "ansible_home"))
    assert (done.returncode, "WARNING" in done.stdout) == (0, False), done.stdout
    return installed
