# SPDX-License-Identifier: GPL-3.0-or-later
"""What holds of every task: it is foretold by a dry run, and the run after it finds nothing to do."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import HealthCheck, settings

from amount import so_many
from module_task import Tasks, accepted_writes, methods, writes

WIDENED = "this change may let more requests through"

ANY_NUMBER = settings(
    max_examples=so_many(50, 150), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def converges(tasks: Tasks, module: str, **options: Any) -> dict[str, Any]:
    """Run a task dry, for real and again, and hold the three against each other. Returns the real run's result."""
    dry, real, again = (tasks.done(module, check, **options) for check in (True, False, False))
    assert not writes(dry)
    assert dry["changed"] == real["changed"] == bool(writes(real))
    assert dry["diff"] == real["diff"]
    assert _with_any_id(dry["operations"]) == _with_any_id(real["operations"])
    # A service may have its own name for the policy module; the operation is the same.
    sent = [write.replace("/traffic_policy", "/policy") for write in accepted_writes(real)]
    assert [f"{one['method']} {one['path']}" for one in real["operations"]] == sent
    assert not again["changed"], again["operations"]
    assert set(methods(again)) == {"GET"}
    diffs = again["diff"] if isinstance(again["diff"], list) else [again["diff"]]
    assert all(diff["before"] == diff["after"] for diff in diffs)
    assert widened(dry) == widened(real)
    assert not other_warnings(real)
    assert "warnings" not in again, again["warnings"]
    return real


def widened(result: dict[str, Any]) -> list[str]:
    """The warnings of a task about changes that may let more people in."""
    return [warning for warning in result.get("warnings", ()) if WIDENED in warning]


def other_warnings(result: dict[str, Any]) -> list[str]:
    """The warnings of a task, without those of changes that may let more people in."""
    return [warning for warning in result.get("warnings", ()) if WIDENED not in warning]


def _with_any_id(operations: list[dict[str, str]]) -> list[dict[str, str]]:
    """A dry run can't know the id of the edge that a new route will be on."""
    return [
        {**one, "path": re.sub(r"^/edges/https/[^/]+/routes$", "/edges/https/*/routes", one["path"])}
        for one in operations
    ]
