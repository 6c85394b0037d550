# SPDX-License-Identifier: GPL-3.0-or-later
"""The supported versions of ansible-core, and what one run of the checks does with each of them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Core(NamedTuple):
    """An ansible-core that the collection supports."""

    version: str
    pythons: tuple[str, ...]  # the first one that is found is used
    is_released: bool = True  # the tools may not support a release candidate yet
    sanity_skipped: tuple[str, ...] = ()  # sanity tests that cannot be run with it

    @property
    def group(self) -> str:
        """Its dependency group in pyproject.toml."""
        return f"core-{self.version.replace('.', '-')}"


CORES = (
    Core("2.16", ("3.10",)),
    Core("2.17", ("3.10",)),
    Core("2.18", ("3.11",)),
    Core("2.19", ("3.11",)),
    Core("2.20", ("3.12",)),
    Core("2.21", ("3.13", "3.12", "3.14")),
    # Its pylint needs a package from a git host, and the checks use nothing but a package index.
    Core("2.22", ("3.13", "3.14"), is_released=False, sanity_skipped=("pylint",)),
)
# The next ansible-core, which is checked only if CORE names it.
DEVELOPMENT = Core("devel", ("3.14", "3.13"), is_released=False)

# Where modules run, from the oldest one in tests/config.yml to the newest one of a released core.
PYTHONS_OF_MODULES = ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14")


@dataclass(frozen=True)
class Run:
    """One run of the checks. `found` maps each core, the oldest first, to its Python, if this machine has one.

    `asked_for` is the only version to check, if any. If `is_whole` is true, no test is skipped; otherwise, the main
    core runs what `make test` has time for, and the oldest one what may differ there.
    """

    found: Mapping[Core, str]
    asked_for: str = ""
    is_whole: bool = False

    @property
    def main(self) -> Core:
        """The newest released core. The tools run with it, and they need a newer Python than 3.10."""
        usable = [core for core, python in self.found.items() if core.is_released and python != "3.10"]
        return (usable or list(self.found))[-1]

    @property
    def checked(self) -> list[Core]:
        """The cores to check."""
        if self.asked_for:
            return [core for core in self.found if core.version == self.asked_for]
        oldest = next(iter(self.found))
        return [core for core in self.found if self.is_whole or core in (oldest, self.main)]

    def has_sanity(self, core: Core) -> bool:
        """Whether ansible-test is run with the core: once, unless nothing is skipped."""
        return self.is_whole or bool(self.asked_for) or core == self.main

    def markers(self, core: Core) -> str:
        """The tests to run with the core, as an expression for pytest's option -m."""
        is_main = core == self.main
        kinds = [] if is_main else ["(every_core or every_python)"]
        if not self.is_whole:
            kinds += ["not long(cores=0)", *([] if is_main or self.asked_for else ["not long(cores=1)"])]
        return " and ".join(kinds)
