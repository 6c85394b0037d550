# SPDX-License-Identifier: GPL-3.0-or-later
"""The supported versions of ansible-core, and what one run of the checks does with each of them. Pure.

Which tests depend on the core, and which of them take too long for `make test`, is marked next to the tests;
pyproject.toml says what the markers mean.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Core(NamedTuple):
    """An ansible-core that the collection supports."""

    version: str
    pythons: tuple[str, ...]  # the first one that is found is used
    ansible_test_pip: str  # the pip that its ansible-test installs
    is_default: bool = False  # whether `make test-all` checks it
    is_released: bool = True  # the tools may not support a release candidate yet
    runs_below_spaces: bool = True  # whether it can start modules with a Python whose path contains a space
    sanity_skipped: tuple[str, ...] = ()  # sanity tests that cannot be run with it

    @property
    def group(self) -> str:
        """Its dependency group in pyproject.toml."""
        return f"core-{self.version.replace('.', '-')}"


CORES = (
    Core("2.16", ("3.10",), "23.1.2", is_default=True, runs_below_spaces=False),
    Core("2.17", ("3.10",), "23.1.2"),
    Core("2.18", ("3.11",), "24.2"),
    Core("2.19", ("3.11",), "24.2", is_default=True),
    Core("2.20", ("3.12",), "25.2"),
    Core("2.21", ("3.13", "3.12", "3.14"), "25.2", is_default=True),
    # Its pylint needs a package from a git host, and the checks use nothing but a package index.
    Core("2.22", ("3.13", "3.14"), "25.2", is_default=True, is_released=False, sanity_skipped=("pylint",)),
)
# The next ansible-core, which is checked only if CORE names it.
DEVELOPMENT = Core("devel", ("3.14", "3.13"), "25.2", is_released=False)

# Where modules run, from the oldest one in tests/config.yml to the newest one of a released core.
PYTHONS_OF_MODULES = ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14")


def newest_patch(requirement: str) -> str:
    """Return the requirement of the newest patch release if this pins an ansible-core, and otherwise the same."""
    return re.sub(r"^(ansible-core==\d+\.\d+)\..+", r"\1.*", requirement)


@dataclass(frozen=True)
class Run:
    """One run of the checks. `found` maps each core, the oldest first, to a Python of this machine, or to None.

    `asked_for` is the only version to check, if any. If `is_whole` is true, no test is skipped; otherwise, the main
    core runs what `make test` has time for, and the oldest one what may differ there. `below_a_space` says whether the
    path of the checkout contains a space.
    """

    found: Mapping[Core, str | None]
    asked_for: str = ""
    is_whole: bool = False
    below_a_space: bool = False

    @property
    def checked(self) -> dict[Core, str | None]:
        """Each core to check, with its Python. The cores without one are skipped, and the output says so."""
        if self.asked_for:
            return {core: python for core, python in self.found.items() if core.version == self.asked_for}
        default = {core: python for core, python in self.found.items() if core.is_default}
        if self.is_whole:
            return default
        usable = [core for core, python in default.items() if python and core.is_released and self.can_test(core)]
        ends = {*usable[:1], *([self.main[0]] if self.main else [])}
        return {core: python for core, python in default.items() if core in ends}

    @property
    def main(self) -> tuple[Core, str] | None:
        """The core that the tools are run with, and its Python: the newest released one, if there is one.

        The tools and the reference service need a newer Python than 3.10.
        """
        usable = [
            (core, python)
            for core, python in self.found.items()
            if python and python != "3.10" and (core.is_default or core.version == self.asked_for)
        ]
        return max(usable, key=lambda pair: (pair[0].is_released, usable.index(pair)), default=None)

    def python_of(self, core: Core) -> str:
        """The Python that a core is checked on, or the one that it needs."""
        return self.checked.get(core) or core.pythons[0]

    def can_test(self, core: Core) -> bool:
        """Whether the core can run a module in this folder at all."""
        return core.runs_below_spaces or not self.below_a_space

    def has_all_tests(self, core: Core) -> bool:
        """Whether the core also runs the tests whose results do not depend on the core."""
        tested = [each for each, python in self.checked.items() if python and self.can_test(each)]
        return core == (self.main[0] if self.main else tested[-1])

    def has_sanity(self, core: Core) -> bool:
        """Whether ansible-test is run with the core: once, unless nothing is skipped."""
        return self.is_whole or bool(self.asked_for) or self.has_all_tests(core)

    def markers(self, core: Core) -> str:
        """The tests to run with the core, as an expression for pytest's option -m."""
        is_main = self.has_all_tests(core)
        kinds = [] if is_main else ["(every_core or every_python)"]
        if not self.is_whole:
            kinds += ["not long(cores=0)", *([] if is_main or self.asked_for else ["not long(cores=1)"])]
        return " and ".join(kinds)
