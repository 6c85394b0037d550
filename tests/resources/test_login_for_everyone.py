# SPDX-License-Identifier: GPL-3.0-or-later
"""A new login of a public provider that lists nobody: the task that creates it warns, not only `exposure_info`."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks
from places import EDGE, KEY, seed_edge, seed_route

NOBODY: dict[str, Any] = {"oauth": {"provider": {"google": {}}}}
SOMEBODY: dict[str, Any] = {"oauth": {"provider": {"google": {"email_domains": ["example.com"]}}}}
NETWORK: dict[str, Any] = {"ip_restriction": {"ip_policy_ids": ["ipp_one"]}}
WARNING = "`oauth.provider.google` lists nobody, so everyone with an account at google can log in."


def warned(result: dict[str, Any]) -> int:
    return sum(WARNING in warning for warning in result.get("warnings", ()))


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("module", ["https_edge_route", "https_edge_routes", "estate"])
def test_the_task_that_creates_it_warns(tasks: Tasks, module: str, check: bool) -> None:
    seed_edge(tasks)
    route = {**KEY, **NOBODY}
    options = {
        "https_edge_route": {"edge_id": EDGE, **route},
        "https_edge_routes": {"edge_id": EDGE, "routes": [route]},
        "estate": {"https_edges": [{"id": EDGE, "routes": [route]}]},
    }[module]
    assert warned(tasks.done(module, check, **options)) == 1
    if not check:
        assert warned(tasks.done(module, **options)) == 0


CASES: dict[str, tuple[dict[str, Any] | None, dict[str, Any], int]] = {
    "an open route gets it": ({}, NOBODY, 1),
    "it admits some": (None, SOMEBODY, 0),
    "only one of two does": (None, {"oauth": {"provider": {**NOBODY["oauth"]["provider"], "github": {}}}}, 1),
    "it is disabled": (None, {"oauth": {"provider": {"google": {}}, "enabled": False}}, 0),
    "a network is required as well": (None, {**NOBODY, **NETWORK}, 0),
    "it is there": (NOBODY, {"description": "new"}, 0),
    "it admitted some, which is a warning of its own": (SOMEBODY, NOBODY, 0),
}


@pytest.mark.parametrize("name", CASES)
def test_only_what_is_new_and_admits_everyone_is_warned_about(tasks: Tasks, name: str) -> None:
    before, declared, number = CASES[name]
    seed_edge(tasks) if before is None else seed_route(tasks, **before)
    assert warned(tasks.done("https_edge_route", True, edge_id=EDGE, **KEY, **declared)) == number
