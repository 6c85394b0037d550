# SPDX-License-Identifier: GPL-3.0-or-later
"""The software bill of materials of an archive, in the format of CycloneDX: its files, and what it needs at run time.

Everything in it comes from the archive, so the same archive always has the same one.
"""

from __future__ import annotations

import hashlib
import json
import re
import tarfile
import uuid
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import yaml

LICENSE = [{"license": {"id": "GPL-3.0-or-later"}}]
NEEDED, OF_THE_SERVICE = "meta/ee-requirements.txt", "roles/reference_service/files/requirements.txt"
_REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9._-]+)\s*(?P<versions>[^;]*)")


def sbom_of(archive: Path) -> dict[str, Any]:
    """Return the bill of materials of the collection in `archive`."""
    with tarfile.open(archive) as opened:

        def read(name: str) -> Any:
            return yaml.safe_load(opened.extractfile(name) or b"")

        def lines(name: str) -> list[str]:
            return (opened.extractfile(name) or b"").read().decode().splitlines()  # type: ignore[union-attr]

        manifest, files = read("MANIFEST.json")["collection_info"], read("FILES.json")["files"]
        needed = [
            _package("ansible-core", read("meta/runtime.yml")["requires_ansible"]),
            *_packages(lines(NEEDED)),
            *_packages(lines(OF_THE_SERVICE), scope="optional"),
        ]
        time = datetime.fromtimestamp(opened.getmember("MANIFEST.json").mtime, timezone.utc)
    checksum = hashlib.sha256(archive.read_bytes()).hexdigest()
    name = f"{manifest['namespace']}.{manifest['name']}"
    collection = {
        "type": "library",
        "bom-ref": name,
        "name": name,
        "version": manifest["version"],
        "description": manifest["description"],
        "licenses": LICENSE,
        "hashes": [_sha256(checksum)],
    }
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, checksum)}",
        "version": 1,
        "metadata": {"timestamp": time.isoformat().replace("+00:00", "Z"), "component": collection},
        "components": [*needed, *_files(files)],
        "dependencies": [{"ref": name, "dependsOn": [each["bom-ref"] for each in needed]}],
    }


def as_json(sbom: dict[str, Any]) -> str:
    return json.dumps(sbom, indent=2) + "\n"


def _packages(requirements: list[str], scope: str = "required") -> Iterator[dict[str, Any]]:
    for line in requirements:
        if (found := _REQUIREMENT.match(line)) and not line.startswith("#"):
            yield _package(found["name"], found["versions"].strip(), scope)


def _package(name: str, versions: str, scope: str = "required") -> dict[str, Any]:
    """A Python package in a range of versions. The format has no place for that: what is installed decides."""
    package = {"type": "library", "bom-ref": f"pkg:pypi/{name}", "name": name, "purl": f"pkg:pypi/{name}"}
    return {**package, "scope": scope, "properties": [{"name": "versions", "value": versions or "any"}]}


def _files(listed: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for entry in listed:
        if entry["ftype"] == "file":
            yield {"type": "file", "name": entry["name"], "hashes": [_sha256(entry["chksum_sha256"])]}


def _sha256(checksum: str) -> dict[str, str]:
    return {"alg": "SHA-256", "content": checksum}
