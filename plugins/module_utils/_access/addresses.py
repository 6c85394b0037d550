# SPDX-License-Identifier: GPL-3.0-or-later
"""Sets of IP addresses: whom IP policies let through. Pure.

An address gets in if any of the policies allows it, and none denies it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any, Union

Network = Union[IPv4Network, IPv6Network]  # noqa: UP007 - modules can also run on Python 3.9
_Range = tuple[int, int]

_ALL_OF_IPV6 = 1 << 128
"""Where the numbers of IPv4 addresses begin, so that each address has a number of its own."""

_EVERYWHERE = ((0, _ALL_OF_IPV6 + (1 << 32) - 1),)
_PUBLIC = (ip_network("0.0.0.0/0"), ip_network("2000::/3"))
"""The networks with all addresses of the internet."""


@dataclass(frozen=True)
class Addresses:
    """The addresses that networks allow, without those that others deny.

    `unknown` policies may allow and deny more, and `empty` ones, which have no rules, may allow more.
    """

    allowed: frozenset[Network] = frozenset()
    denied: frozenset[Network] = frozenset()
    unknown: frozenset[str] = frozenset()
    empty: frozenset[str] = frozenset()

    def is_within(self, *others: Addresses) -> bool:
        """Return whether it is certain that all addresses of this set are in one of the others."""
        if any(one.unknown != self.unknown for one in others):
            return False
        if self.unknown and (others[1:] or _minus(_ranges(others[0].denied), _ranges(self.denied))):
            return False
        for policy in (None, *self.empty):
            left = self._if_it_allows_all(policy)
            for one in others:
                left = _minus(left, one._if_it_allows_all(policy))
            if left:
                return False
        return True

    def _if_it_allows_all(self, policy: str | None) -> Sequence[_Range]:
        return self._not_denied if policy in self.empty else self._known

    @property
    def is_nobody(self) -> bool:
        may_be_more = (self.unknown or self.empty) and self._not_denied
        return not may_be_more and not self._known

    @property
    def is_everybody(self) -> bool:
        return not self.unknown and not _minus(_EVERYWHERE, self._known)

    @property
    def is_almost_everybody(self) -> bool:
        """Whether more than half of the internet is allowed. No list of those who may get in is as long as that."""
        left = ((one, _minus([_range(one)], self._known)) for one in _PUBLIC)
        return any(2 * sum(last - first + 1 for first, last in ranges) < one.num_addresses for one, ranges in left)

    @cached_property
    def _known(self) -> Sequence[_Range]:
        """Of each set of addresses, the same ranges, which neither touch nor overlap."""
        return _minus(self._not_denied, _minus(_EVERYWHERE, _ranges(self.allowed)))

    @cached_property
    def _not_denied(self) -> Sequence[_Range]:
        return _minus(_EVERYWHERE, _ranges(self.denied))

    @property
    def canonical(self) -> list[list[str]]:
        """What is the same for the same addresses."""
        return [sorted(map(str, one)) for one in (self._known, self.unknown, self.empty)]

    def beyond(self, other: Addresses) -> list[str]:
        """Return in words what is allowed here in addition, or denied no longer."""
        added = [*sorted(map(str, self.allowed - other.allowed)), *sorted(self.unknown - other.unknown)]
        added += [f"{one} without rules" for one in sorted(self.empty - other.empty)]
        gone = [*sorted(map(str, other.denied - self.denied)), *sorted(other.unknown - self.unknown)]
        return [*added, *(f"what {one} may have denied" for one in gone)]


def network_of(rule: Mapping[str, Any]) -> Network | None:
    try:
        return ip_network(rule["cidr"], strict=False) if isinstance(rule.get("cidr"), str) else None
    except ValueError:
        return None


def _range(network: Network) -> _Range:
    offset = _ALL_OF_IPV6 if isinstance(network, IPv4Network) else 0
    return offset + int(network.network_address), offset + int(network.broadcast_address)


def _ranges(networks: Iterable[Network]) -> list[_Range]:
    return sorted(map(_range, networks))


def _minus(ranges: Iterable[_Range], others: Sequence[_Range]) -> list[_Range]:
    """Return the numbers in these ranges that are in none of the others, which are sorted by where they begin."""
    found: list[_Range] = []
    for first, last in ranges:
        start = first
        for low, high in others:
            if low <= last and high >= start:
                found += [(start, low - 1)] if low > start else []
                start = high + 1
        found += [(start, last)] if start <= last else []
    return found
