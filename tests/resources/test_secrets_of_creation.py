# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets that a service returns only with the object that it creates."""

from __future__ import annotations

import json
from typing import Any

import pytest

from module_task import Tasks

KEY = {"collection": "api_keys", "find_by": {"description": "build"}}
NOT_KEPT = "the service returned token with the new object, and this task does not return it"


def token_of(tasks: Tasks, result: dict[str, Any]) -> tuple[Any, str]:
    """What the result shows of the token, and everything that is shown next to it."""
    others = {**result, "object": {name: each for name, each in result["object"].items() if name != "token"}}
    return result["object"].get("token"), json.dumps({**others, "sent": None})


def test_a_secret_of_the_creation_is_returned_once(tasks: Tasks) -> None:
    assert "token" not in tasks.done("object", True, **KEY, reveal=["token"])["object"]
    first = tasks.done("object", **KEY, reveal=["token"])
    token, others = token_of(tasks, first)
    assert isinstance(token, str)
    assert len(token) > 10
    assert token not in others
    assert "warnings" not in first
    again = tasks.done("object", **KEY, reveal=["token"])
    assert (again["changed"], again["object"].get("token")) == (False, None)
    assert "warnings" not in again


@pytest.mark.parametrize("options", [{}, {"reveal": ["password"]}], ids=str)
def test_a_secret_of_the_creation_that_is_not_kept(tasks: Tasks, options: dict[str, Any]) -> None:
    result = tasks.done("object", **KEY, **options)
    assert token_of(tasks, result)[0] == "********"
    first, *others = result["warnings"]
    assert NOT_KEPT in first
    assert "`reveal: [token]` and `no_log: true`" in first
    assert [one for one in others if "the service returned no password" in one] == others
    assert len(others) == len(options)


def test_an_estate_says_that_it_keeps_no_secret(tasks: Tasks) -> None:
    estate = {"objects": [{"name": "key", **KEY}]}
    assert "warnings" not in tasks.done("estate", True, **estate)
    assert NOT_KEPT in tasks.done("estate", **estate)["warnings"][0]
    assert "warnings" not in tasks.done("estate", **estate)
