# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands the archive of a release to Galaxy."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import nox

from build_archive import ARCHIVES


def publish_archive(session: nox.Session) -> None:
    """Publish the only archive in ARCHIVES, with the token in the variable GALAXY_TOKEN."""
    [archive] = ARCHIVES.glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as folder:
        # In a file, since nox prints the commands that it runs.
        token = Path(folder) / "token"
        token.write_text(json.dumps({"token": os.environ["GALAXY_TOKEN"]}), encoding="utf-8")
        in_file = {"ANSIBLE_GALAXY_TOKEN_PATH": str(token)}
        session.run("ansible-galaxy", "collection", "publish", str(archive), env=in_file)
