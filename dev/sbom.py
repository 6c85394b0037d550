# SPDX-License-Identifier: GPL-3.0-or-later
"""The software bill of materials of an archive, in the format of CycloneDX: its files, and what it needs at run time.

Everything in it comes from the archive, so the same archive always has the same one.
"""

from __future__ import annotations

import hashlib
import re
import tarfile
import uuid
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import yaml

NEEDED = {"required": "meta/ee-requirements.txt", "optional": "roles/reference_service/files/requirements.txt"}
_REQUIREMENT = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)\s*(?P<versions>[^;\n]*)", re.MULTILINE)


def sbom_of(archive: Path) -> dict[str, Any]:
    """Return the bill of materials of the collection in `archive`."""
    with tarfile.open(archive) as opened:

        def text(name: str) -> str:
            return opened.extractfile(name).read().decode()  # type: ignore[union-attr]

        manifest = yaml.safe_load(text("MANIFEST.json"))["collection_info"]
        listed = yaml.safe_load(text("FILES.json"))["files"]
        core = _package("ansible-core", yaml.safe_load(text("meta/runtime.yml"))["requires_ansible"], "required")
        found = ((each, scope) for scope, name in NEEDED.items() for each in _REQUIREMENT.finditer(text(name)))
        needed = [core, *(_package(each["name"], each["versions"].strip(), scope) for each, scope in found)]
        time = datetime.fromtimestamp(opened.getmember("MANIFEST.json").mtime, timezone.utc)
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
