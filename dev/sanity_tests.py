# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs ansible-test sanity on a copy of the checkout."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import nox

from ansible_test_home import downloads_folder, place_get_pip, place_uv, write_pip_settings
from collection_tree import copy_checkout
from package_settings import listing_of_pip, settings_for_uv


def prepare_home(session: nox.Session, pip_version: str) -> Path:
    """Return a home folder in which ansible-test finds its pip and the settings of ours."""
    home = Path(session.virtualenv.location) / "home"
    # The pip of nox's own Python, since environments that uv creates have none.
    download = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(downloads_folder(home)))
    session.run(*download, f"pip=={pip_version}", external=True)
    place_get_pip(home, pip_version)
    write_pip_settings(home, listing_of_pip())
    if session.venv_backend == "uv" and (uv := shutil.which(nox.virtualenv.UV)):
        variables = {**settings_for_uv(listing_of_pip(), os.environ), "UV_CACHE_DIR": os.environ["UV_CACHE_DIR"]}
        place_uv(home, uv, variables)
    return home


def run_sanity_tests(session: nox.Session, home: Path, skipped: Sequence[str], other_pythons: Sequence[str]) -> None:
    """Run all sanity tests but those that are skipped. The session has ansible-test installed.

    The files of modules are also compiled and imported with the Pythons in these other folders.
    """
    # Its first line cannot start a Python below a folder with a space in its name; this can.
    command = ["python", f"{session.bin}/ansible-test", "sanity", "--local"]
    # Otherwise, it would also use the Pythons that the system has.
    command += [] if other_pythons else ["--python", str(session.python)]
    # Galaxy gets none of these, and ruff checks them.
    command += ["--color", "no", "--exclude", "tests/", "--exclude", "dev/"]
    for test in skipped:
        command += ["--skip-test", test]
    with tempfile.TemporaryDirectory() as folder, session.chdir(copy_checkout(Path(folder))):
        path = os.pathsep.join((session.bin, "/usr/local/bin", "/usr/bin", "/bin", *other_pythons))
        variables = {"HOME": str(home), "PATH": path}
        output = str(session.run(*command, *session.posargs, env=variables, silent=True))
    sys.stdout.write(output)
    if "All targets skipped" in output:
        session.error("ansible-test found nothing to check")
