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

import pytest
import yaml

from change import Change, change_in
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


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        pytest.param("field", 5, marks=pytest.mark.long(cores=0)),
        pytest.param("edge_field", 5, marks=pytest.mark.long(cores=0)),
        pytest.param("traffic_module", 6, marks=pytest.mark.long(cores=0)),
        pytest.param("resource", 10, marks=pytest.mark.long(cores=0)),
    ],
)
def test_change_takes_the_documented_edits_and_no_more(name: str, limit: int, tmp_path: Path) -> None:
    change = change_in(CHANGES / f"{name}.yml")
    copy = copy_checkout(tmp_path)
    change.apply(copy)
    edited = _contents(copy)
    _generate(copy)
    changed = {file for file, text in _contents(copy).items() if edited.get(file) != text}
    generated = sorted(changed - set(change.files))

    (copy / "build").mkdir()
    (copy / "build" / "added_task.yml").write_text(yaml.safe_dump(change.task), encoding="utf-8")
    _run(copy, sys.executable, "-m", "pytest", *NOT_LONG, *CHECKS)
    _run(copy, SERVICE_PYTHON, "-m", "pytest", *NOT_LONG, "--confcutdir", "tests/service", *SERVICE_CHECKS)
    assert len(change.files) <= limit
    assert _walk(change) == (len(change.files), change.files, generated)


def _walk(change: Change) -> tuple[int, list[str], list[str]]:
    """Return what the page says about a change: the number of files, these files, and the generated files."""
    section = PAGE.partition(f"\n## {change.section}\n")[2].partition("\n## ")[0]
    number = re.search(r"\*\*(\d+) files\*\*", section)
    steps, _, generated = section.partition("`make format`")
    return int(number[1]) if number else 0, STEP.findall(steps), sorted(GENERATED.findall(generated))


def _generate(copy: Path) -> None:
    """Write the generated files as `make format` does."""
    _run(copy, sys.executable, "dev/generate.py", environment={"PYTHONPATH": str(copy.parents[2])})


def _contents(copy: Path) -> Mapping[str, bytes]:
    files: Iterable[Path] = (path for path in copy.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {str(path.relative_to(copy)): path.read_bytes() for path in files}


def _run(copy: Path, *command: str, environment: Mapping[str, str] | None = None) -> str:
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
    return run.stdout
