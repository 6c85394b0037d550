# SPDX-License-Identifier: GPL-3.0-or-later
"""The supported versions of ansible-core, and what one run of the checks does with each of them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
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


def main_core(found: Mapping[Core, str]) -> Core:
    """Return the newest released core of those with a Python on this machine, which are listed from the oldest on.

    The tools run with it, and they need a newer Python than 3.10.
    """
    usable = [core for core, python in found.items() if core.is_released and python != "3.10"]
    return (usable or list(found))[-1]


def markers(core: Core, main: Core, is_whole: bool) -> str:
    """Return which tests to run with a core, as an expression for pytest's option -m.

    Unless nothing is left out, the main core runs what `make test` has time for, and the oldest what may differ there.
    """
    is_main = core == main
    kinds = [] if is_main else ["every_core"]
    if not is_whole:
        kinds += ["not long(cores=0)", *([] if is_main else ["not long(cores=1)"])]
    return " and ".join(kinds)
