# SPDX-License-Identifier: GPL-3.0-or-later
"""What this run of the checks does, from the variables that the Makefile sets and the Pythons of this machine."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

from python_discovery import PythonInfo, get_interpreter  # comes with nox

from collection_tree import CHECKOUT
from supported_cores import CORES, DEVELOPMENT, main_core

# Of pyenv's interpreters, the PATH has shims only, which do not run if their version is not selected.
_PYENV = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
_PATH = [*os.environ["PATH"].split(os.pathsep), *map(str, sorted(_PYENV.glob("versions/*/bin")))]
os.environ["PATH"] = os.pathsep.join(dict.fromkeys(_PATH))  # once: nox starts itself for each check


@cache
def interpreter(version: str) -> PythonInfo | None:
    """Return the interpreter of a version, such as "3.12", if one runs here."""
    return get_interpreter(version)


ASKED_FOR = os.environ.get("CORE", "")
"""The only ansible-core to check, if any: `make … CORE=2.19`. Its Python is required then."""

WHOLE = bool(ASKED_FOR) or "WHOLE" in os.environ
"""Whether nothing is left out."""

# ansible-core 2.16 cannot start modules with a Python whose path contains a space.
_KNOWN = [core for core in (*CORES, DEVELOPMENT) if core.version != "2.16" or " " not in str(CHECKOUT)]
if ASKED_FOR not in ("", *(core.version for core in _KNOWN)):
    sys.exit(f"CORE={ASKED_FOR}: expected one of {', '.join(core.version for core in _KNOWN)}")

_PYTHONS = {
    core: next(filter(interpreter, core.pythons), "")
    for core in _KNOWN
    if core != DEVELOPMENT or core.version == ASKED_FOR
}
FOUND = {core: python for core, python in _PYTHONS.items() if python}
"""The Python of each core, the oldest core first, if this machine has one."""
if not FOUND:
    sys.exit("No Python was found that a supported ansible-core can use; docs/support.md lists them.")
MAIN = main_core(FOUND)

_LISTED = _PYTHONS if WHOLE else {next(iter(FOUND)), MAIN}
SESSIONS = {
    core: _PYTHONS[core] or core.pythons[0]
    for core in sorted(_LISTED, key=lambda core: (core != MAIN, core.version))
    if ASKED_FOR in ("", core.version)
}
"""The Python of each core that has sessions, the core that takes longest first. nox skips those without a Python."""
