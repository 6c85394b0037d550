# SPDX-License-Identifier: GPL-3.0-or-later
"""Whom IP policies let through at each moment, as far as their rules are known. Pure.

The API reference only refers to IP policies. Their collections and fields are those of the services that have them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .._model.free_form_values import Terms, seen_member
from .._model.protection import IP_POLICIES, IP_RULES
from .._planning.plan import Plan, is_unclear, known_id, states_of
from .._values.identifiers import is_placeholder
from .addresses import Addresses, Network, network_of
from .locks import OTHERS
from .parts import At, Part, View, grouped

_POLICY_ID = "ip_policy_id"

Wire = Mapping[str, Any]


class Rule(NamedTuple):
    """What counts of a rule, which is not understood if it has no `network`."""

    policy: str
    action: str
    network: Network | None
    text: str


class Policies:
    """The rules of IP policies. All rules are known of those that are `new`, and if `are_all_listed`, of all others.

    The `failed` plans could not be made. Each is there with the policies that its rule belongs to and should belong to,
    of which one is empty if it may be any that exists.
    """

    def __init__(
        self,
        parts: Iterable[Part[Rule]] = (),
        new: Iterable[str] = (),
        failed: Mapping[int, set[str]] | None = None,
        *,
        are_all_listed: bool = False,
    ) -> None:
        self._by_policy = grouped((rule.policy, part) for part in parts for rule in part.existing)
        self._new, self._failed = frozenset(new), failed or {}
        self.lacks_rules = bool(failed)
        self._found: dict[object, Addresses] = {}
        # A rule that does not show its policy may belong to any that exists.
        self._are_all_listed = are_all_listed and "" not in self._by_policy

    @classmethod
    def of_plans(cls, plans: Sequence[Plan], listed: Sequence[Wire] | None) -> Policies:
        """Return the policies that plans of objects begin with, and those that they leave.

        `listed` are all live rules, None if they were not read.
        """
        parts, new, failed, planned = [], [], {}, set()
        for position, plan in enumerate(plans):
            collection = plan.target.object_collection
            if collection == IP_POLICIES and plan.before is None and plan.after is not None:
                new.append(plan.after["id"])
            elif collection == IP_POLICIES and is_unclear(plan):
                failed[position] = {known_id(plan)}
            elif collection == IP_RULES:
                rules = [rule_of(plan.kind.shown(state)) if state else None for state in states_of(plan)]
                parts.append(Part(rules, position))
                planned |= {plan.before["id"]} if plan.before else set()
                if plan.error:
                    failed[position] = {*_policies_of(plan), *([""] if is_unclear(plan) else ())}
        others = [Part([rule_of(one)]) for one in listed or () if str(one.get("id")) not in planned]
        return cls([*parts, *others], new, failed, are_all_listed=listed is not None)

    def at_the_end(self) -> Policies:
        parts = {part: None for parts in self._by_policy.values() for part in parts}
        left = [Part(part.views[-1:]) for part in parts]
        return Policies(left, self._new, are_all_listed=self._are_all_listed)

    def positions(self, *parts: Part[View]) -> set[int]:
        """Return the plans on which it depends whom parts of an account let through."""
        own = {part.position for part in parts if part.position is not None}
        views = (view for part in parts for view in part.existing) if self._by_policy else ()
        return own | self._positions({one for view in views for one in view.policies})

    def failed(self, *parts: Part[View]) -> list[int]:
        """Return the plans without which nobody knows whom parts of an account let through in the end."""
        ids = {one for part in parts for view in part.views[-1:] if view for one in view.policies}
        return [one for one, found in self._failed.items() if found & ids or ("" in found and ids - self._new)]

    def _positions(self, ids: Iterable[str]) -> set[int]:
        parts = (part for one in ids for part in self._by_policy.get(one, ()))
        return {part.position for part in parts if part.position is not None}

    def addresses(self, ids: frozenset[str], at: At) -> Addresses:
        """Return whom these policies let through together."""
        key = (ids, tuple(at.get(one, 0) for one in sorted(self._positions(ids))))
        if key in self._found:
            return self._found[key]
        found = (part.at(at) for one in ids for part in self._by_policy.get(one, ()))
        rules = [rule for rule in found if rule is not None and rule.policy in ids]
        networks = grouped((rule.action, rule.network) for rule in rules if rule.network)
        allowed, denied = (frozenset(networks.get(action, ())) for action in ("allow", "deny"))
        unknown = frozenset(one for one in ids if not self.knows(one))
        unknown |= {rule.text for rule in rules if not rule.network}
        # The API reference does not say whether a policy without rules lets nobody through, or everybody.
        self._found[key] = Addresses(allowed, denied, unknown, ids - {rule.policy for rule in rules} - unknown)
        return self._found[key]

    def knows(self, policy: str) -> bool:
        """Return whether all rules of a policy are known. An earlier task may have planned those of a new one."""
        is_live = self._are_all_listed and not is_placeholder(policy) and not policy.startswith(OTHERS)
        rules = (rule for part in self._by_policy.get(policy, ()) for rule in part.existing)
        return (policy in self._new or is_live) and all(rule.network for rule in rules)


def changed_policies(plans: Sequence[Plan]) -> set[str]:
    """Return the existing policies of which plans change the rules, or were to change them."""
    rules = (plan for plan in plans if plan.target.object_collection == IP_RULES)
    changed = (plan for plan in rules if plan.operations or plan.error)
    return {one for plan in changed for one in _policies_of(plan) if not is_placeholder(one)}


def _policies_of(plan: Plan) -> set[str]:
    """Return the policies to which a rule belongs before and after; without a plan, also where it is declared."""
    found = {rule_of(plan.kind.shown(state)).policy for state in (plan.before, plan.after) if state}
    declared = rule_of(plan.desired or {}).policy
    return {*found, declared} if plan.error and declared else found


def rule_of(wire: Wire) -> Rule:
    """Return what counts of a rule, as the service returns it or as it is declared."""
    policy = seen_member(wire, _POLICY_ID, {_POLICY_ID: ""}, "", Terms())
    action = str(wire.get("action")).lower()
    network = network_of(wire) if action in ("allow", "deny") else None
    return Rule(policy if isinstance(policy, str) else "", action, network, f"{action} {wire.get('cidr')}")
