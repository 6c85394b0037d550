# SPDX-License-Identifier: GPL-3.0-or-later
"""What belongs to a release, in dist/: the archive, its bill of materials, what is signed, and the checksums of all.

`python dev/release_archive.py [FOLDER]` writes it.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from build_archive import MANIFEST, build_archive
from collection_tree import CHECKOUT
from sbom import as_json, sbom_of

if TYPE_CHECKING:
    import nox

ARCHIVES = CHECKOUT / "dist"
CHECKSUMS = "SHA256SUMS"


def write_release(folder: Path) -> None:
    """Write everything into the folder, which must not contain another archive."""
    archive = build_archive(folder)
    (folder / f"{archive.name.removesuffix('.tar.gz')}.cdx.json").write_text(
        as_json(sbom_of(archive)), encoding="utf-8"
    )
    with tarfile.open(archive) as opened:
        # ansible-galaxy verifies a signature of this file, which contains the checksums of all others.
        opened.extract(MANIFEST, folder, filter="data")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(folder.iterdir())]
    (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8")


def publish_archive(session: nox.Session) -> None:
    """Publish the only archive in ARCHIVES, with the token in the variable GALAXY_TOKEN."""
    [archive] = ARCHIVES.glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as folder:
        # In a file, since nox prints the commands that it runs.
        token = Path(folder) / "token"
        token.write_text(json.dumps({"token": os.environ["GALAXY_TOKEN"]}), encoding="utf-8")
        in_file = {"ANSIBLE_GALAXY_TOKEN_PATH": str(token)}
        session.run("ansible-galaxy", "collection", "publish", str(archive), env=in_file)


if __name__ == "__main__":
    write_release(Path(sys.argv[1]) if len(sys.argv) > 1 else ARCHIVES)
