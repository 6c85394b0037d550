# SPDX-License-Identifier: GPL-3.0-or-later
"""The home folder of all that one run of the checks starts, and what holds for all of its processes."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from collection_tree import CHECKOUT
from own_environment import new_home
from termination import stop_all_on_termination


def home_of_run() -> Path:
    """Make the home folder, which also holds the temporary files of this process, and remove it at the end."""
    home = new_home()
    tempfile.tempdir = str(home / "tmp")
    # All that is installed is below the checkout.
    os.environ.setdefault("UV_CACHE_DIR", str(CHECKOUT / ".nox" / "uv-cache"))
    stop_all_on_termination(last=lambda: shutil.rmtree(home, ignore_errors=True))
    os.umask(0o022)
    return home
