# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the archive of the collection, the same to the byte wherever and whenever the same commit is built, and what
belongs to a release: its bill of materials, what is signed, and the checksums of all.

`python dev/build_archive.py FOLDER` writes them to the folder, of the commit. ansible-galaxy lists
the files in the order of the file system, and archives their times. So what it has built is sorted and packed again.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import uuid
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import yaml

from collection_tree import commit_time, copy_checkout, copy_commit

MANIFEST, FILES = "MANIFEST.json", "FILES.json"
CHECKSUMS = "SHA256SUMS"
NEEDED = {"required": "meta/ee-requirements.txt", "optional": "roles/reference_service/files/requirements.txt"}
_REQUIREMENT = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)\s*(?P<versions>[^;\n]*)", re.MULTILINE)


def build_archive(folder: Path, copy: Callable[[Path], Path] = copy_checkout) -> Path:
    """Build the archive in `folder`, of what `copy` puts into a folder. Return its path.

    Raises RuntimeError with the reason.
    """
    with tempfile.TemporaryDirectory() as temporary:
        own = Path(temporary)
        source = copy(own / "source")
        # No other collection is to be seen, and nothing is to be left in a home folder.
        alone = {"ANSIBLE_HOME": str(own / "ansible_home"), "ANSIBLE_COLLECTIONS_PATH": str(own / "none")}
        galaxy = (sys.executable, "-m", "ansible", "galaxy", "collection", "build", str(source))
        command = (*galaxy, "--output-path", str(own / "built"))
        run = subprocess.run(command, check=False, capture_output=True, text=True, env={**os.environ, **alone})
        if run.returncode != 0:
            raise RuntimeError(run.stdout + run.stderr)
        [built] = (own / "built").glob("*.tar.gz")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / built.name).write_bytes(_packed_again(built, commit_time()))
    return folder / built.name


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


def _packed_again(built: Path, time: int) -> bytes:
    """Return the archive with its files in the order of their names, all of which have the same time."""
    with tarfile.open(built) as opened:
        members = {member.name: member for member in opened}
        content = {name: opened.extractfile(each).read() for name, each in members.items() if each.isfile()}  # type: ignore[union-attr]
    files, manifest = json.loads(content[FILES]), json.loads(content[MANIFEST])
    files["files"].sort(key=lambda entry: str(entry["name"]))
    content[FILES] = json.dumps(files, indent=1).encode()
    manifest["file_manifest_file"]["chksum_sha256"] = hashlib.sha256(content[FILES]).hexdigest()
    content[MANIFEST] = json.dumps(manifest, indent=1).encode()
    packed = io.BytesIO()
    # Without a name, and with the time of the commit: gzip would write both into its header.
    with (
        gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=time) as compressed,
        tarfile.open(mode="w", fileobj=compressed, format=tarfile.USTAR_FORMAT) as archive,
    ):
        # Galaxy reads the first two before it unpacks anything else.
        for name in (MANIFEST, FILES, *sorted(members.keys() - {MANIFEST, FILES})):
            member = members[name]
            member.mtime, member.size = time, len(content.get(name, b""))
            archive.addfile(member, io.BytesIO(content.get(name, b"")))
    return packed.getvalue()


def sbom_of(archive: Path) -> dict[str, Any]:
    """Return the software bill of materials of an archive, in the format of CycloneDX: its files, and what it needs.

    Everything in it comes from the archive, so the same archive always has the same one.
    """
    with tarfile.open(archive) as opened:

        def text(name: str) -> str:
            return opened.extractfile(name).read().decode()  # type: ignore[union-attr]

        manifest = yaml.safe_load(text(MANIFEST))["collection_info"]
        listed = yaml.safe_load(text(FILES))["files"]
        core = _package("ansible-core", yaml.safe_load(text("meta/runtime.yml"))["requires_ansible"], "required")
        found = ((each, scope) for scope, name in NEEDED.items() for each in _REQUIREMENT.finditer(text(name)))
        needed = [core, *(_package(each["name"], each["versions"].strip(), scope) for each, scope in found)]
        time = datetime.fromtimestamp(opened.getmember(MANIFEST).mtime, timezone.utc)
    checksum = hashlib.sha256(archive.read_bytes()).hexdigest()
    name = f"{manifest['namespace']}.{manifest['name']}"
    collection = {
        "type": "library",
        "bom-ref": name,
        "name": name,
        "hashes": _hashes(checksum),
        **{key: manifest[key] for key in ("version", "description")},
        "licenses": [{"license": {"id": "GPL-3.0-or-later"}}],
    }
    files = [
        {"type": "file", "name": entry["name"], "hashes": _hashes(entry["chksum_sha256"])}
        for entry in listed
        if entry["ftype"] == "file"
    ]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, checksum)}",
        "version": 1,
        "metadata": {"timestamp": time.isoformat().replace("+00:00", "Z"), "component": collection},
        "components": [*needed, *files],
        "dependencies": [{"ref": name, "dependsOn": [each["bom-ref"] for each in needed]}],
    }


def _package(name: str, versions: str, scope: str) -> dict[str, Any]:
    """A Python package in a range of versions. The format has no place for that: what is installed decides."""
    package = {"type": "library", "bom-ref": f"pkg:pypi/{name}", "name": name, "purl": f"pkg:pypi/{name}"}
    return {**package, "scope": scope, "properties": [{"name": "versions", "value": versions or "any"}]}


def _hashes(checksum: str) -> list[dict[str, str]]:
    return [{"alg": "SHA-256", "content": checksum}]


if __name__ == "__main__":
    try:
        write_release(Path(sys.argv[1]))
    except RuntimeError as error:
        sys.exit(str(error))
