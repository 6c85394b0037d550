# SPDX-License-Identifier: GPL-3.0-or-later
"""What the checks skip with one ansible-core, they run with another, regardless of the installed versions of Python."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Collection, Iterator
from itertools import chain, combinations
from pathlib import Path

import pytest
import yaml

from collection_tree import CHECKOUT
from marked_tests import EVERY_CORE, folder_unless_named, paths_with
from supported_cores import CORES, DEVELOPMENT, PYTHONS_OF_MODULES, Core, Run, newest_patch

PYTHONS = sorted({python for core in CORES for python in core.pythons})
MACHINES = list(chain.from_iterable(combinations(PYTHONS, n + 1) for n in range(len(PYTHONS))))
SHORT = {core.version.removeprefix("2."): core for core in CORES}
DEFAULT = [core for core in CORES if core.is_default]
PROJECT = (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8")

Marked = tuple[str, "int | None"]
"""The markers of a test: every_core, every_python, or nothing, and how many cores `make test` has time for."""

KINDS: list[Marked] = [
    ("every_core", None),
    ("every_core", 0),
    ("every_core", 1),
    ("every_python", None),
    ("", None),
    ("", 0),
]


def run_on(pythons: Collection[str], **how: object) -> Run:
    """A run on a machine with these Pythons."""
    found = {core: next((each for each in core.pythons if each in pythons), None) for core in CORES}
    return Run(found, **how)  # type: ignore[arg-type]


def cores_with_tests(run: Run) -> list[Core]:
    return [core for core, python in run.checked.items() if python and run.can_test(core)]


def cores_of(run: Run, test: Marked) -> list[Core]:
    """The cores that the run uses for a test with these markers. Their expression is one of Python's, too."""
    names = {**{kind: kind == test[0] for kind in EVERY_CORE}, "long": lambda cores: cores == test[1]}
    return [core for core in cores_with_tests(run) if eval(run.markers(core) or "True", dict(names))]


@pytest.mark.parametrize("below_a_space", [False, True])
@pytest.mark.parametrize("is_whole", [False, True])
@pytest.mark.parametrize("pythons", MACHINES, ids="+".join)
def test_everything_is_run_on_some_core(pythons: tuple[str, ...], is_whole: bool, below_a_space: bool) -> None:
    run = run_on(pythons, below_a_space=below_a_space, is_whole=is_whole)
    cores = cores_with_tests(run)
    if not cores:
        assert set(pythons) <= {"3.10"}
        return
    for test in KINDS:
        limit = len(cores) if test[1] is None or is_whole else test[1]
        assert len(cores_of(run, test)) == min(len(cores) if test[0] else 1, limit), test
    [main] = cores_of(run, ("", None))
    assert main == (run.main[0] if run.main else cores[-1])
    assert any(run.has_sanity(core) and not core.sanity_skipped for core in run.checked) or pythons == ("3.14",)


# On a machine with these Pythons: the cores of `make test`, of which the last one has all tests and is checked by
# ansible-test.
IN_SHORT = {
    "3.10 3.11 3.12 3.13": ["16", "21"],
    "3.11 3.13": ["19", "21"],
    "3.10 3.11": ["16", "19"],
    "3.13": ["21"],
    "3.12": ["21"],
    "3.11": ["19"],
    "3.10": ["16"],
}


@pytest.mark.parametrize("machine", IN_SHORT)
def test_the_newest_core_and_the_oldest_one_are_enough_for_a_change(machine: str) -> None:
    run = run_on(machine.split())
    expected = [SHORT[name] for name in IN_SHORT[machine]]
    assert cores_with_tests(run) == expected
    assert [core for core in expected if run.has_sanity(core)] == expected[-1:]


@pytest.mark.parametrize("is_whole", [False, True])
@pytest.mark.parametrize("core", CORES, ids=lambda core: core.version)
def test_a_core_that_is_asked_for_relies_on_no_other_core(core: Core, is_whole: bool) -> None:
    run = run_on(PYTHONS, asked_for=core.version, is_whole=is_whole)
    assert list(run.checked) == [core]
    omitted = [test for test in KINDS if test[0] and (is_whole or test[1] != 0) and not cores_of(run, test)]
    assert omitted == []
    assert run.has_sanity(core)


def test_a_whole_run_checks_all_cores_but_those_that_are_only_asked_for() -> None:
    assert list(run_on(PYTHONS, is_whole=True).checked) == DEFAULT
    assert run_on(PYTHONS, asked_for="2.99").checked == {}


