# SPDX-License-Identifier: GPL-3.0-or-later
"""Which files belong to the collection is known in every clone."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

import collection_tree


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    clone = tmp_path / "Käse $HOME"
    (clone / "docs").mkdir(parents=True)
    for folder in (tmp_path, clone):
        subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    for name in (".gitignore", "docs/page.md", "docs/made.html", "README.md"):
        (clone / name).write_text("*.html\n", encoding="utf-8")
    monkeypatch.setattr(collection_tree, "CHECKOUT", clone)
    return clone


def test_ignored_files_do_not_belong_to_it(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", str(clone.parent / ".git"))  # as in a hook of another clone
    assert sorted(collection_tree.tracked_files()) == [".gitignore", "README.md", "docs/page.md"]
    assert sorted(collection_tree.tracked_files("*.md")) == ["README.md", "docs/page.md"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to somebody else")
def test_a_clone_of_somebody_else(clone: Path) -> None:
    for path in (clone, clone / ".git"):
        os.chown(path, 12345, 12345)
    assert "README.md" in collection_tree.tracked_files()
