# SPDX-License-Identifier: GPL-3.0-or-later
"""A clean environment for the demo and for all checks of a checkout, unaffected by the settings of the user.

It starts empty, so that no list of the variables of Ansible, Python, the collection, proxies, terminals, and locales is
needed. The home directory and the directory for temporary files are new and empty.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

# Needed to find and start programs, or to identify the user; TERM and NO_COLOR affect colors only.
KEPT = frozenset(
    {
        *("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"),
        *("USER", "LOGNAME", "SSL_CERT_FILE", "SSL_CERT_DIR", "TERM", "NO_COLOR"),
    }
)
# The user decides where packages come from. Only pip and pyenv read these.
KEPT_PREFIXES = ("PIP_", "PYENV_")
# Ansible needs UTF-8, and the tests read English. macOS has no C.UTF-8.
LOCALE = "en_US.UTF-8" if sys.platform == "darwin" else "C.UTF-8"

USUAL_PLACE = "/tmp"
# Ansible creates a socket whose path is about 50 characters longer, and systems limit such a path to about 100.
LONGEST_PLACE = 50
PLAIN_PATH = re.compile(r"[\w./+-]*", re.ASCII)


def own_environment(outer: Mapping[str, str], home: Path, also: Iterable[str] = ()) -> dict[str, str]:
    """Return the variables for programs that run with this home directory, selected from the outer variables.

    `also` contains the names of additional variables to keep.
    """
    names = KEPT | set(also)
    kept = {name: value for name, value in outer.items() if name in names or name.startswith(KEPT_PREFIXES)}
    return {
        **kept,
        "PATH": kept.get("PATH") or os.defpath,
        "HOME": str(home),
        "TMPDIR": str(home / "tmp"),
        "LC_ALL": LOCALE,
        # An empty file, which takes precedence over those in /etc and in the current directory.
        "ANSIBLE_CONFIG": str(home / "ansible.cfg"),
    }


def place_of_home(outer: str) -> str:
    """Return where to create the home directory: the outer directory for temporary files, if Ansible can work there."""
    place = str(Path(outer).resolve())
    works = len(place) <= LONGEST_PLACE and PLAIN_PATH.fullmatch(place)
    return place if works or not os.access(USUAL_PLACE, os.W_OK) else USUAL_PLACE


def new_home() -> Path:
    """Create a home directory that is deleted when this process ends."""
    # Ansible parses paths as Python, which warns of what begins with digits, such as `8if`.
    home = Path(tempfile.mkdtemp(prefix="edgeops_", dir=place_of_home(tempfile.gettempdir()))).resolve()
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    (home / "tmp").mkdir()
    (home / "ansible.cfg").touch()
    return home


def enter(also: Iterable[str] = ()) -> None:
    """Use a clean environment for this process and for everything that it starts."""
    own = own_environment(os.environ, _home_of(os.environ) or new_home(), also)
    os.environ.clear()
    os.environ.update(own)
    tempfile.tempdir = own["TMPDIR"]


def _home_of(outer: Mapping[str, str]) -> Path | None:
    """Return the home directory of these variables if the environment is clean already. Its creator deletes it."""
    home = Path(outer.get("HOME", ""))
    is_own = outer.get("TMPDIR") == str(home / "tmp") and outer.get("ANSIBLE_CONFIG") == str(home / "ansible.cfg")
    return home if is_own and (home / "tmp").is_dir() else None
