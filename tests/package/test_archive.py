# SPDX-License-Identifier: GPL-3.0-or-later
"""What the archive holds, what Galaxy says of it, and that what belongs to a release can be checked: it is built twice
alike, its files are listed, and a signature counts.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from amount import WHOLE
from build_archive import CHECKSUMS, FILES, MANIFEST, sbom_of
from collection_tree import CHECKOUT, copy_checkout, tracked_files
from installed_collection import BIN, SECONDS, Installed

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
COMMITTED = 1_800_000_000  # as in conftest.py

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


def run(*command: str, cwd: Path, umask: int = 0o022, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=cwd,
        umask=umask,
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def test_the_archive_holds_what_users_need_and_nothing_else(archive: Path) -> None:
    with tarfile.open(archive) as opened:
        held = {member.name for member in opened.getmembers() if not member.isdir()}
    shipped = {name for name in tracked_files() if name.startswith(FOLDERS_FOR_USERS)}
    wanted = FILES_FOR_USERS | {name for name in shipped if not name.startswith(NOT_FOR_USERS)}
    assert held - wanted == {FILES, MANIFEST}
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
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    importer = (sys.executable, "-m", "galaxy_importer.main", str(archive))
    done = run(*importer, cwd=tmp_path, **IMPORTER_CHECKS, PATH=path)  # it writes its result where it stands
    lines = done.stdout.splitlines()
    assert [line for line in lines if line and not EXPECTED_OF_THE_IMPORTER.fullmatch(line)] == []
    assert lines[-1] == "Importer processing completed successfully"
    kinds = {"modules": "module", "lookup": "lookup", "inventory": "inventory"}
    files = [path for path in (CHECKOUT / "plugins").glob("*/*.py") if path.stem != "__init__"]
    named = {f"Loading {kinds[path.parent.name]} {path.stem}" for path in files if path.parent.name in kinds}
    assert named <= set(lines)


def clone(folder: Path) -> Path:
    """A repository of what is here now, with one commit, which has the same time in all of them."""
    copy = copy_checkout(folder)
    moment = {"GIT_AUTHOR_DATE": f"{COMMITTED} +0000", "GIT_COMMITTER_DATE": f"{COMMITTED} +0000"}
    own = ("-c", "user.name=Nobody", "-c", "user.email=nobody@example.com", "-c", "commit.gpgsign=false")
    for command in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "--no-verify", "--message=All of it")):
        done = run("git", *own, *command, cwd=copy, **moment)
        assert done.returncode == 0, done.stdout
    return copy


def test_two_clones_in_two_folders_make_the_same_files(tmp_path: Path) -> None:
    built = []
    for name, umask, touched in (("a", 0o022, COMMITTED), ("a longer name", 0o077, COMMITTED + 90_000)):
        copy = clone(tmp_path / name)
        (copy / "playbooks" / ".coverage").write_text(name, encoding="utf-8")  # git ignores it
        for path in copy.rglob("*"):
            os.utime(path, (touched, touched), follow_symlinks=False)
        output = tmp_path / f"dist of {name}"
        done = run(sys.executable, "dev/build_archive.py", str(output), cwd=copy, umask=umask, SOURCE_DATE_EPOCH="")
        assert done.returncode == 0, done.stdout
        built.append({path.name: path.read_bytes() for path in output.iterdir()})

    first, second = built
    assert first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []


def test_only_a_commit_is_built(tmp_path: Path) -> None:
    copy = clone(tmp_path)
    for command, named in (
        ("touch my-account.yml", "?? my-account.yml"),
        ("rm my-account.yml; echo >>README.md", " M README.md"),
        ("git checkout --quiet README.md; git rm --quiet SECURITY.md", "D  SECURITY.md"),
        ("rm -rf .git", "not a git repository"),
    ):
        assert run("sh", "-ec", command, cwd=copy).returncode == 0
        done = run(sys.executable, "dev/build_archive.py", "dist", cwd=copy)
        assert done.returncode == 1
        assert named in done.stdout
        assert "Traceback" not in done.stdout
        assert not (copy / "dist").exists()


def test_a_given_time_is_the_time_of_all_files(archive: Path) -> None:
    with tarfile.open(archive) as opened:
        assert {member.mtime for member in opened.getmembers()} == {COMMITTED}
        assert {(member.uid, member.gid, member.uname) for member in opened.getmembers()} == {(0, 0, "")}


def test_checksums_are_those_of_all_files(dist: Path) -> None:
    done = run("sha256sum", "--check", "--strict", CHECKSUMS, cwd=dist)
    assert done.returncode == 0, done.stdout
    listed = {line.split()[1] for line in (dist / CHECKSUMS).read_text(encoding="utf-8").splitlines()}
    assert listed == {path.name for path in dist.iterdir()} - {CHECKSUMS}


def test_the_bill_of_materials_is_valid_and_complete(dist: Path, archive: Path) -> None:
    [path] = dist.glob("*.cdx.json")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(path.read_text(encoding="utf-8")) is None
    components = sbom_of(archive)["components"]
    with tarfile.open(archive) as opened:
        shipped = {member.name for member in opened.getmembers() if member.isfile()}
    assert {each["name"] for each in components if each["type"] == "file"} == shipped - {MANIFEST, FILES}
    needed = {each["name"]: each["properties"][0]["value"] for each in components if each.get("scope") == "required"}
    assert needed == {"ansible-core": ">=2.16.0", "requests": ">=2.28"}


@pytest.fixture
def gnupg() -> Iterator[dict[str, str]]:
    """The environment of a key that nobody else has. Its path is short, because gpg-agent opens a socket there."""
    if shutil.which("gpg") is None:
        pytest.skip("gpg is not installed")
    folder = Path(tempfile.mkdtemp(prefix="gpg", dir="/tmp"))
    environment = {"GNUPGHOME": str(folder)}
    try:
        key = ("--quick-generate-key", "Nobody <nobody@example.com>", "default", "sign", "1d")
        made = run("gpg", "--batch", "--passphrase", "", *key, cwd=folder, **environment)
        assert made.returncode == 0, made.stdout
        exported = run("gpg", "--export", "--output", str(folder / "keys.gpg"), cwd=folder, **environment)
        assert exported.returncode == 0, exported.stdout
        yield environment
    finally:
        run("gpgconf", "--kill", "all", cwd=folder, **environment)
        shutil.rmtree(folder, ignore_errors=True)


def test_ansible_galaxy_accepts_the_signature_of_a_release_by_its_key_alone(
    dist: Path, archive: Path, gnupg: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "dist").mkdir()
    shutil.copy(dist / MANIFEST, tmp_path / "dist")
    signed = run("make", "--file", str(CHECKOUT / "Makefile"), "sign", cwd=tmp_path, **gnupg)
    assert signed.returncode == 0, signed.stdout
    signature = (tmp_path / "dist" / "MANIFEST.json.asc").as_uri()

    folders = {"ANSIBLE_HOME": str(tmp_path / "home"), "ANSIBLE_COLLECTIONS_PATH": str(tmp_path / "installed")}

    def galaxy(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = (str(BIN / "ansible-galaxy"), "collection", *arguments)
        return run(*command, cwd=tmp_path, **gnupg, **folders)

    def verified(keys: str) -> subprocess.CompletedProcess[str]:
        return galaxy("verify", "edgeops.ingress", "--offline", "--keyring", keys, "--signature", signature)

    (nobody := tmp_path / "nobody.gpg").touch()
    installed = galaxy("install", "--offline", "-p", str(tmp_path / "installed"), str(archive))
    assert installed.returncode == 0, installed.stdout
    accepted, of_another = verified(f"{gnupg['GNUPGHOME']}/keys.gpg"), verified(str(nobody))

    assert accepted.returncode == 0, accepted.stdout
    assert "Successfully verified" in accepted.stdout
    assert of_another.returncode != 0
    assert "Signature verification failed" in of_another.stdout
