# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs ansible-test sanity on a copy of the checkout, with a package index alone."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import nox

from collection_tree import copy_checkout
from package_settings import listing_of_pip, package_settings

# Those that the supported versions of ansible-core install.
PIP_VERSIONS = ("23_1_2", "24_2", "25_2")
_KEPT = re.compile(r"UV_|SSL_|\w+_proxy$", re.IGNORECASE)


def prepare_home(home: Path) -> None:
    """Put into the home folder what ansible-test would download; it passes no variables of uv or pip on."""
    cache = home / ".ansible" / "test" / "cache"
    cache.mkdir(parents=True, exist_ok=True)
    for version in PIP_VERSIONS:
        shutil.copyfile(Path(__file__).with_name("pip_by_uv.py"), cache / f"get_pip_{version}.py")
    settings = cache / "uv.json"
    settings.touch(mode=0o600)  # the address of an index may hold a password
    all_variables = {**package_settings(listing_of_pip()), **os.environ}
    variables = {name: value for name, value in all_variables.items() if _KEPT.match(name)}
    settings.write_text(json.dumps({"program": shutil.which(nox.virtualenv.UV), "variables": variables}), "utf-8")


def run_sanity_tests(session: nox.Session, skipped: Sequence[str], other_pythons: Sequence[str]) -> None:
    """Run all sanity tests but those that are skipped. The session has ansible-test installed.

    The files of modules are also compiled and imported with the Pythons in these other folders.
    """
    home = Path(session.virtualenv.location) / "home"  # ansible-test finds its environments there next time
    prepare_home(home)
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
        variables = {"HOME": str(home), "PATH": path, "ANSIBLE_COLLECTIONS_PATH": None}
        output = str(session.run(*command, *session.posargs, env=variables, silent=True))
    sys.stdout.write(output)
    if "All targets skipped" in output:
        session.error("ansible-test found nothing to check")
