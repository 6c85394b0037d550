# SPDX-License-Identifier: GPL-3.0-or-later
"""A change to the collection, described in a YAML file: what to insert where, and which files to add."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from typing import Any

import yaml


@dataclass(frozen=True)
class Change:
    """A change. `section` is its heading in docs/contributing/extending.md, `task` a task that uses what it adds."""

    section: str
    edits: list[dict[str, Any]]
    task: dict[str, Any]

    @property
    def files(self) -> list[str]:
        """The files that a person edits or adds, as paths from the root of the collection."""
        return [edit["file"] for edit in self.edits]

    def apply(self, root: Path) -> None:
        """Make the change in a copy of the collection. Raises ValueError if the text that an edit looks for is not
        there, or more than once.
        """
        for edit in self.edits:
            _apply(root / edit["file"], edit)


def change_in(file: Path) -> Change:
    return Change(**yaml.safe_load(file.read_text(encoding="utf-8")))


def _apply(path: Path, edit: dict[str, Any]) -> None:
    if "content" in edit:
        path.write_text(edit["content"], encoding="utf-8")
        return
    text = path.read_text(encoding="utf-8")
    for one in edit.get("replace", ()):
        if text.count(one["text"]) != 1:
            raise ValueError(f"{path}: expected this once: {one['text']}")
        text = text.replace(one["text"], one["with"])
    for one in edit.get("insert", ()):
        text = _with_insertion(path, text, one)
    path.write_text(text, encoding="utf-8")


def _with_insertion(path: Path, text: str, one: dict[str, str]) -> str:
    """Insert lines before or after the one line that consists of the anchor, with its indentation unless given."""
    lines = text.splitlines(keepends=True)
    anchor = one["after"] if "after" in one else one["before"]
    found = [number for number, line in enumerate(lines) if line.strip() == anchor]
    if len(found) != 1:
        raise ValueError(f"{path}: expected one line with only this: {anchor}")
    line = lines[found[0]]
    margin = one.get("indent", line[: len(line) - len(line.lstrip())])
    position = found[0] + ("after" in one)
    return "".join([*lines[:position], indent(one["text"], margin), *lines[position:]])
