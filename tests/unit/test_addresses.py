# SPDX-License-Identifier: GPL-3.0-or-later
"""Sets of addresses, of which policies without rules may allow more, compared with addresses that are tried."""

from __future__ import annotations

import itertools
from ipaddress import ip_address, ip_network

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._access.addresses import Addresses

NETWORKS = [ip_network(one) for one in ("10.0.0.0/8", "10.2.0.0/16")]
TRIED = [ip_address(one) for one in ("10.0.0.1", "10.2.0.1", "192.0.2.1")]
POLICIES = ("one", "two")
SETS = [
    Addresses(frozenset(allowed), frozenset(denied), empty=frozenset(empty))
    for allowed in ([], NETWORKS[:1], NETWORKS[1:])
    for denied in ([], NETWORKS[:1], NETWORKS[1:])
    for empty in ([], POLICIES[:1], POLICIES)
]


def admitted(one: Addresses, allowing: set[str]) -> set[object]:
    """The addresses that get in if these policies without rules allow everything, and the others nothing."""
    allows_all = bool(one.empty & allowing)
    return {
        address
        for address in TRIED
        if (allows_all or any(address in each for each in one.allowed))
        and not any(address in each for each in one.denied)
    }


def verdicts() -> list[set[str]]:
    return [set(some) for count in range(len(POLICIES) + 1) for some in itertools.combinations(POLICIES, count)]


@pytest.mark.parametrize("mine", SETS)
def test_a_set_is_within_others_if_that_is_so_whatever_policies_without_rules_do(mine: Addresses) -> None:
    for one, other in itertools.product(SETS, SETS):
        within = all(admitted(mine, said) <= admitted(one, said) for said in verdicts())
        assert mine.is_within(one) is within, one
        within_both = all(admitted(mine, said) <= admitted(one, said) | admitted(other, said) for said in verdicts())
        assert mine.is_within(one, other) is within_both, (one, other)
