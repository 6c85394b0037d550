# SPDX-License-Identifier: GPL-3.0-or-later
"""What the page on support says is tested, is tested."""

from __future__ import annotations

import re

import yaml

from collection_tree import CHECKOUT
from supported_cores import CORES

PAGE = (CHECKOUT / "docs" / "support.md").read_text(encoding="utf-8")


def test_the_table_has_the_cores_and_pythons_of_the_checks() -> None:
    rows = [
        (version, re.split(", | or ", pythons))
        for version, pythons in re.findall(r"^\| (2\.\d+) \| (.*) \|$", PAGE, re.MULTILINE)
    ]
    assert rows == [(core.version, list(core.pythons)) for core in CORES]


def test_the_oldest_core_and_the_oldest_python_of_a_module_are_those_of_the_checks() -> None:
    runtime, config = (
        yaml.safe_load((CHECKOUT / one).read_text("utf-8")) for one in ("meta/runtime.yml", "tests/config.yml")
    )
    assert runtime["requires_ansible"] == f">={CORES[0].version}.0"
    assert f"needs Python {config['modules']['python_requires'].removeprefix('>=')} or newer where it runs" in PAGE
