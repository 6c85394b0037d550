# SPDX-License-Identifier: GPL-3.0-or-later
"""Which files belong to the collection is known in a clone, in a source archive, and where git is missing."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from collection_tree import tracked_files


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """What a source archive holds, below a clone of something else that has files of its own."""
    clone(tmp_path)
    source = tmp_path / "Käse $HOME"
    (source / "docs").mkdir(parents=True)
    for name in (".gitignore", "docs/page.md", "docs/made.html", "README.md"):
        (source / name).write_text("*.html\n", encoding="utf-8")
    return source


def clone(folder: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    (folder / "other.txt").touch()


def test_an_archive_without_git(source: Path) -> None:
    assert sorted(tracked_files(checkout=source)) == [".gitignore", "README.md", "docs/page.md"]
    assert sorted(tracked_files("*.md", checkout=source)) == ["README.md", "docs/page.md"]
    assert sorted(path.name for path in source.iterdir()) == [".gitignore", "README.md", "docs"]


def test_a_clone_from_within_a_hook(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clone(source)
    monkeypatch.setenv("GIT_DIR", str(source.parent / ".git"))
    assert sorted(tracked_files(checkout=source)) == [".gitignore", "README.md", "docs/page.md", "other.txt"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to somebody else")
def test_a_clone_of_somebody_else(source: Path) -> None:
    clone(source)
    for path in (source, source / ".git"):
        os.chown(path, 12345, 12345)
    assert "README.md" in tracked_files(checkout=source)


def test_git_is_asked_for(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(source))
    with pytest.raises(RuntimeError, match="git is required"):
        tracked_files(checkout=source)
