# SPDX-License-Identifier: GPL-3.0-or-later
"""Whom IP policies let in, tried out: one address of each network is let in by their rules, or is not. Pure.

An address gets in if any of the policies allows it and none denies it. A policy of which nobody knows the rules, or
that has none, may allow and deny anything, so each of its possible verdicts is tried.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from ipaddress import ip_address, ip_network
from typing import Any

NETWORKS = ("0.0.0.0/0", "::/0", "10.0.0.0/8", "10.2.0.0/16", "10.2.3.0/24", "192.0.2.0/24", "2001:db8::/32")
"""The networks that drawn rules are about."""

BESIDE = ("10.3.0.1", "172.16.0.1", "2001:db9::1", "fe80::1")
"""Addresses that none of the smaller networks contains, or only a part of the larger ones."""

ADDRESSES = (*(str(ip_network(each)[1]) for each in NETWORKS), *BESIDE)

Tried = frozenset[str]


@dataclass(frozen=True)
class Admitted:
    """The addresses that rules allow and deny. `unknown` are the policies with rules that nobody knows."""

    allowed: Tried = frozenset()
    denied: Tried = frozenset()
    unknown: Tried = field(default=frozenset())

    def is_within(self, other: Admitted) -> bool:
        """Whether everybody who gets in here gets in there, whatever the unknown policies do."""
        return _is_within(self, other)

    @property
    def is_everybody(self) -> bool:
        return _is_within(EVERYBODY, self)

    @property
    def is_nobody(self) -> bool:
        return _is_within(self, NOBODY)

    def lets_in(self, address: str, verdicts: Mapping[str, str]) -> bool:
        said = {verdicts[one] for one in self.unknown}
        is_allowed = address in self.allowed or "allow" in said
        return is_allowed and address not in self.denied and "deny" not in said

    def __str__(self) -> str:
        known = [one for one in ADDRESSES if one in self.allowed and one not in self.denied]
        return "|".join([*known, *sorted(self.unknown)]) or "nobody"


WITHOUT_RULES = " without rules"
"""The end of the name of a policy that has none. It denies nothing, but may allow everything."""


def verdicts_of(policies: Iterable[str]) -> Iterator[dict[str, str]]:
    """All that unknown policies can say of an address together."""
    names = sorted(policies)
    possible = [("allow", "nothing") if one.endswith(WITHOUT_RULES) else ("allow", "deny", "nothing") for one in names]
    yield from (dict(zip(names, said, strict=True)) for said in itertools.product(*possible))


EVERYBODY, NOBODY = Admitted(frozenset(ADDRESSES)), Admitted()


@cache
def _is_within(mine: Admitted, theirs: Admitted) -> bool:
    for verdicts in verdicts_of(mine.unknown | theirs.unknown):
        for address in ADDRESSES:
            if mine.lets_in(address, verdicts) and not theirs.lets_in(address, verdicts):
                return False
    return True


def admitted(rules: Iterable[Mapping[str, Any]], unknown: Iterable[str]) -> Admitted:
    """Whom rules let in together, with those of the unknown policies."""
    of: dict[str, set[str]] = {"allow": set(), "deny": set()}
    for rule in rules:
        of[rule.get("action") or "allow"] |= _inside(rule["cidr"])
    return Admitted(frozenset(of["allow"]), frozenset(of["deny"]), frozenset(unknown))


@cache
def _inside(network: str) -> frozenset[str]:
    if network not in NETWORKS:
        raise ValueError(f"{network} has no address of its own among those that are tried")
    return frozenset(one for one in ADDRESSES if ip_address(one) in ip_network(network))
