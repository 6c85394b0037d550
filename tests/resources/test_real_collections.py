# SPDX-License-Identifier: GPL-3.0-or-later
"""Every collection that services are known to have: an object is created, left unchanged, reverted, and deleted."""

from __future__ import annotations

import pytest

from amount import first_alone
from ansible_collections.edgeops.ingress.plugins.module_utils._model.identifiers import own_module
from convergence import converges, finds_nothing_to_do
from module_task import Given, Tasks, methods
from real_collections import SAMPLES, Sample, with_id

HABITS: list[Given] = [
    {},
    {"patch_empties": "nothing", "constant_fields": "ignored", "unknown_fields": "ignored"},
    {"patch_empties": "everything"},
    {"references": "ids", "lists": "reordered", "empty_lists": "missing", "empty_text": "missing"},
    {"defaults": "omitted", "unset_values": "missing", "extra_keys": True},
]


def task_of(collection: str, sample: Sample, other: str) -> Given:
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
    found: Given = with_id(task, other)
    return found


@pytest.mark.parametrize("switches", first_alone(HABITS), ids=str)
@pytest.mark.parametrize("collection", [name for name in SAMPLES if not own_module(name)])
def test_an_object_of_each_real_collection_converges_and_is_deleted(
    tasks: Tasks, collection: str, switches: Given
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
    # Somebody else changes it, apart from what finds it and what never changes.
    names = {name: value for name, value in sample.find.items() if name in ("description", "name")}
    fields = with_id({**sample.whole, **sample.changed}, other).items()
    body = {name: value for name, value in fields if name not in sample.constant and name not in sample.find}
    path = f"/{collection}/{created['object']['id']}"
    tasks.done("api", method="PATCH", path=path, body={**body, **names})
    assert held(tasks, collection) != before
    repaired = tasks.done("object", **task)
    assert next(method for method in methods(repaired) if method != "GET") == "PATCH"
    finds_nothing_to_do(tasks.done("object", **task))
    after = held(tasks, collection)
    for name in {**task["find_by"], **task["body"]}:
        # An update may send back what the service fills in of a traffic module.
        fills = {"enabled"} if isinstance(before[name], dict) and "enabled" not in before[name] else ()
        value = after.get(name)
        kept = {key: one for key, one in value.items() if key not in fills} if isinstance(value, dict) else value
        assert kept == before[name]
    deleted = converges(tasks, "object", **task, state="absent")
    assert methods(deleted) == [*read, "DELETE"]


def held(tasks: Tasks, collection: str) -> Given:
    """Return the only object in the collection, as the service stores it."""
    state = tasks.service.state()
    found = {"edges/tls": state["tls_edges"], "event_subscriptions": state["event_subscriptions"], **state["objects"]}
    newest: Given = found[collection][-1]
    return newest
