# SPDX-License-Identifier: GPL-3.0-or-later
"""Results contain plain values only: ansible-core warns about anything else, and turns some of it into other values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from collection_tree import MODULES
from module_task import Tasks
from sample_tasks import EDGE, SEED, task_of

pytestmark = pytest.mark.every_core

PLAIN = (str, int, float, bool, list, dict, type(None))


def not_plain(value: Any, path: str = "result") -> Iterator[str]:
    """Yield what is not exactly of a plain type, at any depth."""
    if type(value) not in PLAIN:
        yield f"{path}: {type(value).__name__}"
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from not_plain(name, f"the key {name!r} of {path}")
            yield from not_plain(member, f"{path}.{name}")
    elif isinstance(value, list):
        for number, member in enumerate(value):
            yield from not_plain(member, f"{path}[{number}]")


@pytest.mark.parametrize("module", MODULES)
def test_a_result_is_plain(tasks: Tasks, module: str) -> None:
    tasks.service.seed(**SEED)
    for check in (True, False, False):  # predicted, changed, and unchanged
        assert list(not_plain(tasks.done(module, check=check, **task_of(module)))) == []


@pytest.mark.parametrize("module", MODULES)
def test_the_result_of_a_failure_is_plain(tasks: Tasks, module: str) -> None:
    result = tasks.failed(module, **{**task_of(module), "api_key": "ak_of_nobody"})
    assert "option_errors" not in result
    assert list(not_plain(result)) == []


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("options", [{}, {"no_such_option": 1}], ids=["nothing", "unknown"])
def test_the_result_of_option_errors_is_plain(tasks: Tasks, module: str, options: dict[str, Any]) -> None:
    result = tasks.failed(module, **options, api_version="ü", ca_path=["x"])
    assert len(result["option_errors"]) > 1
    assert list(not_plain(result)) == []


@pytest.mark.parametrize(
    ("module", "options"),
    [
        ("estate", {"purge": ["edges"], "tls_edges": []}),
        ("exposure_info", {"estate": {}}),
        ("https_edge", {"find_by": "metadata"}),
        ("https_edge_route", {"edge_id": "edghts_one", "match": "/", "oauth": {}, "policy": {}}),
        ("object", {"collection": "ip_policies"}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_result_of_errors_that_follow_from_several_options_is_plain(
    tasks: Tasks, module: str, options: dict[str, Any]
) -> None:
    result = tasks.failed(module, **options)
    assert result["option_errors"]
    assert list(not_plain(result)) == []


def test_the_result_of_several_failures_is_plain(tasks: Tasks) -> None:
    unknown = [{"edge_id": f"edgtls_{name}", "ip_restriction": {"ip_policy_ids": ["ipp_one"]}} for name in "ab"]
    result = tasks.failed("estate", tls_edges=unknown, https_edges=[EDGE])
    assert len(result["failures"]) == 2
    assert list(not_plain(result)) == []
