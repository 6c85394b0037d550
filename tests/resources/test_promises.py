# SPDX-License-Identifier: GPL-3.0-or-later
"""Check mode promises nothing that the service rejects, except what it cannot know."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks, accepted_writes, writes
from places import EDGE, HOSTPORT
from rejected_tasks import FORESEEN, FREE, NEVER_CAUSED, OTHER_HOSTPORT, SEED, UNFORESEEN, Code, RejectedTask


@pytest.fixture
def there(tasks: Tasks) -> Tasks:
    tasks.service.seed(**SEED)
    return tasks


def test_every_rejection_is_in_a_table() -> None:
    covered = {task.code for task in (*FORESEEN, *UNFORESEEN)}
    assert covered.isdisjoint(NEVER_CAUSED)
    assert covered | NEVER_CAUSED.keys() == {None, *Code}
    assert all(task.reason for task in UNFORESEEN)


@pytest.mark.parametrize("task", FORESEEN, ids=str)
def test_check_mode_fails_if_the_run_would(there: Tasks, task: RejectedTask) -> None:
    there.service.switches(**task.switches)
    dry = there.failed(task.module, check=True, **task.options)
    real = there.failed(task.module, **task.options)
    # What else is declared is done; what is sent is accepted.
    assert len(writes(real)) == len(accepted_writes(real)) == len(dry["operations"])
    if task.request is not None:
        method, path, body = task.request
        dry = there.failed("api", method=method, path=path, **({} if body is None else {"body": body}))
    assert dry["error"]["error_code"] == (task.code and task.code.value)


@pytest.mark.parametrize("task", UNFORESEEN, ids=str)
def test_what_check_mode_cannot_know(there: Tasks, task: RejectedTask) -> None:
    """Otherwise, the reason is out of date."""
    there.service.switches(**task.switches)
    there.done(task.module, check=True, **task.options)
    real = there.failed(task.module, **task.options)
    assert real["error"]["error_code"] == (task.code and task.code.value)


TAKEN_UNSEEN: dict[str, dict[str, Any]] = {
    "edges by their IDs": {"https_edges": [{"id": EDGE, "hostports": [HOSTPORT, OTHER_HOSTPORT]}]},
    "a new edge that is not looked up": {"https_edges": [{"find_by": "none", "hostports": [OTHER_HOSTPORT]}]},
    "an object of another kind": {
        "objects": [
            {
                "name": "till",
                "collection": "edges/tls",
                "find_by": {"description": "till"},
                "body": {"hostports": [OTHER_HOSTPORT]},
            }
        ]
    },
}


@pytest.mark.parametrize("options", TAKEN_UNSEEN.values(), ids=TAKEN_UNSEEN)
def test_the_plan_says_that_it_is_not_known_if_a_hostport_is_free(there: Tasks, options: dict[str, Any]) -> None:
    dry = there.done("estate", check=True, **options)
    unknown = [one["why"] for one in dry["not_examined"] if one["object"].endswith(f"may have {OTHER_HOSTPORT}")]
    assert [why.endswith("the service rejects the change") for why in unknown] == [True]
    assert there.failed("estate", **options)["failures"][0]["error"]["error_code"] == Code.HOSTPORT_TAKEN.value


def test_nothing_is_unknown_about_hostports_that_stay_or_move(there: Tasks) -> None:
    edges = [{"id": EDGE, "hostports": [FREE]}, {"id": "edghts_other", "hostports": [HOSTPORT, OTHER_HOSTPORT]}]
    there.service.seed(https_edges=[{"id": "edghts_free", "hostports": [FREE]}])
    moved = {"https_edges": [*edges, {"id": "edghts_free", "hostports": []}], "allow_empty": True}
    dry = there.done("estate", check=True, **moved)
    assert len(dry["plan"]) == 3
    assert not [one for one in dry["not_examined"] if "may have" in one["object"]]
