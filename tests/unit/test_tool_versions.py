# SPDX-License-Identifier: GPL-3.0-or-later
"""A tool has one version, wherever it is called from."""

from __future__ import annotations

import re

import pytest
import yaml

from collection_tree import CHECKOUT

PROJECT = (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8")
# Not by a TOML parser: Python 3.10 has none.
PINNED = dict(re.findall(r'"([\w-]+)==([\w.]+)"', PROJECT))
HOOKS = [
    hook
    for repository in yaml.safe_load((CHECKOUT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    for hook in repository["hooks"]
]


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_has_the_version_of_the_checks(hook: dict[str, object]) -> None:
    [dependency] = hook["additional_dependencies"]  # type: ignore[misc]
    name, version = dependency.split("==")
    assert version == PINNED[name]


def test_ruff_is_the_one_that_its_settings_are_for() -> None:
    assert f'required-version = "=={PINNED["ruff"]}"' in PROJECT


def test_hooks_come_from_the_package_index_alone() -> None:
    config = yaml.safe_load((CHECKOUT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert {repository["repo"] for repository in config["repos"]} == {"local"}
