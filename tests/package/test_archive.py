# SPDX-License-Identifier: GPL-3.0-or-later
"""What the archive holds, and what Galaxy says of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

from amount import WHOLE
from collection_tree import CHECKOUT, tracked_files
from installed_collection import Installed

FOLDERS_FOR_USERS = ("docs/", "extensions/eda/", "meta/", "playbooks/", "plugins/", "roles/", "schemas/")
FILES_FOR_USERS = {
    ".ansible-lint",  # Galaxy lints what it imports, with a playbook for AWX among it
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "changelogs/changelog.yaml",
    "tests/config.yml",  # ansible-test reads it wherever the collection is checked
}
# The rest of docs/docsite is for sites that are built from archives. Galaxy shows no pictures on its pages. What
# contributors read is of use in a clone only.
NOT_FOR_USERS = ("docs/contributing/", "docs/docsite/conf.py", "docs/images/")
LINKS_OUT = ("contributing/", "docs/contributing/", "images/")
MOST_BYTES = 2_250_000
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)")
ADDED_BY_THE_BUILD = {"FILES.json", "MANIFEST.json"}

# What Galaxy itself asks for, and more than an import does by default.
IMPORTER_CHECKS = {
    "GALAXY_IMPORTER_CHECK_REQUIRED_TAGS": "true",
    "GALAXY_IMPORTER_REQUIRE_V1_OR_GREATER": "true",
    # `make test` lints the same files with the same settings.
    "GALAXY_IMPORTER_RUN_ANSIBLE_LINT": str(WHOLE).lower(),
}
EXPECTED_OF_THE_IMPORTER = re.compile(
    r"Importing with galaxy-importer \S+"
    r"|Getting doc strings via ansible-doc"
    r"|Finding content inside collection"
    r"|Loading (action|doc_fragments|filter|inventory|lookup|module|module_utils|playbook|role) \S+"
    r"|Linting collection via ansible-lint \S+\.\.\."
    r"|\.\.\.ansible-lint run complete"
    r"|Collection loading complete"
    r"|Importer processing completed successfully"
)


def test_the_archive_holds_what_users_need_and_nothing_else(archive: Path) -> None:
    with tarfile.open(archive) as opened:
        held = {member.name for member in opened.getmembers() if not member.isdir()}
    shipped = {name for name in tracked_files() if name.startswith(FOLDERS_FOR_USERS)}
    wanted = FILES_FOR_USERS | {name for name in shipped if not name.startswith(NOT_FOR_USERS)}
    assert held - wanted == ADDED_BY_THE_BUILD
    assert wanted - held == set()


def test_it_unpacks_to_little(archive: Path) -> None:
    """Each control node and each execution environment contains all of it. Plugins and roles are three quarters."""
    with tarfile.open(archive) as opened:
        assert sum(member.size for member in opened.getmembers()) < MOST_BYTES


def test_links_of_its_pages_lead_to_what_it_holds(installed: Installed) -> None:
    pages = list(installed.root.rglob("*.md"))
    links = [(page, link) for page in pages for link in LINK.findall(page.read_text(encoding="utf-8"))]
    assert len(links) > len(pages)
    missing = [(page.name, link) for page, link in links if not (page.parent / link).exists()]
    assert [(page, link) for page, link in missing if not link.startswith(LINKS_OUT)] == []


def test_galaxy_takes_it_without_a_remark(archive: Path, tmp_path: Path) -> None:
    # It calls ansible-doc and ansible-lint by their names.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        (sys.executable, "-m", "galaxy_importer.main", str(archive)),
        cwd=tmp_path,  # it writes its result where it stands
        env={**os.environ, **IMPORTER_CHECKS, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    lines = done.stdout.splitlines()
    assert [line for line in lines if line and not EXPECTED_OF_THE_IMPORTER.fullmatch(line)] == []
    assert lines[-1] == "Importer processing completed successfully"
    kinds = {"modules": "module", "lookup": "lookup", "inventory": "inventory"}
    files = [path for path in (CHECKOUT / "plugins").glob("*/*.py") if path.stem != "__init__"]
    named = {f"Loading {kinds[path.parent.name]} {path.stem}" for path in files if path.parent.name in kinds}
    assert named <= set(lines)
