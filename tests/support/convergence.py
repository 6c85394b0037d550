# SPDX-License-Identifier: GPL-3.0-or-later
"""What applies to every task: check mode predicts it, and the run after it changes nothing."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from itertools import zip_longest
from typing import Any

from hypothesis import HealthCheck, Phase, settings

from amount import EVERYTHING, so_many
from module_task import Tasks, accepted_writes, methods, writes

WIDENED = "this change may let more requests through"

# To make a failed case smaller takes minutes, because each attempt is several tasks.
_PHASES = [phase for phase in Phase if EVERYTHING or phase not in (Phase.shrink, Phase.explain)]

ANY_NUMBER = settings(
    max_examples=so_many(50, 150),
    phases=_PHASES,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def converges(tasks: Tasks, module: str, **options: Any) -> dict[str, Any]:
    """Run a task dry, for real and again, and hold the three against each other. Returns the real run's result."""
    dry, real, again = (tasks.done(module, check, **options) for check in (True, False, False))
    is_foretold(dry, real, is_in_order=options.get("concurrency", 1) == 1)
    finds_nothing_to_do(again)
    return real


def rejected(tasks: Tasks, module: str, **options: Any) -> dict[str, Any]:
    """The result of a task whose plan is rejected, in check mode as in a real run, before a request that writes."""
    dry, real = (tasks.failed(module, check, **options) for check in (True, False))
    for result in (dry, real):
        assert (writes(result), result["operations"], result["changed"]) == ([], [], False)
        assert "Nothing was changed" in result["msg"]
    for name in ("msg", "plan", "plan_digest", "findings", "not_judged"):
        assert dry.get(name) == real.get(name)
    assert ("diff" in dry, "diff" in real) == (bool(dry["plan"]), False)
    return real


def is_foretold(dry: dict[str, Any], real: dict[str, Any], *, is_in_order: bool = True) -> None:
    """Compare check mode with the real run. Objects that are written in parallel have requests in varying order."""
    assert not writes(dry)
    assert dry["changed"] == real["changed"] == bool(writes(real))
    planned = _with_planned_ids(real, dry)
    surprises = _differences(dry["diff"], planned["diff"])
    assert not surprises, surprises
    # Nobody can foresee that a service will clear what a request does not contain.
    foreseeable = [one for one in planned["operations"] if "which the service cleared" not in one["reason"]]
    assert _with_any_id(dry["operations"]) == _with_any_id(foreseeable)
    # A service may have its own name for the policy module; the operation is the same.
    sent = [write.replace("/traffic_policy", "/policy") for write in accepted_writes(real)]
    full_message = [f"{one['method']} {one['path']}" for one in real["operations"]]
    assert _by_object(full_message) == _by_object(sent)
    assert full_message == sent or not is_in_order
    assert widened(dry) == widened(real)
    for name in ("plan", "plan_digest", "undeclared", "not_examined"):
        assert dry.get(name) == real.get(name)
    # It may also say that a route stays closed, and that a match has no slash, or a login is for everyone.
    foreseen = (WIDENED, "so the route stays closed", "has no leading slash", "can log in. List those who may")
    assert not [one for one in real.get("warnings", ()) if not any(text in one for text in foreseen)]


def finds_nothing_to_do(again: dict[str, Any]) -> None:
    """Compare a run with what it must be after one that succeeded."""
    assert not again["changed"], again["operations"]
    assert set(methods(again)) <= {"GET"}
    diffs = again["diff"] if isinstance(again["diff"], list) else [again["diff"]]
    assert all(diff["before"] == diff["after"] for diff in diffs)
    assert "warnings" not in again, again["warnings"]


def _differences(predicted: Any, done: Any) -> list[Any]:
    """The diffs of objects that were foretold otherwise; of one object, or of several."""
    both = ([diffs] if isinstance(diffs, dict) else diffs for diffs in (predicted, done))
    pairs = zip_longest(*(map(_without_new_id, diffs) for diffs in both))
    return [(ours, theirs) for ours, theirs in pairs if ours != theirs]


def _with_planned_ids(real: dict[str, Any], dry: dict[str, Any]) -> dict[str, Any]:
    """Return the real result with the placeholders of named objects that did not exist in check mode."""
    ids, planned = ({name: one["id"] for name, one in _named_objects(result).items()} for result in (real, dry))
    if not ids:
        return real
    text = json.dumps(real)
    for name, identifier in ids.items():
        text = text.replace(identifier, planned[name])
        address = _named_objects(real)[name].get("addr")
        if address and "addr" not in _named_objects(dry)[name]:
            text = text.replace(address, f"new_{name.replace(' ', '~')}.addr_would-be-created")
    result: dict[str, Any] = json.loads(text)
    return result


def _named_objects(result: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found = result.get("objects")
    return found if isinstance(found, dict) else {}


def _without_new_id(diff: dict[str, Any]) -> dict[str, Any]:
    """A route of an edge without hostports is named by the ID of the edge, which check mode cannot know."""
    return {**diff, **{name: re.sub(" of edghts_.*", "", diff[name]) for name in diff if name.endswith("_header")}}


def _by_object(sent: list[str]) -> dict[str, list[str]]:
    """Requests by the object that they are about, with its traffic modules. Objects have any order."""
    objects: dict[str, list[str]] = defaultdict(list)
    for one in sent:
        path = one.split(" ", 1)[1]
        depth = 6 if "/routes" in path or "/tls/" in path else 4
        objects["/".join(path.split("/")[:depth])].append(one)
    return {path: sorted(requests) if "/sources" in path else requests for path, requests in objects.items()}


def widened(result: dict[str, Any]) -> list[str]:
    """The warnings of a task about changes that may let more people in."""
    return [warning for warning in result.get("warnings", ()) if WIDENED in warning]


def _with_any_id(operations: list[dict[str, str]]) -> list[dict[str, str]]:
    """Check mode cannot know the ID of a new edge, which is part of the paths of its routes."""
    any_id = r"^/edges/https/[^/]+/routes$", "/edges/https/*/routes"
    return [{**one, "path": re.sub(*any_id, one["path"])} for one in operations]
