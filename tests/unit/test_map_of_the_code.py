# SPDX-License-Identifier: GPL-3.0-or-later
"""The map in CONTRIBUTING.md names files and directories that exist."""

from __future__ import annotations

import re

import pytest

from collection_tree import CHECKOUT

PAGE = (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MAP = PAGE.partition("## Find your way")[2].partition("## Conventions")[0]
LINKS = sorted(set(re.findall(r"\]\(([^)#]+)\)", MAP)))
DIRECTORIES = sorted(set(re.findall(r"\*\*`([\w/]+)`\*\*", MAP)))


def test_the_map_has_at_least_ten_questions() -> None:
    assert len(re.findall(r"^\| .*\? \|", MAP, re.MULTILINE)) >= 10


@pytest.mark.parametrize("path", LINKS)
def test_file_of_the_map_exists(path: str) -> None:
    assert (CHECKOUT / path).is_file()


@pytest.mark.parametrize("name", DIRECTORIES)
def test_directory_of_the_map_exists(name: str) -> None:
    assert (CHECKOUT / "plugins" / name).is_dir()


def test_the_map_describes_every_directory_of_the_core() -> None:
    core = CHECKOUT / "plugins" / "module_utils"
    folders = {f"module_utils/{path.name}" for path in core.iterdir() if (path / "__init__.py").is_file()}
    assert folders
    assert folders <= set(DIRECTORIES)
