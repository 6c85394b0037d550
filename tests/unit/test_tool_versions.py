# SPDX-License-Identifier: GPL-3.0-or-later
"""A tool has one version, wherever it is called from."""

from __future__ import annotations

import re

from collection_tree import CHECKOUT

PROJECT = (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8")
# Not by a TOML parser: Python 3.10 has none.
PINNED = dict(re.findall(r'"([\w-]+)==([\w.]+)"', PROJECT))
HOOKS = (CHECKOUT / ".pre-commit-config.yaml").read_text(encoding="utf-8")


def test_hooks_come_from_the_package_index_alone_and_have_the_version_of_the_checks_as_settings_do() -> None:
    versions = [
        *re.findall(r"\[([\w-]+)==([\w.]+)\]", HOOKS),
        *re.findall(r'(required-version) = "==([\w.]+)"', PROJECT),
    ]
    assert len(versions) >= 3
    assert [
        (name, version) for name, version in versions if version != PINNED[name.replace("required-version", "ruff")]
    ] == []
    assert re.findall(r"repo: (.*)", HOOKS) == ["local"]
