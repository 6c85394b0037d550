# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs ansible-test sanity on a copy of the checkout, with a package index alone."""

from __future__ import annotations

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
_OF_UV = re.compile(r"UV_|SSL_|\w+_proxy$", re.IGNORECASE)
_INSTALLER = """\
import os, subprocess, sys
packages = [each for each in sys.argv[1:] if not each.startswith("-")]
command = [{uv!r}, "pip", "install", "--quiet", "--python", sys.executable, *packages]
sys.exit(subprocess.call(command, env={{**os.environ, **{variables!r}}}))
"""


def prepare_home(home: Path) -> None:
    """Put into the home folder what ansible-test would download, and settings: it passes no variables of pip on."""
    variables = {**package_settings(listing_of_pip()), **os.environ}
    of_uv = {name: value for name, value in variables.items() if _OF_UV.match(name)}
    installer = _INSTALLER.format(uv=shutil.which(nox.virtualenv.UV), variables=of_uv)
    settings = "".join(
        f"{name[4:].lower().replace('_', '-')} = {' '.join(value.split())}\n"
        for name, value in variables.items()
        if name.startswith("PIP_")
    )
    cache = home / ".ansible" / "test" / "cache"
    files = {cache / f"get_pip_{version}.py": installer for version in PIP_VERSIONS}
    for file, text in {**files, home / ".config" / "pip" / "pip.conf": f"[global]\nquiet = 2\n{settings}"}.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)  # the address of an index may hold a password
        file.write_text(text, encoding="utf-8")


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
