# SPDX-License-Identifier: GPL-3.0-or-later
"""The supported versions of ansible-core, and what one run of the checks leaves out on each of them. Pure.

What a run leaves out on one core is what it runs on another. So it depends on which cores the machine can run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Core(NamedTuple):
    """An ansible-core that the collection supports."""

    version: str
    pythons: tuple[str, ...]  # those it is checked on: the first that is found
    ansible_test_pip: str  # the pip that its ansible-test installs
    is_released: bool = True  # of a release candidate, the tools need not know anything
    runs_below_spaces: bool = (
        True  # whether it can start a module with a Python below a folder with a space in its name
    )
    sanity_skipped: tuple[str, ...] = ()  # sanity tests that can't be run with it

    @property
    def group(self) -> str:
        """Its dependency group in pyproject.toml."""
        return f"core-{self.version.replace('.', '-')}"


CORES = (
    Core("2.16", ("3.10",), "23.1.2", runs_below_spaces=False),
    Core("2.19", ("3.11",), "24.2"),
    Core("2.21", ("3.13", "3.12", "3.14"), "25.2"),
    # Its pylint wants a package from a git host, and the checks need nothing but a package index.
    Core("2.22", ("3.13", "3.14"), "25.2", is_released=False, sanity_skipped=("pylint",)),
)
# What the next one will be: checked where it is asked for, never by default.
DEVELOPMENT = Core("devel", ("3.14", "3.13"), "25.2", is_released=False)

# What depends on the core is how tasks are run and their arguments checked. The rest is tested on the main one.
OF_ANSIBLE = ("tests/unit", "tests/resources/test_bad_input.py", "tests/playbooks")
# A core between others does what these do, if it runs tasks at all.
OF_ONE_BETWEEN = ("tests/playbooks", "--ignore=tests/playbooks/test_examples.py")

# That is still more than `make test` has time for. `make unit` and `make sanity` run all of it, and so do hosted runs.
# These are left out altogether,
_BOTH_WAYS = "--deselect=tests/playbooks/test_parity.py::test_both_ways_come_to_the_same"
NOWHERE = (
    "--ignore=tests/playbooks/test_playbook_idempotence.py",
    *(f"{_BOTH_WAYS}[{name}]" for name in ("edges", "other_objects", "routes")),
)
# these run on the main core alone,
ON_THE_MAIN_ONE = (
    "--ignore=tests/playbooks/test_inventory_ssh.py",
    "--ignore=tests/playbooks/test_reference_service_role.py",
    "--deselect=tests/playbooks/test_examples.py::test_examples_do_what_check_mode_says_and_then_nothing_more",
    "--deselect=tests/playbooks/test_examples.py::test_failures_of_some_objects_are_documented",
)
# this on the newest one alone,
ON_THE_NEWEST = (f"{_BOTH_WAYS}[values]",)
# and these on the oldest and the newest one.
AT_BOTH_ENDS = tuple(
    f"--ignore=tests/playbooks/test_{name}.py"
    for name in ("parity", "quoted_secrets", "secrets_in_output", "text_stays_text")
)


@dataclass(frozen=True)
class Run:
    """One run of the checks. `found` has the Python that the machine has for each core, or None; the oldest core first.

    `asked_for` is the one version that is to be checked, if any. `is_whole` tells that nothing is to be left out, and
    `below_a_space` that the checkout is in a folder with a space in its name.
    """

    found: Mapping[Core, str | None]
    asked_for: str = ""
    is_whole: bool = False
    below_a_space: bool = False

    @property
    def checked(self) -> dict[Core, str | None]:
        """Each core to check, with its Python. Those without one are skipped, and say so."""
        return {core: python for core, python in self.found.items() if self.asked_for in ("", core.version)}

    @property
    def main(self) -> tuple[Core, str] | None:
        """The core that the tools are run with, and its Python: the newest one that is released, if there is one.

        The tools and the reference service want more than Python 3.10.
        """
        usable = [(core, python) for core, python in self.found.items() if python and python != "3.10"]
        return max(usable, key=lambda pair: (pair[0].is_released, usable.index(pair)), default=None)

    def can_test(self, core: Core) -> bool:
        """Whether the core can run a module in this folder at all."""
        return core.runs_below_spaces or not self.below_a_space

    def has_all_tests(self, core: Core) -> bool:
        """Whether the core runs those tests, too, to which the core makes no difference."""
        return core == (self.main[0] if self.main else self._tested()[-1])

    def tests(self, core: Core) -> tuple[str, ...]:
        """The arguments of pytest: which tests are run with the core, and which of these are left out."""
        has_all = self.has_all_tests(core)
        if self.is_whole:
            return () if has_all else OF_ANSIBLE
        tested = self._tested()
        is_end = core in (tested[0], tested[-1])
        return (
            *(() if has_all else OF_ANSIBLE if is_end else OF_ONE_BETWEEN),
            *NOWHERE,
            *(() if has_all or not any(map(self.has_all_tests, tested)) else ON_THE_MAIN_ONE),
            *(() if core == tested[-1] else ON_THE_NEWEST),
            *(() if is_end else AT_BOTH_ENDS),
        )

    def has_sanity(self, core: Core) -> bool:
        """Whether ansible-test is run with the core. Between the oldest and the main one, it has little to add."""
        checked = [each for each, python in self.checked.items() if python]
        main = self.main[0] if self.main and self.main[0] in checked else checked[-1]
        return self.is_whole or core in (checked[0], main)

    def _tested(self) -> list[Core]:
        return [core for core, python in self.checked.items() if python and self.can_test(core)]
