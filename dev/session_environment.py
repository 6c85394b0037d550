# SPDX-License-Identifier: GPL-3.0-or-later
"""What this run of the checks does, with which Pythons of this machine, and what nox's sessions run in: packages of
their own, and an environment without the user's settings.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path

import nox
from python_discovery import PythonInfo, get_interpreter  # comes with nox

from collection_tree import CHECKOUT, SERVICE_SOURCES, link_checkout
from own_environment import new_home, own_environment
from package_settings import listing_of_pip, package_settings
from supported_cores import CORES, DEVELOPMENT, main_core
from termination import stop_all_on_termination

HOME = new_home()
"""The home folder of all that this process starts, with its temporary files. It is removed at the end."""

# Of pyenv's interpreters, the PATH has shims only, which do not run if their version is not selected.
_PYENV = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
_PATH = [*os.environ["PATH"].split(os.pathsep), *map(str, sorted(_PYENV.glob("versions/*/bin")))]
os.environ["PATH"] = os.pathsep.join(dict.fromkeys(_PATH))  # once: nox starts itself for each check
tempfile.tempdir = str(HOME / "tmp")
os.umask(0o022)
stop_all_on_termination(last=lambda: shutil.rmtree(HOME, ignore_errors=True))
# All that is installed is below the checkout.
os.environ.setdefault("UV_CACHE_DIR", str(CHECKOUT / ".nox" / "uv-cache"))


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
# The oldest core first.
_FOUND = {core: python for core, python in _PYTHONS.items() if python}
if not _FOUND:
    sys.exit("No Python was found that a supported ansible-core can use; docs/support.md lists them.")
MAIN = main_core(_FOUND)
NEWEST_PYTHON = _FOUND[MAIN]

_LISTED = _PYTHONS if WHOLE else {next(iter(_FOUND)), MAIN}
SESSIONS = {
    core: _PYTHONS[core] or core.pythons[0]
    for core in sorted(_LISTED, key=lambda core: (core != MAIN, core.version))
    if ASKED_FOR in ("", core.version)
}
"""The Python of each core that has sessions, the core that takes longest first. nox skips those without a Python."""

SERVICE_ENVIRONMENT = "service_environment"
"""The environment that the tests start the reference service from: older versions of Python cannot run it."""
SERVICE_PYTHON = CHECKOUT / ".nox" / f"{SERVICE_ENVIRONMENT}-{NEWEST_PYTHON.replace('.', '-')}" / "bin" / "python"
PYPROJECT = nox.project.load_toml(CHECKOUT / "pyproject.toml")


def install(session: nox.Session, *groups: str, service: bool = False, own: bool = True) -> None:
    """Install dependency groups, and the packages of the reference service if `service` is true.

    Nothing is installed again until the list of packages changes. Unless `own` is false, what the session runs from
    then on does not see the user's settings.
    """
    packages = nox.project.dependency_groups(PYPROJECT, *groups)
    if service:
        lines = (SERVICE_SOURCES / "requirements.txt").read_text(encoding="utf-8").splitlines()
        packages += tuple(line for line in lines if line.strip() and not line.startswith("#"))
    installed = Path(session.virtualenv.location) / "installed-by-nox.txt"
    wanted = "\n".join(packages)
    if not installed.exists() or installed.read_text(encoding="utf-8") != wanted:
        # Most of what is installed is never imported. The rest is compiled when it is.
        session.install("--quiet", "--no-compile", *packages, env={**package_settings(listing_of_pip()), **os.environ})
        installed.write_text(wanted, encoding="utf-8")
    if own:
        shut_out_settings(session, f"{session.bin}/python" if service else "")


def shut_out_settings(session: nox.Session, service_python: str = "") -> None:
    """Hide the user's settings, Ansible's and ours included, from what the session runs from here on.

    Ansible finds this checkout, and the tests find a Python that can run the reference service.
    """
    # None removes a variable. The session's own folder of programs is put before this PATH.
    session.env.update({**dict.fromkeys(os.environ), **own_environment(os.environ, HOME, also=("CI", "WHOLE"))})
    session.env["ANSIBLE_COLLECTIONS_PATH"] = str(link_checkout())
    session.env["REFERENCE_SERVICE_PYTHON"] = service_python or str(SERVICE_PYTHON)