def test_the_next_core_is_not_the_main_core() -> None:
    found = {core: core.pythons[0] for core in (*CORES, DEVELOPMENT)}
    run = Run(found, asked_for=DEVELOPMENT.version)
    assert list(run.checked) == [DEVELOPMENT]
    assert run.main is not None
    assert run.main[0].is_released
    assert Run({DEVELOPMENT: "3.14"}, asked_for=DEVELOPMENT.version).main == (DEVELOPMENT, "3.14")


@pytest.mark.parametrize("core", CORES, ids=lambda core: core.version)
def test_every_core_can_be_installed(core: Core) -> None:
    assert re.search(rf'^{core.group} = \["ansible-core=={re.escape(core.version)}\.', PROJECT, re.MULTILINE)


def test_the_weekly_run_installs_the_newest_patch_release() -> None:
    assert newest_patch("ansible-core==2.16.19") == "ansible-core==2.16.*"
    assert newest_patch("ansible-core==2.22.0rc1") == "ansible-core==2.22.*"
    others = ["requests==2.34.2", "ansible-core @ https://example.com/devel.tar.gz"]
    assert list(map(newest_patch, others)) == others


def test_modules_are_imported_with_every_python_on_which_they_may_run() -> None:
    config = yaml.safe_load((CHECKOUT / "tests" / "config.yml").read_text(encoding="utf-8"))
    assert config["modules"]["python_requires"] == f">={PYTHONS_OF_MODULES[0]}"
    released = {python for core in CORES if core.is_released for python in core.pythons}
    assert released <= set(PYTHONS_OF_MODULES)
    minors = [int(python.removeprefix("3.")) for python in PYTHONS_OF_MODULES]
    assert minors == list(range(minors[0], minors[-1] + 1))


def registered_markers() -> list[str]:
    return re.findall(r'^  "(\w+)[(:]', PROJECT.partition("\nmarkers = [")[2], re.MULTILINE)


def test_every_marker_is_used() -> None:
    assert sorted(registered_markers()) == sorted([*EVERY_CORE, "long"])
    for marker in registered_markers():
        assert paths_with([marker], ("tests/unit", "tests/playbooks")), marker


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


@pytest.fixture
def marked_test(tmp_path: Path) -> Path:
    (tmp_path / "test_marked.py").write_text(MARKED, encoding="utf-8")
    (tmp_path / "test_unmarked.py").write_text("def test(): pass\n", encoding="utf-8")
    markers = "\n".join(f"    {marker}" for marker in registered_markers())
    (tmp_path / "pytest.ini").write_text(f"[pytest]\nmarkers =\n{markers}\n", encoding="utf-8")
    return tmp_path


def collected(folder: Path, expression: str) -> Iterator[str]:
    command = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--collect-only", "-q", "-m", expression)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    yield from re.findall(r"::(test_\w+)$", done.stdout, re.MULTILINE)


def test_pytest_reads_the_expressions_as_they_are_meant(marked_test: Path) -> None:
    run = run_on(PYTHONS)
    assert list(collected(marked_test, run.markers(SHORT["21"]))) == [
        *("test_short", "test_long", "test_python", "test_main")
    ]
    assert list(collected(marked_test, run.markers(SHORT["16"]))) == ["test_short", "test_python"]


def test_folders_without_marks_are_not_imported(marked_test: Path) -> None:
    for name in ("one/test_a.py", "one/test_b.py", "two/test_c.py"):
        (marked_test / name).parent.mkdir(exist_ok=True)
        (marked_test / name).write_text(
            f"pytest.mark.{EVERY_CORE[0]}" if name != "one/test_a.py" else "", encoding="utf-8"
        )
    assert paths_with(EVERY_CORE, ["one", "two", "three"], marked_test) == ["one/test_b.py", "two"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], ["tests/service"]),
        (["-k", "service", "--basetemp=tests/service/x", "-x"], ["tests/service"]),
        (["tests/package/test_a.py"], ["tests/service"]),
        (["tests/service/test_a.py"], []),
        (["-x", "tests/service/test_a.py::test_it[a::b]"], []),
        (["./tests/service"], []),
        ([str(CHECKOUT / "tests" / "service" / "test_a.py")], []),
    ],
)
def test_a_session_runs_its_folder_or_what_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], expected: list[str]
) -> None:
    monkeypatch.chdir(CHECKOUT)
    assert folder_unless_named("tests/service", arguments) == expected


def test_no_session_runs_its_folder_next_to_what_is_asked_for() -> None:
    sessions = (CHECKOUT / "noxfile.py").read_text(encoding="utf-8").split("@nox.session")
    asked = [session for session in sessions if '"-m", "pytest"' in session and "*session.posargs" in session]
    assert len(asked) == 5
    for session in asked:
        assert "folder_unless_named(" in session or "session.posargs else" in session, session
