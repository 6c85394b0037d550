# SPDX-License-Identifier: GPL-3.0-or-later
"""What nox's sessions run in: packages of their own, and an environment without the user's settings."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import nox

from collection_tree import CHECKOUT, SERVICE_SOURCES, link_checkout
from own_environment import new_home, own_environment
from package_settings import listing_of_pip, variables_of_uv
from termination import stop_all_on_termination
from this_run import FOUND, MAIN

HOME = new_home()
"""The home folder of all that this process starts, with its temporary files. It is removed at the end."""

NEWEST_PYTHON = FOUND[MAIN]
SERVICE_ENVIRONMENT = "service_environment"
"""The environment that the tests start the reference service from: older versions of Python cannot run it."""
SERVICE_PYTHON = CHECKOUT / ".nox" / f"{SERVICE_ENVIRONMENT}-{NEWEST_PYTHON.replace('.', '-')}" / "bin" / "python"
PYPROJECT = nox.project.load_toml(CHECKOUT / "pyproject.toml")

tempfile.tempdir = str(HOME / "tmp")
os.umask(0o022)
stop_all_on_termination(last=lambda: shutil.rmtree(HOME, ignore_errors=True))
# All that is installed is below the checkout.
os.environ.setdefault("UV_CACHE_DIR", str(CHECKOUT / ".nox" / "uv-cache"))


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
        session.install("--quiet", "--no-compile", *packages, env={**variables_of_uv(listing_of_pip()), **os.environ})
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
