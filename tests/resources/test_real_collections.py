# SPDX-License-Identifier: GPL-3.0-or-later
"""Every collection that services are known to have: an object is created, left unchanged, reverted, and deleted."""

from __future__ import annotations

from typing import Any

import pytest

from amount import first_alone
from ansible_collections.edgeops.ingress.plugins.module_utils._model.identifiers import own_module
from convergence import converges, finds_nothing_to_do
from module_task import Tasks, methods
from real_collections import SAMPLES, Sample, with_id

HABITS: list[dict[str, Any]] = [
    {},
    {"patch_empties": "nothing", "constant_fields": "ignored", "unknown_fields": "ignored"},
    {"patch_empties": "everything"},
    {"references": "ids", "lists": "reordered", "empty_lists": "missing", "empty_text": "missing"},
    {"defaults": "omitted", "unset_values": "missing", "extra_keys": True},
]


def task_of(collection: str, sample: Sample, other: str) -> dict[str, Any]:
    """Return the options of the task that declares a sample."""
    task = {
        "collection": collection,
        "find_by": sample.find,
        "body": {**sample.new, **({"metadata": "one"} if "metadata" in sample.changed else {})},
        "create_only": list(sample.constant),
        "write_only": list(sample.hidden),
        "always_send": [name for name in sample.hidden if name not in sample.constant],
        "unordered": list(sample.sets),
        "purge_hostports": True,
    }
    found: dict[str, Any] = with_id(task, other)
    return found


def test_there_are_enough() -> None:
    assert len(SAMPLES) >= 28


@pytest.mark.parametrize("switches", first_alone(HABITS), ids=str)
@pytest.mark.parametrize("collection", [name for name in SAMPLES if not own_module(name)])
def test_an_object_of_each_real_collection_converges_and_is_deleted(
    tasks: Tasks, collection: str, switches: dict[str, Any]
) -> None:
    sample = SAMPLES[collection]
    tasks.service.reset()
    other = ""
    if sample.needs:
        needed = SAMPLES[sample.needs]
        other = tasks.done("object", **task_of(sample.needs, needed, ""))["object"]["id"]
    tasks.service.switches(**switches)
    task = task_of(collection, sample, other)
    created = converges(tasks, "object", **task)
    # What serves traffic is read, because it may use the policy of a rule: three collections and the HTTPS edges.
    read = ["GET"] * (5 if collection == "ip_policy_rules" else 1)
    assert methods(created) == [*read, "POST"]
    before = held(tasks, collection)
    change(tasks, collection, created["object"]["id"], with_id({**sample.whole, **sample.changed}, other))
    assert held(tasks, collection) != before
    repaired = tasks.done("object", **task)
    assert next(method for method in methods(repaired) if method != "GET") == "PATCH"
    finds_nothing_to_do(tasks.done("object", **task))
    declared = {**task["find_by"], **task["body"]}
    after = held(tasks, collection)
    for name in declared:
        assert without_defaults(after.get(name), before[name]) == before[name]
    deleted = converges(tasks, "object", **task, state="absent")
    assert methods(deleted) == [*read, "DELETE"]


def change(tasks: Tasks, collection: str, identifier: str, fields: dict[str, Any]) -> None:
    """Change an object as somebody else would, apart from what finds it and what never changes."""
    sample = SAMPLES[collection]
    body = {name: value for name, value in fields.items() if name not in sample.constant and name not in sample.find}
    tasks.done("api", method="PATCH", path=f"/{collection}/{identifier}", body={**body, **names_of(sample)})


def without_defaults(value: Any, before: Any) -> Any:
    """Return a traffic module without what the service fills in, which an update may send back."""
    if isinstance(value, dict) and "enabled" not in before:
        return {name: one for name, one in value.items() if name != "enabled"}
    return value


def names_of(sample: Sample) -> dict[str, Any]:
    """Return what finds an object, as far as an update can contain it."""
    return {name: value for name, value in sample.find.items() if name in ("description", "name")}


def held(tasks: Tasks, collection: str) -> dict[str, Any]:
    """Return the only object in the collection, as the service stores it."""
    state = tasks.service.state()
    found = {"edges/tls": state["tls_edges"], "event_subscriptions": state["event_subscriptions"], **state["objects"]}
    newest: dict[str, Any] = found[collection][-1]
    return newest
