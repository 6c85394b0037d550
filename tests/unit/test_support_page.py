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


def test_the_oldest_one_is_the_least_that_the_collection_asks_for() -> None:
    runtime = yaml.safe_load((CHECKOUT / "meta" / "runtime.yml").read_text(encoding="utf-8"))
    assert runtime["requires_ansible"] == f">={CORES[0].version}.0"


def test_the_oldest_python_of_a_module_is_the_one_that_is_checked() -> None:
    config = yaml.safe_load((CHECKOUT / "tests" / "config.yml").read_text(encoding="utf-8"))
    assert f"needs Python {config['modules']['python_requires'].removeprefix('>=')} or newer where it runs" in PAGE
