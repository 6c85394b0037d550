# SPDX-License-Identifier: GPL-3.0-or-later
"""What is opened by all changes of the IP restrictions of two TLS edges, of which nothing else is known."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._access.account import account_of
from ansible_collections.edgeops.ingress.plugins.module_utils._access.openings import opened, with_openings
from ansible_collections.edgeops.ingress.plugins.module_utils._objects.tls_edges import module_target
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.changes import plan_absent, plan_replacement
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.plan import Opening, Plan

POLICIES = ((), ("ipp_a",), ("ipp_b",), ("ipp_a", "ipp_b"))
CHANGES = [*product(POLICIES, repeat=2)]


def plan_of(edge_id: str, then: Sequence[str], now: Sequence[str]) -> Plan:
    """A TLS edge without IP policies has no IP restriction."""
    target = module_target(edge_id, "ip_restriction")
    current, given = ({"enabled": True, "ip_policy_ids": [*policies]} for policies in (then, now))
    return plan_replacement(target, current if then else None, given) if now else plan_absent(target, current)


def openings(*plans: Plan) -> list[tuple[Opening, ...]]:
    return [plan.opens for plan in with_openings(plans, opened(account_of(plans), plans))]


@pytest.mark.parametrize(("then", "now"), CHANGES, ids=str)
def test_each_edge_opens_what_it_opens_alone(then: Sequence[str], now: Sequence[str]) -> None:
    """Each other policy may allow somebody, or deny somebody, of whom nobody knows."""
    one = plan_of("edgtls_one", then, now)
    assert [bool(opens) for opens in openings(one)] == [bool(then) and then != now]
    for other in (plan_of("edgtls_other", *change) for change in CHANGES):
        assert openings(one, other) == [*openings(one), *openings(other)]
