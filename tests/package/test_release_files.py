# SPDX-License-Identifier: GPL-3.0-or-later
"""What belongs to a release can be checked: it is built twice alike, its files are listed, and a signature counts."""

from __future__ import annotations

import os
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

from build_archive import CHECKSUMS, FILES, MANIFEST, sbom_of, write_release
from collection_tree import CHECKOUT, copy_checkout
from installed_collection import BIN

SECONDS = 120
COMMITTED = 1_800_000_000
COLLECTION = "edgeops.ingress"


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", str(COMMITTED))
        write_release(folder, copy_checkout)
    return folder


@pytest.fixture(scope="module")
def archive(dist: Path) -> Path:
    [archive] = dist.glob("*.tar.gz")
    return archive


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


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("touch my-account.yml", "?? my-account.yml"),
        ("echo >>README.md", " M README.md"),
        ("touch playbooks/a.yml && git add --all", "A  playbooks/a.yml"),
        ("git rm --quiet SECURITY.md", "D  SECURITY.md"),
        ("rm -rf .git", "not a git repository"),
    ],
)
def test_only_a_commit_is_built(tmp_path: Path, command: str, named: str) -> None:
    copy = clone(tmp_path)
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
        return galaxy("verify", COLLECTION, "--offline", "--keyring", keys, "--signature", signature)

    keys = f"{gnupg['GNUPGHOME']}/keys.gpg"
    (nobody := tmp_path / "nobody.gpg").touch()
    installed = galaxy("install", "--offline", "-p", str(tmp_path / "installed"), str(archive))
    assert installed.returncode == 0, installed.stdout
    accepted, of_another = verified(keys), verified(str(nobody))

    assert accepted.returncode == 0, accepted.stdout
    assert "Successfully verified" in accepted.stdout
    assert of_another.returncode != 0
    assert "Signature verification failed" in of_another.stdout
