# SPDX-License-Identifier: GPL-3.0-or-later
"""What it costs to add a field, a traffic module, or a resource: each is really added to a copy of the collection.

docs/contributing/extending.md shows the files that a person edits for each of them. Generated files are not counted.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
import yaml

from collection_tree import CHECKOUT, copy_checkout

CHANGES = Path(__file__).with_name("changes")
PAGE = (CHECKOUT / "docs" / "contributing" / "extending.md").read_text(encoding="utf-8")
STEP = re.compile(r"^\d+\. \[?`([^`]+)`", re.MULTILINE)
GENERATED = re.compile(r"^- \[?`([^`]+)`", re.MULTILINE)
SERVICE_PYTHON = os.environ.get("REFERENCE_SERVICE_PYTHON", sys.executable)

# Anything else could fail as well, and has. What is long tests the same with other values or other ways to run a task.
CHECKS = ("tests/unit", "tests/resources", "tests/support/added_task.py")
SERVICE_CHECKS = ("tests/service",)
# With a seed, the same inputs are drawn each time: only a change of the collection changes the result.
NOT_LONG = ("-q", "-n", "2", "-p", "no:cacheprovider", "-m", "not long", "--hypothesis-seed=1")
# After a release, the first change begins the next version, which is not counted here.
OF_VERSIONS = [
    f"--deselect=tests/unit/test_collection_lists.py::{name}"
    for name in (
        "test_what_is_not_released_has_the_next_version_and_says_so",
        "test_everything_that_the_readme_names_is_released_or_new_in_this_version",
    )
]


def _apply(path: Path, edit: dict[str, Any]) -> None:
    """Make an edit in a copy of the collection. Raises ValueError if the text that it looks for is not there once."""
    if "content" in edit:
        path.write_text(edit["content"], encoding="utf-8")
        return
    for one in edit["insert"]:
        # Before or after the one line that consists of the anchor, with its indentation.
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        anchor = one["after"] if "after" in one else one["before"]
        found = [number for number, line in enumerate(lines) if line.strip() == anchor]
        if len(found) != 1:
            raise ValueError(f"{path}: expected one line with only this: {anchor}")
        line = lines[found[0]]
        margin = line[: len(line) - len(line.lstrip())]
        lines.insert(found[0] + ("after" in one), indent(one["text"], margin))
        path.write_text("".join(lines), encoding="utf-8")


@pytest.mark.long(cores=0)
@pytest.mark.parametrize(("name", "limit"), [("field", 5), ("traffic_module", 6), ("resource", 8)])
def test_change_takes_the_documented_edits_and_no_more(name: str, limit: int, tmp_path: Path) -> None:
    """The files that a person edits or adds are those of the edits. `section` is their heading on the page."""
    change = yaml.safe_load((CHANGES / f"{name}.yml").read_text(encoding="utf-8"))
    files = [edit["file"] for edit in change["edits"]]
    copy = copy_checkout(tmp_path)
    for edit in change["edits"]:
        _apply(copy / edit["file"], edit)
    edited = _contents(copy)
    _run(copy, sys.executable, "dev/generate.py", environment={"PYTHONPATH": str(copy.parents[2])})
    changed = {file for file, text in _contents(copy).items() if edited.get(file) != text}
    generated = sorted(changed - set(files))

    (copy / "build").mkdir()
    (copy / "build" / "added_task.yml").write_text(yaml.safe_dump(change["task"]), encoding="utf-8")
    _run(copy, sys.executable, "-m", "pytest", *NOT_LONG, *OF_VERSIONS, *CHECKS)
    _run(copy, SERVICE_PYTHON, "-m", "pytest", *NOT_LONG, "--confcutdir", "tests/service", *SERVICE_CHECKS)
    assert len(files) <= limit
    section = PAGE.partition(f"\n## {change['section']}\n")[2].partition("\n## ")[0]
    steps, _, written = section.partition("`make format`")
    assert f"**{len(files)} files**" in section
    assert (STEP.findall(steps), sorted(GENERATED.findall(written))) == (files, generated)


def _contents(copy: Path) -> Mapping[str, bytes]:
    files: Iterable[Path] = (path for path in copy.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {str(path.relative_to(copy)): path.read_bytes() for path in files}


def _run(copy: Path, *command: str, environment: Mapping[str, str] | None = None) -> None:
    run = subprocess.run(
        command,
        cwd=copy,
        env={**os.environ, **(environment or {})},
        check=False,
        capture_output=True,
        text=True,
        timeout=1200,
    )
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-4000:]
