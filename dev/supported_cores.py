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
    is_default: bool = False  # whether it is checked unless CORE names another one
    is_stand_in: bool = False  # whether `make test` uses it only in place of an older or a newer one without a Python
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
    Core("2.19", ("3.11",), "24.2", is_default=True, is_stand_in=True),
    Core("2.20", ("3.12",), "25.2"),
    Core("2.21", ("3.13", "3.12", "3.14"), "25.2", is_default=True),
    # Its pylint needs a package from a git host, and the checks use nothing but a package index.
    Core("2.22", ("3.13", "3.14"), "25.2", is_default=True, is_released=False, sanity_skipped=("pylint",)),
)
# The next ansible-core, which is checked only if CORE names it.
DEVELOPMENT = Core("devel", ("3.14", "3.13"), "25.2", is_released=False)

# Where modules run, from the oldest one in tests/config.yml to the newest one of a released core.
PYTHONS_OF_MODULES = ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14")

MOST_CORES = sum(core.is_default for core in CORES)
"""How many cores `make test` uses at most."""


def newest_patch(requirement: str) -> str:
    """Return the requirement of the newest patch release if this pins an ansible-core, and otherwise the same."""
    return re.sub(r"^(ansible-core==\d+\.\d+)\..+", r"\1.*", requirement)


@dataclass(frozen=True)
class Run:
    """One run of the checks. `found` maps each core, the oldest first, to a Python of this machine, or to None.

    `asked_for` is the only version to check, if any. If `is_whole` is true, no test is skipped. `below_a_space` says
    whether the path of the checkout contains a space.
    """

    found: Mapping[Core, str | None]
    asked_for: str = ""
    is_whole: bool = False
    below_a_space: bool = False

    @property
    def checked(self) -> dict[Core, str | None]:
        """Each core to check, with its Python. The cores without one are skipped, and the output says so."""
        return {core: python for core, python in self.found.items() if self._is_meant(core)}

    @property
    def main(self) -> tuple[Core, str] | None:
        """The core that the tools are run with, and its Python: the newest released one, if there is one.

        The tools and the reference service need a newer Python than 3.10.
        """
        usable = [
            (core, python)
            for core, python in self.found.items()
            if python and python != "3.10" and (core.is_default or self._is_meant(core))
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
        return core == (self.main[0] if self.main else self._tested()[-1])

    def markers(self, core: Core) -> str:
        """The tests to run with the core, as an expression for pytest's option -m.

        A test marked `long(cores=2)` is run with the first two of `in_order()`. So no core relies on one that is not
        there.
        """
        place = self.place(core)
        kinds = []
        if not self.has_all_tests(core):
            on_each_python = self.is_whole or place < len(("main", "oldest"))
            kinds.append("(every_core or every_python)" if on_each_python else "every_core")
        if not self.is_whole:
            kinds += [f"not long(cores={number})" for number in range(min(place + 1, MOST_CORES))]
        return " and ".join(kinds)

    def in_order(self) -> list[Core]:
        """The cores that run tests: the main one, the oldest one, those that are not released, and the rest."""
        tested = self._tested()
        return sorted(
            tested, key=lambda core: (not self.has_all_tests(core), core != tested[0], core.is_released, core.version)
        )

    def place(self, core: Core) -> int:
        """The place of a core in this order; those that run no tests come last."""
        order = self.in_order()
        return order.index(core) if core in order else len(order)

    def has_sanity(self, core: Core) -> bool:
        """Whether ansible-test is run with the core: if not everything is, with the oldest and the main one."""
        checked = [each for each, python in self.checked.items() if python]
        return self.is_whole or core in (checked[0], self._main_of(checked))

    def sanity_skipped(self, core: Core) -> tuple[str, ...]:
        """The sanity tests to skip with this core. One pylint is enough: it reports the same with each core."""
        checked = [each for each, python in self.checked.items() if python]
        is_repeated = not self.is_whole and core != self._main_of(checked)
        return tuple(dict.fromkeys((*core.sanity_skipped, *(["pylint"] if is_repeated else []))))

    def _main_of(self, cores: list[Core]) -> Core:
        return self.main[0] if self.main and self.main[0] in cores else cores[-1]

    def _is_meant(self, core: Core) -> bool:
        if self.asked_for:
            return core.version == self.asked_for
        return core.is_default and (self.is_whole or not core.is_stand_in or not self._is_between_others(core))

    def _is_between_others(self, core: Core) -> bool:
        """Return whether an older and a newer released core are checked."""
        usable = [each for each, python in self.found.items() if each == core or (python and self._is_certain(each))]
        return 0 < usable.index(core) < len(usable) - 1

    def _is_certain(self, core: Core) -> bool:
        return core.is_default and core.is_released and not core.is_stand_in and self.can_test(core)

    def _tested(self) -> list[Core]:
        return [core for core, python in self.checked.items() if python and self.can_test(core)]
