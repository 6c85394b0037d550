# SPDX-License-Identifier: GPL-3.0-or-later
"""What the checks skip with one ansible-core, they run with another, regardless of the installed versions of Python."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Collection
from itertools import combinations
from pathlib import Path

import pytest
import yaml

from collection_tree import CHECKOUT
from supported_cores import CORES, DEVELOPMENT, PYTHONS_OF_MODULES, Core, Run

PYTHONS = sorted({python for core in CORES for python in core.pythons})
# Python 3.10 runs none of the tools.
MACHINES = [
    machine for number in range(len(PYTHONS)) for machine in combinations(PYTHONS, number + 1) if machine != ("3.10",)
]
BY_VERSION = {core.version: core for core in CORES}
PROJECT = (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8")

Marked = tuple[str, "int | None"]
"""The markers of a test: every_core, every_python, or nothing, and how many cores `make test` has time for."""

KINDS: list[Marked] = [
    *(("every_core", None), ("every_core", 0), ("every_core", 1), ("every_python", None), ("", None), ("", 0)),
]


def run_on(pythons: Collection[str], asked_for: str = "", is_whole: bool = False) -> Run:
    """A run on a machine with these Pythons."""
    found = {core: [each for each in core.pythons if each in pythons] for core in CORES}
    return Run({core: usable[0] for core, usable in found.items() if usable}, asked_for, is_whole)


def cores_of(run: Run, test: Marked) -> list[Core]:
    """The cores that the run uses for a test with these markers. Their expression is one of Python's, too."""
    names = {"every_core": False, "every_python": False, test[0]: True, "long": lambda cores: cores == test[1]}
    return [core for core in run.checked if eval(run.markers(core) or "True", dict(names))]


@pytest.mark.parametrize("is_whole", [False, True])
@pytest.mark.parametrize("pythons", MACHINES, ids="+".join)
def test_everything_is_run_on_some_core(pythons: tuple[str, ...], is_whole: bool) -> None:
    run = run_on(pythons, is_whole=is_whole)
    assert run.checked == list(run.found) if is_whole else len(run.checked) <= 2
    for test in KINDS:
        limit = len(run.checked) if test[1] is None or is_whole else test[1]
        assert len(cores_of(run, test)) == min(len(run.checked) if test[0] else 1, limit), test
    assert cores_of(run, ("", None)) == [run.main]
    assert run.has_sanity(run.main)
    assert not run.main.sanity_skipped


@pytest.mark.parametrize(
    ("machine", "cores"),
    [
        ("3.10 3.11 3.12 3.13", "2.16 2.21"),
        ("3.11 3.13", "2.18 2.21"),
        ("3.10 3.11", "2.16 2.19"),
        ("3.13", "2.21"),
        ("3.11", "2.18 2.19"),
    ],
)
def test_the_newest_core_and_the_oldest_one_are_enough_for_a_change(machine: str, cores: str) -> None:
    run = run_on(machine.split())
    assert [core.version for core in run.checked] == cores.split()
    assert [core for core in run.checked if run.has_sanity(core)] == run.checked[-1:]


@pytest.mark.parametrize("is_whole", [False, True])
@pytest.mark.parametrize("core", CORES, ids=lambda core: core.version)
def test_a_core_that_is_asked_for_relies_on_no_other_core(core: Core, is_whole: bool) -> None:
    run = run_on(PYTHONS, core.version, is_whole)
    assert run.checked == [core]
    assert all(cores_of(run, test) for test in KINDS if test[0] and (is_whole or test[1] != 0))
    assert run.has_sanity(core)


def test_the_next_core_is_not_the_main_core() -> None:
    run = Run({core: core.pythons[0] for core in (*CORES, DEVELOPMENT)}, asked_for=DEVELOPMENT.version)
    assert run.checked == [DEVELOPMENT]
    assert run.main.is_released
    assert Run({DEVELOPMENT: "3.14"}, asked_for=DEVELOPMENT.version).main == DEVELOPMENT


def test_every_core_can_be_installed() -> None:
    pinned = re.findall(r"^(core-2-\d+) = .*==(2\.\d+)\.", PROJECT, re.MULTILINE)
    assert pinned == [(core.group, core.version) for core in CORES]


def test_modules_are_imported_with_every_python_on_which_they_may_run() -> None:
    config = yaml.safe_load((CHECKOUT / "tests" / "config.yml").read_text(encoding="utf-8"))
    assert config["modules"]["python_requires"] == f">={PYTHONS_OF_MODULES[0]}"
    released = {python for core in CORES if core.is_released for python in core.pythons}
    assert released <= set(PYTHONS_OF_MODULES)
    minors = [int(python.removeprefix("3.")) for python in PYTHONS_OF_MODULES]
    assert minors == list(range(minors[0], minors[-1] + 1))


MARKED = """
from pytest import mark
@mark.every_core
class TestEvery:
    def test_short(self): pass
    @mark.long(cores=1)
    def test_long(self): pass
@mark.every_python
def test_python(): pass
@mark.long(cores=0)
def test_never(): pass
def test_main(): pass
"""


@pytest.mark.parametrize(
    ("version", "run"),
    [("2.21", ["test_short", "test_long", "test_python", "test_main"]), ("2.16", ["test_short", "test_python"])],
)
def test_pytest_reads_the_expressions_as_they_are_meant(tmp_path: Path, version: str, run: list[str]) -> None:
    (tmp_path / "test_marked.py").write_text(MARKED, encoding="utf-8")
    expression = run_on(PYTHONS).markers(BY_VERSION[version])
    command = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--collect-only", "-q", "-m", expression)
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert re.findall(r"::(test_\w+)$", done.stdout, re.MULTILINE) == run
