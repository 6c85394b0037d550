# SPDX-License-Identifier: GPL-3.0-or-later
"""What belongs to a release, in dist/: the archive, its bill of materials, what is signed, and the checksums of all.

`python dev/release_archive.py [FOLDER]` writes it, of the current commit.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

from build_archive import ARCHIVES, MANIFEST, build_archive
from collection_tree import copy_commit
from sbom import sbom_of

CHECKSUMS = "SHA256SUMS"


def write_release(folder: Path, copy: Callable[[Path], Path] = copy_commit) -> None:
    """Write everything into the folder, which must not contain another archive: that of what `copy` copies."""
    archive = build_archive(folder, copy)
    sbom = folder / f"{archive.name.removesuffix('.tar.gz')}.cdx.json"
    sbom.write_text(json.dumps(sbom_of(archive), indent=2) + "\n", encoding="utf-8")
    with tarfile.open(archive) as opened:
        # ansible-galaxy verifies a signature of this file, which contains the checksums of all others.
        (folder / MANIFEST).write_bytes(opened.extractfile(MANIFEST).read())
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(folder.iterdir())]
    (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8")
    print(f"Wrote to {folder}: {', '.join(sorted(path.name for path in folder.iterdir()))}")


if __name__ == "__main__":
    try:
        write_release(Path(sys.argv[1]) if len(sys.argv) > 1 else ARCHIVES)
    except RuntimeError as error:
        sys.exit(str(error))
