# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields that never change after the creation: which are known, and that secrets among them are never sent again."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._model.free_form import CONSTANT_FIELDS
from ansible_collections.edgeops.ingress.plugins.module_utils._values.identifiers import own_module
from module_task import Tasks, methods, writes
from real_collections import SAMPLES, with_id


def created(tasks: Tasks, collection: str) -> tuple[str, dict[str, Any]]:
    """Create the sample of a collection, and return its ID and what it consists of."""
    sample = SAMPLES[collection]
    other = created(tasks, sample.needs)[0] if sample.needs else ""
    fields: dict[str, Any] = with_id(sample.whole, other)
    return tasks.done("api", method="POST", path=f"/{collection}", body=fields)["json"]["id"], fields


@pytest.mark.parametrize("collection", [name for name in SAMPLES if not own_module(name)])
def test_the_constants_of_a_collection_are_known(tasks: Tasks, collection: str) -> None:
    """An update may contain what is not known to be constant, and nothing else."""
    identifier, fields = created(tasks, collection)
    path, known = f"/{collection}/{identifier}", CONSTANT_FIELDS.get(collection, ())
    for name in {*fields, *known}:
        value = {name: fields.get(name)}
        result = tasks.run("api", method="PATCH", path=path, body=value)
        assert bool(result.get("failed")) is (name in known), (name, result.get("msg"))


@pytest.mark.parametrize("collection", [name for name, sample in SAMPLES.items() if sample.hidden])
def test_what_is_never_returned_and_never_changes_is_sent_once(tasks: Tasks, collection: str) -> None:
    sample, (_id, whole) = SAMPLES[collection], created(tasks, collection)
    find = {name: whole[name] for name in sample.find}
    one = {"collection": collection, "find_by": find, "body": whole, "write_only": list(sample.hidden)}
    assert not tasks.done("object", **one)["changed"]
    constant = set(sample.hidden) <= set(CONSTANT_FIELDS[collection])
    again = tasks.done("object", **one, update_secrets="always")
    assert methods(again) == ["GET"] if constant else writes(again)


def test_an_empty_list_says_that_everything_can_change(tasks: Tasks) -> None:
    one = {"collection": "reserved_domains", "find_by": {"domain": "shop.example.com"}}
    tasks.done("object", **one, body={"region": "eu"})
    result = tasks.done("object", True, **one, body={"region": "us"}, create_only=[])
    assert result["diff"]["after"]["region"] == "us"
