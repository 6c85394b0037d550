# SPDX-License-Identifier: GPL-3.0-or-later
"""The versions that the checks run with. What they skip with one ansible-core, they run with another; the page on
support names all of them, and a tool has one version everywhere. The hosted runs do what `make test` does, with all
versions of Python, and may no more than they have to.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Collection
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import yaml

from collection_tree import CHECKOUT
from supported_cores import CORES, DEVELOPMENT, PYTHONS_OF_MODULES, Core, main_core, markers

PYTHONS = sorted({python for core in CORES for python in core.pythons})
# Python 3.10 runs none of the tools.
MACHINES = [
    machine for number in range(len(PYTHONS)) for machine in combinations(PYTHONS, number + 1) if machine != ("3.10",)
]
PROJECT, PAGE = ((CHECKOUT / name).read_text(encoding="utf-8") for name in ("pyproject.toml", "docs/support.md"))
# Not by a TOML parser: Python 3.10 has none.
PINNED = dict(re.findall(r'"([\w-]+)==([\w.]+)"', PROJECT))


def found_with(pythons: Collection[str]) -> dict[Core, str]:
    """The cores of a machine with these Pythons, each with its own."""
    usable = {core: [each for each in core.pythons if each in pythons] for core in CORES}
    return {core: each[0] for core, each in usable.items() if each}


@pytest.mark.parametrize("pythons", MACHINES, ids="+".join)
def test_the_main_core_is_released_and_runs_the_tools(pythons: tuple[str, ...]) -> None:
    found = found_with(pythons)
    main = main_core(found)
    assert main.is_released
    assert not main.sanity_skipped
    assert found[main] != "3.10"
    assert main_core({**found, DEVELOPMENT: "3.14"}) == main


MAIN_CORES = {"3.10 3.11 3.12 3.13": "2.21", "3.11 3.13": "2.21", "3.10 3.11": "2.19", "3.13": "2.21", "3.10": "2.17"}


def test_the_main_core_is_the_newest_one() -> None:
    assert {machine: main_core(found_with(machine.split())).version for machine in MAIN_CORES} == MAIN_CORES
    assert main_core({DEVELOPMENT: "3.14"}) == DEVELOPMENT


def test_every_core_can_be_installed() -> None:
    pinned = re.findall(r"^(core-2-\d+) = .*==(2\.\d+)\.", PROJECT, re.MULTILINE)
    assert pinned == [(core.group, core.version) for core in CORES]


def test_modules_are_imported_with_every_python_on_which_they_may_run() -> None:
    released = {python for core in CORES if core.is_released for python in core.pythons}
    assert released <= set(PYTHONS_OF_MODULES)
    minors = [int(python.removeprefix("3.")) for python in PYTHONS_OF_MODULES]
    assert minors == list(range(minors[0], minors[-1] + 1))


def test_the_table_of_the_page_has_the_cores_and_pythons_of_the_checks() -> None:
    rows = re.findall(r"^\| (2\.\d+) \| (.*) \|$", PAGE, re.MULTILINE)
    assert [(version, tuple(re.split(", | or ", pythons))) for version, pythons in rows] == [
        (core.version, core.pythons) for core in CORES
    ]


def test_the_oldest_core_and_the_oldest_python_of_a_module_are_those_of_the_checks() -> None:
    runtime, config = (
        yaml.safe_load((CHECKOUT / one).read_text("utf-8")) for one in ("meta/runtime.yml", "tests/config.yml")
    )
    assert runtime["requires_ansible"] == f">={CORES[0].version}.0"
    assert f"needs Python {config['modules']['python_requires'].removeprefix('>=')} or newer where it runs" in PAGE


def test_ruff_is_required_in_the_version_that_is_installed() -> None:
    assert re.findall(r'required-version = "==([\w.]+)"', PROJECT) == [PINNED["ruff"]]


MARKED = """
from pytest import mark
@mark.every_core
class TestEvery:
    def test_short(self): pass
    @mark.long(cores=1)
    def test_long(self): pass
