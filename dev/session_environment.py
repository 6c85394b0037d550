# SPDX-License-Identifier: GPL-3.0-or-later
"""What nox's sessions run in: packages of their own, and an environment without the user's settings."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import nox

from collection_tree import CHECKOUT, READ_OTHERWISE, SERVICE_SOURCES, link_checkout
from own_environment import own_environment
from package_settings import listing_of_pip, settings_for_uv
from supported_cores import newest_patch

# Variables that the checks themselves read.
SWITCHES = ("CI", "WHOLE", "GALAXY_IMPORTER_RUN_ANSIBLE_LINT")
PYPROJECT = nox.project.load_toml(CHECKOUT / "pyproject.toml")


class SessionEnvironment:
    """Prepares sessions. `home` is the home folder of all of them; the tests run the service with `service_python`."""

    def __init__(self, home: Path, service_python: Path) -> None:
        self._home = home
        self._service_python = service_python

    def install(self, session: nox.Session, *groups: str, service: bool = False, own: bool = True) -> None:
        """Install dependency groups, and the packages of the reference service if `service` is true.

        Nothing is installed again until the list of packages changes. Unless `own` is false, what the session runs from
        then on does not see the user's settings.
        """
        packages = nox.project.dependency_groups(PYPROJECT, *groups)
        if os.environ.get("NEWEST_PATCH"):  # the weekly run, which is to notice what is new
            packages = tuple(map(newest_patch, packages))
        if service:
            lines = (SERVICE_SOURCES / "requirements.txt").read_text(encoding="utf-8").splitlines()
            packages += tuple(line for line in lines if line.strip() and not line.startswith("#"))
        installed = Path(session.virtualenv.location) / "installed-by-nox.txt"
        wanted = "\n".join(packages)
        if not installed.exists() or installed.read_text(encoding="utf-8") != wanted:
            _install(session, packages)
            installed.write_text(wanted, encoding="utf-8")
        if own:
            self.shut_out_settings(session)

    def shut_out_settings(self, session: nox.Session) -> None:
        """Hide the user's settings, Ansible's and ours included, from what the session runs from here on."""
        if found := "".join(sorted(set(str(CHECKOUT)) & READ_OTHERWISE)):
            session.error(
                f"The path of this checkout, {CHECKOUT}, contains {found}, which shells and Ansible do not take "
                "literally. `make demo` works here all the same; for the checks, use a folder without them."
            )
        # None removes a variable. The session's own folder of programs is put before this PATH.
        session.env.update({**dict.fromkeys(os.environ), **own_environment(os.environ, self._home, also=SWITCHES)})

    def variables(self) -> dict[str, str]:
        """Return the variables with which Ansible finds this checkout, and the tests find the service's Python."""
        return {
            "ANSIBLE_COLLECTIONS_PATH": str(link_checkout()),
            "REFERENCE_SERVICE_PYTHON": str(self._service_python),
        }


def _install(session: nox.Session, packages: Sequence[str]) -> None:
    """Install packages with uv, where the environment is uv's, and otherwise, or if uv fails, with pip."""
    # Most of what is installed is never imported. The rest is compiled when it is.
    options = ("--quiet", "--no-compile")
    if session.venv_backend == "uv":
        with suppress(nox.command.CommandFailed):
            session.install(*options, *packages, env=settings_for_uv(listing_of_pip(), os.environ))
            return
        session.warn("pip tries it, since it may know a way to the packages that uv doesn't")
        pip = (sys.executable, "-m", "pip", "--python", f"{session.bin}/python")
        session.run_install(*pip, "install", *options, *packages, external=True)
    else:
        session.install(*options, *packages)
