# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the archive of the collection, the same to the byte wherever and whenever the same commit is built.

ansible-galaxy lists the files in the order of the file system, and archives their modes, owners, and times. So what it
has built is sorted and packed again.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from collection_tree import CHECKOUT, commit_time, copy_checkout

ARCHIVES = CHECKOUT / "dist"
SECONDS = 120
MANIFEST, FILES = "MANIFEST.json", "FILES.json"


def build_archive(folder: Path, copy: Callable[[Path], Path] = copy_checkout) -> Path:
    """Build the archive in `folder`, of what `copy` puts into a folder. Return its path.

    Raises RuntimeError with the reason.
    """
    with tempfile.TemporaryDirectory() as temporary:
        own = Path(temporary)
        source = copy(own / "source")
        _galaxy(own, "collection", "build", "--output-path", str(own / "built"), str(source))
        [built] = (own / "built").glob("*.tar.gz")
        with tarfile.open(built) as opened:
            content = {member.name: _read(opened, member) for member in opened.getmembers() if not member.isdir()}
            programs = {member.name for member in opened.getmembers() if member.isfile() and member.mode & 0o100}
    content.update(_sorted_lists(content))
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / built.name
    archive.write_bytes(_packed(content, programs, commit_time()))
    return archive


def _galaxy(folder: Path, *arguments: str) -> None:
    # No other collection is to be seen, and nothing is to be left in a home folder.
    alone = {"ANSIBLE_HOME": str(folder / "ansible_home"), "ANSIBLE_COLLECTIONS_PATH": str(folder / "none")}
    run = subprocess.run(
        [sys.executable, "-m", "ansible", "galaxy", *arguments],
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        env={**os.environ, **alone},
    )
    if run.returncode != 0:
        raise RuntimeError(run.stdout)


def _read(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    extracted = archive.extractfile(member)
    if extracted is None:
        raise RuntimeError(f"{member.name} is neither a file nor a link to one")
    return extracted.read()


def _sorted_lists(content: dict[str, bytes]) -> dict[str, bytes]:
    """Return the list of files in the order of their names, and the manifest with the checksum of that list."""
    files = json.loads(content[FILES])
    files["files"].sort(key=lambda entry: str(entry["name"]))
    listed = _as_json(files)
    manifest = json.loads(content[MANIFEST])
    manifest["file_manifest_file"]["chksum_sha256"] = hashlib.sha256(listed).hexdigest()
    return {FILES: listed, MANIFEST: _as_json(manifest)}


def _as_json(value: Any) -> bytes:
    return json.dumps(value, indent=1).encode()


def _packed(content: dict[str, bytes], programs: set[str], time: int) -> bytes:
    """Return an archive of the files, all of which have the same time and no owner."""
    folders = {str(parent) for name in content for parent in Path(name).parents} - {"."}
    packed = io.BytesIO()
    # Without a name, and with the time of the commit: gzip would write both into its header.
    with (
        gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=time) as compressed,
        tarfile.open(mode="w", fileobj=compressed, format=tarfile.USTAR_FORMAT) as archive,
    ):
        # Galaxy reads the first two before it unpacks anything else.
        for name in (MANIFEST, FILES, *sorted((folders | content.keys()) - {MANIFEST, FILES})):
            member = tarfile.TarInfo(name)
            member.mtime, member.mode = time, 0o755 if name in folders | programs else 0o644
            if name in folders:
                member.type = tarfile.DIRTYPE
            member.size = len(content.get(name, b""))
            archive.addfile(member, io.BytesIO(content.get(name, b"")))
    return packed.getvalue()