@mark.long(cores=0)
def test_never(): pass
def test_main(): pass
"""
# Whether it is the main core, whether nothing is left out, and which of these tests are run.
RUNS = {
    (True, True): "short long never main",
    (True, False): "short long main",
    (False, True): "short long",
    (False, False): "short",
}


@pytest.mark.parametrize(("is_main", "is_whole"), RUNS)
def test_pytest_reads_the_expressions_as_they_are_meant(tmp_path: Path, is_main: bool, is_whole: bool) -> None:
    (tmp_path / "test_marked.py").write_text(MARKED, encoding="utf-8")
    expression = markers(CORES[-2 if is_main else 0], CORES[-2], is_whole)
    command = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--collect-only", "-q", "-m", expression)
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert " ".join(re.findall(r"::test_(\w+)$", done.stdout, re.MULTILINE)) == RUNS[is_main, is_whole]


WORKFLOWS = {path.name: path.read_text(encoding="utf-8") for path in (CHECKOUT / ".github/workflows").glob("*.yml")}
LOADED = {name: yaml.safe_load(text) for name, text in WORKFLOWS.items()}
TARGETS = set(re.findall(r"^([a-z-]+): .*##", (CHECKOUT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
JOBS: dict[str, dict[str, Any]] = {name: job for one in LOADED.values() for name, job in one["jobs"].items()}


def test_every_target_of_a_job_exists() -> None:
    named = re.findall(r"\bmake ([\w-]+)|'(test[\w-]*)'|target: \[(\w+), (\w+)\]", "".join(WORKFLOWS.values()))
    targets = set(filter(None, (target for each in named for target in each)))
    assert {"demo", "test", "test-all", "unit", "sanity", "release"} <= targets <= TARGETS


def test_the_hosted_run_has_every_python() -> None:
    pythons = {
        name: step["with"]["python-version"].split()
        for name, job in JOBS.items()
        for step in job["steps"]
        if "setup-python@" in step.get("uses", "")
    }
    assert sorted(pythons["test"]) == sorted(PYTHONS_OF_MODULES)
    assert pythons["development"][0] == DEVELOPMENT.pythons[0]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_may_no_more_than_it_has_to(name: str) -> None:
    workflow = LOADED[name]
    assert workflow["permissions"] == {"contents": "read"}
    assert "cancel-in-progress" in workflow["concurrency"]
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"]
        for step in job["steps"]:
            # A string from outside is a variable of the shell, never part of its script.
            assert "${{" not in step.get("run", "")
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


def test_an_action_is_pinned_to_a_commit_with_its_version_and_everywhere_to_the_same() -> None:
    text = "".join(WORKFLOWS.values())
    pins = re.findall(r"uses: (actions/[\w-]+)@([0-9a-f]{40} # v\d+\.\d+\.\d+)$", text, re.MULTILINE)
    assert len(pins) == text.count("uses:") > 0
    assert len(dict(pins)) == len(set(pins))


PERMISSIONS = {
    "attest": {"id-token": "write", "attestations": "write"},
    "sign": {},
    "assets": {"contents": "write"},
}
"""Those of the jobs that need others than to read the repository."""

SECRETS = {"sign": ["SIGNING_KEY"], "publish": ["GALAXY_TOKEN"]}
NEEDS = {"attest": "build", "sign": "build", "assets": ["attest", "sign"], "publish": ["attest", "sign"]}


def test_a_job_has_only_the_permissions_and_secrets_that_it_needs() -> None:
    assert {name: job["permissions"] for name, job in JOBS.items() if "permissions" in job} == PERMISSIONS
    seen = {name: re.findall(r"secrets\.(\w+)", str(job)) for name, job in JOBS.items()}
    assert {name: secrets for name, secrets in seen.items() if secrets} == SECRETS
    release = LOADED["release.yml"]["jobs"]
    for name in PERMISSIONS:
        assert not [step for step in release[name]["steps"] if "checkout@" in step.get("uses", "")], "runs other code"
    assert {name: release[name]["needs"] for name in NEEDS} == NEEDS
    assert all("environment" in release[name] for name in SECRETS)
