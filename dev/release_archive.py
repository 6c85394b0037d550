# SPDX-License-Identifier: GPL-3.0-or-later
"""The archive of a release: it is built from what git tracks, and handed to Galaxy."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import nox

from collection_tree import CHECKOUT, copy_checkout

ARCHIVES = CHECKOUT / "dist"


def build_archive(session: nox.Session) -> None:
    """Build the archive in ARCHIVES."""
    with tempfile.TemporaryDirectory() as folder:
        copy = copy_checkout(Path(folder))
        session.run("ansible-galaxy", "collection", "build", "--output-path", str(ARCHIVES), str(copy))


def publish_archive(session: nox.Session) -> None:
    """Publish the only archive in ARCHIVES, with the token in the variable GALAXY_TOKEN."""
    [archive] = ARCHIVES.glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as folder:
        # In a file, since nox prints the commands that it runs.
        token = Path(folder) / "token"
        token.write_text(json.dumps({"token": os.environ["GALAXY_TOKEN"]}), encoding="utf-8")
        in_file = {"ANSIBLE_GALAXY_TOKEN_PATH": str(token)}
        session.run("ansible-galaxy", "collection", "publish", str(archive), env=in_file)
