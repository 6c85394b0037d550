# SPDX-License-Identifier: GPL-3.0-or-later
"""An environment of its own for the demo, and for all checks of a checkout: nobody's settings change what they do.

It begins with nothing, so that nobody has to know all the variables by which Ansible, Python, the collection, proxies,
terminals and languages can be told something. The home folder and the folder for temporary files are new and empty.
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

# What a program may need to be found and to start at all, or to tell who runs it; and two that only take away colors.
KEPT = frozenset(
    {
        *("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"),
        *("USER", "LOGNAME", "SSL_CERT_FILE", "SSL_CERT_DIR", "TERM", "NO_COLOR"),
    }
)
# Where packages come from is for the user to say: pip reads these, and nothing else does.
KEPT_PREFIXES = ("PIP_", "PYENV_")
# macOS has none without a country. Ansible wants UTF-8, and tests read English.
LOCALE = "en_US.UTF-8" if sys.platform == "darwin" else "C.UTF-8"

USUAL_PLACE = "/tmp"
# Ansible makes a socket some 50 characters further down, of whose path a system takes a hundred characters.
LONGEST_PLACE = 50
PLAIN_PATH = re.compile(r"[\w./+-]*", re.ASCII)


def own_environment(outer: Mapping[str, str], home: Path, also: Iterable[str] = ()) -> dict[str, str]:
    """Return the variables for programs whose home folder is this one, from those outside.

    `also` are names of more variables to keep.
    """
    names = KEPT | set(also)
    kept = {name: value for name, value in outer.items() if name in names or name.startswith(KEPT_PREFIXES)}
    return {
        **kept,
        "PATH": kept.get("PATH") or os.defpath,
        "HOME": str(home),
        "TMPDIR": str(home / "tmp"),
        "LC_ALL": LOCALE,
        # Before the files in the folder at hand and in /etc, and empty.
        "ANSIBLE_CONFIG": str(home / "ansible.cfg"),
    }


def place_of_home(outer: str) -> str:
    """Return where a home folder is made: in the folder for temporary files outside, if Ansible can work there."""
    place = str(Path(outer).resolve())
    works = len(place) <= LONGEST_PLACE and PLAIN_PATH.fullmatch(place)
    return place if works or not os.access(USUAL_PLACE, os.W_OK) else USUAL_PLACE


def new_home() -> Path:
    """Make a home folder, which is gone when this process ends."""
    home = Path(tempfile.mkdtemp(prefix="edgeops-", dir=place_of_home(tempfile.gettempdir()))).resolve()
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    (home / "tmp").mkdir()
    (home / "ansible.cfg").touch()
    return home


def enter(also: Iterable[str] = ()) -> None:
    """Make such an environment that of this process and of all that it starts."""
    own = own_environment(os.environ, _home_of(os.environ) or new_home(), also)
    os.environ.clear()
    os.environ.update(own)
    tempfile.tempdir = own["TMPDIR"]


def _home_of(outer: Mapping[str, str]) -> Path | None:
    """The home folder of these variables, if it is such a one already: whoever made it removes it."""
    home = Path(outer.get("HOME", ""))
    is_own = outer.get("TMPDIR") == str(home / "tmp") and outer.get("ANSIBLE_CONFIG") == str(home / "ansible.cfg")
    return home if is_own and (home / "tmp").is_dir() else None
