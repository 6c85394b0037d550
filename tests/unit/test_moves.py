# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that move along a chain of more objects than functions can be nested."""

from __future__ import annotations

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._graph.arrangement import arranged
from ansible_collections.edgeops.ingress.plugins.module_utils._graph.graph import in_order
from ansible_collections.edgeops.ingress.plugins.module_utils._model.field import Field
from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.changes import plan_present
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.plan import Plan, Target
from ansible_collections.edgeops.ingress.plugins.module_utils._values.kinds import StringSet

pytestmark = pytest.mark.every_core

KIND = Object(fields=(Field("names", StringSet(), unique=True),))


def move(number: int) -> Plan:
    """The plan of an object that takes the name of the next one."""
    target = Target(f"object {number}", KIND, path=f"/{number}")
    return plan_present(target, {"names": [f"{number}"]}, {"names": [f"{number + 1}"]})


def test_a_long_chain_is_not_a_cycle() -> None:
    graph = arranged([move(number) for number in range(1500)])
    assert in_order(graph) == [(number, 0) for number in reversed(range(1500))]
