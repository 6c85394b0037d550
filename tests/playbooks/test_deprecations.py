# SPDX-License-Identifier: GPL-3.0-or-later
"""Every playbook of the tests fails on a deprecation warning."""

from __future__ import annotations

from typing import Any

import pytest

from deprecations import deprecations
from playbook_run import Ansible

pytestmark = pytest.mark.every_core

WARNED = {"deprecations": [{"msg": "one"}]}


def test_a_run_with_a_deprecation_warning_fails(ansible: Ansible) -> None:
    with pytest.raises(AssertionError, match="DEPRECATION WARNING"):
        ansible.tasks("- use_something_deprecated:")


@pytest.mark.parametrize(
    ("result", "count"),
    [
        ({}, 0),
        ({"deprecations": []}, 0),
        ({"deprecations": None}, 0),
        (WARNED, 1),
        ({"results": [WARNED, {}, WARNED]}, 2),
        ({"results": "of something else"}, 0),
        ({"results": ["of something else"]}, 0),
    ],
)
def test_deprecations_in_results_of_loops_are_counted(result: dict[str, Any], count: int) -> None:
    assert len(deprecations("no such line", [result])) == count
