# SPDX-License-Identifier: GPL-3.0-or-later
"""Whom IP policies let through, as far as all of their rules are known. Pure.

The API reference only refers to IP policies. Their collections and fields are those of the services that have them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, collapse_addresses, ip_network
from typing import Any, Union

from .._model.free_form_values import Terms, seen_member
from .._planning.placeholders import is_placeholder

POLICIES, RULES = "ip_policies", "ip_policy_rules"

_POLICY_ID = "ip_policy_id"
RULE_FIELDS = (_POLICY_ID, "action", "cidr")
_PUBLIC = ("0.0.0.0/0", "2000::/3")
"""The networks with all addresses of the internet."""

Network = Union[IPv4Network, IPv6Network]  # noqa: UP007 - modules can also run on Python 3.9
Networks = Mapping[str, Sequence[Network]]
Rule = Mapping[str, Any]


@dataclass(frozen=True)
class IPPolicies:
    """The `rules` of IP policies by the ID of their policy. All rules are known of those that are `new`, and if
    `are_all_listed`, of all others as well.
    """

    rules: Mapping[str, Sequence[Rule]] = field(default_factory=dict)
    new: frozenset[str] = frozenset()
    are_all_listed: bool = False

    @classmethod
    def of(cls, rules: Iterable[Rule], new: Iterable[str], *, are_all_listed: bool = False) -> IPPolicies:
        found: dict[str, list[Rule]] = defaultdict(list)
        for one in rules:
            # A rule that does not show its policy may belong to any that exists.
            policy = seen_member(one, _POLICY_ID, {_POLICY_ID: ""}, "", Terms())
            are_all_listed = are_all_listed and isinstance(policy, str)
            found[str(policy)].append(one)
        return cls(dict(found), frozenset(new), are_all_listed)

    def networks(self, policy: str) -> Networks | None:
        """Return the networks that a policy names by the action, `allow` or `deny`; None if they are not all known."""
        is_live = self.are_all_listed and not is_placeholder(policy)  # An earlier task may have planned its rules.
        if policy not in self.new and not is_live:
            return None
        found: dict[str, list[Network]] = {"allow": [], "deny": []}
        for one in self.rules.get(policy, ()):
            network, action = _network(one.get("cidr")), str(one.get("action")).lower()
            if network is None or action not in found:
                return None
            found[action].append(network)
        return found


def admitting_everyone(policies: Mapping[str, Networks]) -> list[str]:
    """Return the policies that let most addresses of the internet through: each of them, or all of them together."""
    # It is not known on which services what one policy denies counts if another one allows it.
    alone = [name for name, networks in policies.items() if _admit_everyone([networks])]
    return alone or (list(policies) if _admit_everyone(list(policies.values())) else [])


def _admit_everyone(policies: Sequence[Networks]) -> bool:
    allow, deny = ([network for one in policies for network in one[action]] for action in ("allow", "deny"))
    return any(_is_mostly(ip_network(public), allow, deny) for public in _PUBLIC)


def _network(cidr: Any) -> Network | None:
    try:
        return ip_network(cidr, strict=False) if isinstance(cidr, str) else None
    except ValueError:
        return None


def _is_mostly(public: Network, allow: Sequence[Network], deny: Sequence[Network]) -> bool:
    """Return whether more than half of a network is allowed. No list of those who may get in is as long as that."""
    allowed = list(_common(allow, [public]))
    denied = _common(deny, allowed)
    number = sum(one.num_addresses for one in allowed) - sum(one.num_addresses for one in denied)
    return 2 * number > public.num_addresses


def _common(networks: Iterable[Network], others: Sequence[Network]) -> Iterator[Network]:
    """Yield networks that contain the addresses which two lists have in common, each address once."""
    for other in others:
        same: list[Any] = [one for one in networks if one.version == other.version]
        overlapping = (one for one in collapse_addresses(same) if one.overlaps(other))
        yield from (max(one, other, key=lambda network: network.prefixlen) for one in overlapping)
