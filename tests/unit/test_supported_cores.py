# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run of the checks leaves out on one ansible-core, it runs on another, whatever Pythons the machine has."""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain, combinations

import pytest

import supported_cores
from collection_tree import CHECKOUT
from supported_cores import AT_BOTH_ENDS, CORES, DEVELOPMENT, ON_THE_MAIN_ONE, ON_THE_NEWEST, Core, Run

PYTHONS = sorted({python for core in CORES for python in core.pythons})
MACHINES = list(chain.from_iterable(combinations(PYTHONS, n + 1) for n in range(len(PYTHONS))))
OLDEST = CORES[0]
SHORT = {core.version.removeprefix("2."): core for core in CORES}


def run_on(pythons: Collection[str], **how: object) -> Run:
    """A run on a machine with these Pythons."""
    found = {core: next((each for each in core.pythons if each in pythons), None) for core in CORES}
    return Run(found, **how)  # type: ignore[arg-type]


def that_test(run: Run) -> list[Core]:
    return [core for core, python in run.checked.items() if python and run.can_test(core)]


@pytest.mark.parametrize("below_a_space", [False, True])
@pytest.mark.parametrize("pythons", MACHINES, ids="+".join)
def test_everything_is_run_on_some_core(pythons: tuple[str, ...], below_a_space: bool) -> None:
    run = run_on(pythons, below_a_space=below_a_space)
    shares = {core: set(run.tests(core)) for core in that_test(run)}
    if not shares:
        assert pythons == ("3.10",)
        return
    for part in (ON_THE_MAIN_ONE, ON_THE_NEWEST, AT_BOTH_ENDS):
        assert any(not share & set(part) for share in shares.values())
    ends = [that_test(run)[0], that_test(run)[-1]]
    assert [core.version for core in ends if shares[core] & set(AT_BOTH_ENDS)] == []
    assert [core for core in shares if run.has_all_tests(core)] == [run.main[0] if run.main else OLDEST]
    assert any(run.has_sanity(core) for core, python in run.checked.items() if python)


ALL, ANSIBLE, BETWEEN = "all", "ansible", "between"

SHARES = {
    # On a machine with these Pythons: which tests each core runs, those with sanity, and the main one.
    "3.10 3.11 3.13": ({"16": ANSIBLE, "19": BETWEEN, "21": ALL, "22": ANSIBLE}, ["16", "21"], "21"),
    "3.11 3.13": ({"19": ANSIBLE, "21": ALL, "22": ANSIBLE}, ["19", "21"], "21"),
    "3.10 3.11": ({"16": ANSIBLE, "19": ALL}, ["16", "19"], "19"),
    "3.13": ({"21": ALL, "22": ANSIBLE}, ["21"], "21"),
    "3.12": ({"21": ALL}, ["21"], "21"),
    "3.11": ({"19": ALL}, ["19"], "19"),
    "3.10": ({"16": ALL}, ["16"], None),
}


@pytest.mark.parametrize("machine", SHARES)
def test_the_share_of_each_core(machine: str) -> None:
    shares, with_sanity, main = SHARES[machine]
    run = run_on(machine.split())
    kinds = {core: share_of(run, core) for core in that_test(run)}
    assert kinds == {SHORT[name]: kind for name, kind in shares.items()}
    assert [core for core in that_test(run) if run.has_sanity(core)] == [SHORT[name] for name in with_sanity]
    assert run.main == ((SHORT[main], machine.rsplit(maxsplit=1)[-1]) if main else None)


def share_of(run: Run, core: Core) -> str:
    folders = {argument for argument in run.tests(core) if not argument.startswith("--")}
    return {
        frozenset(): ALL,
        frozenset(supported_cores.OF_ANSIBLE): ANSIBLE,
        frozenset({"tests/playbooks"}): BETWEEN,
    }[frozenset(folders)]


@pytest.mark.parametrize("pythons", [("3.11",), ("3.12",)], ids="+".join)
def test_a_core_that_is_alone_leaves_out_only_what_is_left_out_everywhere(pythons: tuple[str, ...]) -> None:
    [core] = that_test(run_on(pythons))
    assert run_on(pythons).tests(core) == supported_cores.NOWHERE


def test_what_cannot_be_tested_takes_no_share() -> None:
    """2.16 can't run anything in such a folder, so that 2.19 is the oldest one that does."""
    run = run_on({"3.10", "3.11", "3.13"}, below_a_space=True)
    assert not set(run.tests(SHORT["19"])) & set(AT_BOTH_ENDS)
    assert that_test(run)[0] == SHORT["19"]
    assert run.has_sanity(OLDEST)


@pytest.mark.parametrize("core", CORES, ids=lambda core: core.version)
def test_a_whole_run_leaves_nothing_out(core: Core) -> None:
    for asked_for in ("", core.version):
        run = run_on(PYTHONS, is_whole=True, asked_for=asked_for)
        assert run.tests(core) == (() if core == run.main[0] else supported_cores.OF_ANSIBLE)  # type: ignore[index]
        assert run.has_sanity(core)


@pytest.mark.parametrize("core", CORES, ids=lambda core: core.version)
def test_one_that_is_asked_for_relies_on_no_other(core: Core) -> None:
    run = run_on(PYTHONS, asked_for=core.version)
    assert list(run.checked) == [core]
    assert not set(run.tests(core)) & {*ON_THE_MAIN_ONE, *ON_THE_NEWEST, *AT_BOTH_ENDS}
    assert run.has_sanity(core)


def test_the_next_one_is_not_the_main_one() -> None:
    found = {core: core.pythons[0] for core in (*CORES, DEVELOPMENT)}
    run = Run(found, asked_for=DEVELOPMENT.version)
    assert list(run.checked) == [DEVELOPMENT]
    assert run.main is not None
    assert run.main[0].is_released
    assert Run({DEVELOPMENT: "3.14"}).main == (DEVELOPMENT, "3.14")


def test_an_unknown_version_is_not_checked() -> None:
    assert run_on(PYTHONS, asked_for="2.99").checked == {}


def test_what_is_left_out_exists() -> None:
    """Otherwise it would be run after all."""
    for argument in (
        *supported_cores.OF_ANSIBLE,
        *supported_cores.OF_ONE_BETWEEN,
        *supported_cores.NOWHERE,
        *ON_THE_MAIN_ONE,
        *ON_THE_NEWEST,
        *AT_BOTH_ENDS,
    ):
        path, _sign, test = argument.rpartition("=")[2].partition("::")
        assert (CHECKOUT / path).exists(), argument
        name, _bracket, case = test.rstrip("]").partition("[")
        assert f"def {name}(" in (CHECKOUT / path).read_text(encoding="utf-8") if name else not test
        assert not case or (CHECKOUT / "tests" / "playbooks" / "parity" / f"{case}.yml").is_file()
